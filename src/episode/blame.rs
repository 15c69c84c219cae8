//! Which actions each scoring group depends on: an episode is played again without one action at a time.

use serde::{Deserialize, Serialize};

use super::record::Episode;
use super::{EpisodeError, Settings, Stage};
use crate::agent::action::Action;
use crate::agent::builtin::Actions;

/// What leaving out one action changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// Turn of the action, from 1.
    pub turn: usize,
    /// Name of the action.
    pub action: String,
    /// Groups that pass with it and fail without it.
    pub made: Vec<String>,
    /// Groups that fail with it and pass without it.
    pub broke: Vec<String>,
}

/// What an episode owes to each of its configuration actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blame {
    /// Whether the whole episode, played again, ends as it did. If not, the templates or this program have changed since.
    pub faithful: bool,
    /// The effect of every configuration action.
    pub effects: Vec<Effect>,
}

/// The effect of every configuration action of an episode, on the network it was played on.
///
/// # Errors
/// The network cannot be reached.
pub fn blame(episode: &Episode, stage: &Stage<'_>, settings: Settings) -> Result<Blame, EpisodeError> {
    // What held in between does not matter here.
    let settings = Settings { dense: false, ..settings };
    let actions: Vec<Option<&Action>> = episode.steps.iter().map(|step| step.action.as_ref()).collect();
    let play = |left_out: Option<usize>| {
        let kept = actions.iter().enumerate().map(|(at, action)| match action {
            // A turn without an action takes as long as the action did, but for what it waits.
            Some(action) if Some(at) != left_out => (*action).clone(),
            _ => Action::Wait(0),
        });
        let agent = Actions { name: "blame".to_owned(), actions: kept.collect() };
        stage.play(episode.repeat, &agent, settings)
    };
    let whole = play(None)?;
    let mut effects = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let Some(action @ Action::ApplyConfig(_)) = action else { continue };
        let without = play(Some(at))?;
        effects.push(Effect {
            turn: at + 1,
            action: action.name().to_owned(),
            made: lost(&whole, &without),
            broke: lost(&without, &whole),
        });
    }
    Ok(Blame { faithful: whole.groups == episode.groups, effects })
}

/// Groups that pass in one episode and not in the other.
fn lost(from: &Episode, to: &Episode) -> Vec<String> {
    let pairs = from.groups.iter().zip(&to.groups);
    pairs.filter(|(a, b)| a.passed && !b.passed).map(|(a, _)| a.intent.clone()).collect()
}
