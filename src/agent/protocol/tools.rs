//! The five actions as native tools.

use serde_json::{Value, json};

use super::argument::excerpt;
use super::message::ToolCall;
use crate::agent::action::Action;

/// The tools, in the form of the `tools` field of a chat request.
#[must_use]
pub fn definitions() -> Value {
    let texts = |what: &str| {
        json!({
            "type": "object",
            "properties": {"commands": {
                "type": "object",
                "description": what,
                "additionalProperties": {"type": "string"},
            }},
            "required": ["commands"],
            "additionalProperties": false,
        })
    };
    let hosts = json!({
        "type": "object",
        "properties": {"hosts": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Host names; an empty list stands for all routers.",
        }},
        "additionalProperties": false,
    });
    let seconds = json!({
        "type": "object",
        "properties": {"seconds": {"type": "integer", "minimum": 0}},
        "required": ["seconds"],
        "additionalProperties": false,
    });
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let config_lines = "Configuration lines by host name, separated by line breaks.";
    let exec_lines = "Exec commands by host name, separated by line breaks.";
    let tools = [
        ("Returns the running configurations of routers.", hosts),
        (
            "Enters configuration lines on one or more routers. Configuration mode is entered and left for you.",
            texts(config_lines),
        ),
        (
            "Runs read-only commands (show, ping, traceroute; pipes are allowed) on one or more routers.",
            texts(exec_lines),
        ),
        ("Lets time pass, e.g. for protocols to converge.", seconds),
        ("Ends the task. What is configured then is judged.", nothing),
    ];
    let tool = |(name, (description, parameters)): (&str, (&str, Value))| json!({"type": "function", "function": {"name": name, "description": description, "parameters": parameters}});
    Action::NAMES.into_iter().zip(tools).map(tool).collect()
}

/// The action of the tool calls of a turn.
///
/// # Errors
/// What the agent should call instead: no call, several, an unknown tool, or arguments that do not fit.
pub fn parse(calls: &[ToolCall]) -> Result<Action, String> {
    match calls {
        [] => Err(format!("No tool was called. Call exactly one of {} a turn.", Action::NAMES.join(", "))),
        [call] => parse_one(call),
        many => Err(format!("{} tools were called, and none was run. Call exactly one a turn.", many.len())),
    }
}

fn parse_one(call: &ToolCall) -> Result<Action, String> {
    let text = call.function.arguments.trim();
    let arguments = if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(text) };
    let arguments = arguments.map_err(|error| {
        format!("The arguments of `{}` are no valid JSON: {error}.", excerpt(&call.function.name))
    })?;
    Action::from_parts(&call.function.name, arguments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::action::ByHost;

    fn call(name: &str, arguments: &str) -> ToolCall {
        ToolCall::new("1", name, arguments)
    }

    #[test]
    fn there_is_a_tool_for_each_action_and_its_arguments_fit() {
        let tools = definitions();
        let names: Vec<&str> =
            tools.as_array().unwrap().iter().map(|t| t["function"]["name"].as_str().unwrap()).collect();
        assert_eq!(names, Action::NAMES);
        for (tool, arguments) in [
            (0, json!({"hosts": ["R1"]})),
            (1, json!({"commands": {"R1": "a"}})),
            (2, json!({"commands": {"R1": "a"}})),
            (3, json!({"seconds": 3})),
            (4, json!({})),
        ] {
            let wanted = &tools[tool]["function"]["parameters"]["properties"];
            let given: Vec<&String> = arguments.as_object().unwrap().keys().collect();
            assert_eq!(wanted.as_object().unwrap().keys().collect::<Vec<_>>(), given);
            let action = parse(&[call(names[tool], &arguments.to_string())]).unwrap();
            assert_eq!(action.name(), names[tool]);
        }
    }

    #[test]
    fn exactly_one_valid_call_makes_a_turn() {
        let apply = call("apply_config", r#"{"commands": {"R1": "a\nb"}}"#);
        let wanted = Action::ApplyConfig(ByHost::from([("R1".to_owned(), "a\nb".to_owned())]));
        assert_eq!(parse(std::slice::from_ref(&apply)), Ok(wanted));
        assert_eq!(parse(&[call("submit", "")]), Ok(Action::Submit));
        for (calls, said) in [
            (vec![], "No tool was called"),
            (vec![apply.clone(), apply], "2 tools were called"),
            (vec![call("submit_task", "{}")], "no action `submit_task`"),
            (vec![call("wait", "{\"seconds\": ")], "no valid JSON"),
        ] {
            let error = parse(&calls).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
