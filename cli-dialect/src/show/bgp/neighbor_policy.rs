//! `show ip bgp neighbors X policy`: what is configured about its routes, and what it inherits.
//!
//! Row fields, one row for each line: `neighbor`, `inherited`, `line`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp neighbors X policy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpNeighborPolicy {
    /// The neighbor; `None` if there is no such.
    pub neighbor: Option<Ipv4Addr>,
    /// Lines of its own.
    pub local: Vec<String>,
    /// Lines from its peer group or template.
    pub inherited: Vec<String>,
}

impl Record for IpBgpNeighborPolicy {
    fn render(&self) -> String {
        let Some(neighbor) = self.neighbor else { return String::new() };
        let mut out = format!(" Neighbor: {neighbor}, Address-Family: IPv4 Unicast\n");
        // IOS itself leaves the letter out of the second heading.
        for (heading, all) in
            [("Locally configured policies:", &self.local), ("Inherited polices:", &self.inherited)]
        {
            if !all.is_empty() {
                out.push_str(&format!(" {heading}\n"));
                all.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut inherited = false;
        for line in lines(text) {
            if let Some([neighbor, _]) = line.holes("Neighbor: {}, Address-Family: {}") {
                record.neighbor = Some(line.value(neighbor, "an address")?);
            } else if line.is("Locally configured policies:") {
                inherited = false;
            } else if line.is("Inherited polices:") || line.is("Inherited policies:") {
                inherited = true;
            } else {
                let all = if inherited { &mut record.inherited } else { &mut record.local };
                all.push(line.text.trim().to_owned());
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |inherited: bool, line: &String| {
            row(&json!({ "neighbor": self.neighbor, "inherited": inherited, "line": line }))
        };
        let local = self.local.iter().map(|line| of(false, line));
        local.chain(self.inherited.iter().map(|line| of(true, line))).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    proptest! {
        #[test]
        fn round_trip(
            neighbor in arbitrary::address(), local in prop::collection::vec("route-map [a-z]{1,5} in|weight [0-9]", 0..3),
            inherited in prop::collection::vec("prefix-list [a-z]{1,5} out|next-hop-self", 0..3),
        ) {
            let record = IpBgpNeighborPolicy { neighbor: Some(neighbor), local, inherited };
            prop_assert_eq!(IpBgpNeighborPolicy::parse(&record.render()), Ok(record));
        }
    }
}
