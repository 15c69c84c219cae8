//! Router LSAs (RFC 2328 section 12.4.1).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::{Content, area_options};
use crate::ids::{IfIndex, RouterId};
use crate::ospf::config::{AreaKind, NetworkType};
use crate::ospf::interface::{InterfaceState, OspfNetwork};
use crate::ospf::lsa::{
    LinkKind, LsType, LsaBody, LsaKey, MAX_LINK_METRIC, RouterFlags, RouterLink, RouterLsa,
};

/// What a router LSA tells of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceView {
    /// What it is to OSPF.
    pub network: OspfNetwork,
    /// State.
    pub state: InterfaceState,
    /// Its number: the Link Data of an unnumbered link.
    pub index: IfIndex,
    /// Own address; of a virtual link the address of the interface that leads to the other end.
    pub address: Option<Ipv4Net>,
    /// Secondary addresses in the same area.
    pub secondary: Vec<Ipv4Net>,
    /// Output cost; of a virtual link the cost of the way through the transit area.
    pub cost: u16,
    /// The DR's address.
    pub designated_router: Ipv4Addr,
    /// Fully adjacent to the DR, or DR itself with at least one full adjacency.
    pub has_transit: bool,
    /// Fully adjacent neighbors, with a cost of their own (`neighbor A cost C`) if they have one.
    pub adjacent: Vec<(RouterId, Option<u16>)>,
    /// The subnet is not advertised (RFC 6860).
    pub suppress_prefix: bool,
}

/// How a stub router keeps transit traffic away (RFC 6987).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StubRouter {
    /// `include-stub`.
    pub include_stub: bool,
}

/// The router LSA of an area.
#[must_use]
pub fn router_lsa(
    router_id: RouterId,
    kind: AreaKind,
    flags: RouterFlags,
    interfaces: &[InterfaceView],
    stub_router: Option<StubRouter>,
) -> (LsaKey, Content) {
    let mut links: Vec<RouterLink> = interfaces.iter().flat_map(links).collect();
    if let Some(stub_router) = stub_router {
        let touched = links.iter_mut().filter(|l| l.kind != LinkKind::Stub || stub_router.include_stub);
        touched.for_each(|link| link.metric = MAX_LINK_METRIC);
    }
    let body = LsaBody::Router(RouterLsa { flags, links });
    (LsaKey::new(LsType::Router, router_id.0, router_id), Content { options: area_options(kind), body })
}

/// Sections 12.4.1.1 to 12.4.1.4: the links of one interface.
fn links(view: &InterfaceView) -> Vec<RouterLink> {
    if view.state == InterfaceState::Down {
        return Vec::new();
    }
    let mut links = match (view.network, view.state) {
        (OspfNetwork::Loopback, _) | (_, InterfaceState::Loopback) => {
            view.address.map(|address| stub(Ipv4Net::from(address.addr()), view.cost)).into_iter().collect()
        }
        (OspfNetwork::VirtualLink, _) => adjacencies(view, LinkKind::Virtual),
        (OspfNetwork::Network(NetworkType::Broadcast | NetworkType::NonBroadcast), _) => network(view),
        (OspfNetwork::Network(NetworkType::PointToPoint), _) => {
            let mut links = adjacencies(view, LinkKind::PointToPoint);
            links.extend(subnet(view));
            links
        }
        (OspfNetwork::Network(_), _) => {
            let host = view.address.filter(|_| !view.suppress_prefix).map(|a| Ipv4Net::from(a.addr()));
            let mut links = adjacencies(view, LinkKind::PointToPoint);
            links.extend(host.map(|host| stub(host, 0)));
            links
        }
    };
    links.extend(view.secondary.iter().map(|&net| stub(net, view.cost)));
    links
}

/// Section 12.4.1.2: a transit link where there is an adjacency with the DR, else a stub link.
fn network(view: &InterfaceView) -> Vec<RouterLink> {
    match view.address {
        Some(address) if view.has_transit && view.state != InterfaceState::Waiting => vec![RouterLink {
            kind: LinkKind::Transit,
            id: view.designated_router,
            data: address.addr(),
            metric: view.cost,
        }],
        _ => subnet(view).into_iter().collect(),
    }
}

/// Sections 12.4.1.1, 12.4.1.3 and 12.4.1.4: a link for each full adjacency.
fn adjacencies(view: &InterfaceView, kind: LinkKind) -> Vec<RouterLink> {
    let data = view.address.map_or(Ipv4Addr::from(view.index.0), |address| address.addr());
    let link = |&(neighbor, cost): &(RouterId, Option<u16>)| RouterLink {
        kind,
        id: neighbor.0,
        data,
        metric: cost.unwrap_or(view.cost),
    };
    view.adjacent.iter().map(link).collect()
}

/// The stub link to the interface's subnet.
fn subnet(view: &InterfaceView) -> Option<RouterLink> {
    view.address.filter(|_| !view.suppress_prefix).map(|address| stub(address, view.cost))
}

