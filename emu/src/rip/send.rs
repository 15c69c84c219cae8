//! Own messages: requests, answers, regular and triggered updates (RFC 2453 sections 3.9.1 and 3.10).

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::authentication::Keys;
use super::config::{Direction, FilterScope, RipConfig, RipInterfaceConfig, Version};
use super::packet::{
    ALL_ROUTERS, Authentication, Body, Command, Entry, INFINITY, MOST_ENTRIES, Message, PORT,
};
use super::process::{Env, RipProcess};
use super::receive::offset;
use super::table::{RipRoute, RouteState};
use crate::ids::IfIndex;
use crate::interface::{Interface, Medium};
use crate::policy::{RouteView, classful};
use crate::process::{Action, Datagram, IpProtocol};
use crate::rib::{RouteOwner, TableId};
use crate::wire::UdpHeader;

/// TTL of IOS's messages.
const TTL: u8 = 2;

/// Whom a message is for.
#[derive(Clone, Copy)]
struct Receiver {
    address: Ipv4Addr,
    port: u16,
}

/// What neighbours on an interface are told of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    metric: u8,
    tag: u16,
    next_hop: Ipv4Addr,
    changed: bool,
}

/// What neighbours on an interface are told.
type Update = BTreeMap<Ipv4Net, Told>;

impl RipProcess {
    /// RFC 2453 section 3.9.1: asks the neighbours on an interface for all they know.
    pub(super) fn request_table(&mut self, env: &mut Env<'_, '_>, index: IfIndex) {
        let Some((interface, config)) = self.speaking(env, index) else { return };
        for version in self.versions(env, config, interface) {
            for receiver in self.receivers(env, config, interface, version) {
                self.send(env, interface, receiver, Command::Request, version, Body::WholeTable);
            }
        }
    }

    /// Sends updates on all interfaces: all destinations, or those that have changed.
    pub(super) fn send_updates(&mut self, env: &mut Env<'_, '_>, only_changed: bool) {
        for index in self.interfaces.keys().copied().collect::<Vec<_>>() {
            let Some((interface, config)) = self.speaking(env, index) else { continue };
            for version in self.versions(env, config, interface) {
                let receivers = self.receivers(env, config, interface, version);
                if receivers.is_empty() {
                    continue;
                }
                let update = self.update(env, config, interface, version);
                let told = update.iter().filter(|(_, told)| told.changed || !only_changed);
                let entries: Vec<Entry> = told.map(|(&prefix, told)| entry(prefix, *told, version)).collect();
                for receiver in receivers {
                    self.send_entries(env, interface, receiver, version, &entries);
                }
            }
        }
        self.routes.values_mut().for_each(|route| route.changed = false);
    }

    /// RFC 2453 section 3.9.1: answers a request for everything as an update is made, others as they ask.
    pub(super) fn answer(
        &mut self,
        env: &mut Env<'_, '_>,
        interface: &Interface,
        to: Ipv4Addr,
        port: u16,
        request: &Message,
    ) {
        let Some(config) = env.config() else { return };
        let receiver = Receiver { address: to, port };
        let version = request.version;
        let entries: Vec<Entry> = match &request.body {
            Body::WholeTable => {
                // A router that only listens on the interface has nothing to say to other routers.
                if config.is_passive(interface.name) && port == PORT && !config.neighbors.contains(&to) {
                    return;
                }
                let update = self.update(env, config, interface, version);
                update.iter().map(|(&prefix, told)| entry(prefix, *told, version)).collect()
            }
            Body::Entries(asked) => asked.iter().map(|entry| self.looked_up(entry)).collect(),
        };
        self.send_entries(env, interface, receiver, version, &entries);
    }

    fn looked_up(&self, asked: &Entry) -> Entry {
        let net = match asked.mask.is_unspecified() {
            true => Ok(classful::network(asked.address)),
            false => Ipv4Net::with_netmask(asked.address, asked.mask),
        };
        let route = net.ok().and_then(|net| self.routes.get(&net.trunc()));
        Entry { metric: route.map_or(INFINITY, wire_metric), ..*asked }
    }

