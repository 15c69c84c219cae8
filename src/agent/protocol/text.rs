//! The ReAct text protocol: one optional `Thought:` line and exactly one `Action:` line.
//!
//! ```text
//! Thought: R1 has no neighbour on Serial0/0.
//! Action: apply_config {"R1": "interface Serial0/0\nno shutdown"}
//! ```

use serde_json::{Deserializer, Value};

use super::argument::excerpt;
use crate::agent::action::Action;

/// Starts the line of an action.
const ACTION: &str = "Action:";
/// Starts the line of a thought.
const THOUGHT: &str = "Thought:";
/// Starts the message that tells the agent what it sees.
pub const OBSERVATION: &str = "Observation: ";
/// What reasoning models put around reasoning that is not part of the answer.
const REASONING: (&str, &str) = ("<think>", "</think>");

/// The action of a text.
///
/// The argument is one JSON value behind the action's name (or behind it in parentheses); it may go on over several lines,
/// and what follows it is left out of account.
///
/// # Errors
/// What the agent should write instead.
pub fn parse(text: &str) -> Result<Action, String> {
    let text = answer(text);
    let mut starts = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(rest) = line.trim_start().strip_prefix(ACTION) {
            starts.push(offset + line.len() - rest.len());
        }
        offset += line.len();
    }
    match starts.as_slice() {
        [] => Err("There was no `Action:` line. Write one, e.g. `Action: get_running_config []`.".to_owned()),
        [start] => call(text.get(*start..).unwrap_or_default()),
        many => Err(format!("There were {} `Action:` lines. Write exactly one a turn.", many.len())),
    }
}

/// What an agent thought before it acted, if it said so.
#[must_use]
pub fn thought(text: &str) -> Option<&str> {
    let text = answer(text);
    let before = match text.lines().find(|line| line.trim_start().starts_with(ACTION)) {
        Some(line) => text.split(line).next().unwrap_or_default(),
        None => text,
    };
    let thought = before.trim();
    let thought = thought.strip_prefix(THOUGHT).unwrap_or(thought).trim();
    (!thought.is_empty()).then_some(thought)
}

/// An action as an agent writes it: [`parse`] gives it back.
#[must_use]
pub fn render(action: &Action) -> String {
    match action.argument() {
        Value::Null => format!("{ACTION} {}", action.name()),
        argument => format!("{ACTION} {} {argument}", action.name()),
    }
}

/// The text without the reasoning before it.
fn answer(text: &str) -> &str {
    let (open, close) = REASONING;
    if !text.trim_start().starts_with(open) {
        return text;
    }
    text.split_once(close).map_or("", |(_, answer)| answer)
}

/// `name`, `name JSON`, `name(JSON)`, or `{"name": ..., "arguments": ...}`.
fn call(text: &str) -> Result<Action, String> {
    let text = text.trim_start();
    if text.starts_with('{') {
        return object(first_value(text)?);
    }
    let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    if name.is_empty() {
        let line = excerpt(text.lines().next().unwrap_or_default());
        return Err(format!("`Action: {line}` does not start with the name of an action."));
    }
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('(').unwrap_or(rest).trim_start();
    let has_argument = rest.starts_with(|c: char| matches!(c, '{' | '[' | '"' | '-') || c.is_ascii_digit());
    let argument = if has_argument && name != "submit" { first_value(rest)? } else { Value::Null };
    Action::from_parts(name, argument)
}

fn object(value: Value) -> Result<Action, String> {
    let Value::Object(mut map) = value else { return Err(unreadable("not an object")) };
    let name = match map.remove("name").or_else(|| map.remove("action")) {
        Some(Value::String(name)) => name,
        _ => return Err("The object behind `Action:` has no `name`.".to_owned()),
    };
    Action::from_parts(&name, map.remove("arguments").unwrap_or_default())
}

fn first_value(text: &str) -> Result<Value, String> {
    // A number does not end by itself, as in `wait(30)`.
    let text = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(end) if end > 0 => text.get(..end).unwrap_or(text),
        _ => text,
    };
    match Deserializer::from_str(text).into_iter::<Value>().next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(unreadable(&error.to_string())),
        None => Err(unreadable("it is empty")),
    }
}

