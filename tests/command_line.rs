//! The commands, as a person types them.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn templates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    command.args(arguments);
    command
}

fn with_templates(arguments: &[&str]) -> Output {
    command(arguments).arg("--templates").arg(templates()).output().unwrap()
}

fn said(output: &Output) -> String {
    // Messages wrap at the width of the terminal.
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_reference_passes_everything_and_noop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (agent, rate) in [("reference", 1.0), ("noop", 0.0)] {
        let out = folder.path().join(agent);
        let output =
            with_templates(&["run", "--agent", agent, "--seeds", "0", "--out", out.to_str().unwrap()]);
        assert!(output.status.success(), "{}", said(&output));
        let summary = fs::read_to_string(out.join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(summary["pass_rate"], rate, "{agent}");
        assert_eq!(summary["infrastructure_errors"], 0);
    }
}

#[test]
fn what_does_not_exist_is_answered_with_what_does() {
    for (arguments, wanted) in [
        (vec!["run", "ospfff"], "templates are: ospf/"),
        (vec!["run", "--agent", "gpt"], "agents are: reference, noop"),
        (vec!["show", "static/none@1"], "templates are: ospf/"),
        (vec!["run", "--tag", "nothing"], "there are: "),
        (vec!["run", "--agent", "openai"], "needs --model"),
        (vec!["run", "--seeds", "1-x"], "write e.g. 0-4"),
        (vec!["run", "--agent", "replay:nowhere"], "holds no run"),
    ] {
        let output = with_templates(&arguments);
        assert!(
            !output.status.success() && said(&output).contains(wanted),
            "{arguments:?}: {}",
            said(&output)
        );
    }
    let output = command(&["list", "--templates", "/nonexistent"]).output().unwrap();
    assert!(said(&output).contains("give the folder that holds <category>/<slug>/template.toml"));
}

#[test]
fn an_unwritable_or_foreign_run_directory_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "precious").unwrap();
    let output = with_templates(&["run", "--out", file.to_str().unwrap()]);
    assert!(
        !output.status.success() && said(&output).contains("cannot create the folder"),
        "{}",
        said(&output)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    let out = folder.path().join("run");
    let run = |agent: &str| {
        with_templates(&["run", "static", "--seeds", "0", "--agent", agent, "--out", out.to_str().unwrap()])
    };
    assert!(run("hasty").status.success());
    let before = fs::read_to_string(out.join("episodes.jsonl")).unwrap();
    assert!(said(&run("noop")).contains("holds another run"));
    assert_eq!(fs::read_to_string(out.join("episodes.jsonl")).unwrap(), before);
}

#[test]
fn a_task_is_shown_without_its_tests_unless_revealed() {
    let plain = said(&with_templates(&["show", "static/floating-routes@2"]));
    assert!(plain.contains("# Goals") && !plain.contains("# Tests") && !plain.contains("Reference"));
    let revealed = said(&with_templates(&["show", "static/floating-routes@2", "--reveal"]));
    assert!(
        revealed.contains("# Tests") && revealed.contains("# Reference") && revealed.contains("# Startup")
    );
}

#[test]
fn a_person_plays_by_lines() {
    let mut child = command(&["play", "static/floating-routes@0"])
        .arg("--templates")
        .arg(templates())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "Altair show clock\nwhere\nwait 3\nconfig\nPollux conf\nno ip domain lookup\nend\nsubmit\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = said(&output);
    assert!(text.contains("# Scenario") && text.contains("Routers are "), "{text}");
    assert!(text.contains("3 seconds elapsed") && text.contains("wrong submit, score 0."), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_lab_runs_a_folder_of_configurations() {
    let folder = tempfile::tempdir().unwrap();
    for (name, host) in [("r1", 1), ("r2", 2)] {
        let text = format!(
            "hostname {name}\ninterface Serial0/0\n ip address 10.0.0.{host} 255.255.255.252\nrouter ospf 1\n \
             network 10.0.0.0 0.0.0.255 area 0\nfrobnicate\n"
        );
        fs::write(folder.path().join(format!("{name}.cfg")), text).unwrap();
    }
    let captures = folder.path().join("pcap");
    let output = command(&["lab", folder.path().to_str().unwrap(), "--pcap", captures.to_str().unwrap()])
        .args(["--exec", "r1", "show ip ospf neighbor", "--exec", "R2", "ping 10.0.0.1"])
        .output()
        .unwrap();
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("FULL/") && text.contains("Success rate is 100 percent"), "{text}");
    assert!(text.contains("line 6: `frobnicate`"), "{text}");
    let capture = fs::read(captures.join("00-r1_Serial0_0_-_r2_Serial0_0.pcap")).unwrap();
    assert!(capture.len() > 1000);
    let unknown =
        command(&["lab", folder.path().to_str().unwrap(), "--exec", "r7", "show clock"]).output().unwrap();
    assert!(said(&unknown).contains("routers are: r1, r2"));
}
