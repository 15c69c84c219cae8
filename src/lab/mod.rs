//! A laboratory: a network from a folder of IOS configurations, to look at and to try things in.
//!
//! | module | what it holds |
//! |---|---|
//! | [`host`] | end systems |
//! | [`wiring`] | which ports are joined: by shared subnet, or by a topology file |
//!
//! Each file of the folder is a router, called as the file is without its ending. Its ports are those that the configuration
//! mentions. A file `NAME.host` is an end system.

pub mod host;
pub mod wiring;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use netconfarena_cli_dialect::config::{self, RefusedLine};
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::Network;
use thiserror::Error;

use self::wiring::{Cable, Wiring};
use crate::backend::emulator::{EmulatedNetwork, Emulator};
use crate::backend::{BackendError, Deployment};
use crate::instance::Instance;

/// Endings of configuration files.
const ENDINGS: [&str; 4] = ["cfg", "conf", "ios", "txt"];
/// The ending of files that are end systems.
const HOST: &str = "host";
/// The largest configuration that is read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Why there is no laboratory.
#[derive(Debug, Error, Diagnostic)]
pub enum LabError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The system's answer.
        error: io::Error,
    },
    /// An end system is wrong.
    #[error("{file}: {reason}", file = path.display())]
    Host {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The folder holds no configuration.
    #[error("{} holds no configuration", .0.display())]
    #[diagnostic(help("each router is a file whose name ends in .cfg, .conf, .ios or .txt"))]
    Empty(PathBuf),
    /// A router, port or link is wrong.
    #[error("{file}: {reason}", file = path.display())]
    Topology {
        /// The topology file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The network of a task cannot be built.
    #[error(transparent)]
    Task(#[from] BackendError),
    /// There is no router of this name.
    #[error("there is no router `{wanted}`")]
    #[diagnostic(help("routers are: {}", known.join(", ")))]
    UnknownRouter {
        /// What was asked for.
        wanted: String,
        /// All names.
        known: Vec<String>,
    },
}

/// A router before it is built.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name.
    pub name: String,
    /// What its file says.
    pub text: String,
    /// What the dialect makes of it.
    pub config: RouterConfig,
    /// Lines that were not taken.
    pub refused: Vec<RefusedLine>,
    /// Physical ports.
    pub ports: Vec<InterfaceName>,
}

/// A network to try things in.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The network.
    pub network: Network,
    /// Routers by name.
    pub nodes: BTreeMap<String, NodeIndex>,
    /// Links with what they are called.
    pub links: Vec<(String, LinkIndex)>,
    /// Lines that were not taken, by router.
    pub refused: BTreeMap<String, Vec<RefusedLine>>,
    /// What could not be joined, and why.
    pub notes: Vec<String>,
}

impl Lab {
    /// Builds the network of a folder; the links follow from a topology file, or from the addresses.
    ///
    /// # Errors
    /// A file cannot be read, or the topology names what is not there.
    pub fn load(folder: &Path, topology: Option<&Path>) -> Result<Self, LabError> {
        let plans = read_folder(folder)?;
        let wiring = match topology {
            Some(path) => Wiring::read(path, &plans)?,
            None => Wiring::by_subnet(&plans),
        };
        let mut lab = Self {
            network: Network::new(0),
            nodes: BTreeMap::new(),
            links: Vec::new(),
            refused: BTreeMap::new(),
            notes: wiring.notes,
        };
        for plan in &plans {
            let node = lab.network.add_router(&plan.name, &plan.ports);
            lab.nodes.insert(plan.name.clone(), node);
        }
        for cable in &wiring.cables {
            lab.join(cable);
        }
        for plan in plans {
            if let Some(&node) = lab.nodes.get(&plan.name) {
                lab.network.configure(node, plan.config);
                lab.network.router_mut(node).save_config();
            }
            lab.refused.insert(plan.name, plan.refused);
        }
        Ok(lab)
    }

    fn join(&mut self, cable: &Cable) {
        let ends = cable.ends.iter().filter_map(|(name, port)| Some((*self.nodes.get(name)?, *port)));
        let ends: Vec<_> = ends.collect();
        match self.network.add_link(cable.properties, &ends) {
            Ok(link) => self.links.push((cable.name(), link)),
            Err(error) => self.notes.push(format!("{}: {error}", cable.name())),
        }
    }

    /// The network of a task at its start, or with its reference entered.
    ///
    /// # Errors
    /// The network cannot be built.
    pub fn of_instance(instance: &Instance, solved: bool) -> Result<Self, LabError> {
        let mut built = Emulator::default().build(instance)?;
        if solved {
            for (host, lines) in &instance.reference {
                built.apply(host, lines)?;
            }
        }
        let EmulatedNetwork { network, nodes, links, .. } = built;
        let links = links.into_iter().collect();
        Ok(Self { network, nodes, links, refused: BTreeMap::new(), notes: Vec::new() })
    }

    /// The router that goes by this name, as a file or by its host name, in any case.
    ///
    /// # Errors
    /// There is none.
    pub fn node(&self, wanted: &str) -> Result<NodeIndex, LabError> {
        let same = |name: &str| name.eq_ignore_ascii_case(wanted);
        let by_file = self.nodes.iter().find(|(name, _)| same(name));
        let by_host =
            || self.nodes.iter().find(|(_, node)| same(&self.network.router(**node).config().hostname));
        by_file.or_else(by_host).map(|(_, node)| *node).ok_or_else(|| LabError::UnknownRouter {
            wanted: wanted.to_owned(),
            known: self.nodes.keys().cloned().collect(),
        })
    }
}

