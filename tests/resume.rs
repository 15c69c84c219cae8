//! A run that is killed again and again ends with the episodes and hashes of one that is not.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// How often the run is killed.
const KILLS: u64 = 50;

fn run(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    command.args([
        "run",
        "static",
        "ospf/dr-placement",
        "--agent",
        "random",
        "--seeds",
        "0-19",
        "--repeat",
        "2",
    ]);
    command.arg("--templates").arg(templates).arg("--out").arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Instance, repeat and hash of every line.
fn episodes(out: &Path) -> Vec<(String, u64, String)> {
    let text = fs::read_to_string(out.join("episodes.jsonl")).unwrap();
    let read = |line: &str| {
        let episode: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| episode[name].as_str().unwrap().to_owned();
        (text("instance"), episode["repeat"].as_u64().unwrap(), text("hash"))
    };
    text.lines().map(read).collect()
}

#[test]
fn a_run_killed_at_fifty_instants_loses_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    for number in 0..KILLS {
        let mut child = run(&killed).spawn().unwrap();
        // Instants without a pattern, the same in every test run.
        sleep(Duration::from_millis(5 + number * 7919 % 173));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(run(&killed).status().unwrap().success());
    assert!(run(&whole).status().unwrap().success());
    let wanted = episodes(&whole);
    assert_eq!(wanted.len(), 80);
    assert_eq!(episodes(&killed), wanted);
}

#[test]
fn a_run_whose_disk_was_full_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let (full, whole) = (folder.path().join("full"), folder.path().join("whole"));
    assert!(run(&whole).status().unwrap().success());
    let bytes = fs::metadata(whole.join("episodes.jsonl")).unwrap().len();
    let mut kept = Vec::new();
    // A limit on the size of files makes writes fail as a full disk does: in the middle of a line, for every user, on any system.
    for share in [5, 3, 2] {
        let limited = run(&full);
        let arguments: Vec<_> = std::iter::once(limited.get_program()).chain(limited.get_args()).collect();
        let mut shell = Command::new("sh");
        // In blocks of 512 bytes.
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", bytes / share / 512);
        let output = shell.arg("-c").arg(script).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!output.status.success() && said.contains("cannot write the file"), "{said}");
        assert!(said.contains("run the same command again to go on"), "{said}");
        kept.push(episodes(&full).len());
    }
    assert!(kept.is_sorted() && kept[0] > 0 && kept[2] < 80, "{kept:?}");
    assert!(run(&full).status().unwrap().success());
    assert_eq!(episodes(&full), episodes(&whole));
}
