//! Whether a template is sound: its reference solves it, doing nothing useful does not, and every line of the reference matters.
//!
//! | module | what it holds |
//! |---|---|
//! | [`lines`] | configurations with one line left out |

pub mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use self::lines::without_each_line;
use crate::agent::AgentFactory;
use crate::agent::builtin::{Actions, Reference, Useless};
use crate::backend::Backend;
use crate::episode::judge::judge;
use crate::episode::record::Episode;
use crate::episode::{EpisodeError, Settings, Stage};
use crate::grading::GroupOutcome;
use crate::instance::{Configs, Instance, WrongSolution};

/// What is wrong with an instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// It cannot be played.
    Broken(String),
    /// The reference, or the alternative of this name, does not pass all groups.
    SolutionFails {
        /// Which.
        name: String,
        /// Lines that routers rejected, and the tests that failed.
        why: Vec<String>,
    },
    /// Two episodes of the reference differ.
    NotRepeatable,
    /// An agent that does nothing useful passes.
    UselessAgentPasses(&'static str),
    /// A wrong solution is not noticed by the group that must, or routers reject lines of it.
    WrongSolutionPasses {
        /// What was done wrong.
        mistake: String,
        /// The group that must fail, or the lines that were rejected.
        why: String,
    },
    /// A group that is not marked as guard holds before anything is done.
    TrueAtStart(String),
    /// A guard does not hold before anything is done.
    GuardFalseAtStart(String),
    /// The reference passes without this line.
    LineWithoutEffect {
        /// The router.
        host: String,
        /// The line.
        line: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(reason) => write!(f, "cannot be played: {reason}"),
            Self::SolutionFails { name, why } => write!(f, "{name} fails:\n      {}", why.join("\n      ")),
            Self::NotRepeatable => f.write_str("two episodes of the reference have different hashes"),
            Self::UselessAgentPasses(agent) => write!(f, "`{agent}` passes without solving anything"),
            Self::WrongSolutionPasses { mistake, why } => write!(f, "wrong solution `{mistake}`: {why}"),
            Self::TrueAtStart(group) => {
                write!(f, "`{group}` holds at the start; mark it `guard = true` or test more")
            }
            Self::GuardFalseAtStart(group) => write!(f, "guard `{group}` does not hold at the start"),
            Self::LineWithoutEffect { host, line } => {
                write!(
                    f,
                    "{host}: all tests pass without `{line}`; test for it, or list it as optional with a reason"
                )
            }
        }
    }
}

/// Everything that is wrong with an instance.
#[must_use]
pub fn validate(instance: &Instance, backend: &dyn Backend) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(error) = collect(instance, backend, &mut findings) {
        findings.push(Finding::Broken(error.to_string()));
    }
    findings
}

/// The findings of each instance, in the order of the instances, found by so many threads; `done` is called after each.
#[must_use]
pub fn validate_all(
    instances: &[Instance],
    backend: &dyn Backend,
    workers: usize,
    done: &(dyn Fn() + Sync),
) -> Vec<Vec<Finding>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<BTreeMap<usize, Vec<Finding>>> = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, instances.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(instance) = instances.get(number) else { break };
                    let findings = validate(instance, backend);
                    found.lock().unwrap_or_else(PoisonError::into_inner).insert(number, findings);
                    done();
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

fn collect(
    instance: &Instance,
    backend: &dyn Backend,
    findings: &mut Vec<Finding>,
) -> Result<(), EpisodeError> {
    let stage = Stage::set(backend, instance)?;
    start(&stage, instance, findings)?;
    let play = |agent: &dyn AgentFactory| stage.play(0, agent, Settings::default());
    let solves = |name: &str, configs: &Configs| play(&Actions::entering(name, configs));
    let reference = play(&Reference)?;
    findings.extend(failure("the reference", &reference));
    if Stage::set(backend, instance)?.play(0, &Reference, Settings::default())?.hash != reference.hash {
        findings.push(Finding::NotRepeatable);
    }
    for (name, configs) in &instance.alternatives {
        findings.extend(failure(&format!("alternative `{name}`"), &solves(name, configs)?));
    }
    for wrong in &instance.wrong {
        findings.extend(unnoticed(wrong, &solves(&wrong.mistake, &wrong.configs)?));
    }
    for useless in Useless::ALL {
        if play(&useless)?.passed {
            findings.push(Finding::UselessAgentPasses(useless.word()));
        }
    }
    if reference.passed {
        for shortened in without_each_line(&instance.reference) {
            let optional =
                instance.optional.iter().any(|o| o.node == shortened.host && o.line == shortened.line);
            if !optional && solves("shortened", &shortened.configs)?.passed {
                findings.push(Finding::LineWithoutEffect { host: shortened.host, line: shortened.line });
            }
        }
    }
    Ok(())
}

/// What holds before anything is done, and should not; what does not hold, and should.
fn start(stage: &Stage<'_>, instance: &Instance, findings: &mut Vec<Finding>) -> Result<(), EpisodeError> {
    let grade = judge(stage.network()?.as_mut(), &instance.tests)?;
    let wrong = |group: &GroupOutcome| match (group.guard, group.passed) {
        (false, true) => Some(Finding::TrueAtStart(group.intent.clone())),
        (true, false) => Some(Finding::GuardFalseAtStart(group.intent.clone())),
        _ => None,
    };
    findings.extend(grade.groups.iter().filter_map(wrong));
    Ok(())
}

