//! How runs go on turn by turn.

use serde::Serialize;

use crate::agent::action::Action;
use crate::episode::record::Episode;

/// Sums over the episodes of a run, each as the change from the turn before.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    episodes: usize,
    judged: usize,
    submitted: Vec<f64>,
    held: Vec<f64>,
}

/// The points of a run's curves, by turn from 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Points {
    /// Share of the episodes that have been submitted.
    pub submitted: Vec<f64>,
    /// Mean share of the scoring groups that hold; nothing if no episode was judged after every turn.
    pub held: Vec<f64>,
}

#[expect(clippy::cast_precision_loss, reason = "numbers of groups")]
fn share(held: &[bool]) -> f64 {
    held.iter().filter(|held| **held).count() as f64 / held.len().max(1) as f64
}

fn add(sums: &mut Vec<f64>, turn: usize, change: f64) {
    if sums.len() <= turn {
        sums.resize(turn + 1, 0.0);
    }
    if let Some(sum) = sums.get_mut(turn) {
        *sum += change;
    }
}

impl Curves {
    /// Adds an episode. What held at its end stays for the turns that it did not take.
    pub fn add(&mut self, episode: &Episode) {
        self.episodes += 1;
        let turns = episode.steps.len();
        add(&mut self.submitted, turns, 0.0);
        if episode.steps.last().is_some_and(|step| step.action == Some(Action::Submit)) {
            add(&mut self.submitted, turns, 1.0);
        }
        let Some(start) = &episode.groups_at_start else { return };
        self.judged += 1;
        let mut last = share(start);
        add(&mut self.held, 0, last);
        for (turn, step) in episode.steps.iter().enumerate() {
            let now = step.groups.as_deref().map_or(last, share);
            add(&mut self.held, turn + 1, now - last);
            last = now;
        }
    }

    /// The points.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of episodes")]
    pub fn points(&self) -> Points {
        let over = |changes: &[f64], count: usize| {
            let mut sum = 0.0;
            let sums = changes.iter().map(|change| {
                sum += change;
                sum / count.max(1) as f64
            });
            sums.collect()
        };
        Points { submitted: over(&self.submitted, self.episodes), held: over(&self.held, self.judged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Task;
    use crate::agent::action::ByHost;
    use crate::agent::builtin::Actions;
    use crate::backend::scripted::Scripted;
    use crate::episode::{Settings, play};
    use crate::instance::sample::two_routers;

    fn episode(actions: Vec<Action>, dense: bool) -> Episode {
        let instance = two_routers();
        let settings = Settings { dense, ..Settings::default() };
        let task = Task { instance: &instance, repeat: 0, limits: settings.limits };
        play(task, &Actions { name: "written".to_owned(), actions }, &Scripted, settings).unwrap()
    }

    #[test]
    fn curves_by_hand() {
        let solve = Action::ApplyConfig(ByHost::from([("R1".to_owned(), "solved".to_owned())]));
        let mut curves = Curves::default();
        // One of two goals holds from the start. The first agent meets the other in its second turn and submits in its third; the
        // second agent submits in its first; the third is not judged after every turn, and never submits.
        curves.add(&episode(vec![Action::Wait(1), solve.clone(), Action::Submit], true));
        curves.add(&episode(vec![Action::Submit], true));
        curves.add(&episode(vec![solve, Action::Wait(1)], false));
        let points = curves.points();
        assert_eq!(points.held, [0.5, 0.5, 0.75, 0.75]);
        let thirds: Vec<f64> = points.submitted.iter().map(|share| (share * 3.0).round()).collect();
        assert_eq!(thirds, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(Curves::default().points(), Points::default());
    }
}
