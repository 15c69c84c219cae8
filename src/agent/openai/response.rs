//! From the JSON of an answer to a reply. Endpoints differ in what they leave out; only an answer without any choice is an error.

use serde_json::Value;

use super::secret::Secret;
use crate::agent::protocol::message::{Message, Role, ToolCall};
use crate::agent::{Reply, Tokens};

/// The reply of an answer's first choice.
///
/// # Errors
/// What is missing.
pub(super) fn reply(answer: &Value, secret: &Secret) -> Result<Reply, String> {
    let answer = secret.redact_json(answer);
    let message = answer.pointer("/choices/0/message").ok_or("the answer has no choices[0].message")?;
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let content = text(message.get("content")).or_else(|| text(message.get("refusal"))).unwrap_or_default();
    let message = Message {
        tool_calls: calls.enumerate().map(|(number, call)| tool_call(number, call)).collect(),
        ..Message::new(Role::Assistant, content)
    };
    let count = |name: &str| answer.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
    let tokens = count("completion_tokens")
        .map(|output| Tokens { input: count("prompt_tokens").unwrap_or_default(), output });
    let reasoning = text(answer.pointer("/choices/0/message/reasoning_content"))
        .or_else(|| text(answer.pointer("/choices/0/message/reasoning")));
    Ok(Reply { message, tokens, reasoning })
}

/// A content that is a text, or a list of parts with texts.
fn text(content: Option<&Value>) -> Option<String> {
    let text = match content? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect::<String>()
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// A call, however incomplete; one without an id gets one, since its answer has to refer to it.
fn tool_call(number: usize, call: &Value) -> ToolCall {
    let field = |path: &str| call.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let arguments = match call.pointer("/function/arguments") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(value) => value.to_string(),
    };
    let id = field("/id").filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call_{number}"));
    ToolCall::new(id, field("/function/name").unwrap_or_default(), arguments)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: Value) -> Result<Reply, String> {
        reply(&answer, &Secret::new("sk-marker"))
    }

    #[test]
    fn answers_of_many_shapes_are_read() {
        let message = |message: Value| json!({"choices": [{"message": message}]});
        for (given, wanted) in [
            (json!({"content": "hello"}), "hello"),
            (json!({"content": [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]}), "hello"),
            (json!({"content": null, "refusal": "I cannot."}), "I cannot."),
            (json!({"content": null}), ""),
            (json!({}), ""),
            (json!({"content": "my key is sk-marker."}), "my key is [redacted]."),
        ] {
            assert_eq!(read(message(given)).unwrap().message.content, wanted);
        }
        let calls = json!({"tool_calls": [
            {"id": "x", "function": {"name": "wait", "arguments": "{\"seconds\": 3}"}},
            {"function": {"name": "wait", "arguments": {"seconds": 3}}},
            {},
        ]});
        let calls = read(message(calls)).unwrap().message.tool_calls;
        let shown: Vec<_> = calls.iter().map(|c| (c.id.as_str(), c.function.arguments.as_str())).collect();
        assert_eq!(shown, [("x", "{\"seconds\": 3}"), ("call_1", "{\"seconds\":3}"), ("call_2", "")]);
    }

    #[test]
    fn usage_is_taken_where_it_is_given() {
        let mut answer = json!({"choices": [{"message": {"content": "x"}}]});
        assert_eq!(read(answer.clone()).unwrap().tokens, None);
        answer["usage"] = json!({"prompt_tokens": 120, "completion_tokens": 7});
        assert_eq!(read(answer).unwrap().tokens, Some(Tokens { input: 120, output: 7 }));
    }

    #[test]
    fn what_a_model_thought_beside_its_answer_is_kept() {
        for name in ["reasoning_content", "reasoning"] {
            let reply =
                read(json!({"choices": [{"message": {"content": "x", name: "hm, sk-marker"}}]})).unwrap();
            assert_eq!(reply.reasoning.as_deref(), Some("hm, [redacted]"), "{name}");
        }
        assert_eq!(read(json!({"choices": [{"message": {"content": "x"}}]})).unwrap().reasoning, None);
    }

    #[test]
    fn an_answer_without_a_choice_is_an_error() {
        for answer in [json!({}), json!([]), json!({"choices": []}), json!({"error": "x"})] {
            assert!(read(answer).is_err());
        }
    }
}
