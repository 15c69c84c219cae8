//! Neighbors, peer groups and templates, and what a neighbor gets from them.
//!
//! A neighbor's own line goes before its peer group's, that before the template's, and a template's own before those that it
//! inherits. Switches that are on anywhere are on.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{BgpConfig, InstanceConfig};
use crate::ids::Asn;
use crate::interface::InterfaceName;

/// `neighbor A ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbor {
    /// What is about the session.
    pub session: SessionOptions,
    /// `peer-group G`.
    pub group: Option<String>,
    /// `inherit peer-session T`.
    pub inherit_session: Option<String>,
    /// `activate` for IPv4 unicast, as a new neighbor has it by `bgp default ipv4-unicast`.
    pub active: bool,
    /// What is about IPv4 unicast routes.
    pub policy: PolicyOptions,
    /// `inherit peer-policy T`.
    pub inherit_policy: Option<String>,
}

/// `neighbor NAME peer-group`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerGroup {
    /// What is about sessions.
    pub session: SessionOptions,
    /// `inherit peer-session T`.
    pub inherit_session: Option<String>,
    /// `activate` for IPv4 unicast: counts for neighbors of `bgp listen range`, which have no lines of their own.
    pub active: bool,
    /// What is about IPv4 unicast routes.
    pub policy: PolicyOptions,
    /// `inherit peer-policy T`.
    pub inherit_policy: Option<String>,
}

/// `template peer-session`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionTemplate {
    /// Its lines.
    pub session: SessionOptions,
    /// `inherit peer-session T`.
    pub inherit: Option<String>,
}

/// `template peer-policy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyTemplate {
    /// Its lines.
    pub policy: PolicyOptions,
    /// `inherit peer-policy T SEQUENCE`, by sequence; the greatest goes before the others.
    pub inherit: BTreeMap<u16, String>,
}

/// `bgp listen range P peer-group G`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenRange {
    /// The group of the neighbors that connect from there.
    pub group: String,
}

/// What neighbor lines say about sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionOptions {
    /// `remote-as`.
    pub remote_as: Option<Asn>,
    /// `remote-as N alternate-as A...`, of listen ranges.
    pub alternate_as: BTreeSet<Asn>,
    /// `description`.
    pub description: Option<String>,
    /// `shutdown`.
    pub shutdown: bool,
    /// `password`.
    pub password: Option<VersionedPassword>,
    /// `update-source`.
    pub update_source: Option<InterfaceName>,
    /// `ebgp-multihop`: the time to live of what is sent; 255 if none is said.
    pub ebgp_multihop: Option<u8>,
    /// `ttl-security hops`.
    pub ttl_security_hops: Option<u8>,
    /// `disable-connected-check`.
    pub disable_connected_check: bool,
    /// `timers`.
    pub timers: Option<NeighborTimers>,
    /// `local-as`.
    pub local_as: Option<LocalAs>,
    /// `transport connection-mode`.
    pub connection_mode: Option<ConnectionMode>,
    /// `fall-over`.
    pub fall_over: Option<FallOver>,
    /// `dont-capability-negotiate`: the OPEN carries no capabilities.
    pub no_capabilities: bool,
}

/// `password [7] TEXT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionedPassword {
    /// The text is encrypted by IOS's type 7.
    pub encrypted: bool,
    /// The text as written.
    pub text: String,
}

impl VersionedPassword {
    /// The key that IOS encrypts type 7 by.
    const KEY: &'static [u8] = b"dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87";

    /// The password itself; what does not decrypt stands for itself.
    #[must_use]
    pub fn plain(&self) -> String {
        if !self.encrypted {
            return self.text.clone();
        }
        self.decrypt().unwrap_or_else(|| self.text.clone())
    }

