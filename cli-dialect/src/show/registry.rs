//! From a command line and its output to rows.

use std::fmt;

use serde_json::Value;

use super::{
    ParseError, Record, arp, bgp, clock, debugging, eigrp, interfaces, interfaces_description,
    interfaces_summary, ip_cef, ip_interface, ip_interface_brief, ip_protocols, ip_rip_database, ip_route,
    ip_route_summary, ip_vrf, logging, ospf, ping, policy, resources, system, text, traceroute, tracking,
    version, vrf_detail, vrfs,
};

/// A record that was read.
trait Reading {
    fn rows(&self) -> Vec<super::Row>;
    fn render(&self) -> String;
}

impl<R: Record> Reading for R {
    fn rows(&self) -> Vec<super::Row> {
        Record::rows(self)
    }

    fn render(&self) -> String {
        Record::render(self)
    }
}

type Reader = fn(&str) -> Result<Box<dyn Reading>, ParseError>;

/// The commands whose output can be read. What follows the words is left to the device. A longer entry wins.
const COMMANDS: &[(&[&str], Reader)] = &[
    (
        &["show", "ip", "ospf", "database", "asbr-summary"],
        read::<ospf::database::detail::IpOspfDatabaseDetail>,
    ),
    (
        &["show", "ip", "ospf", "database", "database-summary"],
        read::<ospf::database::totals::IpOspfDatabaseTotals>,
    ),
    (
        &["show", "ip", "ospf", "database", "nssa-external"],
        read::<ospf::database::detail::IpOspfDatabaseDetail>,
    ),
    (&["ping"], read::<ping::Ping>),
    (&["show", "access-lists"], read::<policy::access_lists::AccessLists>),
    (&["show", "arp"], read::<arp::ArpTable>),
    (&["show", "clock"], read::<clock::Clock>),
    (&["show", "debugging"], read::<debugging::Debugging>),
    (
        &["show", "eigrp", "address-family", "ipv4", "interfaces"],
        read::<eigrp::interfaces::IpEigrpInterfaces>,
    ),
    (&["show", "eigrp", "address-family", "ipv4", "neighbors"], read::<eigrp::neighbors::IpEigrpNeighbors>),
    (&["show", "eigrp", "address-family", "ipv4", "topology"], eigrp_topology),
    (&["show", "eigrp", "address-family", "ipv4", "traffic"], read::<eigrp::traffic::IpEigrpTraffic>),
    (&["show", "hosts"], read::<system::Hosts>),
    (&["show", "interfaces", "description"], read::<interfaces_description::InterfacesDescription>),
    (&["show", "interfaces", "summary"], read::<interfaces_summary::InterfacesSummary>),
    (&["show", "interfaces"], read::<interfaces::Interfaces>),
    (&["show", "inventory"], read::<system::Inventory>),
    (&["show", "ip", "access-lists"], read::<policy::access_lists::AccessLists>),
    (&["show", "ip", "arp"], read::<arp::ArpTable>),
    (&["show", "ip", "as-path-access-list"], read::<policy::path_lists::PathLists>),
    (&["show", "ip", "community-list"], read::<policy::path_lists::PathLists>),
    (&["show", "ip", "bgp", "dampened-paths"], read::<bgp::dampened::IpBgpDampened>),
    (&["show", "ip", "bgp", "dampening"], read::<bgp::dampened::IpBgpDampened>),
    (&["show", "ip", "bgp", "paths"], read::<bgp::as_paths::IpBgpPaths>),
    (&["show", "ip", "bgp", "peer-group"], read::<bgp::peer_group::IpBgpPeerGroups>),
    (&["show", "ip", "bgp", "update-group"], read::<bgp::update_group::IpBgpUpdateGroups>),
    (&["show", "ip", "bgp", "rib-failure"], read::<bgp::rib_failure::IpBgpRibFailure>),
    (&["show", "ip", "bgp", "neighbors"], bgp_neighbors),
    (&["show", "ip", "bgp", "summary"], read::<bgp::summary::IpBgpSummary>),
    (&["show", "ip", "bgp"], ip_bgp),
    (&["show", "ip", "cef"], read::<ip_cef::IpCef>),
    (&["show", "ip", "eigrp", "interfaces"], read::<eigrp::interfaces::IpEigrpInterfaces>),
    (&["show", "ip", "eigrp", "neighbors"], read::<eigrp::neighbors::IpEigrpNeighbors>),
    (&["show", "ip", "eigrp", "topology"], eigrp_topology),
    (&["show", "ip", "eigrp", "traffic"], read::<eigrp::traffic::IpEigrpTraffic>),
    (&["show", "ip", "interface", "brief"], read::<ip_interface_brief::IpInterfaceBrief>),
    (&["show", "ip", "interface"], read::<ip_interface::IpInterfaces>),
    (&["show", "ip", "ospf", "border-routers"], read::<ospf::border_routers::OspfBorderRouters>),
    (&["show", "ip", "ospf", "database", "external"], read::<ospf::database::detail::IpOspfDatabaseDetail>),
    (&["show", "ip", "ospf", "database", "network"], read::<ospf::database::detail::IpOspfDatabaseDetail>),
    (&["show", "ip", "ospf", "database", "router"], read::<ospf::database::detail::IpOspfDatabaseDetail>),
    (&["show", "ip", "ospf", "database", "summary"], read::<ospf::database::detail::IpOspfDatabaseDetail>),
    (&["show", "ip", "ospf", "database"], read::<ospf::database::list::IpOspfDatabase>),
    (&["show", "ip", "ospf", "flood-list"], read::<ospf::lsa_queue::OspfLsaQueues>),
    (&["show", "ip", "ospf", "interface", "brief"], read::<ospf::interface_brief::IpOspfInterfaceBrief>),
    (&["show", "ip", "ospf", "interface"], read::<ospf::interface::IpOspfInterfaces>),
    (&["show", "ip", "ospf", "neighbor", "detail"], read::<ospf::neighbor_detail::IpOspfNeighborDetail>),
    (&["show", "ip", "ospf", "neighbor"], ospf_neighbors),
    (&["show", "ip", "ospf", "request-list"], read::<ospf::lsa_queue::OspfLsaQueues>),
    (&["show", "ip", "ospf", "retransmission-list"], read::<ospf::lsa_queue::OspfLsaQueues>),
    (&["show", "ip", "ospf", "rib"], read::<ospf::rib::OspfRib>),
    (&["show", "ip", "ospf", "statistics"], read::<ospf::statistics::OspfStatistics>),
    (&["show", "ip", "ospf", "summary-address"], read::<ospf::summary_address::OspfSummaryAddresses>),
    (&["show", "ip", "ospf", "virtual-links"], read::<ospf::virtual_links::OspfVirtualLinks>),
    (&["show", "ip", "ospf"], read::<ospf::process::IpOspf>),
    (&["show", "ip", "policy"], read::<tracking::policies::IpPolicy>),
    (&["show", "ip", "prefix-list"], read::<policy::prefix_lists::IpPrefixLists>),
    (&["show", "ip", "protocols"], read::<ip_protocols::IpProtocols>),
    (&["show", "ip", "rip", "database"], read::<ip_rip_database::IpRipDatabase>),
    (&["show", "ip", "route", "summary"], read::<ip_route_summary::IpRouteSummary>),
    (&["show", "ip", "route"], read::<ip_route::IpRouteOutput>),
    (&["show", "ip", "vrf", "detail"], read::<vrf_detail::VrfDetails>),
    (&["show", "ip", "vrf", "interfaces"], read::<ip_vrf::IpVrfInterfaces>),
    (&["show", "ip", "vrf"], read::<ip_vrf::IpVrfs>),
    (&["show", "ip", "sla", "statistics"], read::<tracking::operations::SlaStatistics>),
    (&["show", "ip", "sla", "summary"], read::<tracking::summary::SlaSummary>),
    (&["show", "key", "chain"], read::<policy::key_chains::KeyChains>),
    (&["show", "logging"], read::<logging::Logging>),
    (&["show", "route-map"], read::<policy::route_maps::RouteMaps>),
    (&["show", "track", "brief"], read::<tracking::brief::TrackBrief>),
    (&["show", "track"], read::<tracking::objects::Tracks>),
    (&["show", "memory", "statistics"], read::<resources::Memory>),
    (&["show", "processes", "cpu"], read::<resources::Processor>),
    (&["show", "users"], read::<system::Users>),
    (&["show", "version"], read::<version::Version>),
    (&["show", "vrf", "detail"], read::<vrf_detail::VrfDetails>),
    (&["show", "vrf"], read::<vrfs::Vrfs>),
    (&["traceroute"], read::<traceroute::Traceroute>),
];

