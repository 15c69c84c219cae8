//! `show ip bgp neighbors`.

use std::net::Ipv4Addr;

use netconfarena_emu::bgp::packet::{Capability, PeerKind};
use netconfarena_emu::bgp::{LastReset, PathSource, Peer, Session};

use super::Running;
use crate::running_config::bgp_policy_lines as policy_lines;
use crate::show::age::Age;
use crate::show::bgp::neighbor::{Connection, Family, IpBgpNeighbors, Messages, Neighbor};
use crate::show::bgp::neighbor_policy::IpBgpNeighborPolicy;
use crate::syslog::bgp::down_reason;

impl Running<'_> {
    /// A neighbor, or all.
    #[must_use]
    pub fn neighbors(&self, address: Option<Ipv4Addr>) -> IpBgpNeighbors {
        let peers = self.instance.peers.values();
        let wanted = peers.filter(|peer| address.is_none_or(|address| address == peer.key.address));
        IpBgpNeighbors { neighbors: wanted.map(|peer| self.neighbor(peer)).collect() }
    }

    /// A peer by its address.
    #[must_use]
    pub fn peer(&self, address: Ipv4Addr) -> Option<&Peer> {
        self.instance.peers.get(&address)
    }

    /// `neighbors X policy`.
    #[must_use]
    pub fn neighbor_policy(&self, address: Ipv4Addr) -> IpBgpNeighborPolicy {
        let Some(neighbor) = self.settings.neighbors.get(&address) else {
            return IpBgpNeighborPolicy::default();
        };
        let mut all = self.config.effective(self.settings, neighbor).policy;
        // What the address family says for all is no policy of the neighbor.
        all.additional_paths = all.additional_paths.filter(|_| neighbor.policy.additional_paths.is_some());
        let local = policy_lines(&neighbor.policy);
        let inherited = policy_lines(&all).into_iter().filter(|line| !local.contains(line)).collect();
        IpBgpNeighborPolicy { neighbor: Some(address), local, inherited }
    }

    fn neighbor(&self, peer: &Peer) -> Neighbor {
        let settings = &peer.settings.session;
        let timers = peer.timers(self.config.timers);
        let now = self.context.now();
        let age = |at| Age::from(now.since(at));
        let session = peer.session.as_ref();
        let seconds = |span: std::time::Duration| u32::try_from(span.as_secs()).unwrap_or(u32::MAX);
        let (hold_time, keepalive) = match session {
            Some(session) => (seconds(session.hold_time), seconds(session.keepalive)),
            None => (timers.hold.into(), timers.keepalive.into()),
        };
        let reset = peer.last_reset.as_ref();
        let restart = self.config.graceful_restart;
        Neighbor {
            vrf: self.instance.name.clone(),
            local_as: Some(peer.local_as.0).filter(|&asn| asn != self.config.asn.0),
            description: settings.description.clone().unwrap_or_default(),
            peer_group: peer.settings.group.clone(),
            remote_router_id: session.map_or(Ipv4Addr::UNSPECIFIED, |session| session.router_id.0),
            state: peer.state().to_string(),
            shutdown: settings.shutdown,
            uptime: session.map(|session| age(session.since)),
            hold_time,
            keepalive,
            capabilities: session.map_or_else(Vec::new, capabilities),
            remote_restart_time: session.and_then(Session::restart_time).map(seconds),
            forwarding_preserved: session.is_some_and(Session::has_kept_forwarding),
            restart_time: restart.enabled.then(|| restart.restart_seconds().into()),
            stale_path_time: restart.enabled.then(|| restart.stale_path_seconds().into()),
            messages: messages(peer),
            family: self.family(peer),
            established: peer.established,
            dropped: peer.dropped,
            last_reset: reset.map(|reset| age(reset.at)),
            reset_reason: reset.map(reset_reason),
            multihop: settings.ebgp_multihop.filter(|_| !peer.is_internal()),
            directly_connected: peer.is_internal() || peer.must_be_connected(),
            connection: session.map(|session| Connection {
                local_address: *session.endpoints.local.ip(),
                local_port: session.endpoints.local.port(),
                remote_address: *session.endpoints.remote.ip(),
                remote_port: session.endpoints.remote.port(),
            }),
            ..Neighbor::named(peer.key.address, peer.remote_as.0, peer.kind == PeerKind::Internal)
        }
    }

    fn family(&self, peer: &Peer) -> Family {
        let policy = &peer.settings.policy;
        let number = |list: Option<u16>| list.map(|number| number.to_string());
        let (mut bestpaths, mut multipaths) = (0, 0);
        for (_, destination) in self.instance.table.iter() {
            let from_peer =
                |path: &&netconfarena_emu::bgp::Path| path.source == PathSource::Peer(peer.key.address);
            bestpaths += u32::from(destination.best_path().as_ref().is_some_and(from_peer));
            let used =
                destination.paths.iter().filter(from_peer).filter(|path| path.status.multipath).count();
            multipaths += u32::try_from(used).unwrap_or(0);
        }
        Family {
            table_version: self.version(),
            reflector_client: policy.route_reflector_client,
            next_hop_self: policy.next_hop_self.is_some(),
            soft_reconfiguration: policy.soft_reconfiguration,
            send_community: policy.send_community.standard,
            default_originate: policy.default_originate.is_some(),
            route_map_in: policy.route_map_in.clone(),
            route_map_out: policy.route_map_out.clone(),
            prefix_list_in: policy.prefix_list_in.clone(),
            prefix_list_out: policy.prefix_list_out.clone(),
            distribute_list_in: policy.distribute_list_in.clone(),
            distribute_list_out: policy.distribute_list_out.clone(),
            filter_list_in: number(policy.filter_list_in),
            filter_list_out: number(policy.filter_list_out),
            maximum_prefix: policy.maximum_prefix.map(|maximum| maximum.limit),
            prefixes_sent: peer.routes_out.current + u32::from(peer.routes_out.default_sent),
            prefixes_received: peer.routes_in.current,
            bestpaths,
            multipaths,
        }
    }
}

