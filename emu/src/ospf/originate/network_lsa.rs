//! Network LSAs (RFC 2328 section 12.4.2).

use ipnet::Ipv4Net;

use super::{Content, area_options};
use crate::ids::RouterId;
use crate::ospf::config::AreaKind;
use crate::ospf::lsa::{LsType, LsaBody, LsaKey, NetworkLsa};

/// The network LSA of a network on which this router is DR; `None` unless some router is fully adjacent.
///
/// With a suppressed prefix the mask is that of a host, which tells others to install no route (RFC 6860 section 2.2).
#[must_use]
pub fn network_lsa(
    router_id: RouterId,
    address: Ipv4Net,
    kind: AreaKind,
    suppress_prefix: bool,
    adjacent: impl IntoIterator<Item = RouterId>,
) -> Option<(LsaKey, Content)> {
    let mut attached = vec![router_id];
    attached.extend(adjacent);
    if attached.len() < 2 {
        return None;
    }
    let mask = if suppress_prefix { std::net::Ipv4Addr::BROADCAST } else { address.netmask() };
    let body = LsaBody::Network(NetworkLsa { mask, attached });
    let key = LsaKey::new(LsType::Network, address.addr(), router_id);
    Some((key, Content { options: area_options(kind), body }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ospf::handcrafted::rid;
    use crate::ospf::lsa::Options;

    fn made(suppress: bool, adjacent: &[u8]) -> Option<(LsaKey, Content)> {
        let address = "10.0.0.1/24".parse().unwrap();
        network_lsa(rid(1), address, AreaKind::Normal, suppress, adjacent.iter().map(|&n| rid(n)))
    }

    #[test]
    fn rfc12_4_2_lists_the_dr_and_its_full_neighbors_and_needs_one() {
        assert_eq!(made(false, &[]), None);
        let (key, content) = made(false, &[2, 3]).unwrap();
        assert_eq!(key, LsaKey::new(LsType::Network, "10.0.0.1".parse().unwrap(), rid(1)));
        assert_eq!(content.options, Options::E | Options::DC);
        let LsaBody::Network(body) = content.body else { panic!() };
        assert_eq!(body.mask.to_string(), "255.255.255.0");
        assert_eq!(body.attached, vec![rid(1), rid(2), rid(3)]);
    }

    #[test]
    fn rfc6860_2_2_a_suppressed_prefix_has_a_host_mask() {
        let (_, content) = made(true, &[2]).unwrap();
        let LsaBody::Network(body) = content.body else { panic!() };
        assert_eq!(body.mask.to_string(), "255.255.255.255");
    }
}
