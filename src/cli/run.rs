//! `netconfarena run`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::Result;

use super::agents::AgentArgs;
use super::progress::Bar;
use super::select::{Seeds, Selection};
use super::table::{notes, table};
use super::terminal::printable;
use crate::backend::emulator::Emulator;
use crate::environment::Limits;
use crate::environment::guard::Guard;
use crate::episode::Settings;
use crate::runs::directory::RunDirectory;
use crate::runs::plan::Shard;
use crate::runs::runner::Job;

/// Options of `run`.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    selection: Selection,
    /// Seeds of each template, e.g. 0-4 or 0,3,7-9
    #[arg(long, value_name = "SEEDS", default_value = "0-4")]
    seeds: Seeds,
    /// How often each instance is played (for pass^k)
    #[arg(long, value_name = "K", default_value_t = NonZeroUsize::MIN)]
    repeat: NonZeroUsize,
    /// Play one part of the episodes only, e.g. 2/4
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Run directory; one that holds an unfinished run goes on [default: a new one under runs/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Episodes at a time [default: one a processor]
    #[arg(long, value_name = "N")]
    parallel: Option<NonZeroUsize>,
    /// Attempts at an episode whose network or agent cannot be reached
    #[arg(long, value_name = "N", default_value_t = 3)]
    attempts: usize,
    /// Turns of an episode
    #[arg(long, value_name = "N", default_value_t = Limits::default().turns)]
    turns: usize,
    /// Network seconds that each turn takes
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().turn_seconds)]
    turn_seconds: u64,
    /// Judge a copy of the network after every turn, so that the record shows when each goal was met and lost
    #[arg(long)]
    dense: bool,
    /// Try every configuration on a copy of the network first, and tell the agent what would break (warn), or refuse it (refuse)
    #[arg(long, value_name = "warn|refuse", num_args = 0..=1, require_equals = true, default_missing_value = "warn")]
    guard: Option<Guard>,
    /// Print the paper's rows below
    #[arg(long)]
    paper: bool,
    #[command(flatten)]
    agent: AgentArgs,
}

impl RunArgs {
    pub fn run(self) -> Result<ExitCode> {
        let factory = self.agent.factory()?;
        let instances = self.selection.sampled(&self.seeds)?;
        let limits = Limits { turns: self.turns, turn_seconds: self.turn_seconds, ..Limits::default() };
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let backend = Emulator::default();
        let job = Job {
            factory: factory.as_ref(),
            backend: &backend,
            settings: Settings { limits, dense: self.dense, guard: self.guard },
            instances: &instances,
            repeats: self.repeat.get(),
            shard: self.shard,
            workers: self.parallel.unwrap_or(cores).get(),
            attempts: self.attempts.max(1),
        };
        let path = self.out.unwrap_or_else(|| free_folder(&factory.name()));
        let plan = job.plan()?;
        let mut directory = RunDirectory::open(&path, &plan)?;
        let bar = Bar::new();
        let summary = job.run(&mut directory, &bar);
        bar.clear();
        let summary = summary?;
        println!("{}", table(&printable(&plan.label()), &summary, self.paper));
        print!("{}", notes(&summary));
        println!("Run directory: {}", path.display());
        Ok(if summary.infrastructure_errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The first of `runs/<agent>-1`, `runs/<agent>-2` and so on that does not exist.
fn free_folder(agent: &str) -> PathBuf {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
    let name: String = agent.chars().take(60).map(safe).collect();
    let paths = (1_u32..).map(|number| PathBuf::from("runs").join(format!("{name}-{number}")));
    paths.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