fn messages(peer: &Peer) -> Messages {
    let (sent, received) = (peer.sent, peer.received);
    Messages {
        opens: [sent.opens, received.opens],
        notifications: [sent.notifications, received.notifications],
        updates: [sent.updates, received.updates],
        keepalives: [sent.keepalives, received.keepalives],
        route_refreshes: [sent.refreshes, received.refreshes],
    }
}

/// `BGP Notification sent of session 1, hold time expired`, `Peer closed the session of session 1`.
fn reset_reason(reset: &LastReset) -> String {
    format!("{} of session 1", down_reason(reset.reason))
}

/// Tells a kind of capability.
type IsCapability = fn(&Capability) -> bool;

/// The capabilities that either side has sent.
fn capabilities(session: &Session) -> Vec<String> {
    let known: [(IsCapability, &str); 5] = [
        (|c| matches!(c, Capability::RouteRefresh), "Route refresh"),
        (|c| matches!(c, Capability::FourOctetAs(_)), "Four-octets ASN Capability"),
        (|c| matches!(c, Capability::Multiprotocol(_)), "Address family IPv4 Unicast"),
        (|c| matches!(c, Capability::GracefulRestart { .. }), "Graceful Restart Capability"),
        (|c| matches!(c, Capability::EnhancedRouteRefresh), "Enhanced Refresh Capability"),
    ];
    let mut lines = Vec::new();
    for (is, name) in known {
        let new = if name == "Route refresh" { "(new)" } else { "" };
        let how = match (session.sent.iter().any(is), session.received.iter().any(is)) {
            (true, true) => format!("advertised and received{new}"),
            (true, false) => "advertised".to_owned(),
            (false, true) => format!("received{new}"),
            (false, false) => continue,
        };
        lines.push(format!("{name}: {how}"));
    }
    lines
}
