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
        (vec!["run", "ospfff"], "templates are: bgp/"),
        (vec!["run", "--agent", "gpt"], "agents are: reference, noop"),
        (vec!["show", "static/none@1"], "templates are: bgp/"),
        (vec!["run", "--tag", "nothing"], "there are: "),
        (vec!["run", "--difficulty", "absurd"], "there are easy, medium, hard"),
        (vec!["run", "--difficulty", "easy", "static"], "none of these templates is easy"),
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
    let lines = "altair show clock\nwhere\nwait 3\nconfig\nPollux conf\nno ip domain lookup\nend\nsubmit\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = said(&output);
    assert!(text.contains("# Scenario") && text.contains("Routers are "), "{text}");
    assert!(text.contains("3 seconds elapsed") && text.contains("wrong submit, score 0."), "{text}");
    // Why a goal is not met: what was asked, expected and seen.
    let reason = text.split("NOT met").nth(1).unwrap();
    assert!(reason.contains("#show ip route") || reason.contains("#ping"), "{reason}");
    assert!(reason.contains(" expected "), "{reason}");
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

/// Plays two templates, and gives the run directory.
fn played(folder: &Path, name: &str, options: &[&str]) -> String {
    let out = folder.join(name).to_str().unwrap().to_owned();
    let run = ["run", "static", "ospf/dr-placement", "--seeds", "0-1", "--out", &out];
    let output = with_templates(&[&run[..], options].concat());
    assert!(output.status.success(), "{}", said(&output));
    out
}

fn json_lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn episodes(run: &str) -> Vec<serde_json::Value> {
    json_lines(&fs::read_to_string(Path::new(run).join("episodes.jsonl")).unwrap())
}

#[test]
fn runs_are_merged_compared_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let good = played(folder.path(), "good", &[]);
    let bad = played(folder.path(), "bad", &["--agent", "eraser"]);
    let output = command(&["compare", &bad, &good]).output().unwrap();
    let text = said(&output);
    for part in ["4 episodes in both", "only B 4, neither 0", "p = 0.1250", "score of B less that of A: +"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let output = command(&["compare", &bad, &good, "--json"]).output().unwrap();
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["second_passes"], &found["pairs"]), (&4.into(), &4.into()));
    let parts = ["1/2", "2/2"].map(|part| played(folder.path(), &part.replace('/', "-"), &["--shard", part]));
    let whole = folder.path().join("whole").to_str().unwrap().to_owned();
    let output = command(&["merge", &whole, &parts[0], &parts[1]]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let hashes = |run: &str| episodes(run).iter().map(|e| e["hash"].clone()).collect::<Vec<_>>();
    assert_eq!(hashes(&whole), hashes(&good));
    let output = command(&["merge", &whole, &bad]).output().unwrap();
    assert!(!output.status.success() && said(&output).contains("holds another run"), "{}", said(&output));
    for (format, runs, wanted) in
        [("sft", vec![&good], 4), ("preference", vec![&good, &bad], 4), ("rewards", vec![&good, &bad], 8)]
    {
        let file = folder.path().join(format);
        let mut export = command(&["export", "--format", format, "--out", file.to_str().unwrap()]);
        let output = export.args(runs).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(json_lines(&fs::read_to_string(file).unwrap()).len(), wanted, "{format}");
    }
    let output = command(&["export", &good, "--format", "csv"]).output().unwrap();
    assert!(said(&output).contains("there are sft, preference, rewards, parquet"), "{}", said(&output));
    if cfg!(not(feature = "parquet")) {
        let output = command(&["export", &good, "--format", "parquet"]).output().unwrap();
        assert!(said(&output).contains("build it with `--features parquet`"), "{}", said(&output));
    }
}

#[test]
fn an_episode_is_blamed_on_its_actions() {
    let folder = tempfile::tempdir().unwrap();
    let run = played(folder.path(), "run", &[]);
    let output = with_templates(&["blame", &run, "static/floating-routes@1"]);
    let text = said(&output);
    assert!(
        output.status.success()
            && text.contains("correct submit")
            && text.contains("turn 1, apply_config: made"),
        "{text}"
    );
    let output = with_templates(&["blame", &run, "static/floating-routes@7"]);
    assert!(said(&output).contains("has no episode static/floating-routes@7"), "{}", said(&output));
}

#[test]
fn a_guard_keeps_what_works_from_an_agent_that_erases() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = |run: &str| {
        let damage = serde_json::json!("collateral_damage");
        let failures = |e: &serde_json::Value| e["failures"].as_array().is_some_and(|f| f.contains(&damage));
        episodes(run).iter().filter(|e| failures(e)).count()
    };
    let free = played(folder.path(), "free", &["--agent", "eraser"]);
    assert!(damaged(&free) > 0);
    let warned = played(folder.path(), "warned", &["--agent", "eraser", "--guard"]);
    assert_eq!(damaged(&warned), damaged(&free), "told, and done all the same");
    let refused = played(folder.path(), "refused", &["--agent", "eraser", "--guard=refuse"]);
    assert_eq!(damaged(&refused), 0);
    for (run, word) in [(&warned, "was entered"), (&refused, "was not entered")] {
        let text = serde_json::to_string(&episodes(run)).unwrap();
        assert!(text.contains(word) && text.contains(" reaches "), "{run}");
    }
}

