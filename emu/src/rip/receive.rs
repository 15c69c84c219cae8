//! Messages of neighbours (RFC 2453 section 3.9, RFC 1058 section 3.4).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::authentication::{Keys, is_authentic};
use super::config::{Direction, FilterScope, OffsetScope, RipConfig, Version};
use super::packet::{Body, Command, Entry, INFINITY, Message, PORT};
use super::process::{Env, RipProcess, RipSource};
use super::table::{News, Outcome, RipRoute, RouteState};
use crate::interface::Interface;
use crate::policy::{RouteView, classful};
use crate::process::Datagram;
use crate::rib::{RouteOwner, TableId};
use crate::wire::UdpHeader;

impl RipProcess {
    /// A packet to UDP port 520.
    pub(super) fn received(&mut self, env: &mut Env<'_, '_>, datagram: &Datagram) {
        let sender = datagram.source;
        let Ok((ports, octets)) = UdpHeader::parse(&datagram.payload, sender, datagram.destination) else {
            return;
        };
        let Some(interface) = datagram.interface.and_then(|index| env.interfaces().get(index)) else {
            return;
        };
        let (Some(config), Some(state)) = (env.config(), self.interfaces.get_mut(&interface.index)) else {
            return;
        };
        if env.interfaces().by_address(self.vrf, sender).is_some() {
            return;
        }
        let Ok(message) = Message::parse(octets) else { return };
        let settings = env.settings(interface);
        if !config.receive_versions(settings).contains(message.version) {
            return;
        }
        let keys = Keys::of(settings, env.context.config, env.now());
        if !is_authentic(keys.as_ref(), &message, octets, state, sender) {
            return;
        }
        match message.command {
            Command::Request => self.answer(env, interface, sender, ports.source_port, &message),
            Command::Response => {
                let is_neighbour = interface.is_connected_to(sender) || interface.unnumbered.is_some();
                if ports.source_port == PORT && (is_neighbour || config.no_validate_update_source) {
                    self.hear_response(env, config, interface, sender, &message);
                }
            }
        }
    }

    fn hear_response(
        &mut self,
        env: &mut Env<'_, '_>,
        config: &RipConfig,
        interface: &Interface,
        gateway: Ipv4Addr,
        message: &Message,
    ) {
        let Body::Entries(entries) = &message.body else { return };
        self.sources.insert(gateway, RipSource { last_update: env.now() });
        for entry in entries {
            let Some(prefix) = destination(entry, message.version, interface) else { continue };
            let Some(next_hop) = self.next_hop(env, entry, interface, gateway) else { continue };
            let view = RouteView {
                next_hops: vec![gateway],
                route_sources: vec![gateway],
                interfaces: vec![interface.name],
                metric: Some(entry.metric.into()),
                tag: entry.tag.into(),
                ..RouteView::new(prefix)
            };
            if !permits_in(env, config, interface, &view) {
                continue;
            }
            let offset = offset(env, config, interface, Direction::In, prefix);
            let metric = entry.metric.saturating_add(offset).min(INFINITY);
            let news = News { next_hop, interface: interface.index, gateway, metric, tag: entry.tag };
            self.hear(env, config, prefix, news);
        }
    }

    /// The next hop of an entry: the one that it names, if it is on the same network (RFC 2453 section 4.4). One that leads back to this
    /// router is no way.
    fn next_hop(
        &self,
        env: &Env<'_, '_>,
        entry: &Entry,
        interface: &Interface,
        gateway: Ipv4Addr,
    ) -> Option<Ipv4Addr> {
        if entry.next_hop.is_unspecified() || !interface.is_connected_to(entry.next_hop) {
            return Some(gateway);
        }
        let is_own = env.interfaces().by_address(self.vrf, entry.next_hop).is_some();
        (!is_own).then_some(entry.next_hop)
    }

    fn hear(&mut self, env: &Env<'_, '_>, config: &RipConfig, prefix: Ipv4Net, news: News) {
        let distance = Self::distance(config, env.context.config, news.gateway, prefix);
        let best = env.context.rib.best(TableId::ipv4(self.vrf), prefix);
        // As on IOS, what the routing table would not take from RIP is not kept.
        if distance == u8::MAX
            || best.is_some_and(|route| route.owner != RouteOwner::Rip && route.distance <= distance)
        {
            return;
        }
        let (now, intervals, most) = (env.now(), self.intervals(), Self::maximum_paths(config));
        let is_brought_in = |route: &RipRoute| matches!(&route.state, RouteState::Redistributed(redistributed) if redistributed.source.is_some());
        match self.routes.get_mut(&prefix) {
            // The routing table will take RIP's route in place of the one that is brought in.
            Some(route) if is_brought_in(route) && news.metric < INFINITY => {
                self.put(prefix, Some(RipRoute::learned(news, now)));
            }
            Some(route) => {
                let same =
                    route.hear(news, most, now, intervals) == Outcome::Same && route.paths().is_empty();
                if !same {
                    self.touched(prefix);
                }
            }
            None if news.metric < INFINITY => self.put(prefix, Some(RipRoute::learned(news, now))),
            None => {}
        }
    }
}

/// The destination of an entry, if it can be one (RFC 2453 section 3.9.2).
fn destination(entry: &Entry, version: Version, interface: &Interface) -> Option<Ipv4Net> {
    let address = entry.address;
    if address.is_unspecified() && entry.mask.is_unspecified() {
        return Some(Ipv4Net::default());
    }
    if matches!(address.octets(), [0 | 127 | 224..=255, ..]) {
        return None;
    }
    match version {
        Version::V2 if !entry.mask.is_unspecified() => {
            let net = Ipv4Net::with_netmask(address, entry.mask).ok()?;
            (net.network() == address).then_some(net)
        }
        Version::V1 | Version::V2 => Some(guessed(address, interface)),
    }
}

/// RFC 1058 section 3.2: an address without mask has the mask of the interface if it is of the same classful network, else that of its
/// class; where bits behind the mask are set, it is a host.
fn guessed(address: Ipv4Addr, interface: &Interface) -> Ipv4Net {
    let major = classful::network(address);
    let own = interface.address.filter(|own| major.contains(&own.addr()));
    let length = own.map_or(major.prefix_len(), |own| own.prefix_len());
    let net = Ipv4Net::new(address, length).unwrap_or(major);
    if net.network() == address { net } else { Ipv4Net::from(address) }
}

fn permits_in(env: &Env<'_, '_>, config: &RipConfig, interface: &Interface, view: &RouteView<'_>) -> bool {
    [FilterScope::In(None), FilterScope::In(Some(interface.name))]
        .iter()
        .filter_map(|scope| config.distribute_lists.get(scope))
        .all(|list| list.permits(view, &env.context.config.policy))
}

/// What `offset-list` adds: the list of the interface has its say before the one for all.
pub(super) fn offset(
    env: &Env<'_, '_>,
    config: &RipConfig,
    interface: &Interface,
    direction: Direction,
    prefix: Ipv4Net,
) -> u8 {
    let policy = &env.context.config.policy;
    [Some(interface.name), None]
        .into_iter()
        .filter_map(|interface| config.offset_lists.get(&OffsetScope { direction, interface }))
        .find(|list| list.access_list.as_deref().is_none_or(|name| policy.access_list_permits(name, prefix)))
        .map_or(0, |list| list.offset)
}
