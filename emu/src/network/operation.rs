//! `ping`, `traceroute` and attempts to connect: real packets; virtual time goes on while they are under way.

use std::time::Duration;

use super::Network;
use crate::forwarding::{
    PingReport, PingRequest, Probe, ProbeAnswerKind, ProbeKind, ProbeResult, TcpProbeRequest, TcpProbeResult,
    TraceHop, TraceProbe, TracerouteReport, TracerouteRequest,
};
use crate::ids::NodeIndex;

/// TTL of echo requests.
const TTL: u8 = 255;

/// Time between two hops without an answer costs at least this.
const LEAST_TIMEOUT: Duration = Duration::from_millis(1);

impl Network {
    /// Pings from a router; virtual time goes on until the last reply or timeout.
    pub fn ping(&mut self, node: NodeIndex, request: &PingRequest) -> PingReport {
        let probe = Probe {
            vrf: request.vrf,
            source: request.source,
            destination: request.destination,
            ttl: TTL,
            tos: request.tos,
            dont_fragment: request.dont_fragment,
            kind: ProbeKind::Echo(request.size),
        };
        let results = (0..request.count)
            .map(|_| match self.probe(node, &probe, request.timeout) {
                None => ProbeResult::Timeout,
                Some((rtt, _, ProbeAnswerKind::Echo)) => ProbeResult::Reply { rtt },
                Some((_, from, ProbeAnswerKind::TimeExceeded)) => ProbeResult::TimeExceeded { from },
                Some((_, from, ProbeAnswerKind::Unreachable(code))) => {
                    ProbeResult::Unreachable { from, code }
                }
                Some((_, _, ProbeAnswerKind::Open | ProbeAnswerKind::Refused)) => ProbeResult::Timeout,
            })
            .collect();
        PingReport { results }
    }

    /// Traces the route from a router; virtual time goes on until the last answer or timeout.
    pub fn traceroute(&mut self, node: NodeIndex, request: &TracerouteRequest) -> TracerouteReport {
        let mut port = request.port;
        let mut report = TracerouteReport::default();
        for ttl in request.min_ttl..=request.max_ttl {
            let mut hop = TraceHop { ttl, probes: Vec::new() };
            let mut arrived = false;
            for _ in 0..request.probes {
                let probe = Probe {
                    vrf: request.vrf,
                    source: request.source,
                    destination: request.destination,
                    ttl,
                    tos: 0,
                    dont_fragment: false,
                    kind: ProbeKind::Udp(port),
                };
                port = port.wrapping_add(1);
                let heard = self.probe(node, &probe, request.timeout);
                hop.probes.push(heard.map_or(TraceProbe::Timeout, |(rtt, address, kind)| {
                    let unreachable = match kind {
                        ProbeAnswerKind::Unreachable(code) => Some(code),
                        ProbeAnswerKind::Echo
                        | ProbeAnswerKind::TimeExceeded
                        | ProbeAnswerKind::Open
                        | ProbeAnswerKind::Refused => None,
                    };
                    arrived |= unreachable.is_some();
                    TraceProbe::Answer { address, rtt, unreachable }
                }));
            }
            report.hops.push(hop);
            if arrived {
                break;
            }
        }
        report
    }

    /// Tries whether anything listens at a TCP port; virtual time goes on until the answer or the timeout.
    pub fn tcp_probe(&mut self, node: NodeIndex, request: &TcpProbeRequest) -> TcpProbeResult {
        let probe = Probe {
            vrf: request.vrf,
            source: request.source,
            destination: request.destination,
            ttl: TTL,
            tos: 0,
            dont_fragment: false,
            kind: ProbeKind::Tcp(request.port),
        };
        let until = self.now + request.timeout;
        while self.now < until {
            let source = |router: &crate::router::Router| {
                request.source.or_else(|| router.source_towards(request.vrf, request.destination))
            };
            if self.get(node).and_then(source).is_none() {
                return TcpProbeResult::Unreachable(None);
            }
            let left = until.since(self.now).min(TcpProbeRequest::RETRANSMISSION);
            match self.probe(node, &probe, left) {
                None => {}
                Some((_, _, ProbeAnswerKind::Open)) => return TcpProbeResult::Open,
                Some((_, _, ProbeAnswerKind::Refused)) => return TcpProbeResult::Refused,
                Some((_, _, ProbeAnswerKind::Unreachable(code))) => {
                    return TcpProbeResult::Unreachable(Some(code));
                }
                Some((_, _, ProbeAnswerKind::Echo | ProbeAnswerKind::TimeExceeded)) => {
                    return TcpProbeResult::Unreachable(None);
                }
            }
        }
        TcpProbeResult::Timeout
    }

    /// Sends a probe and waits for what is heard of it.
    fn probe(
        &mut self,
        node: NodeIndex,
        probe: &Probe,
        timeout: Duration,
    ) -> Option<(Duration, std::net::Ipv4Addr, ProbeAnswerKind)> {
        let sent = self.now;
        let until = sent + timeout.max(LEAST_TIMEOUT);
        self.with_router(node, |router, now| {
            router.send_probe(now, probe);
        });
        loop {
            if let Some(answer) = self.get(node)?.probe_answer() {
                return Some((answer.at.since(sent), answer.from, answer.kind));
            }
            if !self.step(until) {
                self.now = until;
                return None;
            }
        }
    }
}
