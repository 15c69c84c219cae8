//! What the show commands print, read by other people's parsers: ntc-templates and Genie.
//!
//! `NTC_PYTHON` and `GENIE_PYTHON` name Python interpreters that have `ntc-templates`, or `genie` and `genie.libs.parser`, installed.
//! Every field that a judge finds must hold what the emulator meant; a field that nobody thought of fails the test.
//!
//! | file | what |
//! |---|---|
//! | `network.rs`, `bgp.rs` | the two networks |
//! | `ntc.rs`, `genie.rs`, `small.rs`, `bgp.rs` | commands and the fields of their verdicts |
//! | `forms.rs` | commands with arguments, which have the fields of others |
//! | `given.rs` | commands without a record: their whole verdicts |
//! | `verdict.rs` | asks a judge, compares |
//! | `coverage.rs`, `unjudged.rs` | what the judges know beside that, and why it is not judged |

mod bgp;
mod coverage;
mod forms;
mod genie;
mod given;
mod network;
mod ntc;
mod small;
mod unjudged;
mod verdict;

use std::collections::BTreeSet;

use netconfarena_cli_dialect::show::parse_command;
use serde_json::Value;

use network::Lab;
use verdict::{Case, Form, Given, Outputs, ask};

type Compare = fn(&Case, &Value, &[Value]) -> Vec<String>;

/// What a judge is asked about one network.
struct Suite {
    lab: fn() -> Lab,
    variable: &'static str,
    script: &'static str,
    cases: &'static [&'static [Case]],
    forms: &'static [Form],
    given: &'static [Given],
    compare: Compare,
}

const SUITES: [Suite; 4] = [
    Suite {
        lab: Lab::new,
        variable: "NTC_PYTHON",
        script: "judge_ntc.py",
        cases: &[ntc::CASES, small::NTC],
        forms: forms::NTC,
        given: given::NTC,
        compare: verdict::compare_records,
    },
    Suite {
        lab: Lab::new,
        variable: "GENIE_PYTHON",
        script: "judge_genie.py",
        cases: &[genie::CASES, small::GENIE],
        forms: forms::GENIE,
        given: given::GENIE,
        compare: verdict::compare_tree,
    },
    Suite {
        lab: || Lab::with(&bgp::LINES),
        variable: "NTC_PYTHON",
        script: "judge_ntc.py",
        cases: &[bgp::NTC],
        forms: forms::BGP_NTC,
        given: &[],
        compare: verdict::compare_records,
    },
    Suite {
        lab: || Lab::with(&bgp::LINES),
        variable: "GENIE_PYTHON",
        script: "judge_genie.py",
        cases: &[bgp::GENIE],
        forms: forms::BGP_GENIE,
        given: given::BGP_GENIE,
        compare: verdict::compare_tree,
    },
];

/// How the answer to one question is compared.
#[derive(Clone, Copy)]
enum Question {
    Case(&'static Case),
    Given(&'static Given),
}

impl Suite {
    fn all_cases(&self) -> impl Iterator<Item = &'static Case> {
        self.cases.iter().copied().flatten()
    }

    /// The commands for one router.
    fn questions(&self, router: usize) -> Vec<(&'static str, Question)> {
        let cases = self.all_cases().map(|case| (case.command, Question::Case(case)));
        let forms = self.forms.iter().map(|form| {
            let case = self.all_cases().find(|case| case.command == form.like);
            let case = case.unwrap_or_else(|| panic!("{}: no case of `{}`", form.command, form.like));
            (form.command, Question::Case(case))
        });
        let given = self.given.iter().filter(|given| given.router == router);
        cases.chain(forms).chain(given.map(|given| (given.command, Question::Given(given)))).collect()
    }

    /// The commands as the judge knows them.
    fn patterns(&self) -> BTreeSet<&'static str> {
        let cases = self.all_cases().map(|case| case.command);
        let forms = self.forms.iter().map(|form| form.pattern);
        cases.chain(forms).chain(self.given.iter().map(|given| given.pattern)).collect()
    }