    /// Two digits of salt, then each octet in hexadecimal, XORed with the key from the salt on.
    fn decrypt(&self) -> Option<String> {
        let salt: usize = self.text.get(..2)?.parse().ok()?;
        let digits = self.text.get(2..)?.as_bytes();
        let octets = digits.chunks(2).enumerate().map(|(at, pair)| {
            let octet = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
            Some(octet ^ Self::KEY.get((salt + at) % Self::KEY.len())?)
        });
        String::from_utf8(octets.collect::<Option<Vec<u8>>>()?).ok()
    }
}

/// `timers KEEPALIVE HOLD [MINIMUM]`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeighborTimers {
    /// Time between keepalives.
    pub keepalive: u16,
    /// Hold time offered; 0 is none.
    pub hold: u16,
    /// Least hold time that a peer may offer.
    pub minimum_hold: Option<u16>,
}

impl Default for NeighborTimers {
    fn default() -> Self {
        Self { keepalive: 60, hold: 180, minimum_hold: None }
    }
}

/// `local-as N ...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalAs {
    /// The AS that this router pretends to be of.
    pub asn: Asn,
    /// `no-prepend`: it is not put before received paths.
    pub no_prepend: bool,
    /// `replace-as`: sent paths have it in place of the real AS.
    pub replace_as: bool,
    /// `dual-as`: the peer may know us by either.
    pub dual_as: bool,
}

/// `transport connection-mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConnectionMode {
    /// Connects only.
    Active,
    /// Waits for the peer only.
    Passive,
}

/// `fall-over [route-map M]`: the session ends as soon as the route to the peer is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FallOver {
    /// Which routes count.
    pub route_map: Option<String>,
}

/// What neighbor lines say about the routes of an address family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyOptions {
    /// `route-map M in`.
    pub route_map_in: Option<String>,
    /// `route-map M out`.
    pub route_map_out: Option<String>,
    /// `prefix-list P in`.
    pub prefix_list_in: Option<String>,
    /// `prefix-list P out`.
    pub prefix_list_out: Option<String>,
    /// `distribute-list L in`.
    pub distribute_list_in: Option<String>,
    /// `distribute-list L out`.
    pub distribute_list_out: Option<String>,
    /// `filter-list N in`: an as-path access list.
    pub filter_list_in: Option<u16>,
    /// `filter-list N out`.
    pub filter_list_out: Option<u16>,
    /// `weight`.
    pub weight: Option<u16>,
    /// `next-hop-self [all]`.
    pub next_hop_self: Option<NextHopSelf>,
    /// `next-hop-unchanged`.
    pub next_hop_unchanged: bool,
    /// `send-community`.
    pub send_community: SendCommunity,
    /// `default-originate`.
    pub default_originate: Option<DefaultOriginate>,
    /// `route-reflector-client`.
    pub route_reflector_client: bool,
    /// `maximum-prefix`.
    pub maximum_prefix: Option<MaximumPrefix>,
    /// `soft-reconfiguration inbound`.
    pub soft_reconfiguration: bool,
    /// `allowas-in`: how often the own AS may occur in a received path; IOS's default is 3.
    pub allowas_in: Option<u8>,
    /// `as-override`.
    pub as_override: bool,
    /// `remove-private-as`.
    pub remove_private_as: Option<RemovePrivateAs>,
    /// `unsuppress-map`.
    pub unsuppress_map: Option<String>,
    /// `advertise-map`.
    pub advertise_map: Option<AdvertiseMap>,
    /// `advertisement-interval`, in seconds; IOS's defaults are 30 for external peers and 0 for internal ones.
    pub advertisement_interval: Option<u16>,
    /// `capability orf prefix-list`.
    pub orf_prefix_list: Option<OrfDirection>,
    /// `additional-paths`; `disable` offers neither direction.
    pub additional_paths: Option<AdditionalPaths>,
    /// `advertise additional-paths`.
    pub advertise_paths: PathSelection,
    /// `dmzlink-bw`.
    pub dmz_link_bandwidth: bool,
    /// `aigp`.
    pub aigp: bool,
}

/// `next-hop-self [all]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NextHopSelf {
    /// For routes from external peers and of this router.
    External,
    /// For reflected routes too.
    All,
}

