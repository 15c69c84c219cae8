//! IP SLA operations: an echo request at regular intervals, and what came of it.

use std::collections::btree_map::Entry;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{SlaOperation, SlaSource, Timer};
use crate::config::RouterConfig;
use crate::process::{Datagram, IpProtocol};
use crate::router::Router;
use crate::time::Time;
use crate::wire::IcmpMessage;

/// The identifier of echo requests of operations. That of an operator's pings is the router's number, which is less.
const IDENT: u16 = 0xF51A;

/// TTL of echo requests.
const TTL: u8 = 255;

/// Octets of data in an echo request: IOS sends eight more than `request-data-size` says.
const DATA_SIZE: u16 = 28;

/// What came of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlaResult {
    /// An answer in time.
    Ok,
    /// An answer behind the threshold.
    OverThreshold,
    /// No answer.
    Timeout,
}

/// An operation under way or at rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlaState {
    /// The configuration that it runs by.
    config: SlaOperation,
    /// The request that waits for its answer: its number, and when it was sent.
    pending: Option<(u16, Time)>,
    /// When the last one began.
    pub started: Option<Time>,
    /// What came of the last one.
    pub last: Option<SlaResult>,
    /// Its round trip, if it had an answer.
    pub rtt: Option<Duration>,
    /// How many had an answer in time or late.
    pub successes: u64,
    /// How many had none.
    pub failures: u64,
}

impl Router {
    /// Starts operations that are scheduled, and ends those that are not any more. One that is changed begins anew.
    pub(super) fn reconcile_operations(&mut self, now: Time, config: &RouterConfig) {
        let runs = |number: &u32, state: &mut SlaState| {
            config.sla.get(number).is_some_and(|wanted| wanted.scheduled && *wanted == state.config)
        };
        self.tracking.operations.retain(runs);
        let operations = &self.tracking.operations;
        self.tracking.timers.cancel_if(|timer| match timer {
            Timer::Start(number) | Timer::Timeout(number) => !operations.contains_key(&number),
            Timer::Object(_) => false,
        });
        for (&number, operation) in config.sla.iter().filter(|(_, wanted)| wanted.scheduled) {
            if let Entry::Vacant(vacant) = self.tracking.operations.entry(number) {
                vacant.insert(SlaState {
                    config: operation.clone(),
                    pending: None,
                    started: None,
                    last: None,
                    rtt: None,
                    successes: 0,
                    failures: 0,
                });
                self.tracking.timers.set(Timer::Start(number), now);
            }
        }
    }

    /// What is due: operations to begin, answers that have not come, delays of objects.
    pub(crate) fn run_tracking_timers(&mut self, now: Time) {
        while let Some(timer) = self.tracking.timers.pop_expired(now) {
            match timer {
                Timer::Start(number) => self.start_operation(now, number),
                Timer::Timeout(number) => self.operation_ended(number, None),
                // The delay is over, which is seen when the objects are looked at.
                Timer::Object(_) => {}
            }
        }
    }

    fn start_operation(&mut self, now: Time, number: u32) {
        self.tracking.sequence = self.tracking.sequence.wrapping_add(1);
        let sequence = self.tracking.sequence;
        let Some(state) = self.tracking.operations.get_mut(&number) else { return };
        let config = state.config.clone();
        state.pending = Some((sequence, now));
        state.started = Some(now);
        self.tracking.timers.set(Timer::Start(number), now + config.frequency());
        self.tracking.timers.set(Timer::Timeout(number), now + config.timeout());
        self.send_request(now, &config, sequence);
    }

    /// Sends the request; where no way leads there is none, and the operation will have no answer.
    fn send_request(&mut self, now: Time, config: &SlaOperation, sequence: u16) {
        let Some(vrf) = self.interfaces.vrf_id(config.vrf.as_deref()) else { return };
        let Some(destination) = config.target else { return };
        let source = match config.source {
            Some(SlaSource::Address(address)) => Some(address),
            Some(SlaSource::Interface(name)) => {
                self.interfaces.by_name(name).and_then(|on| self.interfaces.source_address(on.index))
            }
            None => self.source_towards(vrf, destination),
        };
        let Some(source) = source else { return };
        let data = vec![0; usize::from(config.data_size.unwrap_or(DATA_SIZE))];
        let datagram = Datagram {
            interface: None,
            source,
            destination,
            protocol: IpProtocol::ICMP,
            ttl: TTL,
            tos: config.tos.unwrap_or(0),
            dont_fragment: false,
            payload: IcmpMessage::EchoRequest { ident: IDENT, sequence, data }.emit().into(),
        };
        self.send_datagram(now, vrf, &datagram);
    }

    /// An ICMP message that may answer an operation.
    pub(crate) fn sla_answered(&mut self, now: Time, from: Ipv4Addr, message: &IcmpMessage) {
        let IcmpMessage::EchoReply { ident: IDENT, sequence, .. } = message else { return };
        let waiting = self.tracking.operations.iter().find_map(|(&number, state)| {
            let (pending, sent) = state.pending?;
            (pending == *sequence && state.config.target == Some(from)).then_some((number, sent))
        });
        if let Some((number, sent)) = waiting {
            self.operation_ended(number, Some(now.since(sent)));
        }
    }

    fn operation_ended(&mut self, number: u32, rtt: Option<Duration>) {
        self.tracking.timers.cancel(Timer::Timeout(number));
        let Some(state) = self.tracking.operations.get_mut(&number) else { return };
        state.pending = None;
        state.rtt = rtt;
        state.last = Some(match rtt {
            None => SlaResult::Timeout,
            Some(rtt) if rtt > state.config.threshold() => SlaResult::OverThreshold,
            Some(_) => SlaResult::Ok,
        });
        match rtt {
            Some(_) => state.successes += 1,
            None => state.failures += 1,
        }
    }

    /// How long a failure may stay unseen: an operation's frequency and timeout, and the delay of an object.
    pub(crate) fn tracking_interval(&self) -> Duration {
        let operations = self.tracking.operations.values();
        let longest = operations.map(|state| state.config.frequency() + state.config.timeout()).max();
        let delays = self.config.tracks.values().flat_map(|track| [track.delay_up, track.delay_down]);
        let delay = delays.flatten().max().map(|seconds| Duration::from_secs(seconds.into()));
        longest.unwrap_or_default() + delay.unwrap_or_default()
    }
}
