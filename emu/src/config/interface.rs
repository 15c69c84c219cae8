//! The configuration of an interface.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::eigrp::EigrpInterfaceConfig;
use crate::interface::InterfaceName;
use crate::ospf::OspfInterfaceConfig;
use crate::rip::RipInterfaceConfig;

/// What stands under `interface NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceConfig {
    /// `description`.
    pub description: Option<String>,
    /// `vrf forwarding NAME`.
    pub vrf: Option<String>,
    /// `encapsulation dot1Q N [native]`, on a subinterface.
    pub dot1q: Option<Dot1q>,
    /// `ip address A M`.
    pub address: Option<Ipv4Net>,
    /// `ip address A M secondary`.
    pub secondary: BTreeSet<Ipv4Net>,
    /// `ip unnumbered INTERFACE`.
    pub unnumbered: Option<InterfaceName>,
    /// `shutdown`.
    pub shutdown: bool,
    /// `mtu`, in octets.
    pub mtu: Option<u16>,
    /// `ip mtu`, in octets.
    pub ip_mtu: Option<u16>,
    /// `bandwidth`, in kbit/s.
    pub bandwidth_kbps: Option<u32>,
    /// `delay`, in tens of microseconds.
    pub delay_tens_us: Option<u32>,
    /// `mac-address`.
    pub mac_address: Option<crate::ids::MacAddress>,
    /// `no ip redirects` sets it.
    pub no_redirects: bool,
    /// `no ip unreachables` sets it.
    pub no_unreachables: bool,
    /// `no ip proxy-arp` sets it.
    pub no_proxy_arp: bool,
    /// `arp timeout`, in seconds; IOS's default is 14400.
    pub arp_timeout_s: Option<u32>,
    /// `ip access-group NAME in`.
    pub access_group_in: Option<String>,
    /// `ip access-group NAME out`.
    pub access_group_out: Option<String>,
    /// `ip policy route-map NAME`.
    pub policy_route_map: Option<String>,
    /// `ip helper-address`.
    pub helper_addresses: BTreeSet<Ipv4Addr>,
    /// `ip ... eigrp N ...`, by AS.
    pub eigrp: BTreeMap<u16, EigrpInterfaceConfig>,
    /// `ip ospf ...`.
    pub ospf: OspfInterfaceConfig,
    /// `ip rip ...`.
    pub rip: RipInterfaceConfig,
    /// Lines without effect here (`duplex auto`, `speed 100`, ...), kept and shown.
    pub inert: Vec<String>,
}

/// An IEEE 802.1Q tag on a subinterface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dot1q {
    /// VLAN number, 1 to 4094.
    pub vlan: u16,
    /// Frames are sent without a tag.
    pub native: bool,
}
