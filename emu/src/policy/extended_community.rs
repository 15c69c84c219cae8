//! Extended communities (RFC 4360) and `ip extcommunity-list`.

use std::collections::BTreeSet;
use std::fmt;
use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::Permission;
use crate::ids::Asn;

/// An extended community (RFC 4360): eight octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ExtendedCommunity(pub [u8; 8]);

/// What an extended community says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExtendedCommunityValue {
    /// Route target.
    RouteTarget(Administrator, u32),
    /// Route origin (site of origin).
    SiteOfOrigin(Administrator, u32),
    /// Link bandwidth (draft-ietf-idr-link-bandwidth): AS and octets a second.
    LinkBandwidth(u16, f32),
    /// Cost community (draft-ietf-idr-custom-decision): point of insertion, id, cost.
    Cost(u8, u8, u32),
    /// Something else.
    Other,
}

/// Who gives a route target or origin its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Administrator {
    /// An AS of two or four octets.
    As(Asn),
    /// An address.
    Address(Ipv4Addr),
}

impl fmt::Display for Administrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::As(asn) => fmt::Display::fmt(asn, f),
            Self::Address(address) => fmt::Display::fmt(address, f),
        }
    }
}

impl ExtendedCommunity {
    /// Cost community: compared before all else.
    pub const BEFORE_BEST_PATH: u8 = 128;
    /// Cost community: compared behind the metric to the next hop.
    pub const BEHIND_IGP_METRIC: u8 = 129;
    const TWO_OCTET_AS: u8 = 0x00;
    const ADDRESS: u8 = 0x01;
    const FOUR_OCTET_AS: u8 = 0x02;
    const OPAQUE: u8 = 0x03;
    const NON_TRANSITIVE: u8 = 0x40;
    const ROUTE_TARGET: u8 = 0x02;
    const ROUTE_ORIGIN: u8 = 0x03;
    const LINK_BANDWIDTH: u8 = 0x04;
    const COST: u8 = 0x01;

    /// Whether it goes on to other ASes (the T bit of RFC 4360 section 2).
    #[must_use]
    pub const fn is_transitive(self) -> bool {
        self.0[0] & Self::NON_TRANSITIVE == 0
    }

    /// A route target.
    #[must_use]
    pub fn route_target(administrator: Administrator, number: u32) -> Self {
        Self::administered(Self::ROUTE_TARGET, administrator, number)
    }

    /// A site of origin.
    #[must_use]
    pub fn site_of_origin(administrator: Administrator, number: u32) -> Self {
        Self::administered(Self::ROUTE_ORIGIN, administrator, number)
    }

    /// The number is cut to two octets where the administrator leaves no more.
    fn administered(subtype: u8, administrator: Administrator, number: u32) -> Self {
        let [_, _, n2, n3] = number.to_be_bytes();
        match administrator {
            Administrator::As(Asn(asn)) => match u16::try_from(asn) {
                Ok(asn) => {
                    let ([a, b], [n0, n1, ..]) = (asn.to_be_bytes(), number.to_be_bytes());
                    Self([Self::TWO_OCTET_AS, subtype, a, b, n0, n1, n2, n3])
                }
                Err(_) => {
                    let [a, b, c, d] = asn.to_be_bytes();
                    Self([Self::FOUR_OCTET_AS, subtype, a, b, c, d, n2, n3])
                }
            },
            Administrator::Address(address) => {
                let [a, b, c, d] = address.octets();
                Self([Self::ADDRESS, subtype, a, b, c, d, n2, n3])
            }
        }
    }

    /// A cost community (draft-ietf-idr-custom-decision), non-transitive as IOS sends it.
    #[must_use]
    pub fn cost(point: u8, id: u8, cost: u32) -> Self {
        let [a, b, c, d] = cost.to_be_bytes();
        Self([Self::NON_TRANSITIVE | Self::OPAQUE, Self::COST, point, id, a, b, c, d])
    }

    /// A link's bandwidth in octets a second, non-transitive.
    #[must_use]
    pub fn link_bandwidth(asn: Asn, octets_per_second: f32) -> Self {
        let [a, b] = u16::try_from(asn.0).unwrap_or(Asn::TRANS.0 as u16).to_be_bytes();
        let [w, x, y, z] = octets_per_second.to_be_bytes();
        Self([Self::NON_TRANSITIVE, Self::LINK_BANDWIDTH, a, b, w, x, y, z])
    }

    /// Whether it is a link's bandwidth.
    #[must_use]
    pub fn is_link_bandwidth(self) -> bool {
        matches!(self.value(), ExtendedCommunityValue::LinkBandwidth(..))
    }

