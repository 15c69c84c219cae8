//! `ip bgp-community new-format`, `ip community-list`, `ip extcommunity-list`, `ip as-path access-list`.

use std::collections::BTreeSet;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::policy::{
    Community, CommunityList, ExtendedCommunity, ExtendedCommunityList, ExtendedCommunityValue,
};

use super::{Lines, permission};

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    let policy = &config.policy;
    if policy.community_new_format {
        lines.push("ip bgp-community new-format");
    }
    let is_number = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    let mut lists: Vec<(&String, &CommunityList)> = policy.community_lists.iter().collect();
    lists.sort_by_key(|(name, _)| (!is_number(name), name.parse::<u16>().ok()));
    for (name, list) in lists {
        let head = |kind| if is_number(name) { name.clone() } else { format!("{kind} {name}") };
        let mut put = |kind, action, what: &str| {
            let blank = if what.is_empty() { "" } else { " " };
            lines.push(format!("ip community-list {} {}{blank}{what}", head(kind), permission(action)));
        };
        match list {
            CommunityList::Standard(entries) => {
                for entry in entries {
                    put(
                        "standard",
                        entry.action,
                        &communities(&entry.communities, policy.community_new_format),
                    );
                }
            }
            CommunityList::Expanded(entries) => {
                for entry in entries {
                    put("expanded", entry.action, entry.regex.pattern());
                }
            }
        }
    }
    extended(config, lines);
    for (number, list) in &policy.as_path_lists {
        for entry in &list.entries {
            lines.push(format!(
                "ip as-path access-list {number} {} {}",
                permission(entry.action),
                entry.regex
            ));
        }
    }
}

fn extended(config: &RouterConfig, lines: &mut Lines) {
    let is_number = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    let mut lists: Vec<_> = config.policy.extended_community_lists.iter().collect();
    lists.sort_by_key(|(name, _)| (!is_number(name), name.parse::<u16>().ok()));
    for (name, list) in lists {
        let head = |kind| if is_number(name) { name.clone() } else { format!("{kind} {name}") };
        let rules: Vec<(&str, _, String)> = match list {
            ExtendedCommunityList::Standard(entries) => {
                entries.iter().map(|e| ("standard", e.action, extended_communities(&e.communities))).collect()
            }
            ExtendedCommunityList::Expanded(entries) => {
                entries.iter().map(|e| ("expanded", e.action, e.regex.pattern().to_owned())).collect()
            }
        };
        for (kind, action, rule) in rules {
            lines.push(format!("ip extcommunity-list {} {} {rule}", head(kind), permission(action)));
        }
    }
}

/// Route targets and sites of origin side by side: `rt 1:1 soo 1:2`.
fn extended_communities(communities: &BTreeSet<ExtendedCommunity>) -> String {
    let one = |community: &ExtendedCommunity| {
        let keyword = match community.value() {
            ExtendedCommunityValue::SiteOfOrigin(..) => "soo",
            _ => "rt",
        };
        format!("{keyword} {}", values_of(*community))
    };
    communities.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// `A:N` of a route target or site of origin.
pub(super) fn values_of(community: ExtendedCommunity) -> String {
    match community.value() {
        ExtendedCommunityValue::RouteTarget(who, number)
        | ExtendedCommunityValue::SiteOfOrigin(who, number) => format!("{who}:{number}"),
        _ => community.to_string(),
    }
}

/// Communities side by side.
pub(crate) fn communities(communities: &BTreeSet<Community>, new_format: bool) -> String {
    communities.iter().map(|community| community.text(new_format)).collect::<Vec<_>>().join(" ")
}
