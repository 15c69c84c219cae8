//! From the name and the JSON argument of an action to the action. What is wrong becomes a sentence for the agent.

use serde_json::Value;

use crate::agent::action::{Action, ByHost};

impl Action {
    /// The action that a name and an argument make. Hosts, texts and seconds may stand alone or in an object under
    /// `hosts`, `commands`, `seconds`, as in native tool calls; a text may be a list of lines.
    ///
    /// # Errors
    /// What the agent should write instead.
    pub fn from_parts(name: &str, argument: Value) -> Result<Self, String> {
        match name {
            "get_running_config" => hosts(unwrap(argument, "hosts")).map(Self::GetRunningConfig),
            "apply_config" => by_host(name, unwrap(argument, "commands")).map(Self::ApplyConfig),
            "execute_validation" => by_host(name, unwrap(argument, "commands")).map(Self::ExecuteValidation),
            "wait" => seconds(&unwrap(argument, "seconds")).map(Self::Wait),
            "submit" => Ok(Self::Submit),
            unknown => Err(format!(
                "There is no action `{}`. The actions are: {}.",
                excerpt(unknown),
                Self::NAMES.join(", ")
            )),
        }
    }

    /// The argument as [`Self::from_parts`] reads it; null if there is none.
    #[must_use]
    pub fn argument(&self) -> Value {
        match self {
            Self::GetRunningConfig(hosts) => Value::from(hosts.clone()),
            Self::ApplyConfig(texts) | Self::ExecuteValidation(texts) => {
                Value::Object(texts.iter().map(|(h, t)| (h.clone(), Value::from(t.clone()))).collect())
            }
            Self::Wait(seconds) => Value::from(*seconds),
            Self::Submit => Value::Null,
        }
    }
}

/// The value under `key` if the argument is an object with that key only.
fn unwrap(argument: Value, key: &str) -> Value {
    match argument {
        Value::Object(mut map) if map.len() == 1 && map.contains_key(key) => {
            map.remove(key).unwrap_or_default()
        }
        other => other,
    }
}

fn hosts(argument: Value) -> Result<Vec<String>, String> {
    let wrong = || "get_running_config takes a list of host names, e.g. [\"R1\", \"R2\"]; an empty list stands for all.";
    match argument {
        Value::Null => Ok(Vec::new()),
        Value::Object(map) if map.is_empty() => Ok(Vec::new()),
        Value::String(host) => Ok(vec![host]),
        Value::Array(list) => list
            .into_iter()
            .map(|host| match host {
                Value::String(host) => Ok(host),
                _ => Err(wrong().to_owned()),
            })
            .collect(),
        _ => Err(wrong().to_owned()),
    }
}

fn by_host(name: &str, argument: Value) -> Result<ByHost, String> {
    let example = if name == "apply_config" {
        r#"{"R1": "interface Loopback0\nip address 10.0.0.1 255.255.255.255"}"#
    } else {
        r#"{"R1": "show ip route\nping 10.0.0.1"}"#
    };
    let wrong = |what: &str| format!("{name} takes a JSON object of texts by host, e.g. {example}; {what}.");
    let Value::Object(map) = argument else {
        return Err(wrong("this was no object"));
    };
    if map.is_empty() {
        return Err(wrong("this one was empty"));
    }
    let mut texts = ByHost::new();
    for (host, text) in map {
        let text = lines(text).ok_or_else(|| wrong(&format!("the text of `{}` was none", excerpt(&host))))?;
        if text.trim().is_empty() {
            return Err(wrong(&format!("there was nothing for `{}`", excerpt(&host))));
        }
        texts.insert(host, text);
    }
    Ok(texts)
}

/// A text, or a list of lines.
fn lines(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(list) => {
            let lines: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            lines.map(|lines| lines.join("\n"))
        }
        _ => None,
    }
}

fn seconds(argument: &Value) -> Result<u64, String> {
    argument.as_u64().ok_or_else(|| "wait takes a whole number of seconds, e.g. 30.".to_owned())
}

/// The start of a text that came from outside, fit for a message.
pub(super) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(LENGTH).map(clean).collect();
    if text.chars().nth(LENGTH).is_some() {
        short.push('\u{2026}');
    }
    short
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_may_stand_alone_or_under_the_tools_key() {
        let apply = Action::ApplyConfig(ByHost::from([("R1".to_owned(), "a\nb".to_owned())]));
        for argument in
            [json!({"R1": "a\nb"}), json!({"R1": ["a", "b"]}), json!({"commands": {"R1": "a\nb"}})]
        {
            assert_eq!(Action::from_parts("apply_config", argument), Ok(apply.clone()));
        }
        for argument in [json!(null), json!([]), json!({}), json!({"hosts": []})] {
            assert_eq!(
                Action::from_parts("get_running_config", argument),
                Ok(Action::GetRunningConfig(vec![]))
            );
        }
        for argument in [json!(30), json!({"seconds": 30})] {
            assert_eq!(Action::from_parts("wait", argument), Ok(Action::Wait(30)));
        }
    }

    #[test]
    fn a_wrong_argument_is_told_with_an_example() {
        for (name, argument, said) in [
            ("apply_config", json!([]), "this was no object"),
            ("apply_config", json!({}), "this one was empty"),
            ("apply_config", json!({"R1": 7}), "the text of `R1` was none"),
            ("execute_validation", json!({"R1": " \n"}), "there was nothing for `R1`"),
            ("wait", json!("soon"), "whole number"),
            ("wait", json!(-1), "whole number"),
            ("get_running_config", json!([1]), "list of host names"),
            ("reboot", json!(null), "The actions are: get_running_config, apply_config"),
        ] {
            let error = Action::from_parts(name, argument).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("a\u{1b}[2J\0"), "a\u{fffd}[2J\u{fffd}");
        assert_eq!(excerpt(&"x".repeat(1 << 20)).chars().count(), 61);
    }
}
