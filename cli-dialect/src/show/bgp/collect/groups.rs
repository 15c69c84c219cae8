//! Neighbors that are told the same: `show ip bgp update-group`.

use netconfarena_emu::bgp::packet::{PeerKind, UpdateFormat};
use netconfarena_emu::bgp::{Peer, PolicyOptions};
use netconfarena_emu::ids::Asn;

use super::Running;
use crate::show::bgp::update_group::{IpBgpUpdateGroups, UpdateGroup};

/// What decides how a neighbor is told: its kind, our AS towards it, the form of messages, and outbound policy.
#[derive(PartialEq)]
struct Outbound {
    kind: PeerKind,
    local_as: Asn,
    format: UpdateFormat,
    limit: usize,
    policy: PolicyOptions,
}

impl Outbound {
    fn of(peer: &Peer) -> Option<Self> {
        let agreed = peer.session.as_ref()?.agreed;
        let inbound = PolicyOptions::default();
        Some(Self {
            kind: peer.kind,
            local_as: peer.local_as,
            format: agreed.send_format(),
            limit: agreed.limit(),
            policy: PolicyOptions {
                route_map_in: inbound.route_map_in,
                prefix_list_in: inbound.prefix_list_in,
                distribute_list_in: inbound.distribute_list_in,
                filter_list_in: inbound.filter_list_in,
                weight: inbound.weight,
                maximum_prefix: inbound.maximum_prefix,
                soft_reconfiguration: inbound.soft_reconfiguration,
                allowas_in: inbound.allowas_in,
                dmz_link_bandwidth: inbound.dmz_link_bandwidth,
                ..peer.settings.policy.clone()
            },
        })
    }
}

impl<'a> Running<'a> {
    /// The groups of neighbors that are up, in the order of their first members.
    pub(super) fn groups(&self) -> Vec<Vec<&'a Peer>> {
        let mut groups: Vec<(Outbound, Vec<&Peer>)> = Vec::new();
        for peer in self.instance.peers.values() {
            let Some(outbound) = Outbound::of(peer) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == outbound) {
                Some((_, members)) => members.push(peer),
                None => groups.push((outbound, vec![peer])),
            }
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    /// `update-group`.
    #[must_use]
    pub fn update_groups(&self) -> IpBgpUpdateGroups {
        let of = |(number, members): (u32, Vec<&Peer>)| {
            let first = members.first()?;
            Some(UpdateGroup {
                number,
                internal: first.kind == PeerKind::Internal,
                version: first.routes_out.version.saturating_add(1),
                route_map: first.settings.policy.route_map_out.clone(),
                interval: first.advertisement_interval().as_secs(),
                members: members.iter().map(|peer| peer.key.address).collect(),
            })
        };
        IpBgpUpdateGroups { groups: (1..).zip(self.groups()).filter_map(of).collect() }
    }
}
