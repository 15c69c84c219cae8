//! OPEN messages: what we offer, and what we make of the peer's.

use std::time::Duration;

use super::config::{BgpConfig, NeighborTimers};
use super::packet::{AddPathMode, Capability, Family, Notification, Open, OrfOffer, PeerKind, RouteRefresh};
use super::peer::{Agreement, Direction, Link, Peer, Session};
use crate::ids::{Asn, RouterId};
use crate::tcp::Endpoints;
use crate::time::Time;

impl Peer {
    /// Our AS towards the peer.
    #[must_use]
    pub fn presented_asn(&self, config: &BgpConfig) -> Asn {
        match (self.kind, self.settings.session.local_as) {
            (PeerKind::External, Some(local)) if !self.real_as => local.asn,
            (PeerKind::External, _) => config.public_asn(),
            (PeerKind::Internal | PeerKind::Confederation, _) => config.asn,
        }
    }

    /// The OPEN that we send.
    #[must_use]
    pub fn open(&self, config: &BgpConfig, router_id: RouterId) -> Open {
        let asn = self.presented_asn(config);
        let capabilities =
            if self.settings.session.no_capabilities { Vec::new() } else { self.offer(config, asn) };
        Open {
            my_as: u16::try_from(asn.0).unwrap_or(Asn::TRANS.0 as u16),
            hold_time: self.timers(config.timers).hold,
            router_id,
            capabilities,
        }
    }

    fn offer(&self, config: &BgpConfig, asn: Asn) -> Vec<Capability> {
        let policy = &self.settings.policy;
        let family = Family::IPV4_UNICAST;
        let mut offer = Vec::new();
        if self.settings.active {
            offer.push(Capability::Multiprotocol(family));
        }
        offer.extend([
            Capability::CiscoRouteRefresh,
            Capability::RouteRefresh,
            Capability::EnhancedRouteRefresh,
            Capability::FourOctetAs(asn),
            Capability::ExtendedMessage,
        ]);
        if config.graceful_restart.enabled {
            // Nothing of ours survives a restart, so neither bit is set: peers need not keep what we have told (RFC 4724 section 3).
            offer.push(Capability::GracefulRestart {
                restarting: false,
                notification: false,
                time: config.graceful_restart.restart_seconds().min(4095),
                families: vec![(family, false)],
            });
        }
        let paths = policy.additional_paths.unwrap_or_default();
        let mode = match (paths.send, paths.receive) {
            (true, true) => Some(AddPathMode::Both),
            (true, false) => Some(AddPathMode::Send),
            (false, true) => Some(AddPathMode::Receive),
            (false, false) => None,
        };
        offer.extend(mode.map(|mode| Capability::AddPath(vec![(family, mode)])));
        if let Some(direction) = policy.orf_prefix_list {
            let mode = match (direction.receives(), direction.sends()) {
                (true, false) => 1,
                (false, true) => 2,
                _ => 3,
            };
            for (cisco, kind) in [(true, RouteRefresh::CISCO_ORF_OFFER), (false, RouteRefresh::PREFIX_LIST)] {
                let entries = vec![OrfOffer { family, kinds: vec![(kind, mode)] }];
                offer.push(Capability::OutboundRouteFiltering { cisco, entries });
            }
        }
        offer
    }

    /// Looks at the peer's OPEN (RFC 4271 section 6.2).
    ///
    /// # Errors
    /// The NOTIFICATION to send.
    pub(super) fn accept(
        &self,
        config: &BgpConfig,
        own_id: RouterId,
        open: &Open,
    ) -> Result<(), Notification> {
        let allowed = self.dynamic && self.settings.session.alternate_as.contains(&open.asn());
        if open.asn() != self.remote_as && !allowed {
            return Err(Notification::bad_peer_as(open.asn().0));
        }
        if open.router_id == own_id {
            return Err(Notification::bad_identifier(open.router_id.0));
        }
        let NeighborTimers { minimum_hold, .. } = self.timers(config.timers);
        if open.hold_time != 0 && minimum_hold.is_some_and(|least| open.hold_time < least) {
            return Err(Notification::UNACCEPTABLE_HOLD_TIME);
        }
        let common = self.settings.active && open.speaks(Family::IPV4_UNICAST);
        if !common && !self.settings.session.no_capabilities {
            return Err(Notification::no_common_family());
        }
        Ok(())
    }

