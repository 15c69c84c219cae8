//! Access lists, prefix lists and route maps: configuration and evaluation.

use serde::{Deserialize, Serialize};

/// What `redistribute` takes routes from. The order is that of `show running-config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RedistributionSource {
    /// `connected`.
    Connected,
    /// `static`.
    Static,
    /// `eigrp N`.
    Eigrp(u16),
    /// `ospf N`.
    Ospf(u16),
    /// `rip`.
    Rip,
    /// `bgp N`.
    Bgp(crate::ids::Asn),
}

/// All policy objects of a router, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyConfig {}
