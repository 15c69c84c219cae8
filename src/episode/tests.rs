//! Written trajectories on the scripted backend: `solved` on R1 passes, R2 has to keep its `hostname R2`.

use serde_json::json;

use super::*;
use crate::agent::builtin::{Random, Recital, Reference, Useless};
use crate::agent::protocol::message::ToolCall;
use crate::backend::scripted::Scripted;
use crate::grading::Test;
use crate::instance::sample::two_routers;

/// Says what is written, in a scaffold.
struct Written {
    scaffold: Scaffold,
    moves: Vec<Move>,
}

impl AgentFactory for Written {
    fn name(&self) -> String {
        "written".to_owned()
    }

    fn scaffold(&self) -> Scaffold {
        self.scaffold
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Recital::new(self.moves.clone())))
    }
}

fn play_with(factory: &dyn AgentFactory, settings: Settings) -> Episode {
    let instance = two_routers();
    let task = Task { instance: &instance, repeat: 0, limits: settings.limits };
    play(task, factory, &Scripted, settings).unwrap()
}

fn say(texts: &[&str]) -> Episode {
    let moves = texts.iter().map(|t| Move::Reply((*t).to_owned().into())).collect();
    play_with(&Written { scaffold: Scaffold::React, moves }, Settings::default())
}

#[test]
fn the_reference_passes_and_agents_that_do_nothing_useful_fail() {
    let episode = play_with(&Reference, Settings::default());
    assert!(episode.passed && episode.score == 1.0 && episode.metrics.cfg.f1 == 1.0);
    assert_eq!((episode.completion, episode.turns), (Completion::CorrSub, 2));
    for useless in Useless::ALL {
        let episode = play_with(&useless, Settings::default());
        assert!(!episode.passed, "{useless:?}");
        let ending = match useless {
            Useless::Noop => Completion::Limit,
            Useless::Hasty | Useless::Onlooker => Completion::EarlySub,
            Useless::Eraser | Useless::Spammer => Completion::ErrSub,
        };
        assert_eq!(episode.completion, ending, "{useless:?}");
    }
}

#[test]
fn a_written_trajectory_gives_the_metrics_computed_by_hand() {
    let apply = r#"Action: apply_config {"R1": "bad\nsolved"}"#;
    let look = r#"Action: execute_validation {"R1": "show lines"}"#;
    let episode = say(&[
        "Thought: what is there?\nAction: get_running_config []",
        apply,
        apply,
        "oops",
        look,
        look,
        "Action: submit",
    ]);
    assert!(episode.passed);
    assert_eq!((episode.completion, episode.turns), (Completion::CorrSub, 7));
    let conduct =
        Conduct { turns: 7, null_turns: 1, judged_actions: 4, rejected_actions: 2, repeated_turns: 2 };
    assert_eq!(episode.metrics.conduct, conduct);
    // One change, which the reference makes too; the reference makes one more.
    let cfg = episode.metrics.cfg;
    assert_eq!((cfg.precision, cfg.recall), (1.0, 0.5));
    assert_eq!(episode.steps[0].thought.as_deref(), Some("what is there?"));
    assert_eq!(episode.steps[5].virtual_seconds, 30.0);
    assert_eq!(episode.messages.len(), 2 + 2 * 7);
    assert!(episode.messages[9].content.contains("no `Action:` line"));
}

