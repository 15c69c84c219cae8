//! Outputs of real devices are read without an error and give rows.
//!
//! `IOS_REFERENCE` names a folder with one folder a command (`show_ip_route`) that holds text files; without it nothing is
//! tested here.

use std::path::Path;

use netconfarena_cli_dialect::show::{CommandError, parse_command, print_again};
use similar::{ChangeTag, TextDiff};

/// Files that hold no output of the command that their folder names, with the reason.
const NOT_THE_COMMAND: &[(&str, &str)] =
    &[("show_ip_route_WORD/1.txt", "the router has no IP routing: it prints its default gateway")];

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

/// The share of lines, in per cent, that are printed again as the device printed them. Real outputs come from many releases: what differs
/// is printed for review.
const PRINTED_AGAIN: usize = 65;

#[test]
fn outputs_of_real_devices_are_printed_again_alike() {
    let Some(folder) = std::env::var_os("IOS_REFERENCE") else {
        eprintln!("SKIPPED: IOS_REFERENCE is not set");
        return;
    };
    let (mut all, mut alike) = (0, 0);
    for command in sorted(Path::new(&folder)) {
        let name = command.file_name().unwrap().to_string_lossy().into_owned();
        let line = name.replace('_', " ").replace(" WORD", " 10.0.0.1");
        let (mut lines, mut same, mut report) = (0, 0, String::new());
        for file in sorted(&command) {
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            let Ok(again) = print_again(&line, &text) else { continue };
            let wanted: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
            let found: Vec<&str> = again.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
            lines += wanted.len();
            for change in TextDiff::from_slices(&wanted, &found).iter_all_changes() {
                match change.tag() {
                    ChangeTag::Equal => same += 1,
                    ChangeTag::Delete => report += &format!("-{}\n", change.value()),
                    ChangeTag::Insert => report += &format!("+{}\n", change.value()),
                }
            }
        }
        if lines > 0 {
            println!("{name}: {same} of {lines} lines\n{report}");
            (all, alike) = (all + lines, alike + same);
        }
    }
    println!("{alike} of {all} lines are printed again as they were");
    assert!(all > 0 && alike * 100 >= all * PRINTED_AGAIN, "{alike} of {all} lines");
}

fn sorted(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    entries.sort();
    entries
}