/// `send-community [both|extended|standard|large]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendCommunity {
    /// Standard ones.
    pub standard: bool,
    /// Extended ones.
    pub extended: bool,
}

/// `default-originate [route-map M]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultOriginate {
    /// The default route is sent while the map permits some route, with the attributes that it sets.
    pub route_map: Option<String>,
}

/// `maximum-prefix N [THRESHOLD] [restart M | warning-only]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaximumPrefix {
    /// How many prefixes the peer may send.
    pub limit: u32,
    /// At how many percent a warning is logged; IOS's default is 75.
    pub threshold: Option<u8>,
    /// What happens beyond.
    pub action: MaximumPrefixAction,
}

impl MaximumPrefix {
    /// IOS's default threshold, in percent.
    pub const DEFAULT_THRESHOLD: u8 = 75;
}

/// What happens when a peer sends more prefixes than it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MaximumPrefixAction {
    /// The session ends, until it is cleared.
    #[default]
    Stop,
    /// `restart`: the session ends, and is tried again after so many minutes.
    Restart(u16),
    /// `warning-only`.
    WarningOnly,
}

/// `remove-private-as [all [replace-as]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RemovePrivateAs {
    /// Paths of private numbers only lose them.
    Plain,
    /// `all`: every private number is removed.
    All,
    /// `all replace-as`: every private number becomes our own.
    Replace,
}

/// `advertise-map M exist-map|non-exist-map C`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdvertiseMap {
    /// Which routes are advertised only on the condition.
    pub map: String,
    /// The condition.
    pub condition: AdvertiseCondition,
    /// Which routes the condition is about.
    pub condition_map: String,
}

/// The condition of `advertise-map`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdvertiseCondition {
    /// `exist-map`: a route is there.
    Exist,
    /// `non-exist-map`: no route is there.
    NonExist,
}

/// `capability orf prefix-list send|receive|both`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrfDirection {
    /// Our filter is sent.
    Send,
    /// The peer's filter is taken.
    Receive,
    /// Both.
    Both,
}

impl OrfDirection {
    /// Whether our filter is sent.
    #[must_use]
    pub const fn sends(self) -> bool {
        matches!(self, Self::Send | Self::Both)
    }

    /// Whether the peer's filter is taken.
    #[must_use]
    pub const fn receives(self) -> bool {
        matches!(self, Self::Receive | Self::Both)
    }
}

/// `additional-paths send|receive`: which directions are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdditionalPaths {
    /// `send`.
    pub send: bool,
    /// `receive`.
    pub receive: bool,
}

/// Sets of paths: `additional-paths select`, and `advertise additional-paths` of a neighbor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathSelection {
    /// `all`: every path with a next hop of its own.
    pub all: bool,
    /// `best N`, 2 or 3.
    pub best: Option<u8>,
    /// `group-best`: the best of each neighboring AS.
    pub group_best: bool,
}

impl PathSelection {
    /// Whether nothing is selected.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !self.all && self.best.is_none() && !self.group_best
    }
}

impl SessionOptions {
    /// Takes from `other` what is not said here.
    fn inherit(&mut self, other: &Self) {
        fn or<T: Clone>(own: &mut Option<T>, other: &Option<T>) {
            if own.is_none() {
                own.clone_from(other);
            }
        }
        if self.remote_as.is_none() {
            self.alternate_as.clone_from(&other.alternate_as);
        }
        or(&mut self.remote_as, &other.remote_as);
        or(&mut self.description, &other.description);
        self.shutdown |= other.shutdown;
        or(&mut self.password, &other.password);
        or(&mut self.update_source, &other.update_source);
        or(&mut self.ebgp_multihop, &other.ebgp_multihop);
        or(&mut self.ttl_security_hops, &other.ttl_security_hops);
        self.disable_connected_check |= other.disable_connected_check;
        or(&mut self.timers, &other.timers);
        or(&mut self.local_as, &other.local_as);
        or(&mut self.connection_mode, &other.connection_mode);
        or(&mut self.fall_over, &other.fall_over);
        self.no_capabilities |= other.no_capabilities;
    }
}