#[test]
fn the_turn_limit_ends_an_episode_which_can_pass_all_the_same() {
    let mut texts = vec![r#"Action: apply_config {"R1": "solved"}"#];
    texts.extend(["Action: wait 1"; 30]);
    let episode = say(&texts);
    assert_eq!((episode.turns, episode.completion, episode.passed), (20, Completion::Limit, true));
    assert_eq!(episode.virtual_seconds, 20.0 * 5.0 + 19.0);
}

#[test]
fn an_agent_that_gives_up_ends_the_episode_without_submission() {
    let episode = say(&[r#"Action: apply_config {"R1": "x"}"#]);
    assert_eq!((episode.turns, episode.completion), (1, Completion::Limit));
    assert_eq!(episode.gave_up.as_deref(), Some("nothing left to say"));
}

#[test]
fn a_guard_that_breaks_costs_its_group() {
    let mut instance = two_routers();
    instance.startup.insert("R2".to_owned(), "other".to_owned());
    let task = Task { instance: &instance, repeat: 0, limits: Limits::default() };
    let episode = play(task, &Reference, &Scripted, Settings::default()).unwrap();
    assert_eq!((episode.score, episode.completion), (0.5, Completion::ErrSub));
    assert!(episode.groups[0].passed && !episode.groups[1].passed && episode.groups[1].guard);
}

#[test]
fn a_test_with_a_cut_link_runs_on_a_copy() {
    let mut instance = two_routers();
    let mut cut = instance.tests[0].clone();
    cut.expect = serde_json::from_value(json!({"contains": {"text": "spare is cut"}})).unwrap();
    instance.tests.push(Test { intent: "uncut".to_owned(), ..cut.clone() });
    instance.tests.push(Test { intent: "cut".to_owned(), down: Some("spare".to_owned()), ..cut });
    let task = Task { instance: &instance, repeat: 0, limits: Limits::default() };
    let episode = play(task, &Reference, &Scripted, Settings::default()).unwrap();
    let groups: Vec<(&str, bool)> = episode.groups.iter().map(|g| (g.intent.as_str(), g.passed)).collect();
    assert_eq!(groups, [("solve", true), ("keep", true), ("uncut", false), ("cut", true)]);
}

#[test]
fn equal_trajectories_have_equal_hashes_and_others_differ() {
    let hash = |texts: &[&str]| say(texts).hash;
    let once = hash(&["Action: wait 1", "Action: submit"]);
    assert_eq!(once, hash(&["Action: wait 1", "Action: submit"]));
    assert_ne!(once, hash(&["Action: wait 2", "Action: submit"]));
    assert_ne!(once, hash(&["Thought: hm\nAction: wait 1", "Action: submit"]));
    assert_eq!(once.len(), 64);
    let random = || play_with(&Random, Settings::default()).hash;
    assert_eq!(random(), random());
}

#[test]
fn a_record_survives_its_line() {
    let episode = play_with(&Random, Settings { dense: true, ..Settings::default() });
    let line = serde_json::to_string(&episode).unwrap();
    assert!(!line.contains('\n'));
    let read: Episode = serde_json::from_str(&line).unwrap();
    assert_eq!(read, episode);
    assert_eq!(read.trajectory_hash(), episode.hash);
}

#[test]
fn dense_signals_show_when_a_group_became_true_and_that_it_regressed() {
    let written = |text: &str| Move::Reply(text.to_owned().into());
    let moves = vec![
        written("Action: wait 1"),
        written(r#"Action: apply_config {"R1": "solved"}"#),
        written(r#"Action: apply_config {"R1": "no solved", "R2": "no hostname R2"}"#),
        written("Action: submit"),
    ];
    let factory = Written { scaffold: Scaffold::React, moves };
    let episode = play_with(&factory, Settings { dense: true, ..Settings::default() });
    let groups: Vec<Vec<bool>> = episode.steps.iter().map(|s| s.groups.clone().unwrap()).collect();
    assert_eq!(groups, [[false, true], [true, true], [false, false], [false, false]]);
    let history = |first_held, lost: &[usize]| GroupHistory { first_held, lost: lost.to_vec() };
    assert_eq!(episode.history, [history(Some(2), &[3]), history(Some(0), &[3])]);
    let never = GroupHistory::of(&[false], &[&[false], &[false]]);
    assert_eq!(never, [GroupHistory::default()]);
}

#[test]
fn tool_calls_are_answered_call_by_call() {
    let call = |id: &str, name: &str, arguments: &str| ToolCall::new(id, name, arguments);
    let speak = |content: &str, tool_calls: Vec<ToolCall>| {
        let message = Message { tool_calls, ..Message::new(Role::Assistant, content) };
        Move::Reply(Reply { tokens: Some(Tokens { input: 10, output: 3 }), ..message.into() })
    };
    let apply = json!({"commands": {"R1": "solved"}}).to_string();
    let moves = vec![
        speak("", vec![call("a", "wait", "{\"seconds\": 1}"), call("b", "submit", "{}")]),
        speak("I would say.", vec![]),
        speak("Now.", vec![call("c", "apply_config", &apply)]),
        speak("", vec![call("d", "submit", "")]),
    ];
    let episode = play_with(&Written { scaffold: Scaffold::Tools, moves }, Settings::default());
    assert_eq!(
        (episode.completion, episode.turns, episode.metrics.conduct.null_turns),
        (Completion::CorrSub, 4, 2)
    );
    assert_eq!(episode.tokens, Some(Tokens { input: 40, output: 12 }));
    let answers: Vec<&str> = episode.messages.iter().filter_map(|m| m.tool_call_id.as_deref()).collect();
    assert_eq!(answers, ["a", "b", "c", "d"]);
    assert_eq!(episode.steps[2].thought.as_deref(), Some("Now."));
}

#[test]
fn what_an_agent_thought_beside_its_message_is_kept_and_not_said_again() {
    let think = |text: &str, reasoning: &str| {
        Move::Reply(Reply { reasoning: Some(reasoning.to_owned()), ..text.to_owned().into() })
    };
    let moves = vec![think("Action: wait 1", "let me see"), think("Action: submit", &"x".repeat(1 << 20))];
    let episode = play_with(&Written { scaffold: Scaffold::React, moves }, Settings::default());
    assert_eq!(episode.steps[0].reasoning.as_deref(), Some("let me see"));
    assert!(!serde_json::to_string(&episode.messages).unwrap().contains("let me see"));
    assert_eq!(episode.steps[1].reasoning.as_ref().unwrap().len(), KEPT_OF_LONG_REPLY);
    let again = Written { scaffold: Scaffold::React, moves: Vec::new() };
    let said = crate::agent::replay::again(&episode);
    assert_eq!(play_with(&Said(again, said), Settings::default()).hash, episode.hash, "a replay has it too");
}

/// Plays what another agent says.
struct Said(Written, Recital);

impl AgentFactory for Said {
    fn name(&self) -> String {
        self.0.name()
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(self.1.clone()))
    }
}

#[test]
fn one_shot_sees_the_configurations_and_is_submitted() {
    let moves = vec![Move::Reply(r#"Here: {"R1": "solved"}"#.to_owned().into())];
    let episode = play_with(&Written { scaffold: Scaffold::Oneshot, moves }, Settings::default());
    assert_eq!((episode.completion, episode.turns), (Completion::CorrSub, 2));
    assert!(episode.messages[1].content.contains("hostname R2"));
    let prose = vec![Move::Reply("I cannot.".to_owned().into())];
    let episode = play_with(&Written { scaffold: Scaffold::Oneshot, moves: prose }, Settings::default());
    assert_eq!((episode.completion, episode.turns), (Completion::EarlySub, 2));
}

#[test]
fn a_reply_of_ten_megabytes_is_a_null_turn_of_which_little_is_kept() {
    let long = format!("Thought: {}\nAction: submit", "\0\u{1b}[2J<script>".repeat(1 << 20));
    let episode = say(&[&long]);
    assert_eq!((episode.turns, episode.metrics.conduct.null_turns), (1, 1));
    assert!(serde_json::to_string(&episode).unwrap().len() < 100_000);
}

#[test]
fn neither_tests_nor_reference_reach_the_agent() {
    let mut instance = two_routers();
    instance.tests[0].intent = "canary".to_owned();
    instance.reference.insert("R2".to_owned(), "canary".to_owned());
    let task = Task { instance: &instance, repeat: 0, limits: Limits::default() };
    for useless in Useless::ALL {
        let episode =
            play(task, &useless, &Scripted, Settings { dense: true, ..Settings::default() }).unwrap();
        assert!(!serde_json::to_string(&episode.messages).unwrap().contains("canary"), "{useless:?}");
    }
}

#[test]
fn blame_tells_which_action_made_and_which_broke_a_group() {
    let episode = say(&[
        r#"Action: apply_config {"R1": "solved"}"#,
        r#"Action: apply_config {"R1": "other"}"#,
        r#"Action: apply_config {"R2": "no hostname R2"}"#,
        "oops",
        "Action: submit",
    ]);
    let instance = two_routers();
    let stage = Stage::set(&Scripted, &instance).unwrap();
    let found = blame::blame(&episode, &stage, Settings { dense: true, ..Settings::default() }).unwrap();
    assert!(found.faithful);
    let effects: Vec<_> =
        found.effects.iter().map(|e| (e.turn, e.made.join(","), e.broke.join(","))).collect();
    let text = |made: &str, broke: &str| (made.to_owned(), broke.to_owned());
    let wanted = [text("solve", ""), text("", ""), text("", "keep")];
    assert_eq!(effects, [1, 2, 3].into_iter().zip(wanted).map(|(n, (a, b))| (n, a, b)).collect::<Vec<_>>());
    let mut other = episode;
    other.groups[0].passed = false;
    assert!(!blame::blame(&other, &stage, Settings::default()).unwrap().faithful);
}