fn stub(net: Ipv4Net, metric: u16) -> RouterLink {
    RouterLink { kind: LinkKind::Stub, id: net.network(), data: net.netmask(), metric }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ospf::handcrafted::{self as hand, PLAIN, ip, p2p, rid, transit, virtual_link};
    use crate::ospf::lsa::Options;

    fn view(network: OspfNetwork, state: InterfaceState) -> InterfaceView {
        InterfaceView {
            network,
            state,
            index: IfIndex(3),
            address: Some("10.0.0.1/24".parse().unwrap()),
            secondary: vec![],
            cost: 10,
            designated_router: Ipv4Addr::UNSPECIFIED,
            has_transit: false,
            adjacent: vec![],
            suppress_prefix: false,
        }
    }

    fn of(kind: NetworkType, state: InterfaceState) -> InterfaceView {
        view(OspfNetwork::Network(kind), state)
    }

    fn made(interfaces: &[InterfaceView], stub_router: Option<StubRouter>) -> Vec<RouterLink> {
        let (_, content) = router_lsa(rid(1), AreaKind::Normal, PLAIN, interfaces, stub_router);
        let LsaBody::Router(body) = content.body else { panic!() };
        body.links
    }

    #[test]
    fn rfc12_4_1_interfaces_that_are_down_have_no_links() {
        assert!(made(&[of(NetworkType::Broadcast, InterfaceState::Down)], None).is_empty());
    }

    #[test]
    fn rfc12_4_1_options_tell_stub_areas() {
        let options = |kind| router_lsa(rid(1), kind, PLAIN, &[], None).1.options;
        assert_eq!(options(AreaKind::Normal), Options::E | Options::DC);
        assert_eq!(options(AreaKind::Stub { no_summary: false }), Options::DC);
    }

    #[test]
    fn rfc12_4_1_1_point_to_point_has_the_neighbor_and_the_subnet() {
        let mut view = of(NetworkType::PointToPoint, InterfaceState::PointToPoint);
        assert_eq!(made(std::slice::from_ref(&view), None), [hand::stub("10.0.0.0/24", 10)]);
        view.adjacent = vec![(rid(2), None)];
        assert_eq!(made(&[view], None), [p2p(2, "10.0.0.1", 10), hand::stub("10.0.0.0/24", 10)]);
    }

    #[test]
    fn rfc12_4_1_1_an_unnumbered_link_tells_the_number_of_the_interface() {
        let mut view = of(NetworkType::PointToPoint, InterfaceState::PointToPoint);
        view.address = None;
        view.adjacent = vec![(rid(2), None)];
        assert_eq!(made(&[view], None), [p2p(2, "0.0.0.3", 10)]);
    }

    #[test]
    fn rfc12_4_1_2_transit_only_with_an_adjacency_to_the_dr_and_never_while_waiting() {
        let mut view = of(NetworkType::Broadcast, InterfaceState::DrOther);
        view.designated_router = ip("10.0.0.2");
        assert_eq!(made(std::slice::from_ref(&view), None), [hand::stub("10.0.0.0/24", 10)]);
        view.has_transit = true;
        assert_eq!(made(std::slice::from_ref(&view), None), [transit("10.0.0.2", "10.0.0.1", 10)]);
        view.state = InterfaceState::Waiting;
        assert_eq!(made(&[view], None), [hand::stub("10.0.0.0/24", 10)]);
    }

    #[test]
    fn rfc12_4_1_a_loopback_is_a_host_route() {
        let view = view(OspfNetwork::Loopback, InterfaceState::Loopback);
        assert_eq!(made(&[view], None), [hand::stub("10.0.0.1/32", 10)]);
    }

    #[test]
    fn rfc12_4_1_3_virtual_links() {
        let mut view = view(OspfNetwork::VirtualLink, InterfaceState::PointToPoint);
        assert!(made(std::slice::from_ref(&view), None).is_empty());
        view.adjacent = vec![(rid(4), None)];
        assert_eq!(made(&[view], None), [virtual_link(4, "10.0.0.1", 10)]);
    }

    #[test]
    fn rfc12_4_1_4_point_to_multipoint_has_its_address_at_cost_zero_and_costs_by_neighbor() {
        let mut view = of(NetworkType::PointToMultipoint, InterfaceState::PointToPoint);
        view.adjacent = vec![(rid(2), None), (rid(3), Some(77))];
        let expected = [p2p(2, "10.0.0.1", 10), p2p(3, "10.0.0.1", 77), hand::stub("10.0.0.1/32", 0)];
        assert_eq!(made(&[view], None), expected);
    }

    #[test]
    fn secondary_addresses_are_stub_links() {
        let mut view = of(NetworkType::Broadcast, InterfaceState::Dr);
        view.has_transit = true;
        view.designated_router = ip("10.0.0.1");
        view.secondary = vec!["10.9.0.1/24".parse().unwrap()];
        let expected = [transit("10.0.0.1", "10.0.0.1", 10), hand::stub("10.9.0.0/24", 10)];
        assert_eq!(made(&[view], None), expected);
    }

    #[test]
    fn rfc6860_2_suppressed_prefixes_leave_the_topology_alone() {
        let mut view = of(NetworkType::PointToPoint, InterfaceState::PointToPoint);
        view.suppress_prefix = true;
        view.adjacent = vec![(rid(2), None)];
        assert_eq!(made(&[view], None), [p2p(2, "10.0.0.1", 10)]);
    }

    #[test]
    fn rfc6987_2_a_stub_router_has_the_greatest_metric_on_transit_links() {
        let mut view = of(NetworkType::PointToPoint, InterfaceState::PointToPoint);
        view.adjacent = vec![(rid(2), None)];
        let views = [view];
        let metrics = |include_stub| -> Vec<u16> {
            made(&views, Some(StubRouter { include_stub })).iter().map(|link| link.metric).collect()
        };
        assert_eq!(metrics(false), [0xffff, 10]);
        assert_eq!(metrics(true), [0xffff, 0xffff]);
    }
}
