//! What is told on a condition: `default-originate`, `advertise-map`; the scanner that looks at conditions; and the filter that we ask a
//! peer to apply.

use std::time::Duration;

use super::config::AdvertiseCondition;
use super::instance::Instance;
use super::packet::{
    Family, FilterGroup, FilterUpdate, Nlri, PrefixFilter, PrefixFilterChange, RefreshKind, RouteRefresh,
    Update,
};
use super::peer::{Peer, PeerKey};
use super::policy::view;
use super::process::{BgpProcess, Env, TimerKey};
use crate::policy::{RouteEdits, RouteView};
use crate::process::Context;
use crate::rib::TableId;

/// How often conditions are looked at: IOS's scanner.
const SCAN_TIME: Duration = Duration::from_secs(60);

const DEFAULT_ROUTE: Nlri = Nlri::new(ipnet::Ipv4Net::new_assert(std::net::Ipv4Addr::UNSPECIFIED, 0));

/// Whether something about a peer depends on a condition.
fn has_condition(peer: &Peer) -> bool {
    let policy = &peer.settings.policy;
    policy.default_originate.is_some() || policy.advertise_map.is_some()
}

impl BgpProcess {
    /// Starts or stops the scanner, and looks at once.
    pub(super) fn watch_conditions(&mut self, env: &mut Env<'_, '_>) {
        self.inject(env);
        let keys: Vec<PeerKey> = self
            .peers()
            .filter(|peer| has_condition(peer) || peer.routes_out.default_sent)
            .map(|p| p.key)
            .collect();
        if keys.is_empty() && !self.injects(env) {
            return self.timers.cancel(TimerKey::Scan);
        }
        let at = env.now() + SCAN_TIME;
        self.timers.set(TimerKey::Scan, at);
        for key in keys {
            self.check_condition(env, key);
            self.advertise_default(env, key);
        }
    }

    /// `advertise-map`: does the condition still hold?
    fn check_condition(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let holds =
            instance.peers.get(&key.address).is_some_and(|peer| instance.condition(env.context, peer));
        let Some(peer) = instance.peers.get_mut(&key.address) else { return };
        if std::mem::replace(&mut peer.routes_out.condition_holds, holds) != holds {
            self.soft_reset_out(env, key);
        }
    }

    /// `default-originate`: the peer is told of a default route, or that there is none any more.
    pub(super) fn advertise_default(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let Some(peer) = instance.peers.get(&key.address) else { return };
        let Some(session) = peer.session.as_ref().filter(|session| session.agreed.ipv4_unicast) else {
            return;
        };
        let (format, limit) = (session.agreed.send_format(), session.agreed.limit());
        let wanted = instance.default_edits(env.context, peer);
        let attributes = wanted.and_then(|edits| {
            instance.exporter(env.context, peer).map(|exporter| exporter.default_route(edits.as_ref()))
        });
        let Some(peer) = instance.peers.get_mut(&key.address) else { return };
        let sent = &mut peer.routes_out.default_sent;
        let messages = match attributes {
            Some(attributes) => {
                *sent = true;
                Update::announcements(format, limit, &attributes, &[DEFAULT_ROUTE])
            }
            None if std::mem::take(sent) => {
                // The table's own default route may be told now.
                instance.table.touch(DEFAULT_ROUTE.prefix);
                Update::withdrawals(format, limit, &[DEFAULT_ROUTE])
            }
            None => return,
        };
        peer.routes_out.outbox.extend(messages);
        self.flush(env, key);
    }

    /// Sends the prefix list of a peer's `in` direction to the peer (RFC 5291).
    pub(super) fn send_filter(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(peer) = self.peer(key) else { return };
        let Some(session) = peer.session.as_ref().filter(|session| session.agreed.orf_send) else { return };
        let (direction, cisco) = (session.direction, session.agreed.orf_cisco);
        let list = peer.settings.policy.prefix_list_in.as_ref();
        let list = list.and_then(|name| env.context.config.policy.prefix_lists.get(name));
        let mut entries = vec![PrefixFilterChange::RemoveAll];
        entries.extend(list.into_iter().flat_map(|list| &list.entries).map(|(&sequence, entry)| {
            PrefixFilterChange::Add(PrefixFilter {
                sequence,
                permit: entry.action.is_permit(),
                prefix: entry.prefix(),
                min_length: entry.ge().unwrap_or(0),
                max_length: entry.le().unwrap_or(0),
            })
        }));
        let refresh = RouteRefresh {
            family: Family::IPV4_UNICAST,
            kind: RefreshKind::Request,
            filters: Some(FilterUpdate {
                defer: false,
                groups: vec![FilterGroup::PrefixList { cisco, entries }],
            }),
        };
        self.send_message(env, key, direction, refresh.message(), |peer| peer.sent.refreshes += 1);
    }
}

impl Instance {
    /// Whether the condition of a peer's `advertise-map` holds: a route of the table that the condition map permits is there, or none.
    fn condition(&self, context: &Context<'_>, peer: &Peer) -> bool {
        let Some(advertise) = &peer.settings.policy.advertise_map else { return true };
        let policy = &context.config.policy;
        let exists = self.table.iter().any(|(prefix, destination)| {
            destination.best_path().is_some_and(|path| {
                let text = path.attributes.as_path.to_string();
                let seen = view(prefix, &path.attributes, &text, path.source.peer(), path.kind, None);
                policy.route_map(&advertise.condition_map, &seen).is_some()
            })
        });
        exists == (advertise.condition == AdvertiseCondition::Exist)
    }

    /// What the map of `default-originate` sets; `None` if the default route is not told.
    fn default_edits(&self, context: &Context<'_>, peer: &Peer) -> Option<Option<RouteEdits>> {
        let originate = peer.settings.policy.default_originate.as_ref()?;
        let Some(map) = &originate.route_map else { return Some(None) };
        let routes = context.rib.routes(TableId::ipv4(self.vrf));
        let mut permitted = routes.filter_map(|route| {
            context.config.policy.route_map(map, &RouteView::of(route, context.interfaces))
        });
        permitted.next().map(Some)
    }
}
