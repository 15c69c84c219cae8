//! The records of neighbors, interfaces and traffic from processes.

use netconfarena_emu::eigrp::packet::{SoftwareVersion, StubFlags};
use netconfarena_emu::eigrp::{
    AuthenticationMode, EigrpInterface, EigrpProcess, Neighbor as Peer, NeighborKey, TrafficCounters,
};
use netconfarena_emu::interface::InterfaceName;

use super::interfaces::{self, IpEigrpInterfaces};
use super::neighbors::{self, IpEigrpNeighbors};
use super::traffic::{self, IpEigrpTraffic};
use super::{Heading, millis};
use crate::show::ShowContext;
use crate::show::age::Age;

impl Heading {
    /// The heading of a process.
    pub(super) fn of(process: &EigrpProcess) -> Self {
        Self {
            as_number: process.autonomous_system,
            name: process.name.clone(),
            vrf: process.vrf_name.clone(),
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl IpEigrpNeighbors {
    /// The neighbors of processes, on one interface or on all.
    #[must_use]
    pub fn collect(
        context: &ShowContext<'_>,
        processes: &[&EigrpProcess],
        interface: Option<InterfaceName>,
        detail: bool,
    ) -> Self {
        let of = |process: &&EigrpProcess| {
            let mut neighbors: Vec<neighbors::Neighbor> = process
                .neighbors()
                .filter_map(|(key, peer)| Some((key, peer, process.interfaces.get(&key.interface)?)))
                .filter(|(_, _, on)| interface.is_none_or(|wanted| wanted == on.name))
                .map(|(key, peer, on)| neighbor(context, process, key, peer, on, detail))
                .collect();
            neighbors.sort_by_key(|neighbor| std::cmp::Reverse(neighbor.handle));
            neighbors::Process { heading: Heading::of(process), neighbors }
        };
        Self { processes: processes.iter().map(of).collect() }
    }
}

fn neighbor(
    context: &ShowContext<'_>,
    process: &EigrpProcess,
    key: NeighborKey,
    peer: &Peer,
    on: &EigrpInterface,
    detail: bool,
) -> neighbors::Neighbor {
    let now = context.now();
    let hold = process.holds_until(key).map_or(0, |until| until.since(now).as_secs());
    let transport = &peer.transport;
    let SoftwareVersion { release, tlv } =
        peer.version.unwrap_or(SoftwareVersion { release: (0, 0), tlv: (0, 0) });
    let prefixes = process
        .topology
        .values()
        .filter(|destination| destination.paths().iter().any(|path| path.source.neighbor() == Some(key)));
    let detail = detail.then(|| neighbors::Detail {
        version: format!("{}.{}/{}.{}", release.0, release.1, tlv.0, tlv.1),
        retransmissions: transport.retransmissions,
        retries: transport.in_flight.as_ref().map_or(0, |flight| flight.retries.into()),
        prefixes: count(prefixes.count()),
        stub: peer.stub.map(stub_words),
    });
    neighbors::Neighbor {
        handle: peer.handle,
        address: peer.address,
        interface: on.name.short(),
        hold: u32::try_from(hold).unwrap_or(u32::MAX),
        uptime: Age::from(now.since(peer.since)),
        srtt: transport.srtt.map_or(0, millis),
        rto: millis(transport.current_rto(on.pacing_interval())),
        queue: count(transport.queue_count()),
        sequence: transport.last_received.0,
        detail,
    }
}

/// What a stub tells: `CONNECTED SUMMARY`.
fn stub_words(flags: StubFlags) -> String {
    let words = [
        (StubFlags::CONNECTED, "CONNECTED"),
        (StubFlags::STATIC, "STATIC"),
        (StubFlags::SUMMARY, "SUMMARY"),
        (StubFlags::REDISTRIBUTED, "REDISTRIBUTED"),
        (StubFlags::LEAK_MAP, "LEAK-MAP"),
        (StubFlags::RECEIVE_ONLY, "RECEIVE-ONLY"),
    ];
    let set: Vec<&str> =
        words.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, word)| *word).collect();
    set.join(" ")
}

impl IpEigrpInterfaces {
    /// The interfaces of processes that are not passive by configuration; a loopback is listed though nobody is spoken to there.
    #[must_use]
    pub fn collect(
        context: &ShowContext<'_>,
        processes: &[&EigrpProcess],
        interface: Option<InterfaceName>,
        detail: bool,
    ) -> Self {
        let config = context.router().config();
        let speaks = |process: &EigrpProcess, on: &EigrpInterface| {
            let instance = config.eigrp.instance(process.autonomous_system, process.vrf_name.as_deref());
            instance.is_some_and(|instance| !instance.is_passive(config, on.name))
        };
        let of = |process: &&EigrpProcess| interfaces::Process {
            heading: Heading::of(process),
            interfaces: process
                .interfaces
                .values()
                .filter(|on| speaks(process, on) && interface.is_none_or(|wanted| wanted == on.name))
                .map(|on| entry(on, detail))
                .collect(),
        };
        Self { processes: processes.iter().map(of).collect() }
    }
}

fn entry(on: &EigrpInterface, detail: bool) -> interfaces::Entry {
    let queued = on.neighbors.values().map(|neighbor| neighbor.transport.queue_count()).sum();
    let seconds = |span: std::time::Duration| u32::try_from(span.as_secs()).unwrap_or(u32::MAX);
    let detail = detail.then(|| interfaces::Detail {
        hello_interval: seconds(on.hello_interval()),
        hold_time: seconds(on.hold_time()),
        split_horizon: on.split_horizon(),
        packetized: on.counters.packetized,
        hellos_sent: on.counters.hellos,
        hellos_expedited: on.counters.hellos_expedited,
        unreliable_multicasts: on.counters.unreliable_multicasts,
        reliable_multicasts: on.counters.reliable_multicasts,
        unreliable_unicasts: on.counters.unreliable_unicasts,
        reliable_unicasts: on.counters.reliable_unicasts,
        multicast_exceptions: on.counters.multicast_exceptions,
        conditional_receive: on.counters.conditional_receive,
        acknowledgments_suppressed: on.counters.acknowledgments_suppressed,
        retransmissions: on.counters.retransmissions,
        out_of_sequence: on.counters.out_of_sequence,
        authentication: match &on.settings.authentication {
            None => "not set",
            Some(AuthenticationMode::Md5) => "md5",
            Some(AuthenticationMode::HmacSha256(_)) => "hmac-sha-256",
        }
        .to_owned(),
        key_chain: on.settings.key_chain.clone().filter(|_| on.settings.authentication.is_some()),
    });
    interfaces::Entry {
        interface: on.name.short(),
        peers: count(on.neighbors.len()),
        peer_queue: count(queued),
        mean_srtt: millis(on.mean_srtt()),
        pacing: millis(on.pacing_interval()),
        flow_timer: millis(on.multicast_flow_time()),
        pending_routes: count(on.announcements.len()),
        detail,
    }
}

impl IpEigrpTraffic {
    /// What processes have sent and received.
    #[must_use]
    pub fn collect(processes: &[&EigrpProcess]) -> Self {
        let of = |process: &&EigrpProcess| {
            let (sent, received) = (kinds(&process.traffic.sent), kinds(&process.traffic.received));
            let mut counts = [(0, 0); traffic::KINDS.len()];
            for (count, pair) in counts.iter_mut().zip(sent.into_iter().zip(received)) {
                *count = pair;
            }
            traffic::Process { heading: Heading::of(process), counts }
        };
        Self { processes: processes.iter().map(of).collect() }
    }
}

/// The counters in the order of [`traffic::KINDS`].
const fn kinds(counters: &TrafficCounters) -> [u64; 7] {
    let TrafficCounters { hellos, updates, queries, replies, acknowledgments, sia_queries, sia_replies } =
        *counters;
    [hellos, updates, queries, replies, acknowledgments, sia_queries, sia_replies]
}
