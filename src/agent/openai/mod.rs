//! A language model behind an OpenAI-compatible chat endpoint.
//!
//! | module | what it holds |
//! |---|---|
//! | [`client`] | requests: rate, attempts, what an answer's status means |
//! | [`secret`] | the key, which is never written anywhere |
//! | `response` | from an answer's JSON to a reply |

pub mod client;
mod response;
pub mod secret;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use self::client::{Answer, Client};
use super::protocol::message::Message;
use super::protocol::{Scaffold, tools};
use super::{Agent, AgentError, AgentFactory, Move, Task};

/// How a model is asked.
#[derive(Clone, Debug, Default)]
pub struct ModelSettings {
    /// Name of the model.
    pub model: String,
    /// How it is asked and answers.
    pub scaffold: Scaffold,
    /// Sampling temperature; the endpoint's default if absent.
    pub temperature: Option<f64>,
    /// Most tokens of an answer; the endpoint's default if absent.
    pub max_tokens: Option<u64>,
    /// Further fields of the request; a null removes a field.
    pub extra: Map<String, Value>,
}

/// Asks a model.
pub struct OpenAi {
    settings: ModelSettings,
    client: Arc<Client>,
}

impl OpenAi {
    /// A model behind a client.
    #[must_use]
    pub fn new(settings: ModelSettings, client: Client) -> Self {
        Self { settings, client: Arc::new(client) }
    }
}

impl fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), self.settings())
    }
}

impl AgentFactory for OpenAi {
    fn name(&self) -> String {
        format!("openai:{}", self.settings.model)
    }

    fn scaffold(&self) -> Scaffold {
        self.settings.scaffold
    }

    fn settings(&self) -> Value {
        let ModelSettings { model, temperature, max_tokens, extra, .. } = &self.settings;
        json!({
            "model": model, "base_url": self.client.base_url(), "temperature": temperature, "max_tokens": max_tokens,
            "extra": self.client.secret().redact_json(&Value::Object(extra.clone())),
        })
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Model { settings: self.settings.clone(), client: Arc::clone(&self.client) }))
    }
}

/// A model in an episode.
struct Model {
    settings: ModelSettings,
    client: Arc<Client>,
}

impl Model {
    fn request(&self, messages: &[Message]) -> Value {
        let mut request = json!({"model": self.settings.model, "messages": messages});
        let mut set = |name: &str, value: Value| request[name] = value;
        if let Some(temperature) = self.settings.temperature {
            set("temperature", temperature.into());
        }
        if let Some(most) = self.settings.max_tokens {
            set("max_tokens", most.into());
        }
        match self.settings.scaffold {
            Scaffold::Tools => set("tools", tools::definitions()),
            // What follows would be the model's own idea of what it sees.
            Scaffold::React => set("stop", json!(["\nObservation:"])),
            Scaffold::Oneshot => {}
        }
        for (name, value) in &self.settings.extra {
            request[name] = value.clone();
        }
        if let Some(fields) = request.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        request
    }
}

impl Agent for Model {
    fn next(&mut self, messages: &[Message]) -> Result<Move, AgentError> {
        match self.client.ask(&self.request(messages))? {
            Answer::Reply(reply) => Ok(Move::Reply(reply)),
            Answer::ContextExceeded => {
                Ok(Move::GiveUp("the conversation exceeds the model's context".to_owned()))
            }
        }
    }
}
