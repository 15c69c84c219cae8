//! Hidden tests: expectations over the records of show commands, and scoring groups.

mod matcher;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use matcher::{Expectation, Verdict};

/// A rendered hidden test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Tests with the same intent form one scoring group.
    pub intent: String,
    /// Name of the router on which the command runs.
    pub device: String,
    /// A show, ping or traceroute command.
    pub command: String,
    /// Name of the link that is cut first, on a copy of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down: Option<String>,
    /// What the records must say.
    pub expect: Expectation,
    /// True from the start, and must stay so.
    pub guard: bool,
}

/// What came of one test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutcome {
    /// Its scoring group.
    pub intent: String,
    /// Router.
    pub device: String,
    /// Command.
    pub command: String,
    /// Link that was cut before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down: Option<String>,
    /// What was expected, in words.
    pub expected: String,
    /// Whether it passed.
    pub passed: bool,
    /// Why not; empty if it passed.
    pub reason: String,
}

/// One scoring group: passed if all its tests passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupOutcome {
    /// The intent its tests share.
    pub intent: String,
    /// Whether it is a guard: true from the start, and must stay so.
    pub guard: bool,
    /// Whether all tests passed.
    pub passed: bool,
}

/// All tests of an instance, judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// Every test, in the template's order.
    pub tests: Vec<TestOutcome>,
    /// Every group, in the order in which the tests name them.
    pub groups: Vec<GroupOutcome>,
}

impl Grade {
    /// The share of scoring groups that passed (the paper's score); 0 without groups.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a template has a handful of groups")]
    pub fn score(&self) -> f64 {
        if self.groups.is_empty() {
            return 0.0;
        }
        self.groups.iter().filter(|g| g.passed).count() as f64 / self.groups.len() as f64
    }

    /// Whether every group passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        !self.groups.is_empty() && self.groups.iter().all(|g| g.passed)
    }
}

/// Runs every test: `run` executes a test's command on its router, in the situation that it asks for, and gives the record that
/// the text parses to. Tests that ask the same share the answer.
pub fn grade(tests: &[Test], mut run: impl FnMut(&Test) -> Result<Value, String>) -> Grade {
    let mut known: BTreeMap<(Option<&str>, &str, &str), Result<Value, String>> = BTreeMap::new();
    let mut grade = Grade::default();
    for test in tests {
        let key = (test.down.as_deref(), test.device.as_str(), test.command.as_str());
        let record = known.entry(key).or_insert_with(|| run(test));
        let verdict = match record {
            Ok(record) => test.expect.judge(record),
            Err(reason) => Verdict { passed: false, reason: reason.clone() },
        };
        match grade.groups.iter_mut().find(|g| g.intent == test.intent) {
            Some(group) => {
                group.passed &= verdict.passed;
                group.guard &= test.guard;
            }
            None => grade.groups.push(GroupOutcome {
                intent: test.intent.clone(),
                guard: test.guard,
                passed: verdict.passed,
            }),
        }
        grade.tests.push(TestOutcome {
            intent: test.intent.clone(),
            device: test.device.clone(),
            command: test.command.clone(),
            down: test.down.clone(),
            expected: test.expect.to_string(),
            passed: verdict.passed,
            reason: verdict.reason,
        });
    }
    grade
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn test(intent: &str, device: &str, expect: Value) -> Test {
        Test {
            intent: intent.to_owned(),
            device: device.to_owned(),
            command: "show".to_owned(),
            down: None,
            expect: serde_json::from_value(expect).unwrap(),
            guard: false,
        }
    }

    #[test]
    fn a_group_passes_only_if_all_its_tests_pass() {
        let tests = [
            test("a", "R1", json!({"contains": {"x": 1}})),
            test("a", "R2", json!({"contains": {"x": 1}})),
            test("b", "R1", json!({"absent": {"x": 2}})),
        ];
        let grade = grade(&tests, |test| Ok(json!([{"x": if test.device == "R1" { 1 } else { 7 }}])));
        assert_eq!(grade.groups.iter().map(|g| g.passed).collect::<Vec<_>>(), [false, true]);
        assert!((grade.score() - 0.5).abs() < 1e-12);
        assert!(!grade.passed());
    }

    #[test]
    fn a_command_that_fails_fails_its_tests_even_negative_ones() {
        let grade = grade(&[test("a", "R1", json!({"absent": {"x": 2}}))], |_| Err("refused".to_owned()));
        assert!(!grade.passed());
    }
}
