//! Administrative distances: IOS's defaults. The lower one wins; 255 is never used.

/// An interface's subnet, or its own address.
pub const CONNECTED: u8 = 0;
/// A static route.
pub const STATIC: u8 = 1;
/// An EIGRP summary made on this router.
pub const EIGRP_SUMMARY: u8 = 5;
/// BGP, learned from another AS.
pub const BGP_EXTERNAL: u8 = 20;
/// EIGRP, from inside the AS.
pub const EIGRP_INTERNAL: u8 = 90;
/// OSPF of every type.
pub const OSPF: u8 = 110;
/// IS-IS.
pub const ISIS: u8 = 115;
/// RIP.
pub const RIP: u8 = 120;
/// EIGRP, redistributed into the AS.
pub const EIGRP_EXTERNAL: u8 = 170;
/// BGP, learned from the same AS.
pub const BGP_INTERNAL: u8 = 200;
/// BGP, made on this router (aggregates).
pub const BGP_LOCAL: u8 = 200;
/// Never used.
pub const UNUSABLE: u8 = 255;