    /// An interface on which there is somebody to speak to.
    fn speaking<'a>(&self, env: &Env<'_, 'a>, index: IfIndex) -> Option<(&'a Interface, &'a RipConfig)> {
        let interface = env.interfaces().get(index).filter(|i| i.medium != Medium::Loopback)?;
        Some((interface, env.config()?))
    }

    fn versions(&self, env: &Env<'_, '_>, config: &RipConfig, interface: &Interface) -> Vec<Version> {
        let versions = config.send_versions(env.settings(interface));
        [Version::V1, Version::V2].into_iter().filter(|&version| versions.contains(version)).collect()
    }

    /// Everybody on the link unless the interface is passive, and those that `neighbor` names.
    fn receivers(
        &self,
        env: &Env<'_, '_>,
        config: &RipConfig,
        interface: &Interface,
        version: Version,
    ) -> Vec<Receiver> {
        let all = match version {
            Version::V2 if !env.settings(interface).v2_broadcast => ALL_ROUTERS,
            Version::V1 | Version::V2 => Ipv4Addr::BROADCAST,
        };
        let all = (!config.is_passive(interface.name)).then_some(all);
        let named = config.neighbors.iter().copied().filter(|&address| interface.is_connected_to(address));
        all.into_iter().chain(named).map(|address| Receiver { address, port: PORT }).collect()
    }

    fn send_entries(
        &mut self,
        env: &mut Env<'_, '_>,
        interface: &Interface,
        receiver: Receiver,
        version: Version,
        entries: &[Entry],
    ) {
        let authenticates = version == Version::V2 && env.settings(interface).key_chain.is_some();
        for some in entries.chunks(MOST_ENTRIES - usize::from(authenticates)) {
            self.send(env, interface, receiver, Command::Response, version, Body::Entries(some.to_vec()));
        }
    }

    fn send(
        &mut self,
        env: &mut Env<'_, '_>,
        interface: &Interface,
        receiver: Receiver,
        command: Command,
        version: Version,
        body: Body,
    ) {
        let Some(source) = env.interfaces().source_address(interface.index) else { return };
        let Some(state) = self.interfaces.get_mut(&interface.index) else { return };
        let keys = Keys::of(env.settings(interface), env.context.config, env.now());
        let (authentication, secret) = match keys {
            Some(keys) if version == Version::V2 => keys.sign(state, env.now()),
            _ => (Authentication::None, Vec::new()),
        };
        let octets = Message { command, version, authentication, body }.emit(&secret);
        let ports = UdpHeader { source_port: PORT, destination_port: receiver.port };
        env.actions.push(Action::Send(Datagram {
            interface: Some(interface.index),
            source,
            destination: receiver.address,
            protocol: IpProtocol::UDP,
            ttl: TTL,
            tos: Datagram::TOS_INTERNETWORK_CONTROL,
            dont_fragment: false,
            payload: ports.emit(source, receiver.address, &octets).into(),
        }));
    }

    /// What is told on an interface: split horizon, summaries, filters, offsets.
    fn update(
        &self,
        env: &Env<'_, '_>,
        config: &RipConfig,
        interface: &Interface,
        version: Version,
    ) -> Update {
        let settings = env.settings(interface);
        let mut update = Update::new();
        for (&prefix, route) in &self.routes {
            let Some(told) = self.told(env, settings, interface, prefix, route) else { continue };
            let Some(prefix) = summary(config, settings, interface, version, prefix) else { continue };
            let best = update.entry(prefix).or_insert(told);
            best.changed |= told.changed;
            // A summary has the metric of its best component, and the next hop of none.
            if told != *best {
                best.next_hop = Ipv4Addr::UNSPECIFIED;
                if told.metric < best.metric {
                    (best.metric, best.tag) = (told.metric, told.tag);
                }
            }
        }
        update.retain(|prefix, told| {
            let view = RouteView {
                metric: Some(told.metric.into()),
                tag: told.tag.into(),
                ..RouteView::new(*prefix)
            };
            let permitted = [FilterScope::Out(None), FilterScope::Out(Some(interface.name))]
                .iter()
                .filter_map(|scope| config.distribute_lists.get(scope))
                .all(|list| list.permits(&view, &env.context.config.policy));
            let offset = offset(env, config, interface, Direction::Out, *prefix);
            told.metric = told.metric.saturating_add(offset).min(INFINITY);
            permitted
        });
        update
    }

    /// What is told of a destination by itself; `None` for split horizon (RFC 2453 section 3.4.3), and for what the routing table has
    /// from elsewhere. The unreachable is told everywhere, as IOS does.
    fn told(
        &self,
        env: &Env<'_, '_>,
        settings: &RipInterfaceConfig,
        interface: &Interface,
        prefix: Ipv4Net,
        route: &RipRoute,
    ) -> Option<Told> {
        let from_here = match &route.state {
            RouteState::Connected { interface: own } => *own == interface.index,
            RouteState::Learned { paths } => paths.iter().any(|path| path.interface == interface.index),
            // The default of a network that RIP itself has learned is not told where that was learned.
            RouteState::Redistributed(own) if own.source.is_none() => {
                let learned = self.default_network_route(env).filter(|route| {
                    route.owner == RouteOwner::Rip
                        && env.config().is_some_and(|c| c.default_information.is_none())
                });
                learned.is_some_and(|route| {
                    route.next_hops.iter().any(|hop| hop.interface == Some(interface.index))
                })
            }
            RouteState::Redistributed(_) | RouteState::Down { .. } => false,
        };
        if from_here && !settings.no_split_horizon {
            return None;
        }
        let (tag, next_hop) = match &route.state {
            RouteState::Connected { .. } | RouteState::Down { .. } => (0, None),
            RouteState::Redistributed(redistributed) => (redistributed.tag, redistributed.next_hop),
            RouteState::Learned { paths } => {
                let best = env.context.rib.best(TableId::ipv4(self.vrf), prefix)?;
                if best.owner != RouteOwner::Rip {
                    return None;
                }
                let first = paths.first()?;
                (first.tag, Some(first.next_hop))
            }
        };
        let on_link = next_hop.filter(|&hop| {
            interface.is_connected_to(hop) && env.interfaces().by_address(self.vrf, hop).is_none()
        });
        Some(Told {
            metric: wire_metric(route),
            tag,
            next_hop: on_link.unwrap_or(Ipv4Addr::UNSPECIFIED),
            changed: route.changed,
        })
    }
}

