//! The command line.
//!
//! | module | commands |
//! |---|---|
//! | [`run`](self::run) | `run`: agents play, a table comes out |
//! | `validate` | `validate`: whether templates are sound |
//! | `list`, `show` | templates; one instance as an agent gets it |
//! | `template` | `template new`, `check`, `diagram`, `index`: for who writes them |
//! | `blame`, `compare`, `export`, `merge`, `report`, `rescore` | what runs leave: one episode, two runs, training data, shards, a page, new tests |
//! | `play` | `play`: a person at the terminal is the agent |
//! | `lab` | `lab`: a network from a folder of configurations |
//! | `select`, `agents` | options that several commands share |
//! | `table`, `progress`, `terminal` | what is printed |

mod agents;
mod blame;
mod compare;
mod export;
mod lab;
mod list;
mod merge;
mod play;
mod progress;
mod report;
mod rescore;
mod run;
mod select;
mod show;
mod table;
mod template;
mod terminal;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Network-configuration tasks for agents, on emulated routers, judged by how the network behaves.
#[derive(Debug, Parser)]
#[command(name = "netconfarena", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Let an agent play tasks, and print the scores
    Run(Box<run::RunArgs>),
    /// Compare two runs, episode by episode
    Compare(compare::CompareArgs),
    /// Play an episode again without each of its actions, and tell what each one made and broke
    Blame(blame::BlameArgs),
    /// Write runs as one HTML file: tables, curves, and a viewer of every turn
    Report(report::ReportArgs),
    /// Judge a run anew: what its agents did is done again, and today's tests judge it
    Rescore(rescore::RescoreArgs),
    /// Write the episodes of runs as training data
    Export(export::ExportArgs),
    /// Make one run of its shards
    Merge(merge::MergeArgs),
    /// Prove that templates are sound: the reference solves them, doing nothing useful does not, every line matters
    Validate(validate::ValidateArgs),
    /// List the templates
    List(list::ListArgs),
    /// Print a task as an agent gets it
    Show(show::ShowArgs),
    /// Write templates: a first one, what is wrong with it, its picture, the table of all
    Template(template::TemplateArgs),
    /// Be the agent yourself
    Play(play::PlayArgs),
    /// Run a network of IOS configurations: a console on each router, captures of each link
    Lab(lab::LabArgs),
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    end_with_the_reader();
    let result = match Cli::parse().command {
        Command::Run(args) => args.run(),
        Command::Compare(args) => args.run(),
        Command::Blame(args) => args.run(),
        Command::Report(args) => args.run(),
        Command::Rescore(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Merge(args) => args.run(),
        Command::Validate(args) => args.run(),
        Command::List(args) => args.run(),
        Command::Show(args) => args.run(),
        Command::Template(args) => args.run(),
        Command::Play(args) => args.run(),
        Command::Lab(args) => args.run(),
    };
    result.unwrap_or_else(|report| {
        eprintln!("{report:?}");
        ExitCode::FAILURE
    })
}

/// What a shell reports of a program that SIGPIPE has ended.
const ENDED_BY_PIPE: i32 = 141;

/// Whoever reads the output may have seen enough (`netconfarena list | head`): that ends the program without a word. `println!` panics there.
fn end_with_the_reader() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_closed =
            |text: &str| text.starts_with("failed printing to std") && text.contains("Broken pipe");
        if info.payload().downcast_ref::<String>().is_some_and(|text| is_closed(text)) {
            std::process::exit(ENDED_BY_PIPE);
        }
        tell(info);
    }));
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
