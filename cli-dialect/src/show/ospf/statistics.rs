//! `show ip ospf [N] statistics`: the last calculations of routes.
//!
//! Row fields, one row for each calculation: `router_id`, `process_id`, `age` (s ago), `reasons` (list of `R`, `N`, `SN`, `SA`, `X`);
//! before them one for each area: `area`, `runs`.
//!
//! Calculations take no virtual time, so all durations are 0.

use netconfarena_emu::ospf::SpfReason;
use netconfarena_emu::time::Time;
use serde::{Deserialize, Serialize};

use super::by_process::{ByProcess, Entry};
use super::selection::Running;
use crate::show::ParseError;
use crate::show::age::Age;
use crate::show::text::Line;

/// The record of `show ip ospf statistics`.
pub type OspfStatistics = ByProcess<Statistic>;

/// A line of the statistics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Statistic {
    /// How often the tree of an area was calculated.
    Area {
        /// The area.
        area: String,
        /// How often.
        runs: u32,
    },
    /// The areas are all told; calculations follow.
    Heading {},
    /// A calculation.
    Run {
        /// How long ago.
        age: Age,
        /// Why.
        reasons: Vec<String>,
    },
}

const fn reason(reason: SpfReason) -> &'static str {
    match reason {
        SpfReason::Router => "R",
        SpfReason::Network => "N",
        SpfReason::SummaryNetwork => "SN",
        SpfReason::SummaryAsbr => "SA",
        SpfReason::External => "X",
    }
}

impl OspfStatistics {
    /// From running processes.
    #[must_use]
    pub fn of(running: &[Running<'_>], now: Time) -> Self {
        Self::collect(running, |running| {
            let schedule = &running.process.routing.schedule;
            let area = |&area| Statistic::Area {
                area: running.area_name(area),
                runs: schedule.area_runs(area).count,
            };
            let runs = schedule.log().map(|run| Statistic::Run {
                age: Age::from(now.since(run.at)),
                reasons: run.reasons.iter().map(|&why| reason(why).to_owned()).collect(),
            });
            running.process.areas.keys().map(area).chain([Statistic::Heading {}]).chain(runs).collect()
        })
    }
}

const TITLE: &str = "\n  Summary OSPF SPF statistic\n\n  SPF calculation time\n\
    Delta T   Intra\tD-Intra\tSumm\tD-Summ\tExt\tD-Ext\tTotal\tReason\n";

impl Entry for Statistic {
    const INTRO: &'static str = "";

    fn render(&self, out: &mut String) {
        match self {
            Self::Area { area, runs } => {
                out.push_str(&format!("  Area {area}: SPF algorithm executed {runs} times\n"));
            }
            Self::Heading {} => out.push_str(TITLE),
            Self::Run { age, reasons } => {
                out.push_str(&format!("{age:<10} 0\t0\t0\t0\t0\t0\t0\t{}\n", reasons.join(", ")));
            }
        }
    }

    fn read(entries: &mut Vec<Self>, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([area, runs]) = line.holes("Area {}: SPF algorithm executed {} times") {
            entries.push(Self::Area { area: area.to_owned(), runs: line.value(runs, "a count")? });
        } else if line.text.trim_start().starts_with("Delta T") {
            entries.push(Self::Heading {});
        } else if !line.is("Summary OSPF SPF statistic") && !line.is("SPF calculation time") {
            let words = line.words();
            let [age, _, _, _, _, _, _, _, reasons @ ..] = words.as_slice() else {
                return Err(line.error("an age, seven durations, reasons"));
            };
            let reasons = reasons.iter().map(|reason| reason.trim_end_matches(',').to_owned()).collect();
            entries.push(Self::Run { age: line.value(age, "an age")?, reasons });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::by_process::assert_round_trip;
    use super::*;
    use crate::show::arbitrary;

    fn entry() -> impl Strategy<Value = Statistic> {
        prop_oneof![
            (arbitrary::word(&["0", "51"]), any::<u32>())
                .prop_map(|(area, runs)| Statistic::Area { area, runs }),
            Just(Statistic::Heading {}),
            (arbitrary::age(), prop::collection::vec(arbitrary::word(&["R", "SN", "X"]), 0..3))
                .prop_map(|(age, reasons)| Statistic::Run { age, reasons }),
        ]
    }

    proptest! {
        #[test]
        fn round_trip(entries in prop::collection::vec(entry(), 0..6)) {
            assert_round_trip(entries)?;
        }
    }
}