/// The metric in messages: a hop more than to the destination from here.
fn wire_metric(route: &RipRoute) -> u8 {
    match &route.state {
        RouteState::Redistributed(redistributed) => redistributed.metric,
        _ => (route.metric() + 1).min(INFINITY),
    }
}

fn entry(prefix: Ipv4Net, told: Told, version: Version) -> Entry {
    let Told { metric, tag, next_hop, .. } = told;
    let none = Ipv4Addr::UNSPECIFIED;
    match version {
        Version::V1 => Entry { address: prefix.network(), mask: none, tag: 0, next_hop: none, metric },
        Version::V2 => Entry { address: prefix.network(), mask: prefix.netmask(), tag, next_hop, metric },
    }
}

/// As what a destination is told on an interface; `None` if not at all.
fn summary(
    config: &RipConfig,
    settings: &RipInterfaceConfig,
    interface: &Interface,
    version: Version,
    prefix: Ipv4Net,
) -> Option<Ipv4Net> {
    if prefix.prefix_len() == 0 {
        return Some(prefix);
    }
    let major = classful::network(prefix.network());
    let inside = interface.address.is_some_and(|own| major.contains(&own.addr()));
    let across = !inside && !classful::is_supernet(prefix);
    match version {
        // RFC 1058 section 3.2: without masks only what the receiver will guess right can be told.
        Version::V1 if classful::is_supernet(prefix) => None,
        Version::V1 if across => Some(major),
        Version::V1 => {
            let length = interface.address.map(|own| own.prefix_len());
            (Some(prefix.prefix_len()) == length || prefix.prefix_len() == 32).then_some(prefix)
        }
        Version::V2 => {
            let covering = settings
                .summary_addresses
                .iter()
                .filter(|summary| summary.prefix_len() < prefix.prefix_len() && summary.contains(&prefix));
            if !config.no_auto_summary && across {
                return Some(major);
            }
            Some(covering.max_by_key(|summary| summary.prefix_len()).copied().unwrap_or(prefix))
        }
    }
}
