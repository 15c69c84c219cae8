//! Every line that a run writes is what the schema shipped with the project says.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Validator {
    let text = fs::read_to_string(project().join("schema/episode.schema.json")).unwrap();
    jsonschema::draft202012::new(&serde_json::from_str(&text).unwrap()).unwrap()
}

/// The lines of a run of one seed with these options.
fn lines(options: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    command.args(["run", "--seeds", "0", "--templates"]).arg(project().join("templates"));
    let output = command.args(options).arg("--out").arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(folder.path().join("episodes.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_of_every_kind_of_run_is_valid() {
    let schema = schema();
    for options in [
        &["--dense"][..],
        &["--agent", "random", "--repeat", "3"],
        &["--agent", "random", "--guard", "--dense", "static"],
        &["--agent", "eraser", "--guard=refuse", "static"],
        &["--agent", "noop", "static"],
        &[
            "--agent",
            "exec:while read -r line; do echo '{\"text\": \"hm\", \"tokens\": {\"input\": 3, \"output\": 1}}'; done",
            "static",
        ],
        &["--agent", "exec:echo '{\"give_up\": \"no\"}'; cat >/dev/null", "static"],
    ] {
        let lines = lines(options);
        assert!(!lines.is_empty());
        for line in lines {
            let wrong: Vec<String> = schema
                .iter_errors(&line)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(wrong, [""; 0], "{options:?}");
        }
    }
}

/// `EPISODES=RUN/episodes.jsonl cargo test --test schema` validates a run of one's own.
#[test]
fn every_line_of_a_given_run_is_valid() {
    let Some(path) = std::env::var_os("EPISODES") else {
        println!("SKIPPED: EPISODES names no file");
        return;
    };
    let schema = schema();
    let mut count = 0;
    for line in BufReader::new(fs::File::open(path).unwrap()).lines() {
        let line = serde_json::from_str(&line.unwrap()).unwrap();
        count += 1;
        if let Err(error) = schema.validate(&line) {
            panic!("line {count}: {}: {error}", error.instance_path());
        }
    }
    println!("{count} lines are valid");
}

#[test]
fn a_line_that_is_not_what_it_should_be_is_found() {
    let schema = schema();
    let line = lines(&["static", "--dense"]).remove(0);
    assert!(schema.is_valid(&line));
    for (place, value) in [
        ("/score", json!(1.5)),
        ("/hash", json!("00")),
        ("/completion", json!("won")),
        ("/turns", json!(-1)),
        ("/steps/0/action", json!({"name": "reload"})),
        ("/steps/0/action", json!({"name": "wait", "arguments": "long"})),
        ("/messages/0/role", json!("agent")),
        ("/history/0/first_held", json!("soon")),
        ("/metrics/cfg/f1", json!(2)),
    ] {
        let mut wrong = line.clone();
        *wrong.pointer_mut(place).unwrap() = value;
        assert!(!schema.is_valid(&wrong), "{place}");
    }
    let mut more = line.clone();
    more["secret"] = json!(1);
    assert!(!schema.is_valid(&more), "a field that the schema does not know");
    for name in ["instance", "seed", "messages", "steps", "tests", "metrics"] {
        let mut less = line.clone();
        less.as_object_mut().unwrap().remove(name);
        assert!(!schema.is_valid(&less), "{name} is missing");
    }
}
