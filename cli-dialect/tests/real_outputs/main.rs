//! Outputs of real devices are read without an error and give rows.
//!
//! `IOS_REFERENCE` names a folder with one folder a command (`show_ip_route`) that holds text files; without it nothing is
//! tested here.

mod causes;

use std::collections::BTreeMap;
use std::path::Path;

use netconfarena_cli_dialect::show::{CommandError, parse_command, print_again};
use similar::{ChangeTag, TextDiff};

/// Files that hold no output of the command that their folder names, with the reason.
const NOT_THE_COMMAND: &[(&str, &str)] = &[
    ("show_ip_route_WORD/1.txt", "the router has no IP routing: it prints its default gateway"),
    ("show_ip_vrf_interfaces/1.txt", "the router has no interface in a VRF: there is only the heading"),
];

#[test]
fn outputs_of_real_devices_are_read() {
    let Some(folder) = std::env::var_os("IOS_REFERENCE") else {
        eprintln!("skipped: IOS_REFERENCE is not set");
        return;
    };
    let mut read = 0;
    let mut unknown = Vec::new();
    let mut failures = Vec::new();
    for command in sorted(Path::new(&folder)) {
        let name = command.file_name().unwrap().to_string_lossy().into_owned();
        let line = name.replace('_', " ").replace(" WORD", " 10.0.0.1");
        for file in sorted(&command) {
            let label = format!("{name}/{}", file.file_name().unwrap().to_string_lossy());
            if NOT_THE_COMMAND.iter().any(|(known, _)| *known == label) {
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            match parse_command(&line, &text) {
                Ok(rows) if rows.as_array().is_some_and(|rows| !rows.is_empty()) => read += 1,
                Ok(_) => failures.push(format!("{label}: no rows")),
                Err(CommandError::Unknown(_)) => unknown.push(label),
                Err(error) => failures.push(format!("{label}: {error}")),
            }
        }
    }
    eprintln!("{read} outputs read, {} of commands without a record", unknown.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(read > 0, "IOS_REFERENCE holds no output of a known command");
}

/// The share of lines, in per cent, that are printed again as the device printed them, but for numbers that the record does not hold.
const ALIKE: usize = 76;

#[test]
fn outputs_of_real_devices_are_printed_again_alike() {
    let Some(folder) = std::env::var_os("IOS_REFERENCE") else {
        eprintln!("SKIPPED: IOS_REFERENCE is not set");
        return;
    };
    let (mut all, mut alike) = (0, 0);
    let mut explained: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for command in sorted(Path::new(&folder)) {
        let name = command.file_name().unwrap().to_string_lossy().into_owned();
        let line = name.replace('_', " ").replace(" WORD", " 10.0.0.1");
        let (mut lines, mut same, mut report) = (0, 0, String::new());
        for file in sorted(&command) {
            let text = output_of(&String::from_utf8_lossy(&std::fs::read(&file).unwrap()));
            let Ok(again) = print_again(&line, &text) else { continue };
            let label = format!("{name}/{}", file.file_name().unwrap().to_string_lossy());
            let (wanted, found) = (kinds(&text), kinds(&again));
            lines += wanted.len();
            for change in TextDiff::from_slices(&refs(&wanted), &refs(&found)).iter_all_changes() {
                let mark = match change.tag() {
                    ChangeTag::Equal => {
                        same += 1;
                        continue;
                    }
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                report += &format!("{mark}{}\n", change.value());
                match causes::of(&label, change.value()) {
                    Some(cause) => *explained.entry(cause).or_default() += 1,
                    None => unexplained.push(format!("{label}: {mark}{}", change.value())),
                }
            }
        }
        if lines > 0 {
            println!("{name}: {same} of {lines} lines\n{report}");
            (all, alike) = (all + lines, alike + same);
        }
    }
    println!("{alike} of {all} lines are printed again alike; lines that differ, by cause:");
    explained.iter().for_each(|(cause, count)| println!("{count:>6} {cause}"));
    println!("{} lines differ without a known cause", unexplained.len());
    assert!(all > 0 && alike * 100 >= all * ALIKE, "{alike} of {all} lines");
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

fn refs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// The lines of an output without numbers: every digit a 0, tabulators as they look on a screen, nothing at the end.
fn kinds(text: &str) -> Vec<String> {
    let kind = |line: &str| {
        let mut out = String::new();
        for letter in line.chars() {
            match letter {
                '\t' => out.push_str(&" ".repeat(8 - out.chars().count() % 8)),
                digit if digit.is_ascii_digit() => out.push('0'),
                other => out.push(other),
            }
        }
        out.trim_end().to_owned()
    };
    text.lines().map(kind).filter(|line| !line.is_empty()).collect()
}

/// The command's own output: without what a terminal shows around it, and without the indentation that samples in the documentation of
/// parsers have.
fn output_of(text: &str) -> String {
    let text = text.replace('\r', "");
    let around = |line: &str| {
        let start = line.trim_start();
        let prompt = start.split_once('#').is_some_and(|(name, command)| {
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                && (command.is_empty() || command.trim_start().starts_with("sh"))
        });
        prompt || start.starts_with("Load for ") || start.starts_with("Time source is ")
    };
    let lines: Vec<&str> = text.lines().filter(|line| !around(line)).collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let common = if common < 4 { 0 } else { common };
    lines.iter().map(|line| line.get(common..).unwrap_or("").to_owned() + "\n").collect()
}

fn sorted(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    entries.sort();
    entries
}