impl PolicyOptions {
    /// Takes from `other` what is not said here.
    fn inherit(&mut self, other: &Self) {
        fn or<T: Clone>(own: &mut Option<T>, other: &Option<T>) {
            if own.is_none() {
                own.clone_from(other);
            }
        }
        or(&mut self.route_map_in, &other.route_map_in);
        or(&mut self.route_map_out, &other.route_map_out);
        or(&mut self.prefix_list_in, &other.prefix_list_in);
        or(&mut self.prefix_list_out, &other.prefix_list_out);
        or(&mut self.distribute_list_in, &other.distribute_list_in);
        or(&mut self.distribute_list_out, &other.distribute_list_out);
        or(&mut self.filter_list_in, &other.filter_list_in);
        or(&mut self.filter_list_out, &other.filter_list_out);
        or(&mut self.weight, &other.weight);
        or(&mut self.next_hop_self, &other.next_hop_self);
        self.next_hop_unchanged |= other.next_hop_unchanged;
        self.send_community.standard |= other.send_community.standard;
        self.send_community.extended |= other.send_community.extended;
        or(&mut self.default_originate, &other.default_originate);
        self.route_reflector_client |= other.route_reflector_client;
        or(&mut self.maximum_prefix, &other.maximum_prefix);
        self.soft_reconfiguration |= other.soft_reconfiguration;
        or(&mut self.allowas_in, &other.allowas_in);
        self.as_override |= other.as_override;
        or(&mut self.remove_private_as, &other.remove_private_as);
        or(&mut self.unsuppress_map, &other.unsuppress_map);
        or(&mut self.advertise_map, &other.advertise_map);
        or(&mut self.advertisement_interval, &other.advertisement_interval);
        or(&mut self.orf_prefix_list, &other.orf_prefix_list);
        or(&mut self.additional_paths, &other.additional_paths);
        if self.advertise_paths.is_empty() {
            self.advertise_paths = other.advertise_paths;
        }
        self.dmz_link_bandwidth |= other.dmz_link_bandwidth;
        self.aigp |= other.aigp;
    }
}

/// A neighbor with all that it inherits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectivePeer {
    /// About the session.
    pub session: SessionOptions,
    /// Whether IPv4 unicast routes are exchanged.
    pub active: bool,
    /// About IPv4 unicast routes.
    pub policy: PolicyOptions,
    /// The peer group.
    pub group: Option<String>,
}

/// How many templates may inherit from each other.
const TEMPLATE_DEPTH: usize = 32;

impl BgpConfig {
    /// A neighbor with all that it inherits from its group and templates.
    #[must_use]
    pub fn effective(&self, instance: &InstanceConfig, neighbor: &Neighbor) -> EffectivePeer {
        let mut peer = EffectivePeer {
            session: neighbor.session.clone(),
            active: neighbor.active,
            policy: neighbor.policy.clone(),
            group: neighbor.group.clone(),
        };
        let of_family = instance.ipv4.additional_paths;
        let group = neighbor.group.as_ref().and_then(|name| instance.groups.get(name));
        if let Some(group) = group {
            peer.session.inherit(&group.session);
            peer.policy.inherit(&group.policy);
        }
        let session = neighbor.inherit_session.as_ref();
        let session = session.or(group.and_then(|g| g.inherit_session.as_ref()));
        self.inherit_session(session, &mut peer.session);
        let policy = neighbor.inherit_policy.as_ref().or(group.and_then(|g| g.inherit_policy.as_ref()));
        self.inherit_policy(policy, &mut BTreeSet::new(), &mut peer.policy);
        peer.policy.additional_paths.get_or_insert(of_family);
        peer
    }

    fn inherit_session(&self, name: Option<&String>, session: &mut SessionOptions) {
        let mut next = name;
        for _ in 0..TEMPLATE_DEPTH {
            let Some(template) = next.and_then(|name| self.session_templates.get(name)) else { return };
            session.inherit(&template.session);
            next = template.inherit.as_ref();
        }
    }

