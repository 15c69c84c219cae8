//! Values that the round trips of records are tested with.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use proptest::prelude::*;

use super::age::Age;

/// Any address.
pub(super) fn address() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

/// An address with a length; host bits are kept.
pub(super) fn network() -> impl Strategy<Value = Ipv4Net> {
    (address(), 0u8..=32).prop_map(|(address, length)| Ipv4Net::new_assert(address, length))
}

/// A prefix: no host bits.
pub(super) fn prefix() -> impl Strategy<Value = Ipv4Net> {
    network().prop_map(|network| network.trunc())
}

/// An age in any notation.
pub(super) fn age() -> impl Strategy<Value = Age> {
    (0u64..100_000_000).prop_map(Age::from_secs)
}

/// The full name of an interface.
pub(super) fn interface() -> impl Strategy<Value = String> {
    "(GigabitEthernet|Serial)[0-9]/[0-9](\\.[0-9]{1,3})?|Loopback[0-9]"
}

/// A name with two letters.
pub(super) fn short_interface() -> impl Strategy<Value = String> {
    "(Gi|Se)[0-9]/[0-9](\\.[0-9]{1,3})?|Lo[0-9]"
}

/// A name as access lists and route maps have it.
pub(super) fn name() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_-]{0,12}"
}

/// One of these words.
pub(super) fn word(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(words).prop_map(str::to_owned)
}
