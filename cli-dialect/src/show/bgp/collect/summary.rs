//! `show ip bgp summary`, `show ip bgp peer-group`.

use std::collections::{BTreeMap, BTreeSet};

use netconfarena_emu::bgp::as_path::AsPath;
use netconfarena_emu::bgp::attributes::PathAttributes;
use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::{Halt, Peer};

use super::Running;
use crate::show::age::Age;
use crate::show::bgp::peer_group::{Group, IpBgpPeerGroups};
use crate::show::bgp::summary::{Family, IpBgpSummary, Listen, Neighbor, Shared};

/// How many different items there are.
fn distinct<T: Ord>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.collect::<BTreeSet<T>>().len()).unwrap_or(u32::MAX)
}

impl Running<'_> {
    /// All neighbors that exchange IPv4 routes; `named` is `show bgp all summary`, which names the family.
    #[must_use]
    pub fn summary(&self, named: bool) -> IpBgpSummary {
        let table = &self.instance.table;
        let peers = self.instance.peers.values().filter(|peer| peer.settings.active);
        let paths: usize = table.iter().map(|(_, destination)| destination.paths.len()).sum();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let family = Family {
            name: named.then(|| "IPv4 Unicast".to_owned()),
            router_id: self.router_id(),
            local_as: self.config.asn.0,
            table_version: self.version(),
            networks: count(table.len()),
            paths: count(paths),
            shared: self.shared(),
            neighbors: peers.map(|peer| self.summary_line(peer)).collect(),
            listen: self.listen(),
        };
        IpBgpSummary { families: vec![family] }
    }

    /// What the paths of the table share.
    fn shared(&self) -> Shared {
        let table = &self.instance.table;
        let all = || {
            let paths = table.iter().flat_map(|(_, destination)| &destination.paths);
            paths.map(|path| &*path.attributes)
        };
        let best = table.iter().filter_map(|(_, destination)| destination.best_path());
        let reflection = |attributes: &'_ PathAttributes| {
            attributes.originator_id.map(|originator| (originator, attributes.cluster_list.clone()))
        };
        Shared {
            attributes: distinct(all()),
            best_attributes: distinct(best.map(|path| &*path.attributes)),
            reflections: distinct(all().filter_map(reflection)),
            as_paths: distinct(all().map(|one| &one.as_path).filter(|path| **path != AsPath::default())),
            communities: distinct(all().map(|one| &one.communities).filter(|list| !list.is_empty())),
            extended_communities: distinct(
                all().map(|one| &one.extended_communities).filter(|list| !list.is_empty()),
            ),
        }
    }

    fn summary_line(&self, peer: &Peer) -> Neighbor {
        let established = peer.session.is_some();
        let uptime =
            (established || peer.established > 0).then(|| Age::from(self.context.now().since(peer.changed)));
        Neighbor {
            neighbor: peer.key.address,
            dynamic: peer.dynamic,
            version: 4,
            remote_as: peer.remote_as.0,
            messages_received: peer.received.total(),
            messages_sent: peer.sent.total(),
            neighbor_table_version: if established { peer.routes_out.version.saturating_add(1) } else { 1 },
            in_queue: 0,
            out_queue: 0,
            uptime,
            state: match (peer.state(), peer.halt) {
                (State::Idle, Some(Halt::AdminShutdown)) => "Idle (Admin)".to_owned(),
                (State::Idle, Some(Halt::PrefixLimit)) => "Idle (PfxCt)".to_owned(),
                (state, _) => state.to_string(),
            },
            prefixes_received: established.then_some(peer.routes_in.current),
        }
    }

    /// `bgp listen range`, which the global table alone has.
    fn listen(&self) -> Option<Listen> {
        if self.config.listen_ranges.is_empty() || self.instance.name.is_some() {
            return None;
        }
        let mut groups: BTreeMap<String, Vec<ipnet::Ipv4Net>> = BTreeMap::new();
        for (&range, listen) in &self.config.listen_ranges {
            groups.entry(listen.group.clone()).or_default().push(range);
        }
        let created = self.instance.peers.values().filter(|peer| peer.dynamic).count();
        Some(Listen {
            created: u32::try_from(created).unwrap_or(u32::MAX),
            limit: self.config.listen_limit.unwrap_or(100).into(),
            groups: groups.into_iter().collect(),
        })
    }

    /// `peer-group [G]`.
    #[must_use]
    pub fn peer_groups(&self, name: Option<&str>) -> IpBgpPeerGroups {
        let wanted = self.settings.groups.iter().filter(|(group, _)| name.is_none_or(|name| name == *group));
        let groups = wanted.map(|(name, group)| Group {
            name: name.clone(),
            remote_as: group.session.remote_as.map(|asn| asn.0),
            internal: group.session.remote_as == Some(self.config.asn),
            members: {
                let peers = self.instance.peers.values();
                let members = peers.filter(|peer| peer.settings.group.as_ref() == Some(name));
                members.map(|peer| peer.key.address).collect()
            },
        });
        IpBgpPeerGroups { groups: groups.collect() }
    }
}
