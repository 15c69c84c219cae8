//! `show ip bgp rib-failure`: best paths beside which the routing table uses the route of another protocol.
//!
//! Row fields: `prefix`, `next_hop`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp rib-failure`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpRibFailure {
    /// The networks in the order of their prefixes.
    pub routes: Vec<RibFailure>,
}

/// A network that another protocol knows better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RibFailure {
    /// Destination.
    pub prefix: Ipv4Net,
    /// Next hop of the best path.
    pub next_hop: Ipv4Addr,
}

impl Record for IpBgpRibFailure {
    fn render(&self) -> String {
        let mut out =
            "  Network            Next Hop                      RIB-failure   RIB-NH Matches\n".to_owned();
        for RibFailure { prefix, next_hop } in &self.routes {
            out.push_str(&format!(
                "{:<18} {:<20}{:>20}              n/a\n",
                prefix.to_string(),
                next_hop.to_string(),
                "Higher admin distance"
            ));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            match line.words().as_slice() {
                ["Network", ..] => {}
                [prefix, next_hop, ..] => record.routes.push(RibFailure {
                    prefix: line.value(prefix, "a prefix")?,
                    next_hop: line.value(next_hop, "a next hop")?,
                }),
                _ => return Err(line.error("a network, its next hop and why it failed")),
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.routes.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    proptest! {
        #[test]
        fn round_trip(routes in prop::collection::vec((arbitrary::prefix(), arbitrary::address()), 0..5)) {
            let routes = routes.into_iter().map(|(prefix, next_hop)| RibFailure { prefix, next_hop }).collect();
            let record = IpBgpRibFailure { routes };
            prop_assert_eq!(IpBgpRibFailure::parse(&record.render()), Ok(record));
        }
    }
}
