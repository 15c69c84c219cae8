//! The process as the pure functions see it.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::LazyLock;

use ipnet::Ipv4Net;

use crate::ids::{AreaId, IfIndex, RouterId};
use crate::interface::{Interface, InterfaceName};
use crate::ospf::config::{AreaConfig, AreaKind, AreaRange, NetworkType, OspfConfig, Throttle};
use crate::ospf::interface::{InterfaceState, OspfInterface, OspfInterfaceKey, OspfNetwork};
use crate::ospf::lsa::RouterFlags;
use crate::ospf::lsdb::{Database, Scope};
use crate::ospf::neighbor::Neighbor;
use crate::ospf::originate::router_lsa::{InterfaceView, StubRouter};
use crate::ospf::process::{Env, OspfProcess};
use crate::ospf::route_table::{AreaView, RoutingView};
use crate::ospf::spf::{Attachment, OspfNextHop, ShortestPaths};
use crate::ospf::throttle::DEFAULT_THROTTLE;
use crate::time::Time;

/// What an area without configuration or LSAs is.
static NO_RANGES: BTreeMap<Ipv4Net, AreaRange> = BTreeMap::new();
static NO_LSAS: LazyLock<Database> = LazyLock::new(Database::default);

fn full(interface: &OspfInterface) -> impl Iterator<Item = &Neighbor> {
    interface.neighbors.values().filter(|neighbor| neighbor.is_adjacent())
}

/// The prefix of the stub link that an interface makes, if it does.
fn stub_prefix(interface: &OspfInterface) -> Option<Ipv4Net> {
    let address = interface.address?;
    match (interface.network, interface.state) {
        (_, InterfaceState::Down) | (OspfNetwork::VirtualLink, _) => None,
        (OspfNetwork::Loopback, _)
        | (_, InterfaceState::Loopback)
        | (
            OspfNetwork::Network(NetworkType::PointToMultipoint | NetworkType::PointToMultipointNonBroadcast),
            _,
        ) => Some(Ipv4Net::from(address.addr())),
        (OspfNetwork::Network(_), _) => Some(address.trunc()),
    }
}

/// Whether an adjacency leads through the DR (section 12.4.1.2).
fn has_transit(interface: &OspfInterface) -> bool {
    match interface.state {
        InterfaceState::Dr => full(interface).next().is_some(),
        InterfaceState::DrOther | InterfaceState::Backup => {
            full(interface).any(|neighbor| neighbor.address == interface.designated_router)
        }
        _ => false,
    }
}

impl OspfConfig {
    /// Whether an interface is passive.
    pub(in crate::ospf) fn is_passive(&self, interface: InterfaceName) -> bool {
        self.passive_default != self.passive_exceptions.contains(&interface)
    }
}

impl OspfProcess {
    pub(super) fn spf_throttle(&self, env: &Env<'_, '_>) -> Throttle {
        self.config(env.context).and_then(|config| config.spf_throttle).unwrap_or(DEFAULT_THROTTLE)
    }

    pub(super) fn lsa_throttle(&self, env: &Env<'_, '_>) -> Throttle {
        self.config(env.context).and_then(|config| config.lsa_throttle).unwrap_or(DEFAULT_THROTTLE)
    }

    /// The areas that the router is actively attached to: some interface there is not down (RFC 3509 section 1.2).
    fn is_active(&self, area: AreaId) -> bool {
        self.interfaces.values().any(|i| i.area == area && i.state != InterfaceState::Down)
    }

    /// Whether the router is an area border router: attached to the backbone and another area (RFC 3509 section 2.1).
    #[must_use]
    pub fn is_area_border_router(&self) -> bool {
        self.is_active(AreaId::BACKBONE)
            && self.areas.keys().any(|&area| area != AreaId::BACKBONE && self.is_active(area))
    }

    /// Whether the router brings routes into the AS: by configuration, or as border router of an NSSA.
    pub(super) fn is_as_boundary_router(&self, config: &OspfConfig) -> bool {
        let nssa = |area: &AreaConfig| match area.kind {
            AreaKind::Nssa(options) => options.default_information.is_some() || self.is_area_border_router(),
            _ => false,
        };
        !config.redistribute.is_empty()
            || config.default_information.is_some()
            || config.areas.values().any(nssa)
    }