    /// Hold time and time between keepalives agreed on.
    pub(super) fn agreed_timers(&self, config: &BgpConfig, open: &Open) -> (Duration, Duration) {
        let ours = self.timers(config.timers);
        let hold = ours.hold.min(open.hold_time);
        let keepalive = ours.keepalive.min(hold / 3);
        (Duration::from_secs(hold.into()), Duration::from_secs(keepalive.into()))
    }

    /// The session that a connection has become.
    pub(super) fn session_of(
        &self,
        config: &BgpConfig,
        direction: Direction,
        link: &Link,
        endpoints: Endpoints,
        now: Time,
    ) -> Option<Session> {
        let (open, sent) = (link.open.as_ref()?, link.sent.as_ref()?);
        let (hold_time, keepalive) = self.agreed_timers(config, open);
        Some(Session {
            direction,
            endpoints,
            since: now,
            router_id: open.router_id,
            hold_time,
            keepalive,
            sent: sent.capabilities.clone(),
            received: open.capabilities.clone(),
            agreed: agreement(self.kind, sent, open),
        })
    }
}

fn agreement(kind: PeerKind, ours: &Open, theirs: &Open) -> Agreement {
    let both = |wanted: fn(&Capability) -> bool| {
        ours.capabilities.iter().any(wanted) && theirs.capabilities.iter().any(wanted)
    };
    let refresh = |c: &Capability| matches!(c, Capability::RouteRefresh | Capability::CiscoRouteRefresh);
    let add_path = |open: &Open, wanted: fn(AddPathMode) -> bool| {
        open.capabilities.iter().any(|capability| match capability {
            Capability::AddPath(modes) => {
                modes.iter().any(|&(family, mode)| family == Family::IPV4_UNICAST && wanted(mode))
            }
            _ => false,
        })
    };
    let orf = |open: &Open, wanted: u8| open.orf_modes().any(|mode| mode & wanted != 0);
    Agreement {
        kind,
        ipv4_unicast: ours.speaks(Family::IPV4_UNICAST) && theirs.speaks(Family::IPV4_UNICAST),
        four_octet_as: both(|c| matches!(c, Capability::FourOctetAs(_))),
        route_refresh: theirs.capabilities.iter().any(refresh),
        enhanced_refresh: both(|c| *c == Capability::EnhancedRouteRefresh),
        extended_message: both(|c| *c == Capability::ExtendedMessage),
        add_path_send: add_path(ours, AddPathMode::sends) && add_path(theirs, AddPathMode::receives),
        add_path_receive: add_path(ours, AddPathMode::receives) && add_path(theirs, AddPathMode::sends),
        orf_send: orf(ours, 2) && orf(theirs, 1),
        orf_receive: orf(ours, 1) && orf(theirs, 2),
        orf_cisco: !theirs
            .capabilities
            .iter()
            .any(|c| matches!(c, Capability::OutboundRouteFiltering { cisco: false, .. })),
    }
}

impl Open {
    /// The directions offered for prefix filters of IPv4 unicast routes: bit 0 receive, bit 1 send.
    fn orf_modes(&self) -> impl Iterator<Item = u8> + '_ {
        self.capabilities.iter().flat_map(|capability| {
            let entries = match capability {
                Capability::OutboundRouteFiltering { entries, .. } => entries.as_slice(),
                _ => &[],
            };
            entries
                .iter()
                .filter(|offer| offer.family == Family::IPV4_UNICAST)
                .flat_map(|offer| &offer.kinds)
                .filter(|(kind, _)| [RouteRefresh::CISCO_ORF_OFFER, RouteRefresh::PREFIX_LIST].contains(kind))
                .map(|&(_, mode)| mode)
        })
    }
}
