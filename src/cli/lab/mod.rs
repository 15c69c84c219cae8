//! `netconfarena lab`.

mod console;
mod serve;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use miette::{IntoDiagnostic, Result, WrapErr, miette};
use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::network::Network;

use self::serve::Consoles;
use super::select::Folder;
use super::terminal::printable;
use crate::instance::InstanceName;
use crate::lab::Lab;

/// Options of `lab`.
#[derive(Debug, Args)]
pub(super) struct LabArgs {
    /// Folder of IOS configurations, one file a router
    #[arg(value_name = "FOLDER", required_unless_present = "instance")]
    configs: Option<PathBuf>,
    /// TOML file with the links; without it, ports with a common subnet are joined
    #[arg(long, value_name = "FILE")]
    topology: Option<PathBuf>,
    /// The network of a task instead of a folder
    #[arg(long, value_name = "TEMPLATE@SEED", conflicts_with_all = ["configs", "topology"])]
    instance: Option<InstanceName>,
    #[command(flatten)]
    folder: Folder,
    /// Enter the reference of the task
    #[arg(long, requires = "instance")]
    solved: bool,
    /// Run a command on a router and end; may be given several times
    #[arg(long, num_args = 2, value_names = ["ROUTER", "COMMAND"], action = clap::ArgAction::Append)]
    exec: Vec<String>,
    /// Write a capture of every link to this folder
    #[arg(long, value_name = "DIR")]
    pcap: Option<PathBuf>,
    /// Network seconds to run before the first command [default: until nothing changes any more]
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    #[command(flatten)]
    consoles: Consoles,
}

impl LabArgs {
    pub fn run(self) -> Result<ExitCode> {
        let mut lab = match (&self.instance, &self.configs) {
            (Some(name), _) => Lab::of_instance(&self.folder.instance(name)?, self.solved)?,
            (None, Some(folder)) => Lab::load(folder, self.topology.as_deref())?,
            (None, None) => return Err(miette!("give a folder of configurations")),
        };
        report(&lab);
        if self.pcap.is_some() {
            lab.links.iter().for_each(|(_, link)| lab.network.start_capture(*link));
        }
        match self.seconds {
            Some(seconds) => lab.network.run_for(Duration::from_secs(seconds)),
            None => {
                let end = lab.network.run_until_converged(Network::DEFAULT_CONVERGENCE_CAP);
                let how = if end.converged { "Converged" } else { "Still changing" };
                eprintln!(
                    "{how} after {:.1} s of network time",
                    Duration::from_nanos(end.at.as_nanos()).as_secs_f64()
                );
            }
        }
        for pair in self.exec.chunks(2) {
            if let [router, command] = pair {
                let node = lab.node(router)?;
                print!("{}", printable(&Session::privileged(node).execute(&mut lab.network, command)));
            }
        }
        let stays = self.exec.is_empty() || self.consoles.are_wanted();
        let lab = if stays { self.consoles.open(lab)? } else { lab };
        if let Some(folder) = &self.pcap {
            write_captures(&lab, folder)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Tells what was not taken.
fn report(lab: &Lab) {
    for (router, refused) in &lab.refused {
        for line in refused {
            eprintln!("{}: {}", printable(router), printable(&line.to_string()));
        }
    }
    lab.notes.iter().for_each(|note| eprintln!("{}", printable(note)));
}

/// One file a link, called by its number and its ends.
fn write_captures(lab: &Lab, folder: &Path) -> Result<()> {
    let unwritable = || format!("{} cannot be written", folder.display());
    fs::create_dir_all(folder).into_diagnostic().wrap_err_with(unwritable)?;
    for (number, (name, link)) in lab.links.iter().enumerate() {
        let Some(bytes) = lab.network.pcap(*link) else { continue };
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = name.chars().take(100).map(safe).collect();
        fs::write(folder.join(format!("{number:02}-{name}.pcap")), bytes)
            .into_diagnostic()
            .wrap_err_with(unwritable)?;
    }
    Ok(())
}