/// Commands that begin like those above and print something else.
const OTHERS: &[&[&str]] = &[
    &["show", "ip", "arp", "summary"],
    &["show", "hosts", "summary"],
    &["show", "ip", "cef", "detail"],
    &["show", "ip", "bgp", "detail"],
    &["show", "interfaces", "counters"],
    &["show", "interfaces", "status"],
    &["show", "interfaces", "switchport"],
    &["show", "interfaces", "trunk"],
    &["show", "interfaces", "tunnel-dmvpn"],
];

fn read<R: Record + 'static>(text: &str) -> Result<Box<dyn Reading>, ParseError> {
    R::parse(text).map(|record| Box::new(record) as Box<dyn Reading>)
}

/// `show ip ospf neighbor`, which shows a neighbor that is named in detail.
fn ospf_neighbors(text: &str) -> Result<Box<dyn Reading>, ParseError> {
    if text.contains(", interface address ") {
        read::<ospf::neighbor_detail::IpOspfNeighborDetail>(text)
    } else {
        read::<ospf::neighbor::IpOspfNeighbors>(text)
    }
}

/// `show ip bgp`, which shows a network that is named in full.
fn ip_bgp(text: &str) -> Result<Box<dyn Reading>, ParseError> {
    if text.contains("BGP routing table entry for") {
        read::<bgp::entry::IpBgpEntry>(text)
    } else {
        read::<bgp::table::IpBgp>(text)
    }
}

