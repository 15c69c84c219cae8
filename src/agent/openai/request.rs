//! From settings and a conversation to a request.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::ModelSettings;
use crate::agent::protocol::message::{Message, Role};
use crate::agent::protocol::{Scaffold, tools};

/// What stands where the model said nothing.
const SILENCE: &str = "(nothing)";
/// What stands for the name of a tool that has none.
const NAMELESS: &str = "nameless";
/// Characters of a tool's name.
const LONGEST_NAME: usize = 64;

/// The body of a chat request.
pub(super) fn request(settings: &ModelSettings, messages: &[Message]) -> Value {
    let messages: Vec<Cow<'_, Message>> = messages.iter().map(sendable).collect();
    let by_scaffold = match settings.scaffold {
        Scaffold::Tools => ("tools", Some(tools::definitions())),
        // What follows would be the model's own idea of what it sees.
        Scaffold::React => ("stop", Some(json!(["\nObservation:"]))),
        Scaffold::Oneshot => ("tools", None),
    };
    let all = [
        ("model", Some(settings.model.clone().into())),
        ("messages", Some(json!(messages))),
        ("temperature", settings.temperature.map(Value::from)),
        ("max_tokens", settings.max_tokens.map(Value::from)),
        ("chat_template_kwargs", settings.thinking.map(|on| json!({"enable_thinking": on}))),
        ("reasoning_effort", settings.reasoning_effort.clone().map(Value::from)),
        by_scaffold,
    ];
    let given = all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let mut fields: Map<String, Value> = given.collect();
    for (name, value) in &settings.extra {
        fields.insert(name.clone(), value.clone());
    }
    fields.retain(|_, value| !value.is_null());
    Value::Object(fields)
}

/// A message as every endpoint takes it back. Many refuse a whole conversation in which a tool call has an odd name or arguments that
/// are no JSON object, or in which the model said nothing: the agent's fault would then look like one of the endpoint.
fn sendable(message: &Message) -> Cow<'_, Message> {
    let is_silent =
        message.role == Role::Assistant && message.tool_calls.is_empty() && message.content.trim().is_empty();
    let is_fit = message
        .tool_calls
        .iter()
        .all(|call| is_name(&call.function.name) && is_object(&call.function.arguments));
    if is_fit && !is_silent {
        return Cow::Borrowed(message);
    }
    let mut fit = message.clone();
    if is_silent {
        SILENCE.clone_into(&mut fit.content);
    }
    for call in fit.tool_calls.iter_mut().map(|call| &mut call.function) {
        if !is_name(&call.name) {
            call.name = call.name.chars().filter(|c| is_of_name(*c)).take(LONGEST_NAME).collect();
            if call.name.is_empty() {
                NAMELESS.clone_into(&mut call.name);
            }
        }
        if call.arguments.trim().is_empty() {
            "{}".clone_into(&mut call.arguments);
        } else if !is_object(&call.arguments) {
            call.arguments = json!({"unreadable": call.arguments}).to_string();
        }
    }
    Cow::Owned(fit)
}

const fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_of_name)
}

fn is_object(arguments: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(arguments).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::protocol::message::ToolCall;

    #[test]
    fn what_a_model_got_wrong_is_sent_back_in_a_form_that_endpoints_take() {
        for (name, arguments, sent) in [
            ("wait", "{\"seconds\": 3}", ("wait", json!({"seconds": 3}))),
            ("submit", "", ("submit", json!({}))),
            ("wait", "{\"sec", ("wait", json!({"unreadable": "{\"sec"}))),
            ("wait", "[3]", ("wait", json!({"unreadable": "[3]"}))),
            ("re boot!", "{}", ("reboot", json!({}))),
            ("\u{e9}", "{}", (NAMELESS, json!({}))),
            ("", "{}", (NAMELESS, json!({}))),
        ] {
            let calls = vec![ToolCall::new("c", name, arguments)];
            let message = Message { tool_calls: calls, ..Message::new(Role::Assistant, "") };
            let fit = sendable(&message);
            let call = &fit.tool_calls[0].function;
            let given: Value = serde_json::from_str(&call.arguments).unwrap();
            assert_eq!((call.name.as_str(), given), sent, "{name} {arguments}");
            assert_eq!(fit.content, "", "a call needs no words");
        }
        let silent = Message::new(Role::Assistant, " \n");
        assert_eq!(sendable(&silent).content, SILENCE);
        let spoken = Message::new(Role::Assistant, "Action: submit");
        assert!(matches!(sendable(&spoken), Cow::Borrowed(_)));
        assert_eq!(sendable(&Message::new(Role::User, "")).content, "", "only the model is silent");
    }

    #[test]
    fn switches_become_fields_and_further_fields_come_last() {
        let settings = ModelSettings {
            model: "m".to_owned(),
            thinking: Some(false),
            reasoning_effort: Some("low".to_owned()),
            ..ModelSettings::default()
        };
        let sent = request(&settings, &[]);
        let wanted = json!({
            "model": "m", "messages": [], "chat_template_kwargs": {"enable_thinking": false},
            "reasoning_effort": "low", "stop": ["\nObservation:"],
        });
        assert_eq!(sent, wanted);
        let extra = json!({"stop": null, "reasoning_effort": "high"}).as_object().unwrap().clone();
        let sent = request(&ModelSettings { extra, thinking: None, ..settings }, &[]);
        assert_eq!(sent, json!({"model": "m", "messages": [], "reasoning_effort": "high"}));
    }
}
