//! The routing information base: what every protocol offers, and what is best.

mod route;

pub use route::{NextHop, Route, RouteChange, RouteKind, RouteOwner, TableId};

use serde::{Deserialize, Serialize};

/// The routing tables of a router, one for each VRF and address family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rib {}
