//! Link State IDs of networks that have the same address and different masks (RFC 2328 appendix E).

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

/// Gives each prefix a Link State ID: its address, or with all host bits set where a shorter prefix has that address.
///
/// Prefixes that cannot have one of their own are left out, as appendix E leaves no way to advertise them.
#[must_use]
pub fn link_state_ids(prefixes: impl IntoIterator<Item = Ipv4Net>) -> BTreeMap<Ipv4Net, Ipv4Addr> {
    let prefixes: BTreeSet<Ipv4Net> = prefixes.into_iter().collect();
    let mut ids = BTreeMap::new();
    let mut used = BTreeSet::new();
    // In the order of the set the shortest of equal addresses comes first.
    let (plain, crowded): (Vec<_>, Vec<_>) =
        prefixes.into_iter().partition(|prefix| used.insert(prefix.network()));
    ids.extend(plain.into_iter().map(|prefix| (prefix, prefix.network())));
    for prefix in crowded {
        if used.insert(prefix.broadcast()) {
            ids.insert(prefix, prefix.broadcast());
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(prefixes: &[&str]) -> Vec<(String, String)> {
        link_state_ids(prefixes.iter().map(|text| text.parse().unwrap()))
            .into_iter()
            .map(|(prefix, id)| (prefix.to_string(), id.to_string()))
            .collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
    }

    #[test]
    fn appendix_e_host_bits_tell_networks_with_one_address_apart() {
        assert_eq!(
            ids(&["10.0.0.0/16", "10.0.0.0/24", "10.0.0.0/8", "10.1.0.0/16"]),
            pairs(&[
                ("10.0.0.0/8", "10.0.0.0"),
                ("10.0.0.0/16", "10.0.255.255"),
                ("10.0.0.0/24", "10.0.0.255"),
                ("10.1.0.0/16", "10.1.0.0"),
            ])
        );
    }

    #[test]
    fn appendix_e_what_cannot_have_an_id_is_left_out() {
        // The host route has no host bits, and the other's broadcast address is a network of its own.
        assert_eq!(ids(&["10.0.0.0/24", "10.0.0.0/32"]), pairs(&[("10.0.0.0/24", "10.0.0.0")]));
        assert_eq!(
            ids(&["10.0.0.0/8", "10.0.0.0/24", "10.0.0.255/32"]),
            pairs(&[("10.0.0.0/8", "10.0.0.0"), ("10.0.0.255/32", "10.0.0.255")])
        );
    }
}
