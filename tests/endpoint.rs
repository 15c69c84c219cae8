//! Runs against a scripted OpenAI-compatible endpoint on loopback, from the command line to `summary.json`: whatever the endpoint and its
//! model do, every episode ends as it should, with metrics that were computed by hand.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod scripted_endpoint;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use netconfarena::template::Template;
use scripted_endpoint::{Line, Server, call, message, say};
use serde_json::{Value, json};

const TASK: &str = "static/floating-routes";

fn failure(status: u16, body: &str) -> Line {
    Line::Status(status, None, body.to_owned())
}

/// How an episode must end: completion, turns, null turns, judged actions, rejected ones, repeated turns, F1, passed.
type Wanted = (&'static str, [usize; 5], f64, bool);

/// Plays one trajectory after the other; gives the episodes, the summary, and the failures.
fn run(scaffold: &str, trajectories: Vec<(Vec<Line>, Option<Wanted>)>) -> (Vec<Value>, Value, String) {
    let (lines, wanted): (Vec<_>, Vec<_>) = trajectories.into_iter().unzip();
    let lines: Vec<Line> = lines.into_iter().flatten().collect();
    let answers = lines.len();
    let server = Server::start(lines);
    let url = server.base_url();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    let repeats = wanted.len().to_string();
    command.args([
        "run",
        &format!("{TASK}@0"),
        "--agent",
        "openai",
        "--model",
        "scripted",
        "--base-url",
        &url,
    ]);
    command.args(["--scaffold", scaffold, "--repeat", &repeats, "--parallel", "1", "--attempts", "1"]);
    command.args(["--request-attempts", "3", "--timeout", "6", "--key-env", "NO_SUCH_KEY"]);
    command.arg("--templates").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("templates"));
    let output = command.arg("--out").arg(&out).output().unwrap();
    let said = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned();
    assert_eq!(server.requests().len(), answers, "everything was asked: {said}");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_default();
    let episodes: Vec<Value> =
        read("episodes.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut played = episodes.iter();
    for (number, wanted) in wanted.iter().enumerate() {
        let Some((completion, counts, f1, passed)) = wanted else { continue };
        let episode = played.next().unwrap();
        assert_eq!(episode["repeat"], number, "{said}");
        let metrics = &episode["metrics"];
        let names = ["turns", "null_turns", "judged_actions", "rejected_actions", "repeated_turns"];
        let found = names.map(|name| metrics[name].as_u64().unwrap() as usize);
        assert_eq!((episode["completion"].as_str().unwrap(), found), (*completion, *counts), "{number}");
        assert!((metrics["cfg"]["f1"].as_f64().unwrap() - f1).abs() < 1e-9, "{number}: {metrics}");
        assert_eq!(episode["passed"], *passed, "{number}");
        // What nobody has changed still holds, and nothing else does.
        for group in episode["groups"].as_array().unwrap() {
            let untouched = *f1 == 0.0;
            assert!(!untouched || group["passed"] == group["guard"], "{number}: {group}");
        }
    }
    assert!(played.next().is_none());
    let summary = serde_json::from_str(&read("summary.json")).unwrap();
    (episodes, summary, read("errors.jsonl"))
}

/// The reference of the task, by host.
fn reference() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(TASK);
    Template::load(&folder).unwrap().instantiate(0).unwrap().reference
}

/// A part of the reference: one of its eleven lines.
fn part() -> Value {
    let all = reference();
    let (host, text) = all.iter().find(|(_, text)| text.trim().lines().count() == 1).unwrap();
    assert_eq!(all.values().map(|text| text.trim().lines().count()).sum::<usize>(), 11);
    json!({host: text})
}

/// F1 of that part: every line is right, one of eleven is there.
const F1_OF_PART: f64 = 2.0 * (1.0 / 11.0) / (1.0 + 1.0 / 11.0);

