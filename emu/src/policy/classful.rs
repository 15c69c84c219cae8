//! Classful networks, which RIP, EIGRP's automatic summaries and the layout of `show ip route` still go by.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

/// The length of the classful network that `address` lies in: 8, 16 or 24; 32 in classes D and E, which have none.
#[must_use]
pub const fn prefix_len(address: Ipv4Addr) -> u8 {
    match address.octets()[0] {
        0..=127 => 8,
        128..=191 => 16,
        192..=223 => 24,
        224..=255 => 32,
    }
}

/// The classful network that `address` lies in.
#[must_use]
pub fn network(address: Ipv4Addr) -> Ipv4Net {
    let mask = u32::MAX << (32 - u32::from(prefix_len(address)));
    let network = Ipv4Addr::from(u32::from(address) & mask);
    Ipv4Net::new_assert(network, prefix_len(address))
}

/// Whether `prefix` is a classful network itself (or the default route, which counts as one).
#[must_use]
pub fn is_major(prefix: Ipv4Net) -> bool {
    prefix.prefix_len() == 0 || prefix.prefix_len() == prefix_len(prefix.network())
}

/// Whether `prefix` is shorter than its class, a supernet.
#[must_use]
pub fn is_supernet(prefix: Ipv4Net) -> bool {
    prefix.prefix_len() < prefix_len(prefix.network())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (address, expected) in [
            ("10.1.2.3", "10.0.0.0/8"),
            ("172.16.5.1", "172.16.0.0/16"),
            ("192.0.2.77", "192.0.2.0/24"),
            ("224.0.0.5", "224.0.0.5/32"),
        ] {
            assert_eq!(network(address.parse().unwrap()).to_string(), expected);
        }
        assert!(is_major("0.0.0.0/0".parse().unwrap()) && is_major("10.0.0.0/8".parse().unwrap()));
        assert!(!is_major("10.0.0.0/16".parse().unwrap()));
        assert!(is_supernet("192.168.0.0/16".parse().unwrap()));
    }
}