#[test]
fn templates_are_selected_by_category_name_pattern_tag_difficulty_and_seed() {
    let names = |arguments: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run").to_str().unwrap().to_owned();
        let run = ["run", "--agent", "hasty", "--seeds", "3", "--out", &out];
        let output = with_templates(&[&run[..], arguments].concat());
        assert!(output.status.success(), "{}", said(&output));
        episodes(&out).iter().map(|e| e["instance"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["static/floating-routes"]), ["static/floating-routes@3"]);
    assert_eq!(
        names(&["ospf/d*", "static/*@1", "static/floating-routes@8"]).first().unwrap(),
        "ospf/dr-placement@3"
    );
    assert_eq!(
        names(&["ospf/dr-placement@1", "ospf/dr-placement@8"]),
        ["ospf/dr-placement@1", "ospf/dr-placement@8"]
    );
    assert!(names(&["ospf"]).iter().all(|name| name.starts_with("ospf/")));
    assert!(names(&["--tag", "dr election"]).contains(&"ospf/dr-placement@3".to_owned()));
    let hard = names(&["--difficulty", "hard"]);
    assert!(
        hard.contains(&"ospf/repair-two-faults@3".to_owned())
            && !hard.contains(&"ospf/dr-placement@3".to_owned())
    );
}

#[test]
fn a_run_is_rescored_with_the_templates_of_today() {
    let folder = tempfile::tempdir().unwrap();
    let run = played(folder.path(), "run", &["--agent", "random"]);
    let output = with_templates(&["rescore", &run]);
    let text = said(&output);
    assert!(
        output.status.success() && text.contains("4 episodes judged anew, 0 with another score"),
        "{text}"
    );
    assert!(!text.contains("answered otherwise"), "{text}");
    let hashes = |run: &str| episodes(run).iter().map(|e| e["hash"].clone()).collect::<Vec<_>>();
    assert_eq!(hashes(&format!("{run}-rescored")), hashes(&run));
}

#[test]
fn a_reader_that_goes_away_ends_the_program_without_a_word() {
    let mut child = command(&["list", "--templates"])
        .arg(templates())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141), "{}", said(&output));
    assert_eq!(said(&output), "");
}

#[test]
fn a_template_is_begun_checked_drawn_and_listed() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("ospf/mine");
    let place = folder.to_str().unwrap();
    let template = |arguments: &[&str]| {
        let output = command(&["template"]).args(arguments).output().unwrap();
        (output.status.success(), said(&output))
    };
    let (made, text) = template(&["new", place]);
    assert!(made && text.contains("ospf/mine: a sound template"), "{text}");
    let (again, text) = template(&["new", place]);
    assert!(!again && text.contains("exists already; nothing was written"), "{text}");
    let (sound, text) = template(&["check", place, "--seeds", "0"]);
    assert!(sound && text.contains("The template is sound.") && !text.contains("advice: "), "{text}");

    let file = folder.join("template.toml");
    let written = fs::read_to_string(&file).unwrap();
    fs::write(&file, written.replace("guard = true", "guard = false")).unwrap();
    let under = ["--templates", root.path().to_str().unwrap()];
    let (sound, text) = template(&[&["check", "ospf/mine", "--seeds", "0"], &under[..]].concat());
    for part in [
        "`Nobody adds static routes` holds at the start",
        "What it means: ",
        "What to do: ",
        "advice: no guard",
    ] {
        assert!(!sound && text.contains(part), "{part}: {text}");
    }
    fs::write(&file, written.replace("{{ lan }}", "{{ plan }}")).unwrap();
    let (sound, text) = template(&["check", place]);
    assert!(!sound && text.contains("goals[0] does not render") && text.contains("texts know the"), "{text}");
    fs::write(&file, &written).unwrap();

    let (drawn, text) = template(&[&["diagram", "ospf/mine@3"], &under[..]].concat());
    assert!(drawn && text.contains("(1)") && text.contains(", radio link"), "{text}");
    let svg = root.path().join("mine.svg");
    let (drawn, _) =
        template(&[&["diagram", "ospf/mine@3", "--svg", svg.to_str().unwrap()], &under[..]].concat());
    assert!(drawn && fs::read_to_string(svg).unwrap().starts_with("<svg "));
    let (listed, text) = template(&[&["index"], &under[..]].concat());
    assert!(
        listed && text.contains("| fundamentals | [ospf/mine](ospf/mine/template.toml) | A branch joins"),
        "{text}"
    );
    let (put, text) = template(&[&["index", "--update", file.to_str().unwrap()], &under[..]].concat());
    assert!(!put && text.contains("has no lines"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
}