fn unreadable(reason: &str) -> String {
    format!(
        "The argument is no valid JSON: {reason}. Quote texts with \" and write line breaks within them as \\n, e.g. \
         `Action: apply_config {{\"R1\": \"interface Loopback0\\nno shutdown\"}}`."
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::action::ByHost;

    fn apply(host: &str, text: &str) -> Action {
        Action::ApplyConfig(ByHost::from([(host.to_owned(), text.to_owned())]))
    }

    #[test]
    fn an_action_is_read_in_every_notation() {
        let wanted = apply("R1", "router ospf 1\nno shutdown");
        for text in [
            r#"Action: apply_config {"R1": "router ospf 1\nno shutdown"}"#,
            r#"Thought: it is down.
Action: apply_config {"R1": "router ospf 1\nno shutdown"}"#,
            r#"Action: apply_config({"R1": "router ospf 1\nno shutdown"})"#,
            "Some prose.\n  Action:\tapply_config\n{\n  \"R1\": [\"router ospf 1\", \"no shutdown\"]\n}\nObservation: ok",
            r#"Action: {"name": "apply_config", "arguments": {"R1": "router ospf 1\nno shutdown"}}"#,
            "<think>Action: submit\nAction: submit</think>\n```\nAction: apply_config {\"R1\": \"router ospf 1\\nno shutdown\"}\n```",
        ] {
            assert_eq!(parse(text), Ok(wanted.clone()), "{text}");
        }
        for text in ["Action: submit", "Action: submit()", "Action: submit {}", "Action: submit\nI am done."]
        {
            assert_eq!(parse(text), Ok(Action::Submit), "{text}");
        }
        for text in [
            "Action: wait 30",
            "Action: wait(30)",
            "Action: wait 30 seconds",
            "Action: wait {\"seconds\": 30}",
        ] {
            assert_eq!(parse(text), Ok(Action::Wait(30)), "{text}");
        }
        assert_eq!(parse("Action: get_running_config"), Ok(Action::GetRunningConfig(vec![])));
    }

    #[test]
    fn none_several_and_unknown_actions_are_null_turns_that_say_what_to_write() {
        for (text, said) in [
            ("", "no `Action:` line"),
            ("Thought: I should act.", "no `Action:` line"),
            ("<think>Action: submit", "no `Action:` line"),
            ("Action: submit\nAction: submit", "2 `Action:` lines"),
            ("Action: restart", "no action `restart`"),
            ("Action:", "does not start with the name"),
            ("Action: \u{1b}[2J", "does not start with the name"),
            ("Action: apply_config {\"R1\": \"a\nb\"}", "line breaks within them as \\n"),
            ("Action: apply_config {\"R1\": \"a\"", "no valid JSON"),
            ("Action: apply_config", "this was no object"),
            ("Action: {\"R1\": \"a\"}", "has no `name`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }

    #[test]
    fn thoughts_are_what_stands_before_the_action() {
        assert_eq!(thought("Thought: a b\nAction: submit"), Some("a b"));
        assert_eq!(thought("Well.\nThought: c\nAction: submit"), Some("Well.\nThought: c"));
        assert_eq!(thought("Action: submit"), None);
        assert_eq!(thought("<think>x</think>\nThought: d\nAction: submit"), Some("d"));
    }

    #[test]
    fn deep_and_long_texts_cost_little() {
        let deep = format!("Action: apply_config {}", "[".repeat(1 << 20));
        assert!(parse(&deep).unwrap_err().len() < 1000);
        let long = "Action: submit\n".repeat(1 << 16);
        assert!(parse(&long).unwrap_err().contains("65536"));
    }

    fn actions() -> impl Strategy<Value = Action> {
        let text = "[^ ][\\PC\n\t\"\\\\]{0,40}";
        let texts = prop::collection::btree_map("\\PC{1,8}", text, 1..4);
        prop_oneof![
            prop::collection::vec("\\PC{0,8}", 0..4).prop_map(Action::GetRunningConfig),
            texts.clone().prop_filter("texts", filled).prop_map(Action::ApplyConfig),
            texts.prop_filter("texts", filled).prop_map(Action::ExecuteValidation),
            any::<u64>().prop_map(Action::Wait),
            Just(Action::Submit),
        ]
    }

    fn filled(texts: &ByHost) -> bool {
        texts.values().all(|t| !t.trim().is_empty()) && !texts.contains_key("commands")
    }

    proptest! {
        #[test]
        fn what_is_rendered_is_read_back(action in actions()) {
            prop_assert_eq!(parse(&render(&action)), Ok(action));
        }

        #[test]
        fn no_text_panics(text in any::<String>(), tail in any::<String>()) {
            let _ = parse(&text);
            let _ = parse(&format!("Action: {text}"));
            let _ = parse(&format!("Thought: {text}\nAction: apply_config {tail}"));
            let _ = thought(&text);
        }
    }
}
