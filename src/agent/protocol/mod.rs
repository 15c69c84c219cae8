//! How what an agent says becomes an action, and how it is told.
//!
//! | module | what it holds |
//! |---|---|
//! | [`text`] | the ReAct text protocol |
//! | [`tools`] | the actions as native tools |
//! | [`argument`] | from name and JSON argument to the action |
//! | [`message`] | messages in chat format |
//!
//! What comes from an agent is not trusted: it may be long, nested, binary. Whatever it is, it becomes an action or a sentence
//! that says what to write instead; the turn is then a null turn.

pub mod argument;
pub mod message;
pub mod text;
pub mod tools;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Deserializer, Value};

use self::message::Message;
use super::action::Action;

/// The longest reply that is read, in bytes. What is longer is a null turn, and only its start is kept.
pub const LONGEST_REPLY: usize = 256 * 1024;

/// How many opening braces of a one-shot answer are tried as the start of its JSON object.
const BRACES_TRIED: usize = 64;

/// The way in which an agent is asked and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaffold {
    /// Thought and action as text, as in the paper.
    #[default]
    React,
    /// Native tool calls.
    Tools,
    /// All configuration in one answer, then submit.
    Oneshot,
}

impl Scaffold {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::React, Self::Tools, Self::Oneshot];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::React => "react",
            Self::Tools => "tools",
            Self::Oneshot => "oneshot",
        }
    }

    /// The system prompt as the project keeps it, with places for the number of turns and the seconds of a turn.
    #[must_use]
    pub const fn prompt_file(self) -> &'static str {
        match self {
            Self::React => include_str!("prompts/react.md"),
            Self::Tools => include_str!("prompts/tools.md"),
            Self::Oneshot => include_str!("prompts/oneshot.md"),
        }
    }

    /// The system prompt.
    #[must_use]
    pub fn system_prompt(self, turns: usize, turn_seconds: u64) -> String {
        let text = self.prompt_file().replace("{{turns}}", &turns.to_string());
        text.replace("{{turn_seconds}}", &turn_seconds.to_string())
    }

    /// The action of an assistant's message.
    ///
    /// # Errors
    /// The feedback that makes this a null turn.
    pub fn parse(self, message: &Message) -> Result<Action, String> {
        let calls = message.tool_calls.iter().map(|c| c.function.arguments.len() + c.function.name.len());
        let length = message.content.len().saturating_add(calls.sum());
        if length > LONGEST_REPLY {
            return Err(format!("The reply had {length} bytes; at most {LONGEST_REPLY} are read."));
        }
        match self {
            Self::React => text::parse(&message.content),
            Self::Tools => tools::parse(&message.tool_calls),
            Self::Oneshot => parse_oneshot(&message.content),
        }
    }
}

impl fmt::Display for Scaffold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scaffold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|s| s.name() == text);
        found.ok_or_else(|| format!("there is no scaffold `{text}`; there are {names}"))
    }
}

/// The first JSON object of an answer that holds texts by host.
fn parse_oneshot(content: &str) -> Result<Action, String> {
    let mut problem = "The answer holds no JSON object of texts by host.".to_owned();
    for (at, _) in content.match_indices('{').take(BRACES_TRIED) {
        let text = content.get(at..).unwrap_or_default();
        let value = match Deserializer::from_str(text).into_iter::<Value>().next() {
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                problem = format!("The answer's JSON is not valid: {error}.");
                continue;
            }
            None => continue,
        };
        match Action::from_parts(Action::NAMES[1], value) {
            Ok(action) => return Ok(action),
            Err(reason) => problem = reason,
        }
    }
    Err(problem)
}

#[cfg(test)]
mod tests {
    use super::message::{Role, ToolCall};
    use super::*;
    use crate::agent::action::ByHost;

    #[test]
    fn the_prompt_names_every_action_and_the_limits() {
        let prompt = Scaffold::React.system_prompt(20, 5);
        for name in Action::NAMES {
            assert!(prompt.contains(&format!("\nAction: {name}")), "{name}");
        }
        assert!(prompt.contains("20 turns") && prompt.contains("5 seconds"));
        for scaffold in Scaffold::ALL {
            assert!(!scaffold.system_prompt(20, 5).contains("{{"));
            assert_eq!(scaffold.name().parse(), Ok(scaffold));
        }
        assert!("tool".parse::<Scaffold>().unwrap_err().contains("react, tools, oneshot"));
    }

    #[test]
    fn the_examples_of_the_prompt_are_valid_actions() {
        let prompt = Scaffold::React.system_prompt(20, 5);
        let examples: Vec<&str> = prompt.lines().filter(|l| l.starts_with("Action:")).collect();
        assert_eq!(examples.len(), Action::NAMES.len());
        for example in examples {
            text::parse(example).unwrap();
        }
        let oneshot = Message::new(Role::Assistant, Scaffold::Oneshot.system_prompt(20, 5));
        assert!(
            matches!(Scaffold::Oneshot.parse(&oneshot), Ok(Action::ApplyConfig(texts)) if texts.len() == 2)
        );
    }

    #[test]
    fn a_reply_that_is_too_long_is_not_read() {
        let mut message = Message::new(Role::Assistant, format!("Action: submit {}", " ".repeat(10 << 20)));
        for scaffold in Scaffold::ALL {
            assert!(scaffold.parse(&message).unwrap_err().contains("bytes"), "{scaffold}");
        }
        message.content.clear();
        message.tool_calls.push(ToolCall::new("1", "submit", "\0".repeat(10 << 20)));
        assert!(Scaffold::Tools.parse(&message).unwrap_err().contains("bytes"));
    }

    #[test]
    fn a_oneshot_answer_is_found_between_prose() {
        let wanted = Action::ApplyConfig(ByHost::from([("R1".to_owned(), "a\nb".to_owned())]));
        for text in [r#"{"R1": "a\nb"}"#, "Use {this}:\n```json\n{\n  \"R1\": \"a\\nb\"\n}\n```\nDone {}."] {
            let message = Message::new(Role::Assistant, text);
            assert_eq!(Scaffold::Oneshot.parse(&message), Ok(wanted.clone()), "{text}");
        }
        for (text, said) in
            [("No.", "no JSON object"), ("{\"R1\": ", "not valid"), ("{\"R1\": 3}", "was none")]
        {
            let error = Scaffold::Oneshot.parse(&Message::new(Role::Assistant, text)).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