    /// Whether the router has a fully adjacent neighbor in the backbone.
    fn has_backbone_adjacency(&self) -> bool {
        self.interfaces.values().any(|i| i.area == AreaId::BACKBONE && full(i).next().is_some())
    }

    /// The bits of the router LSA for an area.
    pub(super) fn router_flags(&self, config: &OspfConfig, area: AreaId, kind: AreaKind) -> RouterFlags {
        let virtual_endpoint = self.interfaces.iter().any(|(key, interface)| {
            matches!(key, OspfInterfaceKey::Virtual { transit, .. } if *transit == area)
                && full(interface).next().is_some()
        });
        let area_border = self.is_area_border_router();
        RouterFlags {
            virtual_endpoint,
            as_boundary: !matches!(kind, AreaKind::Stub { .. }) && self.is_as_boundary_router(config),
            area_border,
            nssa_translator: area_border
                && matches!(kind, AreaKind::Nssa(options) if options.translate_always),
        }
    }

    /// `max-metric router-lsa`, if it is in force.
    pub(super) fn stub_router(&self, config: &OspfConfig) -> Option<StubRouter> {
        let max = config.max_metric?;
        let in_force = max.on_startup.is_none() || self.routing.stub_router_until.is_some();
        in_force.then_some(StubRouter { include_stub: max.include_stub })
    }

    /// The interfaces of an area as its router LSA tells of them.
    pub(super) fn interface_views(
        &self,
        env: &Env<'_, '_>,
        config: &OspfConfig,
        area: AreaId,
    ) -> Vec<InterfaceView> {
        let of_area = self.interfaces.iter().filter(|(_, interface)| interface.area == area);
        of_area.map(|(key, interface)| self.interface_view(env, config, key, interface)).collect()
    }

    fn interface_view(
        &self,
        env: &Env<'_, '_>,
        config: &OspfConfig,
        key: &OspfInterfaceKey,
        interface: &OspfInterface,
    ) -> InterfaceView {
        let hardware = match key {
            OspfInterfaceKey::Physical(index) => env.context.interfaces.get(*index),
            OspfInterfaceKey::Virtual { .. } => None,
        };
        let cost_of = |neighbor: &Neighbor| {
            let own = config.neighbors.get(&neighbor.address).and_then(|fixed| fixed.cost);
            own.filter(|_| !matches!(interface.network, OspfNetwork::Network(NetworkType::PointToPoint)))
        };
        InterfaceView {
            network: interface.network,
            state: interface.state,
            index: hardware.map_or(IfIndex(0), |hardware| hardware.index),
            address: interface.address,
            secondary: hardware.map_or_else(Vec::new, |hardware| {
                self.secondary_networks(env, config, hardware, interface.area)
            }),
            cost: interface.cost,
            designated_router: interface.designated_router,
            has_transit: has_transit(interface),
            adjacent: full(interface).map(|neighbor| (neighbor.router_id, cost_of(neighbor))).collect(),
            suppress_prefix: hardware
                .is_some_and(|hardware| is_suppressed(env, config, hardware, interface.network)),
        }
    }

    /// The secondary addresses that belong to the interface's area: by `ip ospf N area A` all of them, by `network` statements those
    /// that match one.
    fn secondary_networks(
        &self,
        env: &Env<'_, '_>,
        config: &OspfConfig,
        hardware: &Interface,
        area: AreaId,
    ) -> Vec<Ipv4Net> {
        let own = env.context.config.interfaces.get(&hardware.name).and_then(|i| i.ospf.area);
        let belongs = |net: &&Ipv4Net| match own.filter(|own| own.process == self.process_id) {
            Some(own) => !own.no_secondaries,
            None => {
                let matching = config.networks.iter().find(|n| n.wildcard.matches(net.addr()));
                matching.is_some_and(|statement| statement.area == area)
            }
        };
        hardware.secondary.iter().filter(belongs).copied().collect()
    }