    /// Lets the judge read what each router prints.
    fn judge(&self) {
        let mut lab = (self.lab)();
        let (mut asked, mut routers) = (Vec::new(), Vec::new());
        for router in 1..=lab.configured() {
            // A command about what a router does not have is refused there, and judged at another.
            let answered: Vec<(&str, Question, String)> = self
                .questions(router)
                .into_iter()
                .filter_map(|(command, question)| Some((command, question, lab.ask(router, command).ok()?)))
                .collect();
            let mut outputs: Outputs =
                answered.iter().map(|(command, _, text)| ((*command).to_owned(), text.clone())).collect();
            outputs.push(("show running-config".to_owned(), lab.show(router, "show running-config")));
            routers.push(outputs);
            asked.push(answered);
        }
        let Some(verdicts) = ask(self.variable, self.script, &routers) else {
            eprintln!("SKIPPED: {} is not set", self.variable);
            return;
        };
        let mut faults = Vec::new();
        let mut compared = BTreeSet::new();
        for (number, (answered, verdicts)) in asked.iter().zip(&verdicts).enumerate() {
            for ((command, question, text), verdict) in answered.iter().zip(verdicts) {
                let found = match question {
                    Question::Given(given) => Some(verdict::compare_whole(given, verdict)),
                    Question::Case(case) => self.against_rows(case, command, text, verdict),
                };
                if let Some(found) = found {
                    compared.insert(*command);
                    faults
                        .extend(found.into_iter().map(|fault| format!("R{} {command}: {fault}", number + 1)));
                }
            }
        }
        let all = (1..=lab.configured()).flat_map(|router| self.questions(router));
        let never: BTreeSet<&str> =
            all.map(|(command, _)| command).filter(|command| !compared.contains(command)).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(never.is_empty(), "no router has anything to say to {never:?}");
        println!("{}: {} commands judged", self.variable, compared.len());
    }

    /// `None` if the command has nothing to tell here, or the judge understands only one of several things that are told.
    fn against_rows(&self, case: &Case, command: &str, text: &str, verdict: &Value) -> Option<Vec<String>> {
        let rows = parse_command(command, text).unwrap_or_else(|error| panic!("{command}: {error}"));
        let rows = rows.as_array().expect("rows").as_slice();
        let is_understood = case.limits.iter().all(|limit| text.matches(limit).count() < 2);
        (!rows.is_empty() && is_understood).then(|| (self.compare)(case, verdict, rows))
    }
}

#[test]
fn ntc_templates_read_what_was_meant() {
    SUITES[0].judge();
}

#[test]
fn genie_reads_what_was_meant() {
    SUITES[1].judge();
}

#[test]
fn ntc_templates_read_what_was_meant_of_bgp() {
    SUITES[2].judge();
}

#[test]
fn genie_reads_what_was_meant_of_bgp() {
    SUITES[3].judge();
}

/// Prints which commands the judges know, which exist here and which were judged above. What exists here without a verdict has a reason.
#[test]
fn all_commands_that_judges_know_are_judged() {
    let labs = || [Lab::new(), Lab::with(&bgp::LINES)];
    for (variable, reasons) in [("NTC_PYTHON", unjudged::NTC), ("GENIE_PYTHON", unjudged::GENIE)] {
        let judged: BTreeSet<&str> =
            SUITES.iter().filter(|suite| suite.variable == variable).flat_map(Suite::patterns).collect();
        match coverage::print(&mut labs(), variable, &judged) {
            Some(left) => {
                let left: BTreeSet<&str> = left.iter().map(String::as_str).collect();
                let explained: BTreeSet<&str> = reasons.iter().map(|(command, _)| *command).collect();
                assert_eq!(left, explained, "{variable}: what exists here and is not judged has a reason");
            }
            None => eprintln!("SKIPPED: {variable} is not set"),
        }
    }
}