/// Why a wrong solution is not what it shall be: accepted by the routers, and noticed by its group.
fn unnoticed(wrong: &WrongSolution, episode: &Episode) -> Option<Finding> {
    let rejected: Vec<String> = rejections(episode).collect();
    let caught = episode.tests.iter().any(|test| test.intent == wrong.caught_by && !test.passed);
    let failed: BTreeSet<&str> =
        episode.tests.iter().filter(|t| !t.passed).map(|t| t.intent.as_str()).collect();
    let why = if !rejected.is_empty() {
        rejected.join("; ")
    } else if !episode.converged {
        "the network does not come to rest, so no test is judged".to_owned()
    } else if !caught {
        let failed = failed.into_iter().collect::<Vec<_>>().join("`, `");
        format!("`{}` holds all the same (failed are: `{failed}`)", wrong.caught_by)
    } else {
        return None;
    };
    Some(Finding::WrongSolutionPasses { mistake: wrong.mistake.clone(), why })
}

/// What routers rejected, a text for each step.
fn rejections(episode: &Episode) -> impl Iterator<Item = String> {
    episode.steps.iter().filter(|s| s.rejected).map(|s| {
        let texts = s.observation.as_object().into_iter().flatten().filter_map(|(_, text)| text.as_str());
        let marked: Vec<&str> = texts.flat_map(str::lines).filter(|line| line.starts_with('%')).collect();
        format!("rejected: {}", marked.join("; "))
    })
}

/// Why a solution is none.
fn failure(name: &str, episode: &Episode) -> Option<Finding> {
    let failed = episode.tests.iter().filter(|t| !t.passed).map(|test| {
        let cut = test.down.as_ref().map(|link| format!(" without {link}")).unwrap_or_default();
        format!(
            "{}: {}#{}{cut}: expected {}; {}",
            test.intent, test.device, test.command, test.expected, test.reason
        )
    });
    let unsettled = (!episode.converged).then(|| "the network did not come to rest".to_owned());
    let why: Vec<String> = rejections(episode).chain(failed).chain(unsettled).collect();
    (!why.is_empty()).then(|| Finding::SolutionFails { name: name.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::scripted::Scripted;
    use crate::instance::OptionalLine;
    use crate::instance::sample::two_routers;

    #[test]
    fn a_sound_instance_has_no_findings_but_its_line_without_effect() {
        let mut instance = two_routers();
        let found = validate(&instance, &Scripted);
        let wanted = Finding::LineWithoutEffect { host: "R1".to_owned(), line: "also".to_owned() };
        assert_eq!(found, [wanted]);
        let (node, line, reason) = ("R1".to_owned(), "also".to_owned(), "because".to_owned());
        instance.optional.push(OptionalLine { node, line, reason });
        assert_eq!(validate(&instance, &Scripted), []);
    }

    #[test]
    fn every_kind_of_mistake_is_found() {
        let mut solved = two_routers();
        solved.startup.insert("R1".to_owned(), "solved".to_owned());
        let found = validate(&solved, &Scripted);
        assert!(found.contains(&Finding::TrueAtStart("solve".to_owned())), "{found:?}");
        assert!(found.contains(&Finding::UselessAgentPasses("noop")), "{found:?}");

        let mut broken = two_routers();
        broken.startup.remove("R2");
        let found = validate(&broken, &Scripted);
        assert!(found.contains(&Finding::GuardFalseAtStart("keep".to_owned())), "{found:?}");

        let mut wrong = two_routers();
        wrong.reference.insert("R1".to_owned(), "bad line".to_owned());
        let found = validate(&wrong, &Scripted);
        assert!(matches!(&found[..], [Finding::SolutionFails { why, .. }] if why.len() == 2), "{found:?}");

        let mut other = two_routers();
        let alternative = Configs::from([("R1".to_owned(), "nothing".to_owned())]);
        other.alternatives.insert("second".to_owned(), alternative);
        let found = validate(&other, &Scripted);
        assert!(found.iter().any(|f| f.to_string().contains("alternative `second`")), "{found:?}");

        let mut missed = two_routers();
        let wrong = |caught_by: &str, lines: &str| WrongSolution {
            mistake: "forgot something".to_owned(),
            caught_by: caught_by.to_owned(),
            configs: Configs::from([("R1".to_owned(), lines.to_owned())]),
        };
        missed.wrong = vec![wrong("solve", "also"), wrong("solve", "solved"), wrong("solve", "bad line")];
        let found = validate(&missed, &Scripted);
        let wrong = found
            .iter()
            .filter(|f| matches!(f, Finding::WrongSolutionPasses { .. }))
            .map(ToString::to_string);
        let wrong = wrong.collect::<Vec<_>>();
        assert!(
            matches!(&wrong[..], [a, b] if a.contains("holds all the same") && b.contains("rejected")),
            "{wrong:?}"
        );

        let mut unreachable = two_routers();
        unreachable.nodes[1].name = "fails".to_owned();
        assert!(matches!(&validate(&unreachable, &Scripted)[..], [Finding::Broken(_)]));
    }
}
