//! Why episodes fail, as far as their trace tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::action::Action;
use crate::episode::record::Step;
use crate::grading::GroupOutcome;

/// A way to fail. An episode may fail in several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Nothing was ever entered.
    NeverApplied,
    /// The last configuration that was entered on some router was rejected in part.
    UnrecoveredError,
    /// Every group held after some turn, and not at the end. Known only if the network was judged after every turn.
    Drift,
    /// The agent checked after its last change, and submitted all the same.
    FalseBelief,
    /// A router that the reference changes was never configured.
    UntouchedDevice,
    /// Something broke that held from the start.
    CollateralDamage,
}

impl FailureClass {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::NeverApplied,
        Self::UnrecoveredError,
        Self::Drift,
        Self::FalseBelief,
        Self::UntouchedDevice,
        Self::CollateralDamage,
    ];
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NeverApplied => "never applied anything",
            Self::UnrecoveredError => "rejected lines never corrected",
            Self::Drift => "right state lost again",
            Self::FalseBelief => "checked, and submitted all the same",
            Self::UntouchedDevice => "a device never touched",
            Self::CollateralDamage => "collateral damage",
        })
    }
}

/// The classes of an episode that ended with these groups; none if all passed. `changed` are the routers that the reference
/// changes.
#[must_use]
pub fn classify<'a>(
    steps: &[Step],
    groups: &[GroupOutcome],
    changed: impl IntoIterator<Item = &'a String>,
) -> BTreeSet<FailureClass> {
    let mut classes = BTreeSet::new();
    if groups.iter().all(|group| group.passed) {
        return classes;
    }
    let applied = |step: &Step| matches!(step.action, Some(Action::ApplyConfig(_)));
    let last_apply = steps.iter().rposition(applied);
    // Of each router, whether the action that configured it last was rejected in part.
    let mut last_rejected: BTreeMap<&str, bool> = BTreeMap::new();
    for step in steps {
        if let Some(Action::ApplyConfig(texts)) = &step.action {
            for host in texts.keys() {
                last_rejected.insert(host, step.rejected && complains(&step.observation, host));
            }
        }
    }
    let mut add = |class, holds: bool| holds.then(|| classes.insert(class));
    add(FailureClass::NeverApplied, last_apply.is_none());
    add(FailureClass::UnrecoveredError, last_rejected.values().any(|rejected| *rejected));
    let all_held = |step: &Step| step.groups.as_ref().is_some_and(|groups| groups.iter().all(|held| *held));
    add(FailureClass::Drift, steps.iter().any(all_held));
    let submitted = steps.last().is_some_and(|step| step.action == Some(Action::Submit));
    let checked = last_apply.is_some_and(|at| {
        steps.iter().skip(at).any(|step| matches!(step.action, Some(Action::ExecuteValidation(_))))
    });
    add(FailureClass::FalseBelief, submitted && checked);
    let untouched = changed.into_iter().any(|host| !last_rejected.contains_key(host.as_str()));
    add(FailureClass::UntouchedDevice, untouched && last_apply.is_some());
    add(FailureClass::CollateralDamage, groups.iter().any(|group| group.guard && !group.passed));
    classes
}

/// Whether what an agent saw of this router has an error of the router or of the environment in it.
fn complains(observation: &Value, host: &str) -> bool {
    let said = observation.get(host).and_then(Value::as_str);
    // An action that was refused as a whole says nothing of single routers.
    said.is_none_or(|text| text.lines().any(|line| line.starts_with('%') || line.starts_with("error:")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agent::action::ByHost;

    fn step(action: Action, rejected: bool) -> Step {
        Step {
            reasoning: None,
            thought: None,
            action: Some(action),
            rejected,
            observation: Value::Null,
            diff: ByHost::new(),
            virtual_seconds: 0.0,
            groups: None,
            lost: None,
        }
    }

    fn on(host: &str) -> ByHost {
        ByHost::from([(host.to_owned(), "x".to_owned())])
    }

    fn group(guard: bool, passed: bool) -> GroupOutcome {
        GroupOutcome { intent: "x".to_owned(), guard, passed }
    }

    fn classes(steps: &[Step], groups: &[GroupOutcome]) -> Vec<FailureClass> {
        classify(steps, groups, &["R1".to_owned()]).into_iter().collect()
    }

    #[test]
    fn each_class_by_a_written_trace() {
        let failed = [group(false, false)];
        let apply = |host: &str, rejected| step(Action::ApplyConfig(on(host)), rejected);
        let check = || step(Action::ExecuteValidation(on("R1")), false);
        let submit = || step(Action::Submit, false);
        assert_eq!(classes(&[check(), submit()], &failed), [FailureClass::NeverApplied]);
        let unrecovered = [apply("R1", true), apply("R2", false), submit()];
        assert_eq!(classes(&unrecovered, &failed), [FailureClass::UnrecoveredError]);
        assert_eq!(classes(&[apply("R1", true), apply("R1", false), submit()], &failed), []);
        // Of an action on two routers, one was refused, and then corrected.
        let two = ByHost::from(["R1", "R2"].map(|host| (host.to_owned(), "x".to_owned())));
        let mut both = step(Action::ApplyConfig(two), true);
        both.observation = json!({"R1": "R1(config)#x\n   ^\n% Invalid input", "R2": "R2(config)#x"});
        assert_eq!(classes(&[both.clone(), submit()], &failed), [FailureClass::UnrecoveredError]);
        assert_eq!(classes(&[both, apply("R1", false), submit()], &failed), []);
        assert_eq!(classes(&[apply("R1", false), check(), submit()], &failed), [FailureClass::FalseBelief]);
        assert_eq!(classes(&[check(), apply("R1", false), submit()], &failed), []);
        assert_eq!(classes(&[apply("R2", false), submit()], &failed), [FailureClass::UntouchedDevice]);
        let broken = [group(false, true), group(true, false)];
        assert_eq!(classes(&[apply("R1", false), submit()], &broken), [FailureClass::CollateralDamage]);
        let mut held = apply("R1", false);
        held.groups = Some(vec![true, true]);
        assert_eq!(classes(&[held, apply("R1", false), submit()], &failed), [FailureClass::Drift]);
        assert_eq!(classes(&[check(), submit()], &[group(false, true)]), [], "a pass is no failure");
    }
}
