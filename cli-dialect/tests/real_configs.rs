//! Configurations of real networks load with every refused line explained, and what was taken reads back as it was shown.
//!
//! `CONFIG_CORPUS` names a folder with one folder a network that holds `*.cfg` files; without it nothing is tested here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use netconfarena_cli_dialect::config::{Complaint, Reason, load};
use netconfarena_cli_dialect::running_config::render;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig};
use netconfarena_emu::interface::InterfaceName;

/// A router with the hardware that a text mentions.
fn router(text: &str) -> RouterConfig {
    let mut config = RouterConfig::default();
    for line in text.lines() {
        let name = line.trim().strip_prefix("interface ").map(|name| name.replace(' ', ""));
        if let Some(name) = name.and_then(|name| name.parse::<InterfaceName>().ok()) {
            let port = name.parent().unwrap_or(name);
            if port.kind().is_physical() {
                config.interfaces.insert(port, InterfaceConfig::default());
            }
        }
    }
    config
}

#[test]
fn real_configurations_load_and_read_back() {
    let Some(folder) = std::env::var_os("CONFIG_CORPUS") else {
        eprintln!("skipped: CONFIG_CORPUS is not set");
        return;
    };
    let mut files = 0;
    let mut taken = 0;
    let mut not_implemented: BTreeMap<String, usize> = BTreeMap::new();
    let mut explained: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    let mut by_command: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for file in configurations(Path::new(&folder)) {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        let mut config = router(&text);
        let report = load(&mut config, &text);
        taken += report.taken;
        let refused: BTreeSet<usize> = report.refused.iter().map(|line| line.number).collect();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !command(line).is_empty()) {
            let row = by_command.entry(command(line)).or_default();
            row[0] += 1;
            row[1] += usize::from(refused.contains(&(index + 1)));
        }
        let (mut unsupported, mut explained_heads) = (BTreeSet::new(), BTreeMap::new());
        for line in &report.refused {
            match (&line.reason, explanation(&file, &line.line)) {
                (Reason::Complaint(Complaint::Unsupported(command)), _) => {
                    unsupported.insert(line.number);
                    *not_implemented.entry(command.clone()).or_default() += 1;
                }
                (Reason::WithinRefusedSection(head), _) if unsupported.contains(head) => {
                    *not_implemented.entry("within such a section".to_owned()).or_default() += 1;
                }
                (_, Some(why)) => {
                    explained_heads.insert(line.number, why);
                    *explained.entry(why).or_default() += 1;
                }
                (Reason::WithinRefusedSection(head), _) if explained_heads.contains_key(head) => {
                    *explained.entry(explained_heads[head]).or_default() += 1;
                }
                (_, None) => unexplained.push(format!("{}: {line}", file.display())),
            }
        }
        let shown = render(&config);
        let mut again = router(&text);
        let report = load(&mut again, &shown);
        assert_eq!(report.refused, [], "{}\n{shown}", file.display());
        assert_eq!(again, config, "{}\n{shown}", file.display());
        assert_eq!(render(&again), shown);
        files += 1;
    }
    eprintln!(
        "{files} files, {taken} lines taken, {} refused without an explanation\n\
         no IOS, or refused by IOS too: {explained:#?}\nnot implemented: {not_implemented:#?}",
        unexplained.len()
    );
    eprintln!("{:<36} lines refused", "command");
    for (command, [lines, refused]) in by_command {
        eprintln!("{command:<36} {lines:>5} {refused:>7}");
    }
    assert!(files > 0, "CONFIG_CORPUS holds no configuration");
    // In scope is what IOS would take and whose feature exists here.
    let (refused, in_scope) = (unexplained.len(), taken + unexplained.len());
    eprintln!("{taken} of {in_scope} lines in scope taken");
    assert!(refused * 100 <= in_scope, "more than 1 in 100 lines refused:\n{}", unexplained.join("\n"));
}

/// What a line is about: its first word, and the second where the first says little. Nothing for comments.
fn command(line: &str) -> String {
    let mut words = line.split_ascii_whitespace().filter(|word| *word != "no");
    match (words.next(), words.next()) {
        (Some(first), _) if first.starts_with('!') => String::new(),
        (Some(first @ ("ip" | "router" | "service" | "set" | "match" | "bgp" | "timers")), Some(second)) => {
            format!("{first} {second}")
        }
        (Some("neighbor"), Some(_)) => format!("neighbor {}", words.next().unwrap_or_default()),
        (Some(first), _) => first.to_owned(),
        (None, _) => String::new(),
    }
}

/// Why IOS would refuse a line, too.
fn explanation(file: &Path, line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_of = |network: &str| file.parent().is_some_and(|folder| folder.ends_with(network));
    match words.as_slice() {
        ["ip", "address" | "route", destination, ..] if destination.contains('/') => {
            Some("a prefix length in place of a mask")
        }
        ["ip", "address", _, length] if length.starts_with('/') => Some("a prefix length in place of a mask"),
        ["ip", "address", _, "225.255.255.255"] => Some("a mistyped mask"),
        // Four interfaces of this one network have addresses of the same subnet.
        ["ip", "address", address, "255.255.255.0"]
            if ["2.3.4.7", "2.3.4.10", "11.12.13.16"].contains(address) =>
        {
            Some("an address that overlaps with another interface's")
        }
        ["network", prefix] if prefix.contains('/') => Some("a prefix length in place of a mask"),
        // OSPF's and EIGRP's are taken.
        ["router-id", _] => Some("`router-id` of BGP, which is `bgp router-id`"),
        ["neighbor", _, "update-source", source] if source.parse::<std::net::Ipv4Addr>().is_ok() => {
            Some("an address in place of an interface")
        }
        ["bgp", "listen", "range", _, "peer-group", _, "remote-as", _] => {
            Some("`remote-as` of a range, which is the peer group's")
        }
        ["ip", "prefix-list", _] => Some("a prefix list as a section"),
        ["redistribute", "floating-ip"] if is_of(A10) => Some("a line of an A10 load balancer"),
        ["vrrp-a", ..] | ["enable"] if is_of(A10) => Some("a line of an A10 load balancer"),
        ["device-id" | "set-id" | "floating-ip" | "blade-parameters" | "priority" | "peer", ..]
            if is_of(A10) =>
        {
            Some("a line of an A10 load balancer")
        }
        _ => None,
    }
}

/// The network whose other devices are load balancers, with files of their own language.
const A10: &str = "a10-kernel-routes";

fn configurations(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let read = std::fs::read_dir(folder).expect("a readable folder");
        let mut paths: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths
    };
    let networks = entries(folder).into_iter().filter(|path| path.is_dir());
    networks
        .flat_map(|network| entries(&network))
        .filter(|path| path.extension().is_some_and(|e| e == "cfg"))
        .collect()
}
