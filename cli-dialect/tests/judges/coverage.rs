//! How many of the commands that a judge can read exist here, and how many of those it has judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::network::Lab;
use super::verdict::Case;

/// The commands without arguments that the parsers of an interpreter know; `None` if the variable names no interpreter.
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
        (Some(first), _) => first.to_owned(),
        (None, _) => command.to_owned(),
    }
}

/// Prints a table by feature, and returns the commands that exist here and were not judged.
pub fn print(lab: &mut Lab, variable: &str, cases: &[&[Case]]) -> Option<BTreeSet<String>> {
    let known = known(variable)?;
    let judged: BTreeSet<&str> =
        cases.iter().flat_map(|cases| cases.iter()).map(|case| case.command).collect();
    let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut left = BTreeSet::new();
    for command in &known {
        let row = table.entry(feature(command)).or_default();
        let here = lab.ask(1, command).is_ok();
        let is_judged = judged.contains(command.as_str());
        row[0] += 1;
        row[1] += usize::from(here);
        row[2] += usize::from(here && is_judged);
        if here && !is_judged {
            left.insert(command.clone());
        }
    }
    println!("{variable}: {:<28} known  here judged", "feature");
    for (feature, [known, here, judged]) in table.iter().filter(|(_, row)| row[1] > 0) {
        println!("{variable}: {feature:<28} {known:>5} {here:>5} {judged:>6}");
    }
    let [all, here, judged] = table.values().fold([0; 3], |sum, row| [0, 1, 2].map(|at| sum[at] + row[at]));
    println!("{variable}: {:<28} {all:>5} {here:>5} {judged:>6}", "all");
    let names: Vec<&str> = left.iter().map(String::as_str).collect();
    println!("{variable}: here and not judged: {}", names.join(", "));
    Some(left)
}
