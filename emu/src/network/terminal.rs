//! Connections of terminals: operators reach other routers by TCP; virtual time goes on while packets are under way.

use std::net::SocketAddrV4;
use std::time::Duration;

use super::Network;
use crate::config::Line;
use crate::forwarding::{ProbeAnswerKind, TcpProbeRequest, TcpProbeResult};
use crate::ids::NodeIndex;
use crate::router::{CallRefusal, CallState};
use crate::tcp::{CloseReason, Endpoints};

impl Network {
    /// Runs until something holds, or for a span of virtual time; tells whether it holds.
    pub fn run_until_true(&mut self, limit: Duration, holds: impl Fn(&Self) -> bool) -> bool {
        let until = self.now + limit;
        while !holds(self) {
            if !self.step(until) {
                self.now = until;
                return holds(self);
            }
        }
        true
    }

    /// Whether a session on a line may connect to somewhere (`transport output`, `access-class LIST out`); it counts and logs.
    ///
    /// # Errors
    /// Why not.
    pub fn may_call(
        &mut self,
        node: NodeIndex,
        line: Line,
        request: &TcpProbeRequest,
    ) -> Result<(), CallRefusal> {
        let mut allowed = Ok(());
        let remote = SocketAddrV4::new(request.destination, request.port);
        self.with_router(node, |router, now| {
            let own = || router.source_towards(request.vrf, request.destination);
            let local = request.source.or_else(own).unwrap_or(std::net::Ipv4Addr::UNSPECIFIED);
            allowed = router.may_call(now, line, local, remote);
        });
        allowed
    }

    /// Opens a TCP connection for an operator; virtual time goes on until it is there or has failed.
    ///
    /// # Errors
    /// What came instead of a connection; never [`TcpProbeResult::Open`].
    pub fn open_call(
        &mut self,
        node: NodeIndex,
        request: &TcpProbeRequest,
    ) -> Result<Endpoints, TcpProbeResult> {
        let mut opened = None;
        let remote = SocketAddrV4::new(request.destination, request.port);
        self.with_router(node, |router, now| {
            let source = request.source.or_else(|| router.source_towards(request.vrf, request.destination));
            opened = source.and_then(|local| router.call(now, request.vrf, local, remote));
        });
        let endpoints = opened.ok_or(TcpProbeResult::Unreachable(None))?;
        let settled = |network: &Self| -> Option<Result<Endpoints, TcpProbeResult>> {
            let router = network.get(node)?;
            match router.call_at(endpoints).map(|call| call.state) {
                Some(CallState::Open) => return Some(Ok(endpoints)),
                Some(CallState::Closed(CloseReason::Refused | CloseReason::Reset)) => {
                    return Some(Err(TcpProbeResult::Refused));
                }
                Some(CallState::Closed(CloseReason::Finished)) => return Some(Ok(endpoints)),
                Some(CallState::Closed(CloseReason::TimedOut)) | None => {
                    return Some(Err(TcpProbeResult::Timeout));
                }
                Some(CallState::Opening) => {}
            }
            match router.probe_answer()?.kind {
                ProbeAnswerKind::Unreachable(code) => Some(Err(TcpProbeResult::Unreachable(Some(code)))),
                ProbeAnswerKind::TimeExceeded => Some(Err(TcpProbeResult::Unreachable(None))),
                ProbeAnswerKind::Echo | ProbeAnswerKind::Open | ProbeAnswerKind::Refused => None,
            }
        };
        self.run_until_true(request.timeout, |network| settled(network).is_some());
        let result = settled(self).unwrap_or(Err(TcpProbeResult::Timeout));
        if result.is_err() {
            self.close_terminal(node, endpoints);
        }
        result
    }

    /// The virtual terminal at the other end of a connection that an operator has opened.
    #[must_use]
    pub fn visit_of(&self, call: Endpoints) -> Option<(NodeIndex, u16)> {
        self.nodes().find_map(|node| {
            let mut visits = self.get(node)?.visits();
            let (line, _) = visits.find(|(_, visit)| {
                visit.endpoints.local == call.remote && visit.endpoints.remote == call.local
            })?;
            Some((node, line))
        })
    }

    /// Sends octets on a connection of a terminal.
    pub fn write_terminal(&mut self, node: NodeIndex, endpoints: Endpoints, octets: &[u8]) {
        self.with_router(node, |router, now| router.write_terminal(now, endpoints, octets));
    }

    /// Takes the octets that have come in on a connection of a terminal.
    pub fn read_terminal(&mut self, node: NodeIndex, endpoints: Endpoints) -> Vec<u8> {
        let mut octets = Vec::new();
        self.with_router(node, |router, _| octets = router.take_terminal_input(endpoints));
        octets
    }

    /// Closes a connection of a terminal; what was written is still sent.
    pub fn close_terminal(&mut self, node: NodeIndex, endpoints: Endpoints) {
        self.with_router(node, |router, now| router.close_terminal(now, endpoints));
    }

    /// Ends the session on a virtual terminal (`clear line vty N`); tells whether there was a connection.
    pub fn clear_visit(&mut self, node: NodeIndex, line: u16) -> bool {
        let mut found = false;
        self.with_router(node, |router, now| found = router.clear_visit(now, line));
        found
    }
}
