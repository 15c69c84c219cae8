//! Which routes a peer is told, and with what attributes (RFC 4271 section 9.1.3, RFC 4456, RFC 5065).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::as_path::{AsPath, Segment, SegmentKind};
use super::attributes::{ClusterId, Origin, PathAttributes};
use super::community::Community;
use super::config::{BgpConfig, FamilyConfig, NextHopSelf, PolicyOptions, RemovePrivateAs};
use super::next_hop::NextHops;
use super::packet::PeerKind;
use super::peer::Peer;
use super::policy::{EditContext, apply, lists_permit, view};
use super::table::{Destination, Path, PathKind, PathSource};
use crate::ids::{Asn, VrfId};
use crate::interface::InterfaceTable;
use crate::policy::{PolicyConfig, RouteEdits, RouteView};

/// How routes for one peer are judged.
pub(super) struct Exporter<'a> {
    pub(super) config: &'a BgpConfig,
    pub(super) family: &'a FamilyConfig,
    pub(super) policy: &'a PolicyConfig,
    pub(super) interfaces: &'a InterfaceTable,
    pub(super) next_hops: &'a NextHops,
    pub(super) vrf: VrfId,
    pub(super) cluster_id: ClusterId,
    pub(super) peer: &'a Peer,
    /// Our address of the session.
    pub(super) own_address: Ipv4Addr,
    /// The peer lies on a connected subnet of ours: it can reach what else is on it.
    pub(super) shared_subnet: Option<Ipv4Net>,
}

/// Whether a path's peer is a client of this reflector; `None` if it is no internal peer.
pub(super) type ClientState = Option<bool>;