    /// A template met again has nothing more to say.
    fn inherit_policy<'a>(
        &'a self,
        name: Option<&'a String>,
        met: &mut BTreeSet<&'a str>,
        policy: &mut PolicyOptions,
    ) {
        let new = name.filter(|name| met.len() < TEMPLATE_DEPTH && met.insert(name));
        let Some(template) = new.and_then(|name| self.policy_templates.get(name)) else { return };
        policy.inherit(&template.policy);
        for parent in template.inherit.values().rev() {
            self.inherit_policy(Some(parent), met, policy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbor_takes_from_group_and_templates_what_it_does_not_say() {
        let mut config = BgpConfig::new(Asn(1));
        let timers = |hold| Some(NeighborTimers { keepalive: 1, hold, minimum_hold: None });
        let mut group = PeerGroup::default();
        group.session.remote_as = Some(Asn(2));
        group.session.timers = timers(30);
        group.policy.weight = Some(7);
        group.inherit_session = Some("S".to_owned());
        config.global.groups.insert("G".to_owned(), group);
        let mut base = SessionTemplate::default();
        base.session.remote_as = Some(Asn(9));
        base.session.ebgp_multihop = Some(4);
        config.session_templates.insert("BASE".to_owned(), base);
        let derived = SessionTemplate { inherit: Some("BASE".to_owned()), ..SessionTemplate::default() };
        config.session_templates.insert("S".to_owned(), derived);
        let mut neighbor = Neighbor { group: Some("G".to_owned()), active: true, ..Neighbor::default() };
        neighbor.session.timers = timers(9);
        let peer = config.effective(&config.global, &neighbor);
        assert_eq!(peer.session.remote_as, Some(Asn(2)));
        assert_eq!(peer.session.timers, timers(9));
        assert_eq!(peer.session.ebgp_multihop, Some(4));
        assert_eq!(peer.policy.weight, Some(7));
        assert!(peer.active);
    }

    #[test]
    fn of_inherited_policy_templates_the_greatest_sequence_goes_first() {
        let mut config = BgpConfig::new(Asn(1));
        for (name, weight) in [("A", 1), ("B", 2)] {
            let mut template = PolicyTemplate::default();
            template.policy.weight = Some(weight);
            config.policy_templates.insert(name.to_owned(), template);
        }
        let inherit = BTreeMap::from([(10, "A".to_owned()), (20, "B".to_owned())]);
        let both = PolicyTemplate { inherit, ..PolicyTemplate::default() };
        config.policy_templates.insert("BOTH".to_owned(), both);
        let neighbor = Neighbor { inherit_policy: Some("BOTH".to_owned()), ..Neighbor::default() };
        assert_eq!(config.effective(&config.global, &neighbor).policy.weight, Some(2));
    }

    #[test]
    fn templates_that_inherit_each_other_end() {
        let mut config = BgpConfig::new(Asn(1));
        let template = SessionTemplate { inherit: Some("T".to_owned()), ..SessionTemplate::default() };
        config.session_templates.insert("T".to_owned(), template);
        let inherit = BTreeMap::from([(10, "P".to_owned()), (20, "P".to_owned())]);
        config
            .policy_templates
            .insert("P".to_owned(), PolicyTemplate { inherit, ..PolicyTemplate::default() });
        let neighbor = Neighbor {
            inherit_session: Some("T".to_owned()),
            inherit_policy: Some("P".to_owned()),
            ..Neighbor::default()
        };
        assert_eq!(config.effective(&config.global, &neighbor).session, SessionOptions::default());
    }

    #[test]
    fn type_7_passwords_are_read() {
        let encrypted = VersionedPassword { encrypted: true, text: "02050D480809".to_owned() };
        assert_eq!(encrypted.plain(), "cisco");
        let odd = VersionedPassword { encrypted: true, text: "x".to_owned() };
        assert_eq!(odd.plain(), "x");
    }
}
