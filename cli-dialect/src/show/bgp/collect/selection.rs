//! Which paths a command shows.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::{Destination, Path, PathSource};
use netconfarena_emu::policy::{Community, IosRegex, classful};

use super::Running;

/// Which paths of the table.
#[derive(Clone, Debug)]
pub enum Selection {
    /// All.
    All,
    /// `cidr-only`: to networks that are not those of their class.
    CidrOnly,
    /// `regexp R`: by the AS path.
    Regexp(IosRegex),
    /// `community [C...] [exact-match]`: with all of these, with any if none is named; with no others.
    Communities(Vec<Community>, bool),
    /// `community-list L [exact-match]`.
    CommunityList(String, bool),
    /// `filter-list N`.
    FilterList(u16),
    /// `prefix-list P`.
    PrefixList(String),
    /// `route-map M`.
    RouteMap(String),
    /// `A M longer-prefixes`.
    Within(Ipv4Net),
    /// `neighbors A routes`: taken from it.
    From(Ipv4Addr),
    /// `neighbors A advertised-routes`: best paths that it was told.
    ToldTo(u32),
    /// `inconsistent-as`: to networks whose paths begin in different ASes.
    InconsistentAs,
    /// `injected-paths`.
    Injected,
}

impl Selection {
    /// Whether a path is shown.
    pub(super) fn takes(
        &self,
        running: &Running<'_>,
        prefix: Ipv4Net,
        destination: &Destination,
        path: &Path,
    ) -> bool {
        let policy = running.policy();
        let communities = &path.attributes.communities;
        match self {
            Self::All => true,
            Self::CidrOnly => !classful::is_major(prefix),
            Self::Regexp(regex) => regex.is_match(&path.attributes.as_path.to_string()),
            Self::Communities(named, exact) => {
                let has_all = named.iter().all(|community| communities.contains(community));
                has_all && !communities.is_empty() && (!exact || named.len() == communities.len())
            }
            Self::CommunityList(name, exact) => policy.community_list_permits(name, communities, *exact),
            Self::FilterList(number) => {
                policy.as_path_list_permits(*number, &path.attributes.as_path.to_string())
            }
            Self::PrefixList(name) => policy.prefix_list_permits(name, prefix),
            Self::RouteMap(name) => running.instance.map_permits(policy, name, prefix, path),
            Self::Within(within) => within.contains(&prefix),
            Self::From(peer) => path.source == PathSource::Peer(*peer),
            Self::ToldTo(index) => {
                destination.advertised.contains(*index) && destination.best == Some(path.id())
            }
            Self::InconsistentAs => {
                let begins_in = |path: &Path| path.attributes.as_path.asns().last();
                destination.paths.iter().any(|other| begins_in(other) != begins_in(path))
            }
            Self::Injected => matches!(path.source, PathSource::Injected(_)),
        }
    }
}
