//! What a finding of the validation means to the author of the template, and what to do about it.

use crate::validation::Finding;

/// An explanation of a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What it means.
    pub meaning: &'static str,
    /// What to change.
    pub remedy: &'static str,
}

const fn explanation(meaning: &'static str, remedy: &'static str) -> Explanation {
    Explanation { meaning, remedy }
}

const BROKEN: Explanation = explanation(
    "The network could not be built, or an agent could not be played on it.",
    "Correct the line of startup/ROLE.cfg or the link that is named. A command that IOS has and the emulator lacks is refused by \
     name: do without it.",
);
const REJECTED: Explanation = explanation(
    "A router rejects lines of this solution, so agents who enter the same would see the same error.",
    "Correct the lines in the folder of that solution. `netconfarena lab --instance NAME@SEED` opens the routers to try them.",
);
const UNSETTLED: Explanation = explanation(
    "With this solution the network does not come to rest within 1200 seconds, so what tests see depends on the moment.",
    "Look for routes that come and go: redistribution in both directions, a next hop that is reached through its own route.",
);
const UNSOLVED: Explanation = explanation(
    "The solution is entered without an error, and the named tests fail. Either it does not solve the task, or the tests ask for \
     something else.",
    "Compare what was expected with what was seen. If the test is right, correct the solution; if another correct solution can \
     fail it, loosen the test until it judges the behaviour that the goals name.",
);
const NOT_REPEATABLE: Explanation = explanation(
    "The same actions on the same seed led to another trajectory. A template cannot cause that; it is a fault of the emulator.",
    "Report it with the name of the instance.",
);
const USELESS: Explanation = explanation(
    "An agent that solves nothing (waits, submits at once, only reads, erases, or enters the same lines everywhere) passes all groups.",
    "Some group must ask for what only the goals bring about: test a route, a path or a neighbor that does not exist at the start.",
);
const WRONG_REJECTED: Explanation = explanation(
    "Routers reject lines of the wrong solution, so it proves nothing: a mistake has to be one that can be made.",
    "Correct the texts under `edit` or `instead`. An `edit` may leave a line without the section that it belongs to.",
);
const WRONG_UNSETTLED: Explanation = explanation(
    "With the wrong solution the network does not come to rest, so it does not show that a test notices the mistake.",
    "Choose a mistake with which the network settles.",
);
const WRONG_UNNOTICED: Explanation = explanation(
    "With the mistake made, the group named under `caught_by` passes all the same. Either it is no mistake on this seed, or the \
     tests miss it, and an agent that makes it gets the point.",
    "Add a test to the group that shows the harm: the other direction, the path after a link is `down`, what another router \
     hears. If sampled values hide the mistake on some seeds, narrow their ranges; if another group is right to fail, name that one.",
);
const TRUE_AT_START: Explanation = explanation(
    "The group passes before anything is done, so it gives points for nothing.",
    "If it is about something that must stay, set `guard = true` on its tests. If it is about a goal, test what is still missing. \
     If it is so on some seeds only, sampled values solve the task by chance: narrow them.",
);
const FALSE_AT_START: Explanation = explanation(
    "A guard says that something works from the start and must go on; this does not work at the start.",
    "Correct the startup configurations, or take `guard = true` from the tests if the task is to bring it about. All tests of one \
     intent are one group: do not mix both.",
);
const WITHOUT_EFFECT: Explanation = explanation(
    "The reference without this line passes all tests. Either nobody needs the line, or the tests do not notice that it is missing.",
    "If the goals ask for what it does, add a test that fails without it. If they do not, take it out of the reference. If it is \
     good practice that no test can show, add an [[optional]] entry with the reason.",
);

impl Finding {
    /// What it means, and what to do about it.
    #[must_use]
    pub fn explanation(&self) -> Explanation {
        let starts = |why: &[String], word: &str| why.iter().any(|text| text.starts_with(word));
        match self {
            Self::Broken(_) => BROKEN,
            Self::SolutionFails { why, .. } if starts(why, "rejected") => REJECTED,
            Self::SolutionFails { why, .. } if starts(why, "the network did not") => UNSETTLED,
            Self::SolutionFails { .. } => UNSOLVED,
            Self::NotRepeatable => NOT_REPEATABLE,
            Self::UselessAgentPasses(_) => USELESS,
            Self::WrongSolutionPasses { why, .. } if why.starts_with("rejected") => WRONG_REJECTED,
            Self::WrongSolutionPasses { why, .. } if why.starts_with("the network does not") => {
                WRONG_UNSETTLED
            }
            Self::WrongSolutionPasses { .. } => WRONG_UNNOTICED,
            Self::TrueAtStart(_) => TRUE_AT_START,
            Self::GuardFalseAtStart(_) => FALSE_AT_START,
            Self::LineWithoutEffect { .. } => WITHOUT_EFFECT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::scripted::Scripted;
    use crate::instance::sample::two_routers;
    use crate::instance::{Configs, WrongSolution};
    use crate::validation::validate;

    #[test]
    fn rejected_lines_are_told_from_goals_that_are_not_met() {
        let explained = |lines: &str| {
            let mut instance = two_routers();
            let configs = Configs::from([("R1".to_owned(), lines.to_owned())]);
            instance.reference = configs.clone();
            let (mistake, caught_by) = ("a".to_owned(), "keep".to_owned());
            instance.wrong = vec![WrongSolution { mistake, caught_by, configs }];
            validate(&instance, &Scripted).iter().map(Finding::explanation).collect::<Vec<_>>()
        };
        assert_eq!(explained("bad line"), [REJECTED, WRONG_REJECTED]);
        assert_eq!(explained("nothing"), [UNSOLVED, WRONG_UNNOTICED]);
    }
}
