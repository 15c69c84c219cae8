//! What the show commands print, read by other people's parsers: ntc-templates and Genie.
//!
//! `NTC_PYTHON` and `GENIE_PYTHON` name Python interpreters that have `ntc-templates`, or `genie` and `genie.libs.parser`, installed.
//! Every field that a judge finds must hold what the emulator meant; a field that nobody thought of fails the test.

mod bgp;
mod coverage;
mod genie;
mod network;
mod ntc;
mod verdict;

use netconfarena_cli_dialect::show::parse_command;
use serde_json::Value;

use network::Lab;
use verdict::{Case, Outputs, ask};

type Compare = fn(&Case, &Value, &[Value]) -> Vec<String>;

/// Lets a judge read what each router prints.
fn judge(mut lab: Lab, variable: &str, script: &str, cases: &[Case], compare: Compare) {
    let routers: Vec<Outputs> = (1..=lab.configured())
        .map(|router| {
            let commands = cases.iter().map(|case| case.command).chain(["show running-config"]);
            commands.map(|command| (command.to_owned(), lab.show(router, command))).collect()
        })
        .collect();
    let Some(verdicts) = ask(variable, script, &routers) else {
        eprintln!("SKIPPED: {variable} is not set");
        return;
    };
    let mut faults = Vec::new();
    let mut compared = 0;
    for (number, (outputs, verdicts)) in routers.iter().zip(&verdicts).enumerate() {
        for ((case, (command, text)), verdict) in cases.iter().zip(outputs).zip(verdicts) {
            let rows = parse_command(command, text).unwrap_or_else(|error| panic!("{command}: {error}"));
            let rows = rows.as_array().expect("rows").as_slice();
            if !rows.is_empty() && case.limits.iter().all(|limit| text.matches(limit).count() < 2) {
                compared += 1;
                let of_router = |fault| format!("R{} {fault}", number + 1);
                faults.extend(compare(case, verdict, rows).into_iter().map(of_router));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(compared > cases.len(), "only {compared} outputs compared");
}

#[test]
fn ntc_templates_read_what_was_meant() {
    judge(Lab::new(), "NTC_PYTHON", "judge_ntc.py", ntc::CASES, verdict::compare_records);
}

#[test]
fn genie_reads_what_was_meant() {
    judge(Lab::new(), "GENIE_PYTHON", "judge_genie.py", genie::CASES, verdict::compare_tree);
}

#[test]
fn ntc_templates_read_what_was_meant_of_bgp() {
    judge(Lab::with(&bgp::LINES), "NTC_PYTHON", "judge_ntc.py", bgp::NTC, verdict::compare_records);
}

#[test]
fn genie_reads_what_was_meant_of_bgp() {
    judge(Lab::with(&bgp::LINES), "GENIE_PYTHON", "judge_genie.py", bgp::GENIE, verdict::compare_tree);
}

/// Prints which commands the judges know, which exist here and which were judged above. What exists here without a verdict must not
/// become more than it is.
#[test]
fn most_commands_that_judges_know_are_judged() {
    let mut too_many = Vec::new();
    for (variable, cases, most) in [
        ("NTC_PYTHON", [ntc::CASES, bgp::NTC], LEFT_BY_NTC),
        ("GENIE_PYTHON", [genie::CASES, bgp::GENIE], LEFT_BY_GENIE),
    ] {
        match coverage::print(&mut Lab::with(&bgp::LINES), variable, &cases) {
            Some(left) if left.len() > most => {
                too_many.push(format!("{variable}: {}, not {most}", left.len()));
            }
            Some(_) => {}
            None => eprintln!("SKIPPED: {variable} is not set"),
        }
    }
    assert!(too_many.is_empty(), "more commands without a verdict: {too_many:?}");
}

/// How many commands exist here that ntc-templates knows and has not judged: those that change nothing to read (`ping`), print nothing
/// (`show cdp neighbors`), or whose template does not know this form.
const LEFT_BY_NTC: usize = 16;

/// The same of Genie.
const LEFT_BY_GENIE: usize = 28;