#[test]
fn a_run_of_text_trajectories_has_the_columns_computed_by_hand() {
    let solve = || say(format!("Thought: all at once.\nAction: apply_config {}", json!(reference())));
    let host = reference().into_keys().next().unwrap();
    let on = |action: &str, text: &str| say(format!("Action: {action} {}", json!({&host: text})));
    let bad = || on("apply_config", "ip rout 0.0.0.0 0.0.0.0 Null0");
    let look = || on("execute_validation", "show ip route");
    let submit = || say("Action: submit");
    let waits = |count: usize| (0..count).map(|_| say("Action: wait 1"));
    let busy = Line::Status(429, Some("1"), "slow down".to_owned());
    let refusal = message(&json!({"role": "assistant", "content": null, "refusal": "I cannot help."}));
    let full = failure(400, "{\"error\": {\"code\": \"context_length_exceeded\"}}");
    let mut trajectories: Vec<(Vec<Line>, Option<Wanted>)> = vec![
        (vec![solve(), submit()], Some(("corr_sub", [2, 0, 1, 0, 0], 1.0, true))),
        (vec![submit()], Some(("early_sub", [1, 0, 0, 0, 0], 0.0, false))),
        (vec![busy, solve(), submit()], Some(("corr_sub", [2, 0, 1, 0, 0], 1.0, true))),
        (
            vec![failure(500, "oops"), failure(200, "{\"choices\": [{\"mess"), solve(), submit()],
            Some(("corr_sub", [2, 0, 1, 0, 0], 1.0, true)),
        ),
        (
            vec![
                Line::Hang,
                say("Action: reboot {}"),
                say("Action: submit\nAction: submit"),
                say(""),
                refusal,
                solve(),
                submit(),
            ],
            Some(("corr_sub", [6, 4, 1, 0, 0], 1.0, true)),
        ),
        (
            vec![say("x".repeat(5 << 20)), say(format!("Action: apply_config {}", part())), submit()],
            Some(("err_sub", [3, 1, 1, 0, 0], F1_OF_PART, false)),
        ),
        (
            vec![say("Action: get_running_config []"), look(), submit()],
            Some(("early_sub", [3, 0, 1, 0, 0], 0.0, false)),
        ),
        (vec![bad(), bad(), submit()], Some(("err_sub", [3, 0, 2, 2, 1], 0.0, false))),
        (waits(20).collect(), Some(("limit", [20, 0, 0, 0, 0], 0.0, false))),
        (vec![solve()], Some(("limit", [20, 0, 1, 0, 0], 1.0, true))),
        (vec![solve(), full], Some(("limit", [1, 0, 1, 0, 0], 1.0, true))),
        (
            vec![look(), look(), on("execute_validation", "reload"), solve(), submit()],
            Some(("corr_sub", [5, 0, 4, 1, 1], 1.0, true)),
        ),
        (
            vec![say("Action: apply_config {\"Nowhere\": \"ip cef\"}"), submit()],
            Some(("err_sub", [2, 0, 1, 1, 0], 0.0, false)),
        ),
        ((0..3).map(|_| failure(502, "bad gateway")).collect(), None),
    ];
    trajectories[9].0.extend(waits(19));
    let (episodes, summary, errors) = run("react", trajectories);
    assert_eq!(
        episodes[10]["gave_up"].as_str().unwrap().split(':').next().unwrap(),
        "the conversation exceeds the model's context"
    );
    let failed = [2, 3, 4].map(|episode| episodes[episode]["failed_requests"].as_array().unwrap().len());
    assert_eq!(failed, [1, 2, 1], "what was asked again is told");
    let value = |name: &str| summary[name].as_f64().unwrap();
    for (name, wanted) in [
        ("episodes", 13.0),
        ("infrastructure_errors", 1.0),
        ("given_up", 1.0),
        ("pass_rate", 7.0 / 13.0),
        ("cfg_f1", (7.0 + F1_OF_PART) / 13.0),
        ("turns", 70.0 / 13.0),
        ("err_act", 4.0 / 15.0),
        ("rep_act", 2.0 / 70.0),
        ("limit", 3.0 / 13.0),
        ("early_sub", 2.0 / 13.0),
        ("corr_sub", 5.0 / 13.0),
        ("err_sub", 3.0 / 13.0),
        ("output_tokens", 700.0 / 13.0),
    ] {
        assert!((value(name) - wanted).abs() < 1e-9, "{name}: {} and not {wanted}", value(name));
    }
    // Of the seventy turns: null turns, and those that only let time pass.
    let share = |name: &str| summary["actions"][name].as_f64().unwrap() * 70.0;
    assert_eq!(["none", "wait", "submit"].map(|name| share(name).round()), [5.0, 39.0, 10.0]);
    assert!(errors.contains("502 Bad Gateway: bad gateway (attempt 3)"), "{errors}");
}

#[test]
fn a_run_of_tool_calls_has_the_metrics_computed_by_hand() {
    let solve = json!({"commands": reference()}).to_string();
    let solve = ("apply_config", solve.as_str());
    let submit = || call(&[("submit", "{}")]);
    let (episodes, summary, _) = run(
        "tools",
        vec![
            (vec![call(&[solve]), submit()], Some(("corr_sub", [2, 0, 1, 0, 0], 1.0, true))),
            (
                vec![call(&[solve, ("submit", "")]), submit()],
                Some(("early_sub", [2, 1, 0, 0, 0], 0.0, false)),
            ),
            (
                vec![
                    call(&[("configure_terminal", "{}")]),
                    call(&[("wait", "{\"seconds\": ")]),
                    say("It is done."),
                    call(&[solve]),
                    submit(),
                ],
                Some(("corr_sub", [5, 3, 1, 0, 0], 1.0, true)),
            ),
        ],
    );
    assert_eq!(summary["pass_rate"].as_f64().unwrap(), 2.0 / 3.0);
    let told = |episode: usize, message: usize| episodes[episode]["messages"][message]["content"].to_string();
    assert!(told(1, 3).contains("2 tools were called") && told(1, 4).contains("2 tools were called"));
    assert!(told(2, 3).contains("no action `configure_terminal`"), "{}", told(2, 3));
}

#[test]
fn a_run_of_single_answers_has_the_metrics_computed_by_hand() {
    let (_, summary, _) = run(
        "oneshot",
        vec![
            (
                vec![say(format!("Here it is:\n```json\n{}\n```", json!(reference())))],
                Some(("corr_sub", [2, 0, 1, 0, 0], 1.0, true)),
            ),
            (vec![say("I cannot do that.")], Some(("early_sub", [2, 1, 0, 0, 0], 0.0, false))),
            (vec![say(part().to_string())], Some(("err_sub", [2, 0, 1, 0, 0], F1_OF_PART, false))),
            (vec![failure(413, "prompt is too long")], Some(("limit", [0, 0, 0, 0, 0], 0.0, false))),
        ],
    );
    assert_eq!((&summary["given_up"], &summary["episodes"]), (&json!(1), &json!(4)));
}