    /// What it says.
    #[must_use]
    pub fn value(self) -> ExtendedCommunityValue {
        let [kind, subtype, a, b, c, d, e, f] = self.0;
        let (administrator, number) = match kind & !Self::NON_TRANSITIVE {
            Self::TWO_OCTET_AS if subtype == Self::LINK_BANDWIDTH => {
                let bandwidth = f32::from_be_bytes([c, d, e, f]);
                return ExtendedCommunityValue::LinkBandwidth(u16::from_be_bytes([a, b]), bandwidth);
            }
            Self::OPAQUE if subtype == Self::COST => {
                return ExtendedCommunityValue::Cost(a, b, u32::from_be_bytes([c, d, e, f]));
            }
            Self::TWO_OCTET_AS => (
                Administrator::As(Asn(u32::from(u16::from_be_bytes([a, b])))),
                u32::from_be_bytes([c, d, e, f]),
            ),
            Self::FOUR_OCTET_AS => (
                Administrator::As(Asn(u32::from_be_bytes([a, b, c, d]))),
                u32::from(u16::from_be_bytes([e, f])),
            ),
            Self::ADDRESS => {
                (Administrator::Address(Ipv4Addr::new(a, b, c, d)), u32::from(u16::from_be_bytes([e, f])))
            }
            _ => return ExtendedCommunityValue::Other,
        };
        match subtype {
            Self::ROUTE_TARGET => ExtendedCommunityValue::RouteTarget(administrator, number),
            Self::ROUTE_ORIGIN => ExtendedCommunityValue::SiteOfOrigin(administrator, number),
            _ => ExtendedCommunityValue::Other,
        }
    }
}

impl fmt::Display for ExtendedCommunity {
    /// As IOS writes it: `RT:65000:1`, `SoO:65000:1`, `DMZ-Link Bw 125 kbytes`, `Cost:igp:1:50`, `0x303:0:5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            ExtendedCommunityValue::RouteTarget(who, number) => write!(f, "RT:{who}:{number}"),
            ExtendedCommunityValue::SiteOfOrigin(who, number) => write!(f, "SoO:{who}:{number}"),
            ExtendedCommunityValue::LinkBandwidth(_, octets) => {
                write!(f, "DMZ-Link Bw {:.0} kbytes", octets / 1000.0)
            }
            ExtendedCommunityValue::Cost(point, id, cost) => match point {
                Self::BEFORE_BEST_PATH => write!(f, "Cost:pre-bestpath:{id}:{cost}"),
                Self::BEHIND_IGP_METRIC => write!(f, "Cost:igp:{id}:{cost}"),
                point => write!(f, "Cost:{point}:{id}:{cost}"),
            },
            ExtendedCommunityValue::Other => {
                let [kind, subtype, a, b, c, d, e, g] = self.0;
                let (high, low) = (u16::from_be_bytes([a, b]), u32::from_be_bytes([c, d, e, g]));
                write!(f, "0x{:x}:{high}:{low}", u16::from_be_bytes([kind, subtype]))
            }
        }
    }
}

/// An extended community list: entries in order, of which the first one that matches decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtendedCommunityList {
    /// Numbers 1 to 99, and `standard NAME`.
    Standard(Vec<StandardExtendedEntry>),
    /// Numbers 100 to 500, and `expanded NAME`.
    Expanded(Vec<super::ExpandedCommunityEntry>),
}

/// `permit|deny rt A:N soo A:N ...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardExtendedEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// A route matches if it has all of them.
    pub communities: BTreeSet<ExtendedCommunity>,
}

impl ExtendedCommunityList {
    /// Whether a route with these communities passes. Expressions look at the communities in ascending order, separated by blanks.
    #[must_use]
    pub fn permits(&self, communities: &[ExtendedCommunity]) -> bool {
        let action = match self {
            Self::Standard(entries) => {
                let has_all = |entry: &&StandardExtendedEntry| {
                    entry.communities.iter().all(|community| communities.contains(community))
                };
                entries.iter().find(has_all).map(|entry| entry.action)
            }
            Self::Expanded(entries) => {
                let sorted: BTreeSet<ExtendedCommunity> = communities.iter().copied().collect();
                let text = sorted.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                entries.iter().find(|entry| entry.regex.is_match(&text)).map(|entry| entry.action)
            }
        };
        action.is_some_and(Permission::is_permit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc4360_extended_communities_take_the_form_that_fits_their_administrator() {
        let two = ExtendedCommunity::route_target(Administrator::As(Asn(65000)), 70_000);
        assert_eq!(two.0, [0, 2, 0xfd, 0xe8, 0, 1, 0x11, 0x70]);
        assert_eq!(two.to_string(), "RT:65000:70000");
        let four = ExtendedCommunity::site_of_origin(Administrator::As(Asn(70_000)), 5);
        assert_eq!(four.0, [2, 3, 0, 1, 0x11, 0x70, 0, 5]);
        assert_eq!(four.to_string(), "SoO:70000:5");
        let address = Administrator::Address(Ipv4Addr::new(10, 0, 0, 1));
        assert_eq!(ExtendedCommunity::route_target(address, 9).to_string(), "RT:10.0.0.1:9");
    }

    #[test]
    fn a_links_bandwidth_does_not_leave_the_as() {
        let bandwidth = ExtendedCommunity::link_bandwidth(Asn(65000), 125_000.0);
        assert!(!bandwidth.is_transitive());
        assert_eq!(bandwidth.value(), ExtendedCommunityValue::LinkBandwidth(65000, 125_000.0));
        assert_eq!(bandwidth.to_string(), "DMZ-Link Bw 125 kbytes");
    }
}
