//! `netconfarena compare`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::{Result, miette};

use super::table::{add, empty};
use super::terminal::printable;
use crate::runs::directory::read_plan;
use crate::runs::{outcomes, summarise};
use crate::scores::compare::{Comparison, compare};

/// Options of `compare`.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// First run directory
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Second run directory
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl CompareArgs {
    pub fn run(self) -> Result<ExitCode> {
        let plans = (read_plan(&self.first)?, read_plan(&self.second)?);
        let found = compare(&outcomes(&self.first)?, &outcomes(&self.second)?);
        if found.pairs == 0 {
            return Err(miette!("the runs have no episode in common"));
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&found).unwrap_or_default());
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = empty();
        for (label, plan, path) in [("A", &plans.0, &self.first), ("B", &plans.1, &self.second)] {
            add(&mut table, &format!("{label}: {}", printable(&plan.label())), &summarise(path)?.overall);
        }
        println!("{table}");
        print!("{}", told(&found));
        let templates = &plans.0.templates;
        let changed =
            |(name, hash): (&String, &String)| plans.1.templates.get(name).is_some_and(|h| h != hash);
        if templates.iter().any(changed) {
            println!("The templates, or the seeds, of the two runs are not the same: read this with care.");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A comparison in words.
fn told(found: &Comparison) -> String {
    let Comparison { pairs, both_pass, first_passes, second_passes, neither_passes, .. } = found;
    let mut text = format!(
        "{pairs} episodes in both, {} only in A, {} only in B\n\
         both pass {both_pass}, only A {first_passes}, only B {second_passes}, neither {neither_passes}\n\
         McNemar, exact, two-sided: p = {}\n\
         score of B less that of A: {:+.3}",
        found.only_in_first,
        found.only_in_second,
        if found.mcnemar_p < 1e-4 {
            format!("{:.1e}", found.mcnemar_p)
        } else {
            format!("{:.4}", found.mcnemar_p)
        },
        found.score_difference
    );
    if let Some((low, high)) = found.score_interval {
        text.push_str(&format!(", 95 % interval {low:+.3} to {high:+.3} (bootstrap over templates)"));
    }
    text.push('\n');
    let mut templates: Vec<_> =
        found.by_template.iter().filter(|(_, difference)| difference.abs() > 1e-9).collect();
    templates.sort_by(|a, b| a.1.total_cmp(b.1));
    for (name, difference) in templates {
        text.push_str(&format!("  {difference:+.3} {name}\n"));
    }
    text
}
