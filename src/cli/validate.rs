//! `netconfarena validate`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::UTF8_BORDERS_ONLY;
use indicatif::ProgressBar;
use miette::Result;

use super::select::{Seeds, Selection};
use crate::backend::emulator::Emulator;
use crate::instance::{Instance, InstanceName};
use crate::runs::instances::Instances;
use crate::validation::{Finding, validate_all};

/// Findings that are printed of one template.
const SHOWN: usize = 10;

/// Options of `validate`.
#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    #[command(flatten)]
    selection: Selection,
    /// Seeds of each template, e.g. 0-19
    #[arg(long, value_name = "SEEDS", default_value = "0-4")]
    seeds: Seeds,
}

/// How many instances of a template were tried, and what was found in which.
type Tried<'a> = (usize, Vec<(&'a InstanceName, &'a Finding)>);

impl ValidateArgs {
    pub fn run(self) -> Result<ExitCode> {
        let sampled = self.selection.sampled(&self.seeds)?;
        let made = |name: &InstanceName| sampled.make(name).map(Cow::into_owned);
        let instances: Vec<Instance> = sampled.names().iter().map(made).collect::<Result<_, _>>()?;
        let findings = check(&instances);
        let mut templates: BTreeMap<&str, Tried<'_>> = BTreeMap::new();
        for (instance, found) in instances.iter().zip(&findings) {
            let (count, all) = templates.entry(&instance.name.template).or_default();
            *count += 1;
            all.extend(found.iter().map(|finding| (&instance.name, finding)));
        }
        let mut table = Table::new();
        table.load_style(UTF8_BORDERS_ONLY).set_header(["Template", "Instances", "Findings"]);
        for (name, (count, all)) in &templates {
            table.add_row([(*name).to_owned(), count.to_string(), all.len().to_string()]);
        }
        println!("{table}");
        let mut sound = true;
        for (_, all) in templates.values() {
            sound &= all.is_empty();
            for (name, finding) in all.iter().take(SHOWN) {
                println!("{name}: {finding}");
            }
            if all.len() > SHOWN {
                println!("... and {} more", all.len() - SHOWN);
            }
        }
        println!("{}", if sound { "All templates are sound." } else { "Some templates are not sound." });
        Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The findings of each instance, on all processors.
pub(super) fn check(instances: &[Instance]) -> Vec<Vec<Finding>> {
    let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let bar = ProgressBar::new(instances.len() as u64);
    let findings = validate_all(instances, &Emulator::default(), workers, &|| bar.inc(1));
    bar.finish_and_clear();
    findings
}