    /// The attachments to an area. `trees` must hold the trees of the transit areas of virtual links.
    pub(super) fn attachments(
        &self,
        env: &Env<'_, '_>,
        config: &OspfConfig,
        area: AreaId,
        trees: &BTreeMap<AreaId, ShortestPaths>,
    ) -> Vec<Attachment> {
        let mut attachments = Vec::new();
        for (&key, interface) in self.interfaces.iter().filter(|(_, interface)| interface.area == area) {
            match key {
                OspfInterfaceKey::Physical(index) => {
                    attach(&mut attachments, index, interface);
                    if let Some(hardware) = env.context.interfaces.get(index) {
                        let secondary = self.secondary_networks(env, config, hardware, area);
                        attachments.extend(
                            secondary
                                .iter()
                                .map(|net| Attachment::Stub { prefix: net.trunc(), interface: index }),
                        );
                    }
                }
                OspfInterfaceKey::Virtual { transit, peer } => {
                    let reached = trees.get(&transit).and_then(|tree| tree.router(peer));
                    attachments.extend(reached.map(|reached| Attachment::Virtual {
                        neighbor: peer,
                        next_hops: reached.next_hops.clone(),
                    }));
                }
            }
        }
        attachments
    }

    /// The view of the routing table calculation.
    pub(super) fn routing_view<'a>(
        &'a self,
        config: &'a OspfConfig,
        router_id: RouterId,
        now: Time,
    ) -> RoutingView<'a> {
        let area_border = self.is_area_border_router();
        RoutingView {
            router_id,
            now,
            areas: self
                .areas
                .iter()
                .map(|(&id, area)| AreaView {
                    id,
                    kind: area.kind,
                    database: self.lsdb.area(id).unwrap_or_else(|| &NO_LSAS),
                    ranges: config.areas.get(&id).map_or(&NO_RANGES, |area| &area.ranges),
                    transit: self.routing.transit_areas.contains(&id),
                })
                .collect(),
            external: self.lsdb.scope(Scope::As),
            area_border,
            backbone_only: area_border && self.has_backbone_adjacency(),
            rfc1583_compatible: !config.no_rfc1583,
        }
    }

    /// The area of each interface.
    pub(super) fn interface_areas(&self) -> BTreeMap<IfIndex, AreaId> {
        let physical = |(key, interface): (&OspfInterfaceKey, &OspfInterface)| match key {
            OspfInterfaceKey::Physical(index) => Some((*index, interface.area)),
            OspfInterfaceKey::Virtual { .. } => None,
        };
        self.interfaces.iter().filter_map(physical).collect()
    }

    /// An own address inside an NSSA to be told as forwarding address: the greatest of a loopback, else of any interface, as
    /// IOS chooses it.
    pub(super) fn nssa_address(&self, area: AreaId) -> Option<Ipv4Addr> {
        let usable = self.interfaces.values().filter(|i| i.area == area && i.state != InterfaceState::Down);
        let keyed = usable
            .filter_map(|i| Some((matches!(i.network, OspfNetwork::Loopback), i.address.map(|a| a.addr())?)));
        keyed.max().map(|(_, address)| address)
    }
}

/// Whether an interface's subnet is kept out of the LSAs: by its own command, else by that of the process, which leaves
/// loopbacks and passive interfaces alone (RFC 6860).
fn is_suppressed(env: &Env<'_, '_>, config: &OspfConfig, hardware: &Interface, network: OspfNetwork) -> bool {
    let own = env.context.config.interfaces.get(&hardware.name).and_then(|i| i.ospf.prefix_suppression);
    own.unwrap_or(
        config.prefix_suppression
            && !matches!(network, OspfNetwork::Loopback)
            && !config.is_passive(hardware.name),
    )
}

/// The attachments that an interface of the router makes.
fn attach(attachments: &mut Vec<Attachment>, index: IfIndex, interface: &OspfInterface) {
    if let Some(prefix) = stub_prefix(interface) {
        attachments.push(Attachment::Stub { prefix, interface: index });
    }
    match interface.network {
        OspfNetwork::Network(NetworkType::Broadcast | NetworkType::NonBroadcast) => {
            if let Some(address) = interface.address.filter(|_| has_transit(interface)) {
                attachments.push(Attachment::Network { address: address.addr(), interface: index });
            }
        }
        OspfNetwork::Network(_) => {
            let data = interface.address.map_or(Ipv4Addr::from(index.0), |address| address.addr());
            attachments.extend(full(interface).map(|neighbor| Attachment::Router {
                neighbor: neighbor.router_id,
                data,
                next_hop: OspfNextHop { interface: index, address: Some(neighbor.address) },
            }));
        }
        OspfNetwork::Loopback | OspfNetwork::VirtualLink => {}
    }
}