/// Reads every configuration of a folder, in the order of the names.
fn read_folder(folder: &Path) -> Result<Vec<Plan>, LabError> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |error| LabError::File { path, error }
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail(folder))? {
        let path = entry.map_err(fail(folder))?.path();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && (ENDINGS.contains(&ending.as_str()) || ending == HOST) {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(LabError::Empty(folder.to_owned()));
    }
    paths.sort();
    let mut plans = Vec::new();
    let mut names = BTreeSet::new();
    for path in paths {
        if fs::metadata(&path).map_err(fail(&path))?.len() > LARGEST {
            let error = io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {LARGEST} bytes"));
            return Err(fail(&path)(error));
        }
        let bytes = fs::read(&path).map_err(fail(&path))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Two files of one name but different endings are two routers.
        let whole = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = if names.insert(stem.clone()) { stem } else { whole };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(HOST)) {
            host::configuration(&name, &text).map_err(|reason| LabError::Host { path, reason })?
        } else {
            text
        };
        plans.push(plan(name, text));
    }
    Ok(plans)
}

fn plan(name: String, text: String) -> Plan {
    let mentioned = text.lines().filter_map(|line| {
        let (head, name) = line.trim().split_once(' ')?;
        head.eq_ignore_ascii_case("interface").then_some(name)
    });
    let ports: BTreeSet<InterfaceName> = mentioned
        .filter_map(|name| name.parse::<InterfaceName>().ok())
        .map(|name| name.parent().unwrap_or(name))
        .filter(|name| name.kind().is_physical())
        .collect();
    let ports: Vec<InterfaceName> = ports.into_iter().collect();
    // The factory's configuration, as a router of these ports has it.
    let mut scratch = Network::new(0);
    let node = scratch.add_router(&name, &ports);
    let mut config = RouterConfig::clone(scratch.router(node).config());
    let refused = config::load(&mut config, &text).refused;
    Plan { name, text, config, refused, ports }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use netconfarena_cli_dialect::running_config::render;
    use netconfarena_cli_dialect::session::execute_read_only;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn routers_with_a_common_subnet_are_joined_and_reach_each_other() {
        let folder = folder(&[
            (
                "a.cfg",
                "hostname Alpha\ninterface Gi0/0\n ip address 10.0.0.1 255.255.255.0\nrouter foo\n bar\n",
            ),
            ("b.conf", "interface FastEthernet1/0\n ip address 10.0.0.2 255.255.255.0\n"),
            ("notes.md", "not a router"),
        ]);
        let mut lab = Lab::load(folder.path(), None).unwrap();
        lab.network.run_for(Duration::from_secs(5));
        assert_eq!(lab.nodes.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(lab.links[0].0, "a GigabitEthernet0/0 - b FastEthernet1/0");
        assert_eq!(lab.refused["a"].len(), 2);
        let node = lab.node("ALPHA").unwrap();
        let said = execute_read_only(&mut lab.network, node, "ping 10.0.0.2").unwrap();
        assert!(said.contains("Success rate is 80 percent") || said.contains("100 percent"), "{said}");
        let error = lab.node("gamma").unwrap_err();
        assert!(format!("{:?}", miette::Report::new(error)).contains("routers are: a, b"));
    }

    #[test]
    fn an_end_system_reaches_what_its_gateway_reaches() {
        let folder = folder(&[
            (
                "r1.cfg",
                "interface Gi0/0\n ip address 10.0.0.1 255.255.255.0\ninterface Lo0\n ip address 192.0.2.1 255.255.255.255\n\
                 router bgp 1\n neighbor 10.0.0.10 remote-as 2\n",
            ),
            ("h1.host", "address 10.0.0.10/24\ngateway 10.0.0.1\n"),
        ]);
        let mut lab = Lab::load(folder.path(), None).unwrap();
        assert!(lab.refused.values().all(Vec::is_empty), "{:?}", lab.refused);
        lab.network.run_for(Duration::from_secs(5));
        let node = lab.node("h1").unwrap();
        let mut session = netconfarena_cli_dialect::session::Session::new(node);
        let mut run = |line: &str| session.execute(&mut lab.network, line);
        run("ping 192.0.2.1 repeat 1");
        assert!(run("ping 192.0.2.1").contains("Success rate is 100 percent"));
        assert!(run("traceroute 192.0.2.1").contains("  1 10.0.0.1 "));
        assert!(run("telnet 10.0.0.1 179").contains("Open"));
        assert!(run("telnet 192.0.2.1 80").contains("% Connection refused by remote host"));
        let wrong = super::tests::folder(&[("h.host", "address x")]);
        assert!(
            Lab::load(wrong.path(), None).unwrap_err().to_string().contains("line 1: expected an address")
        );
    }

    #[test]
    fn what_is_shown_reads_back_as_the_same() {
        let text = "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\nip route 0.0.0.0 0.0.0.0 10.0.0.2\n";
        let first = plan("r1".to_owned(), text.to_owned());
        let shown = render(&first.config);
        assert_eq!(render(&plan("r1".to_owned(), shown.clone()).config), shown);
    }

    #[test]
    fn a_folder_without_configurations_says_what_is_wanted() {
        let folder = folder(&[("readme.md", "")]);
        let report = miette::Report::new(Lab::load(folder.path(), None).unwrap_err());
        assert!(format!("{report:?}").contains(".cfg, .conf, .ios or .txt"));
    }
}
