//! How many of the commands that a judge can read exist here, and how many of those it has judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::network::Lab;

/// The commands that the parsers of an interpreter know, with placeholders (`{vrf}`) for arguments; `None` if the variable names no
/// interpreter.
fn known(variable: &str) -> Option<Vec<String>> {
    let interpreter = std::env::var_os(variable)?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges/known.py");
    let output = Command::new(interpreter).arg(script).output().expect("an interpreter");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("JSON from the judge"))
}

/// What the first words of a command are about: `ip ospf`, `bgp`, `interfaces`.
fn feature(command: &str) -> String {
    let mut words = command.split(' ').skip(1);
    match (words.next(), words.next()) {
        (Some(first @ ("ip" | "ipv6" | "mpls")), Some(second)) => format!("{first} {second}"),
        (Some(first), _) if !first.starts_with('{') => first.to_owned(),
        _ => command.split(' ').next().unwrap_or_default().to_owned(),
    }
}

/// What may stand for a placeholder in the networks.
fn arguments(placeholder: &str) -> &'static [&'static str] {
    match placeholder {
        "vrf" => &["BLUE"],
        "interface" | "interface_id" => &["GigabitEthernet0/0"],
        "neighbor" => &["10.0.13.3", "10.99.0.3", "2.2.2.2"],
        "address_family" => &["ipv4 unicast", "vpnv4 unicast", "vpnv4"],
        "route" | "prefix" | "ip" => &["2.2.2.2", "172.16.0.0", "9.9.9.3"],
        "addr" | "address" | "ip_address" | "destination" => &["10.0.12.2"],
        "protocol" => &["ospf", "eigrp"],
        "acl" => &["WEB"],
        "process_id" | "probe_id" | "entry_number" => &["1"],
        _ => &["GigabitEthernet0/0", "10.0.12.2", "1", "RM", "ospf"],
    }
}

/// A command with real arguments in place of its placeholders, in all ways; none with more than three of them. What has none may lack
/// the name of an interface (the names of ntc-templates have no placeholders).
fn filled(pattern: &str) -> Vec<String> {
    if pattern.matches('{').count() > 3 {
        return Vec::new();
    }
    let mut done = Vec::new();
    if !pattern.contains('{') {
        done.push(format!("{pattern} GigabitEthernet0/0"));
    }
    let mut open = vec![pattern.to_owned()];
    while let Some(command) = open.pop() {
        let hole = command.split_once('{').and_then(|(start, rest)| {
            let (name, end) = rest.split_once('}')?;
            Some((start.to_owned(), name.to_owned(), end.to_owned()))
        });
        match hole {
            None => done.push(command),
            Some((start, name, end)) => {
                open.extend(arguments(&name).iter().map(|argument| format!("{start}{argument}{end}")));
            }
        }
    }
    done
}

/// Whether a command is answered in a network, at the first or the fifth router.
fn exists(labs: &mut [Lab], pattern: &str) -> bool {
    filled(pattern).iter().any(|command| {
        labs.iter_mut().any(|lab| {
            [1, 5].into_iter().any(|router| router <= lab.configured() && lab.ask(router, command).is_ok())
        })
    })
}

/// Prints a table by feature, and returns the commands that exist here and were not judged.
pub fn print(labs: &mut [Lab], variable: &str, judged: &BTreeSet<&str>) -> Option<BTreeSet<String>> {
    let known = known(variable)?;
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut left = BTreeSet::new();
    for command in &known {
        let row = table.entry(feature(command)).or_default();
        let is_judged = judged.contains(command.as_str());
        let here = is_judged || exists(labs, command);
        row[0] += 1;
        row[1] += usize::from(here);
        row[2] += usize::from(is_judged);
        row[3] += usize::from(here && command.contains('{'));
        if here && !is_judged {
            left.insert(command.clone());
        }
    }
    println!("{variable}: {:<28} known  here judged (here with arguments)", "feature");
    for (feature, [known, here, judged, with]) in table.iter().filter(|(_, row)| row[1] > 0) {
        println!("{variable}: {feature:<28} {known:>5} {here:>5} {judged:>6} {with:>6}");
    }
    let sum = |sum: [usize; 4], row: &[usize; 4]| [0, 1, 2, 3].map(|at| sum[at] + row[at]);
    let [all, here, count, with] = table.values().fold([0; 4], sum);
    println!("{variable}: {:<28} {all:>5} {here:>5} {count:>6} {with:>6}", "all");
    let unknown: Vec<&&str> =
        judged.iter().filter(|command| !known.iter().any(|one| one == **command)).collect();
    println!("{variable}: judged under another name: {unknown:?}");
    println!("{variable}: here and not judged: {left:?}");
    Some(left)
}
