//! What one trajectory says: turns, rejected and repeated actions, and how the episode ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::agent::action::Action;

/// One turn of a trajectory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// What the agent did; nothing in a null turn.
    pub action: Option<Action>,
    /// Whether a device or the environment rejected a part of it.
    pub rejected: bool,
}

/// How an episode ended. Exactly one applies, and the first in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    /// Submitted without one attempt to configure anything.
    EarlySub,
    /// Never submitted.
    Limit,
    /// Submitted, and every group passed.
    CorrSub,
    /// Submitted, and some group failed.
    ErrSub,
}

impl Completion {
    /// Judges a trajectory whose final network passed or not.
    #[must_use]
    pub fn of(turns: &[Turn], passed: bool) -> Self {
        let took = |wanted: fn(&Action) -> bool| turns.iter().filter_map(|t| t.action.as_ref()).any(wanted);
        let submitted = took(|a| matches!(a, Action::Submit));
        let attempted = took(|a| matches!(a, Action::ApplyConfig(_)));
        match (submitted, attempted, passed) {
            (true, false, _) => Self::EarlySub,
            (false, _, _) => Self::Limit,
            (true, true, true) => Self::CorrSub,
            (true, true, false) => Self::ErrSub,
        }
    }
}

impl fmt::Display for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EarlySub => "early submit",
            Self::Limit => "turn limit",
            Self::CorrSub => "correct submit",
            Self::ErrSub => "wrong submit",
        })
    }
}

/// How an agent conducted itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conduct {
    /// Turns, null turns included.
    pub turns: usize,
    /// Turns without a valid action.
    pub null_turns: usize,
    /// Configuration and validation actions.
    pub judged_actions: usize,
    /// Those in which a device or the environment rejected something.
    pub rejected_actions: usize,
    /// Turns whose configuration or validation action is that of the turn before.
    pub repeated_turns: usize,
}

impl Conduct {
    /// Counts over a trajectory.
    #[must_use]
    pub fn of(turns: &[Turn]) -> Self {
        let judged = |t: &&Turn| t.action.as_ref().is_some_and(Action::is_config_or_validation);
        let repeats = turns.iter().zip(turns.iter().skip(1));
        Self {
            turns: turns.len(),
            null_turns: turns.iter().filter(|t| t.action.is_none()).count(),
            judged_actions: turns.iter().filter(judged).count(),
            rejected_actions: turns.iter().filter(judged).filter(|t| t.rejected).count(),
            repeated_turns: repeats
                .filter(|(before, turn)| judged(turn) && before.action == turn.action)
                .count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::action::ByHost;

    fn lines(text: &str) -> ByHost {
        ByHost::from([("R1".to_owned(), text.to_owned())])
    }

    fn apply(text: &str) -> Turn {
        Turn { action: Some(Action::ApplyConfig(lines(text))), rejected: false }
    }

    fn validate(text: &str) -> Turn {
        Turn { action: Some(Action::ExecuteValidation(lines(text))), rejected: false }
    }

    fn plain(action: Option<Action>) -> Turn {
        Turn { action, rejected: false }
    }

    fn submit() -> Turn {
        plain(Some(Action::Submit))
    }

    #[test]
    fn completion_goes_by_precedence() {
        // Even a submit that happens to pass is early if nothing was applied.
        assert_eq!(Completion::of(&[validate("show clock"), submit()], true), Completion::EarlySub);
        assert_eq!(Completion::of(&[], false), Completion::Limit);
        // A run into the limit can pass all the same.
        assert_eq!(Completion::of(&[apply("a")], true), Completion::Limit);
        assert_eq!(Completion::of(&[apply("a"), submit()], true), Completion::CorrSub);
        assert_eq!(Completion::of(&[apply("a"), submit()], false), Completion::ErrSub);
    }

    #[test]
    fn an_attempt_that_is_refused_is_still_an_attempt() {
        let mut refused = apply("nonsense");
        refused.rejected = true;
        assert_eq!(Completion::of(&[refused, submit()], false), Completion::ErrSub);
    }

    #[test]
    fn conduct_by_hand() {
        let mut bad = validate("show nonsense");
        bad.rejected = true;
        let mut rejected_read = plain(Some(Action::GetRunningConfig(vec!["R9".to_owned()])));
        rejected_read.rejected = true;
        let turns = [
            rejected_read,
            apply("a"),
            apply("a"),
            apply("b"),
            apply("a"),
            plain(None),
            plain(None),
            bad.clone(),
            bad,
            plain(Some(Action::Wait(5))),
            plain(Some(Action::Wait(5))),
            submit(),
        ];
        let wanted =
            Conduct { turns: 12, null_turns: 2, judged_actions: 6, rejected_actions: 2, repeated_turns: 2 };
        assert_eq!(Conduct::of(&turns), wanted);
    }
}