/// `show ip bgp neighbors`, which shows the routes of a neighbor behind `advertised-routes`, `received-routes` and `routes`, and lines of its
/// configuration behind `policy`.
fn bgp_neighbors(text: &str) -> Result<Box<dyn Reading>, ParseError> {
    if text.contains("Total number of prefixes") || text.contains("BGP table version is") {
        read::<bgp::table::IpBgp>(text)
    } else if text.contains(", Address-Family: ") {
        read::<bgp::neighbor_policy::IpBgpNeighborPolicy>(text)
    } else {
        read::<bgp::neighbor::IpBgpNeighbors>(text)
    }
}

/// `show ip eigrp topology`, which shows a destination that is named in full.
fn eigrp_topology(text: &str) -> Result<Box<dyn Reading>, ParseError> {
    if text.contains("Topology Entry for") {
        read::<eigrp::entry::IpEigrpEntry>(text)
    } else {
        read::<eigrp::topology::IpEigrpTopology>(text)
    }
}

/// Why a command's output did not become rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No record knows this command.
    Unknown(String),
    /// The device refused the command; its message.
    Refused(String),
    /// The output is not what the command prints.
    Parse(ParseError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(command) => {
                let known: Vec<String> = COMMANDS.iter().map(|(words, _)| words.join(" ")).collect();
                write!(f, "no reader for `{command}`; there are: {}", known.join(", "))
            }
            Self::Refused(message) => write!(f, "the device refused: {message}"),
            Self::Parse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

/// Reads the output of `command` as a JSON list of rows (flat objects). Keywords may be abbreviated as on a device, and
/// a pipe behind the command is left out of account. See each record's module for its fields.
///
/// # Errors
/// The command is unknown, the device refused it, or the output is not what it prints.
pub fn parse_command(command: &str, output: &str) -> Result<Value, CommandError> {
    let rows = reading(command, output)?.rows();
    Ok(Value::Array(rows.into_iter().map(Value::Object).collect()))
}

/// Reads the output of `command`, and gives it back as it would be printed here: what differs is not understood, or looks
/// otherwise on the device that it comes from.
///
/// # Errors
/// As of [`parse_command`].
pub fn print_again(command: &str, output: &str) -> Result<String, CommandError> {
    Ok(reading(command, output)?.render())
}

fn reading(command: &str, output: &str) -> Result<Box<dyn Reading>, CommandError> {
    let reader =
        reader_of(command).ok_or_else(|| CommandError::Unknown(command.chars().take(80).collect()))?;
    for line in text::lines(output) {
        let text = line.text.trim_start();
        let refused = ["% Invalid", "% Incomplete", "% Ambiguous", "% Unknown", "% Bad IP", "% Unrecognized"];
        if refused.iter().any(|start| text.starts_with(start)) {
            return Err(CommandError::Refused(text.to_owned()));
        }
    }
    reader(output).map_err(CommandError::Parse)
}

/// `show bgp all neighbors`, `show bgp ipv4 unicast neighbors` and `show ip bgp vpnv4 vrf RED neighbors` print what `show ip bgp neighbors` does.
fn of_all_families(words: &mut Vec<String>) {
    let bgp = |word: Option<&String>| word.is_some_and(|word| word == "bgp");
    if bgp(words.get(1)) {
        words.insert(1, "ip".to_owned());
    }
    let families = ["all", "ipv4", "vpnv4", "unicast"];
    while bgp(words.get(2))
        && words.get(3).is_some_and(|word| {
            word.len() > 1 && families.iter().any(|family| family.starts_with(word.as_str()))
        })
    {
        words.remove(3);
    }
}

fn reader_of(command: &str) -> Option<Reader> {
    let mut words: Vec<String> =
        command.split('|').next()?.split_whitespace().map(str::to_ascii_lowercase).collect();
    // `show ip eigrp vrf RED neighbors` is the same of a VRF; `show ip vrf` is about VRFs.
    let from = if words.get(1).is_some_and(|word| word == "ip") { 3 } else { 2 };
    if let Some(at) = words.iter().skip(from).position(|word| word == "vrf").map(|at| at + from) {
        words.drain(at..(at + 2).min(words.len()));
    }
    of_all_families(&mut words);
    // `show interfaces X description` is the same of one interface.
    if let [_, second, _, .., last] = words.as_slice()
        && second.len() > 2
        && "interfaces".starts_with(second.as_str())
        && let Some(what) = ["description", "summary"]
            .into_iter()
            .find(|what| last.len() > 2 && what.starts_with(last.as_str()))
    {
        words.truncate(2);
        words.push(what.to_owned());
    }
    let words: Vec<String> = words
        .into_iter()
        // `show ip ospf 1 neighbor` and `show ip ospf 1 0 database` are the same of one process or area.
        .enumerate()
        .filter(|(at, word)| !matches!(at, 3 | 4) || word.parse::<u32>().is_err())
        .map(|(_, word)| word)
        .collect();
    let fits = |keywords: &[&str]| {
        words.len() >= keywords.len()
            && keywords.iter().zip(&words).all(|(keyword, word)| keyword.starts_with(word.as_str()))
    };
    COMMANDS
        .iter()
        .map(|&(keywords, reader)| (keywords, Some(reader)))
        .chain(OTHERS.iter().map(|&keywords| (keywords, None)))
        .filter(|(keywords, _)| fits(keywords))
        .max_by_key(|(keywords, _)| keywords.len())
        .and_then(|(_, reader)| reader)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_and_pipes_find_the_reader() {
        let text = "Interface              IP-Address      OK? Method Status                Protocol\n\
                    Loopback0              10.0.1.2        YES manual up                    up\n";
        let rows = parse_command("sh ip int br | exclude unassigned", text).unwrap();
        assert_eq!(rows[0]["interface"], "Loopback0");
        assert!(parse_command("show ip eigrp vrf RED 7 neighbors", "").is_ok());
        assert!(parse_command("show eigrp address-family ipv4 vrf RED 7 topology", "").is_ok());
        assert!(parse_command("show bgp vpnv4 unicast vrf RED neighbors", "").is_ok());
        assert!(parse_command("show bgp all neighbors 10.0.0.1 routes", "").is_ok());
        assert!(matches!(parse_command("show bgp all detail", ""), Err(CommandError::Unknown(_))));
        assert!(parse_command("show interfaces Gi0/0 description", "").is_ok());
        assert!(matches!(parse_command("show nothing", ""), Err(CommandError::Unknown(_))));
        let refused =
            parse_command("show ip ospf 1 neighbor", "  ^\n% Invalid input detected at '^' marker.\n");
        assert!(matches!(refused, Err(CommandError::Refused(_))));
    }
}
