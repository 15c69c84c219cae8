//! `show ip policy`.
//!
//! Row fields: `interface` (short name, or `local`), `route_map`.

use serde::{Deserialize, Serialize};

use crate::grammar::{Spec, kw, plain};
use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of `show ip policy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPolicy {
    /// Where policy routing is on.
    pub policies: Vec<Policy>,
}

/// A place with policy routing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Short name of the interface, or `local`.
    pub interface: String,
    /// The route map.
    pub route_map: String,
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, _| Ok(IpPolicy::collect(context).render());
    vec![kw("ip", "IP information").then([plain("policy", "Policy routing", run)])]
}

impl IpPolicy {
    /// Where policy routing is on at a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let config = context.router().config();
        let of = |interface: String, map: &String| Policy { interface, route_map: map.clone() };
        let local = config.local_policy.iter().map(|map| of("local".to_owned(), map));
        let interfaces = context.interfaces().into_iter().filter_map(|interface| {
            let settings = config.interfaces.get(&interface.name)?;
            Some(of(interface.name.short(), settings.policy_route_map.as_ref()?))
        });
        Self { policies: local.chain(interfaces).collect() }
    }
}

impl Record for IpPolicy {
    fn render(&self) -> String {
        let mut out = "Interface      Route map\n".to_owned();
        for Policy { interface, route_map } in &self.policies {
            out.push_str(&format!("{interface:<14} {route_map}\n"));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text).into_iter().filter(|line| !line.is("Interface Route map")) {
            let words = line.words();
            let &[interface, route_map] = words.as_slice() else {
                return Err(line.error("interface, route map"));
            };
            record.policies.push(Policy { interface: interface.to_owned(), route_map: route_map.to_owned() });
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.policies.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::short_interface(), arbitrary::name()), 0..4)) {
            let policies = list.into_iter().map(|(interface, route_map)| Policy { interface, route_map }).collect();
            let record = IpPolicy { policies };
            prop_assert_eq!(IpPolicy::parse(&record.render()), Ok(record));
        }
    }
}