impl Exporter<'_> {
    fn options(&self) -> &PolicyOptions {
        &self.peer.settings.policy
    }

    /// Whether the peer may be told of a path, as far as its route map is not asked.
    pub(super) fn permits(
        &self,
        prefix: Ipv4Net,
        destination: &Destination,
        path: &Path,
        from_client: ClientState,
    ) -> bool {
        if !self.may_know(path, from_client) || !self.communities_permit(path) {
            return false;
        }
        if destination.inactive && self.family.suppress_inactive {
            return false;
        }
        if destination.suppressed && !self.unsuppressed(prefix, path) {
            return false;
        }
        let options = self.options();
        let as_path = self.path_text(path);
        self.peer.routes_out.filter_permits(prefix)
            && lists_permit(
                self.policy,
                options.distribute_list_out.as_deref(),
                options.prefix_list_out.as_deref(),
                options.filter_list_out,
                prefix,
                &as_path,
            )
            && self.family_permits(prefix, path, &as_path)
            && self.condition_holds(prefix, path, &as_path)
    }

    /// `distribute-list ... out` of the address family.
    fn family_permits(&self, prefix: Ipv4Net, path: &Path, as_path: &str) -> bool {
        let list = self.family.distribute_out.get(&None);
        list.is_none_or(|list| list.permits(&self.view(prefix, &path.attributes, path, as_path), self.policy))
    }

    /// The attributes under which a path is told to the peer; `None` if the route map denies it.
    pub(super) fn attributes(&self, prefix: Ipv4Net, path: &Path) -> Option<PathAttributes> {
        let mut attributes = self.prepare(path);
        let Some(name) = &self.options().route_map_out else {
            return Some(self.finish(attributes, path, false));
        };
        let as_path = self.path_text(path);
        let edits = self.policy.route_map(name, &self.view(prefix, &attributes, path, &as_path))?;
        let igp_metric = self.next_hops.get(path.attributes.next_hop).map_or(0, |state| state.metric);
        apply(&edits, &mut attributes, &self.edit_context(igp_metric));
        if self.peer.kind == PeerKind::External {
            attributes.local_preference = None;
        }
        Some(self.finish(attributes, path, edits.next_hop.is_some()))
    }

    fn edit_context(&self, igp_metric: u32) -> EditContext<'_> {
        EditContext {
            policy: self.policy,
            peer_address: Some(self.own_address),
            own_address: Some(self.own_address),
            igp_metric,
        }
    }

    /// Whether routes with the same attributes from the same peer are all told alike, whatever their destination.
    pub(super) fn is_uniform(&self) -> bool {
        self.options().route_map_out.is_none()
    }

    /// The AS path as lists and maps see it, if any is asked.
    fn path_text(&self, path: &Path) -> String {
        let options = self.options();
        let asked = options.filter_list_out.is_some()
            || options.route_map_out.is_some()
            || options.advertise_map.is_some()
            || self.family.distribute_out.contains_key(&None);
        if asked { path.attributes.as_path.to_string() } else { String::new() }
    }

    fn view<'v>(
        &self,
        prefix: Ipv4Net,
        attributes: &'v PathAttributes,
        path: &Path,
        as_path: &'v str,
    ) -> RouteView<'v>
    where
        Self: 'v,
    {
        let via = Some((self.interfaces, self.vrf));
        let mut view = view(prefix, attributes, as_path, path.source.peer(), path.kind, via);
        if let PathSource::Redistributed(owner) = path.source {
            view.source = Some(owner.into());
        }
        view
    }

    /// Split horizon, and the rules of internal peers.
    fn may_know(&self, path: &Path, from_client: ClientState) -> bool {
        if path.source.peer() == Some(self.peer.key.address) {
            return false;
        }
        if self.peer.kind != PeerKind::Internal || path.kind != PathKind::Internal {
            return true;
        }
        let to_client = self.options().route_reflector_client;
        match (from_client.unwrap_or(false), to_client) {
            (true, true) => self.config.client_to_client_reflection,
            (from, to) => from || to,
        }
    }

    /// RFC 1997.
    fn communities_permit(&self, path: &Path) -> bool {
        let has = |community| path.attributes.has_community(community);
        let kind = self.peer.kind;
        !(has(Community::NO_ADVERTISE)
            || (kind == PeerKind::External && has(Community::NO_EXPORT))
            || (kind != PeerKind::Internal && has(Community::LOCAL_AS)))
    }

    fn unsuppressed(&self, prefix: Ipv4Net, path: &Path) -> bool {
        let Some(name) = &self.options().unsuppress_map else { return false };
        let as_path = path.attributes.as_path.to_string();
        self.policy.route_map(name, &self.view(prefix, &path.attributes, path, &as_path)).is_some()
    }

    /// `advertise-map`: routes that it permits are told only while the condition holds.
    fn condition_holds(&self, prefix: Ipv4Net, path: &Path, as_path: &str) -> bool {
        let Some(advertise) = &self.options().advertise_map else { return true };
        let seen = self.view(prefix, &path.attributes, path, as_path);
        self.peer.routes_out.condition_holds || self.policy.route_map(&advertise.map, &seen).is_none()
    }

    /// The attributes that a route map of the peer starts from.
    fn prepare(&self, path: &Path) -> PathAttributes {
        let mut attributes = PathAttributes::clone(&path.attributes);
        let default =
            self.config.default_local_preference.unwrap_or(PathAttributes::DEFAULT_LOCAL_PREFERENCE);
        match self.peer.kind {
            PeerKind::External => {
                attributes.local_preference = None;
                // RFC 4271 section 5.1.4: the MED of another AS goes no further.
                attributes.med = attributes.med.filter(|_| path.kind == PathKind::Local);
            }
            PeerKind::Confederation | PeerKind::Internal => {
                attributes.local_preference = Some(path.local_preference(default));
            }
        }
        attributes
    }

    /// What no policy can change.
    fn finish(&self, mut attributes: PathAttributes, path: &Path, next_hop_set: bool) -> PathAttributes {
        if !next_hop_set {
            attributes.next_hop = self.next_hop(path);
        }
        let hop = path.attributes.next_hop;
        attributes.aigp = attributes.aigp.filter(|_| self.options().aigp).map(|metric| {
            // RFC 7311 section 3.4: who becomes the next hop adds the way to the old one.
            let way = self.next_hops.get(hop).map_or(0, |state| state.metric);
            if attributes.next_hop == hop { metric } else { metric.saturating_add(u64::from(way)) }
        });
        let send = self.options().send_community;
        if !send.standard {
            attributes.communities.clear();
            attributes.large_communities.clear();
        }
        if !send.extended {
            attributes.extended_communities.clear();
        }
        match self.peer.kind {
            PeerKind::Internal => {
                // RFC 4456 section 8: what came from an internal peer is reflected.
                if path.kind == PathKind::Internal {
                    attributes.originator_id.get_or_insert(path.router_id);
                    attributes.cluster_list.insert(0, self.cluster_id);
                }
            }
            PeerKind::Confederation => {
                attributes.originator_id = None;
                attributes.cluster_list.clear();
                attributes.as_path =
                    attributes.as_path.prepended(SegmentKind::ConfedSequence, self.config.asn, 1);
            }
            PeerKind::External => {
                attributes.originator_id = None;
                attributes.cluster_list.clear();
                attributes.extended_communities.retain(|community| community.is_transitive());
                attributes.as_path = self.external_path(&attributes.as_path);
            }
        }
        attributes
    }

    /// NEXT_HOP (RFC 4271 section 5.1.3).
    fn next_hop(&self, path: &Path) -> Ipv4Addr {
        let current = path.attributes.next_hop;
        let options = self.options();
        let own = current.is_unspecified() || self.interfaces.by_address(self.vrf, current).is_some();
        let forced = match options.next_hop_self {
            Some(NextHopSelf::All) => true,
            Some(NextHopSelf::External) => path.kind != PathKind::Internal,
            None => false,
        };
        if own || forced {
            return self.own_address;
        }
        match self.peer.kind {
            PeerKind::Internal | PeerKind::Confederation => current,
            PeerKind::External if options.next_hop_unchanged => current,
            // A router on the subnet that we share with the peer is reached without us.
            PeerKind::External if self.shared_subnet.is_some_and(|net| net.contains(&current)) => current,
            PeerKind::External => self.own_address,
        }
    }

    /// The AS path for another AS.
    fn external_path(&self, path: &AsPath) -> AsPath {
        let own = self.config.public_asn();
        let mut path = path.without_confederation();
        if self.options().as_override {
            let theirs = self.peer.remote_as;
            path = path.mapped(|asn| Some(if asn == theirs { own } else { asn }));
        }
        if let Some(how) = self.options().remove_private_as {
            path = self.without_private(&path, how, own);
        }
        let local = self.peer.settings.session.local_as.filter(|_| !self.peer.real_as);
        match local {
            Some(local) if local.replace_as => path.prepended(SegmentKind::Sequence, local.asn, 1),
            Some(local) => path.prepended_by(&[local.asn, own]),
            None => path.prepended(SegmentKind::Sequence, own, 1),
        }
    }

    /// `remove-private-as`. Plain, it leaves paths alone that hold a public number or the peer's own.
    fn without_private(&self, path: &AsPath, how: RemovePrivateAs, own: Asn) -> AsPath {
        match how {
            RemovePrivateAs::Plain => {
                let keep = path.asns().any(|asn| !asn.is_private() || asn == self.peer.remote_as);
                if keep { path.clone() } else { AsPath::default() }
            }
            RemovePrivateAs::All => path.mapped(|asn| (!asn.is_private()).then_some(asn)),
            RemovePrivateAs::Replace => path.mapped(|asn| Some(if asn.is_private() { own } else { asn })),
        }
    }

    /// `default-originate`: the default route, with what the route map sets.
    pub(super) fn default_route(&self, edits: Option<&RouteEdits>) -> PathAttributes {
        let mut attributes = PathAttributes::local(Origin::Igp);
        attributes.next_hop = self.own_address;
        if self.peer.kind != PeerKind::External {
            let default = self.config.default_local_preference;
            attributes.local_preference = Some(default.unwrap_or(PathAttributes::DEFAULT_LOCAL_PREFERENCE));
        }
        if let Some(edits) = edits {
            apply(edits, &mut attributes, &self.edit_context(0));
        }
        if self.peer.kind == PeerKind::External {
            attributes.local_preference = None;
        }
        match self.peer.kind {
            PeerKind::Internal => {}
            PeerKind::Confederation => {
                let member = Segment { kind: SegmentKind::ConfedSequence, asns: vec![self.config.asn] };
                attributes.as_path =
                    AsPath::new(std::iter::once(member).chain(attributes.as_path.segments().iter().cloned()));
            }
            PeerKind::External => attributes.as_path = self.external_path(&attributes.as_path),
        }
        if !self.options().send_community.standard {
            attributes.communities.clear();
        }
        attributes
    }
}
