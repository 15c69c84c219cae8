//! `show ip ospf [N] summary-address`.
//!
//! Row fields: `router_id`, `process_id`, `prefix`, `metric` (null while it has no component), `type`, `tag`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::ospf::ExternalMetricType;
use netconfarena_emu::ospf::lsa::LsType;
use serde::{Deserialize, Serialize};

use super::by_process::{ByProcess, Entry};
use super::selection::Running;
use crate::show::ParseError;
use crate::show::text::Line;

/// The record of `show ip ospf summary-address`.
pub type OspfSummaryAddresses = ByProcess<SummaryAddress>;

/// A summary of external routes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryAddress {
    /// Prefix.
    pub prefix: Ipv4Net,
    /// Metric; `None` while no route lies in the prefix.
    pub metric: Option<u32>,
    /// 1 or 2; 0 while inactive.
    #[serde(rename = "type")]
    pub metric_type: u8,
    /// Tag.
    pub tag: u32,
}

impl OspfSummaryAddresses {
    /// From running processes.
    #[must_use]
    pub fn of(running: &[Running<'_>]) -> Self {
        Self::collect(running, |running| {
            let of = |(&prefix, settings): (&Ipv4Net, &netconfarena_emu::ospf::SummaryAddress)| {
                let own = running.process.lsdb.scopes().find_map(|(_, database)| {
                    [LsType::AsExternal, LsType::Nssa].into_iter().find_map(|ls_type| {
                        let mut entries = database.with_id(ls_type, prefix.network());
                        entries.find_map(|entry| {
                            let external = entry.lsa.as_external()?;
                            let is_it = external.mask == prefix.netmask()
                                && entry.lsa.advertising_router() == running.router_id;
                            is_it.then_some(*external)
                        })
                    })
                });
                SummaryAddress {
                    prefix,
                    metric: own.map(|external| external.metric),
                    metric_type: own.map_or(0, |external| match external.metric_type {
                        ExternalMetricType::Type1 => 1,
                        ExternalMetricType::Type2 => 2,
                    }),
                    tag: settings.tag.or(own.map(|external| external.tag)).unwrap_or(0),
                }
            };
            running.config.summary_addresses.iter().map(of).collect()
        })
    }
}

impl Entry for SummaryAddress {
    const INTRO: &'static str = "\t\tBase Topology (MTID 0)\n\n";

    fn render(&self, out: &mut String) {
        let metric = self.metric.map_or_else(|| "-1".to_owned(), |metric| metric.to_string());
        let (address, mask) = (self.prefix.addr(), self.prefix.netmask());
        out.push_str(&format!(
            "{address}/{mask} Metric {metric}, Type {}, Tag {}\n",
            self.metric_type, self.tag
        ));
    }

    fn read(entries: &mut Vec<Self>, line: Line<'_>) -> Result<(), ParseError> {
        let [address, mask, metric, metric_type, tag] = line
            .holes("{}/{} Metric {}, Type {}, Tag {}")
            .ok_or_else(|| line.error("`A/MASK Metric M, Type T, Tag N`"))?;
        let address: Ipv4Addr = line.value(address, "an address")?;
        let mask: Ipv4Addr = line.value(mask, "a mask")?;
        entries.push(Self {
            prefix: Ipv4Net::with_netmask(address, mask).map_err(|_| line.error("a mask"))?,
            metric: if metric == "-1" { None } else { Some(line.value(metric, "a metric")?) },
            metric_type: line.value(metric_type, "a type")?,
            tag: line.value(tag, "a tag")?,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::by_process::assert_round_trip;
    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(prefix in arbitrary::prefix(), metric in prop::option::of(any::<u32>()), metric_type in 0u8..3, tag in any::<u32>()) -> SummaryAddress {
            SummaryAddress { prefix, metric, metric_type, tag }
        }
    }

    proptest! {
        #[test]
        fn round_trip(entries in prop::collection::vec(entry(), 0..4)) {
            assert_round_trip(entries)?;
        }
    }
}
