//! Which ports are joined.
//!
//! A topology file is TOML:
//!
//! ```toml
//! [[links]]
//! ends = ["r1 GigabitEthernet0/0", "r2 GigabitEthernet0/0"]
//! delay_ms = 10
//! bandwidth_kbps = 100000
//! loss_ppm = 0
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::LinkProperties;
use serde::Deserialize;

use super::{LabError, Plan};

/// A link before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cable {
    /// Routers and ports.
    pub ends: Vec<(String, InterfaceName)>,
    /// How it carries frames.
    pub properties: LinkProperties,
}

impl Cable {
    /// Its ends as a text.
    #[must_use]
    pub fn name(&self) -> String {
        let ends = self.ends.iter().map(|(router, port)| format!("{router} {port}"));
        ends.collect::<Vec<_>>().join(" - ")
    }
}

/// All links of a laboratory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    /// The links.
    pub cables: Vec<Cable>,
    /// What could not be joined, and why.
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopologyFile {
    links: Vec<LinkEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkEntry {
    ends: Vec<String>,
    delay_ms: Option<u32>,
    bandwidth_kbps: Option<u32>,
    #[serde(default)]
    loss_ppm: u32,
}

impl Wiring {
    /// Joins the ports whose addresses share a subnet. An Ethernet port that shares with none is alone on its link, and up.
    #[must_use]
    pub fn by_subnet(plans: &[Plan]) -> Self {
        let mut subnets: BTreeMap<Ipv4Net, Vec<(String, InterfaceName)>> = BTreeMap::new();
        for plan in plans {
            for &port in &plan.ports {
                let address = plan.config.interfaces.get(&port).and_then(|interface| interface.address);
                if let Some(address) = address {
                    subnets.entry(address.trunc()).or_default().push((plan.name.clone(), port));
                }
            }
        }
        let mut wiring = Self::default();
        for (subnet, ends) in subnets {
            let (serial, ethernet): (Vec<_>, Vec<_>) =
                ends.into_iter().partition(|(_, port)| !port.kind().is_ethernet());
            if !ethernet.is_empty() {
                wiring.cables.push(Cable { ends: ethernet, properties: LinkProperties::ethernet() });
            }
            match serial.len() {
                0 => {}
                2 => wiring.cables.push(Cable { ends: serial, properties: LinkProperties::serial() }),
                count => wiring.notes.push(format!(
                    "{subnet}: {count} serial ports share it, and a line joins two: they stay down"
                )),
            }
        }
        wiring.add_lone_ports(plans);
        wiring
    }

    /// Joins what a topology file says.
    ///
    /// # Errors
    /// The file cannot be read, or names a router or port that is not there.
    pub fn read(path: &Path, plans: &[Plan]) -> Result<Self, LabError> {
        let wrong = |reason: String| LabError::Topology { path: path.to_owned(), reason };
        let text =
            fs::read_to_string(path).map_err(|error| LabError::File { path: path.to_owned(), error })?;
        let file: TopologyFile = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let mut wiring = Self::default();
        let mut used = BTreeSet::new();
        for entry in file.links {
            let ends = entry.ends.iter().map(|end| find_end(end, plans).map_err(wrong));
            let ends = ends.collect::<Result<Vec<_>, _>>()?;
            let serial = ends.iter().filter(|(_, port)| !port.kind().is_ethernet()).count();
            let mut properties = match serial {
                0 if !ends.is_empty() => LinkProperties::ethernet(),
                2 if ends.len() == 2 => LinkProperties::serial(),
                _ => {
                    let reason = "a link joins Ethernet ports, or exactly two serial ports";
                    return Err(wrong(format!("{}: {reason}", entry.ends.join(" - "))));
                }
            };
            if let Some(twice) = ends.iter().find(|end| !used.insert((*end).clone())) {
                return Err(wrong(format!("{} {} is on two links", twice.0, twice.1)));
            }
            properties.delay = entry.delay_ms.map_or(properties.delay, |ms| Duration::from_millis(ms.into()));
            properties.bandwidth_kbps = entry.bandwidth_kbps.unwrap_or(properties.bandwidth_kbps);
            properties.loss_ppm = entry.loss_ppm;
            wiring.cables.push(Cable { ends, properties });
        }
        wiring.add_lone_ports(plans);
        Ok(wiring)
    }

    /// Ethernet ports that are on no link yet get one of their own, so that they are up.
    fn add_lone_ports(&mut self, plans: &[Plan]) {
        let joined: BTreeSet<(String, InterfaceName)> =
            self.cables.iter().flat_map(|cable| cable.ends.iter().cloned()).collect();
        for plan in plans {
            for &port in plan.ports.iter().filter(|port| port.kind().is_ethernet()) {
                let end = (plan.name.clone(), port);
                if !joined.contains(&end) {
                    self.cables.push(Cable { ends: vec![end], properties: LinkProperties::ethernet() });
                }
            }
        }
    }
}

/// The router and port of `ROUTER PORT`.
fn find_end(end: &str, plans: &[Plan]) -> Result<(String, InterfaceName), String> {
    let (router, port) = end.trim().split_once(' ').ok_or_else(|| format!("`{end}`: write `ROUTER PORT`"))?;
    let plan = plans.iter().find(|plan| plan.name == router).ok_or_else(|| {
        let known = plans.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        format!("`{end}`: there is no router `{router}`; routers are {known}")
    })?;
    let port: Option<InterfaceName> = port.trim().parse().ok();
    let port = port.filter(|port| plan.ports.contains(port)).ok_or_else(|| {
        let known = plan.ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("`{end}`: {router} has no such port; its ports are {known}")
    })?;
    Ok((plan.name.clone(), port))
}

#[cfg(test)]
mod tests {
    use super::super::plan;
    use super::*;

    fn plans() -> Vec<Plan> {
        let with = |name: &str, ports: &[(&str, &str)]| {
            let section =
                |(port, address): &(&str, &str)| format!("interface {port}\n ip address {address}\n");
            plan(name.to_owned(), ports.iter().map(section).collect())
        };
        vec![
            with("r1", &[("Gi0/0", "10.0.0.1 255.255.255.0"), ("Se0/0", "10.1.0.1 255.255.255.252")]),
            with("r2", &[("Gi0/0", "10.0.0.2 255.255.255.0"), ("Se0/0", "10.1.0.2 255.255.255.252")]),
            with(
                "r3",
                &[
                    ("Fa0/1", "10.0.0.3 255.255.255.0"),
                    ("Se0/0", "10.2.0.1 255.255.255.252"),
                    ("Gi0/9", "10.9.0.1 255.255.255.0"),
                ],
            ),
        ]
    }

    #[test]
    fn a_shared_subnet_is_a_switch_a_line_or_a_note() {
        let wiring = Wiring::by_subnet(&plans());
        let names: Vec<String> = wiring.cables.iter().map(Cable::name).collect();
        assert_eq!(
            names,
            [
                "r1 GigabitEthernet0/0 - r2 GigabitEthernet0/0 - r3 FastEthernet0/1",
                "r1 Serial0/0 - r2 Serial0/0",
                "r3 GigabitEthernet0/9",
            ]
        );
        assert_eq!(wiring.notes.len(), 1);
        assert!(wiring.notes[0].starts_with("10.2.0.0/30: 1 serial ports"), "{:?}", wiring.notes);
    }

    #[test]
    fn a_topology_file_joins_and_its_mistakes_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.toml");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            Wiring::read(&path, &plans())
        };
        let wiring =
            read("[[links]]\nends = [\"r1 Gi0/0\", \"r3 Fa0/1\"]\ndelay_ms = 7\nloss_ppm = 3\n").unwrap();
        assert_eq!(wiring.cables[0].name(), "r1 GigabitEthernet0/0 - r3 FastEthernet0/1");
        assert_eq!(wiring.cables[0].properties.delay, Duration::from_millis(7));
        for (links, said) in [
            ("ends = [\"r9 Gi0/0\", \"r2 Gi0/0\"]", "routers are r1, r2, r3"),
            ("ends = [\"r1 Gi0/7\", \"r2 Gi0/0\"]", "its ports are GigabitEthernet0/0, Serial0/0"),
            ("ends = [\"r1 Se0/0\", \"r2 Gi0/0\"]", "exactly two serial ports"),
            ("ends = [\"r1Gi0/0\"]", "write `ROUTER PORT`"),
            ("end = []", "unknown field"),
            ("ends = [\"r1 Gi0/0\", \"r1 Gi0/0\"]", "is on two links"),
        ] {
            let error = read(&format!("[[links]]\n{links}\n")).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
