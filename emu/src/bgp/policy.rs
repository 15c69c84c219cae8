//! Route maps and lists applied to paths.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::as_path::SegmentKind;
use super::attributes::{Origin, PathAttributes};
use super::packet::PeerKind;
use super::table::PathKind;
use crate::ids::VrfId;
use crate::interface::InterfaceTable;
use crate::policy::{
    BgpView, NextHopEdit, PolicyConfig, Prepend, RouteEdits, RouteType, RouteView, SetAigp, SetMetricType,
    SetOrigin,
};

/// What a route map may put into a route, beside what it says itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct EditContext<'a> {
    pub(super) policy: &'a PolicyConfig,
    /// `set ip next-hop peer-address`: inbound the peer's address, outbound ours.
    pub(super) peer_address: Option<Ipv4Addr>,
    /// `set ip next-hop self`.
    pub(super) own_address: Option<Ipv4Addr>,
    /// `set metric-type internal`, `set aigp-metric igp-metric`.
    pub(super) igp_metric: u32,
}

/// Applies what a route map changes. The weight is not an attribute.
pub(super) fn apply(edits: &RouteEdits, attributes: &mut PathAttributes, context: &EditContext<'_>) {
    if let Some(metric) = edits.metric(attributes.med) {
        attributes.med = Some(metric);
    }
    if edits.metric_type == Some(SetMetricType::Internal) {
        attributes.med = Some(context.igp_metric);
    }
    if let Some(communities) = edits.communities(&attributes.communities, context.policy) {
        attributes.communities = communities.into_iter().collect();
    }
    if let Some(communities) = edits.extended_communities(&attributes.extended_communities, context.policy) {
        attributes.extended_communities = communities;
    }
    attributes.aigp = match edits.aigp {
        Some(SetAigp::To(metric)) => Some(metric.into()),
        Some(SetAigp::IgpMetric) => Some(context.igp_metric.into()),
        None => attributes.aigp,
    };
    attributes.local_preference = edits.local_preference.or(attributes.local_preference);
    attributes.origin = match edits.origin {
        Some(SetOrigin::Igp) => Origin::Igp,
        Some(SetOrigin::Egp(_)) => Origin::Egp,
        Some(SetOrigin::Incomplete) => Origin::Incomplete,
        None => attributes.origin,
    };
    for prepend in &edits.prepends {
        attributes.as_path = match prepend {
            Prepend::Asns(asns) => attributes.as_path.prepended_by(asns),
            Prepend::LastAs(count) => match attributes.as_path.neighbor() {
                Some(asn) => attributes.as_path.prepended(SegmentKind::Sequence, asn, usize::from(*count)),
                None => continue,
            },
        };
    }
    let next_hop = match edits.next_hop {
        Some(NextHopEdit::Address(address)) => Some(address),
        Some(NextHopEdit::PeerAddress) => context.peer_address,
        Some(NextHopEdit::SelfAddress) => context.own_address,
        None => None,
    };
    attributes.next_hop = next_hop.unwrap_or(attributes.next_hop);
}

/// A path as route maps see it. `as_path` is its text.
pub(super) fn view<'a>(
    prefix: Ipv4Net,
    attributes: &'a PathAttributes,
    as_path: &'a str,
    source: Option<Ipv4Addr>,
    kind: PathKind,
    via: Option<(&InterfaceTable, VrfId)>,
) -> RouteView<'a> {
    let next_hop = Some(attributes.next_hop).filter(|address| !address.is_unspecified());
    let interface = via.and_then(|(interfaces, vrf)| {
        interfaces.iter().find(|i| i.vrf == vrf && next_hop.is_some_and(|hop| i.is_connected_to(hop)))
    });
    RouteView {
        next_hops: next_hop.into_iter().collect(),
        route_sources: source.into_iter().collect(),
        interfaces: interface.map(|interface| interface.name).into_iter().collect(),
        metric: Some(attributes.med.unwrap_or(0)),
        route_type: Some(match kind {
            PathKind::Local => RouteType::Local,
            PathKind::External | PathKind::Confederation => RouteType::External,
            PathKind::Internal => RouteType::Internal,
        }),
        bgp: Some(BgpView {
            as_path,
            communities: &attributes.communities,
            extended_communities: &attributes.extended_communities,
            local_preference: Some(
                attributes.local_preference.unwrap_or(PathAttributes::DEFAULT_LOCAL_PREFERENCE),
            ),
        }),
        ..RouteView::new(prefix)
    }
}

/// What paths from a peer are.
pub(super) const fn path_kind(kind: PeerKind) -> PathKind {
    match kind {
        PeerKind::Internal => PathKind::Internal,
        PeerKind::Confederation => PathKind::Confederation,
        PeerKind::External => PathKind::External,
    }
}

/// Whether lists of a neighbor let a route pass: distribute list, prefix list, as-path access list. A list that does not exist lets all
/// pass, but for an as-path list, which lets none pass.
pub(super) fn lists_permit(
    policy: &PolicyConfig,
    distribute_list: Option<&str>,
    prefix_list: Option<&str>,
    filter_list: Option<u16>,
    prefix: Ipv4Net,
    as_path: &str,
) -> bool {
    distribute_list.is_none_or(|name| policy.access_list_permits(name, prefix))
        && prefix_list.is_none_or(|name| policy.prefix_list_permits(name, prefix))
        && filter_list.is_none_or(|number| policy.as_path_list_permits(number, as_path))
}
