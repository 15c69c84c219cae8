//! A language model behind an OpenAI-compatible chat endpoint.
//!
//! | module | what it holds |
//! |---|---|
//! | [`client`] | requests: rate, attempts, what an answer's status means |
//! | [`secret`] | the key, which is never written anywhere |
//! | `request` | from a conversation to a request's JSON |
//! | `response` | from an answer's JSON to a reply |

pub mod client;
mod request;
mod response;
pub mod secret;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use self::client::{Answer, Client};
use self::request::request;
use super::protocol::Scaffold;
use super::protocol::message::Message;
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
    /// Whether a model that can think does, as vLLM, SGLang and llama.cpp take it; what the model does by itself if absent.
    pub thinking: Option<bool>,
    /// How much it thinks, as endpoints take it that know `reasoning_effort`.
    pub reasoning_effort: Option<String>,
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
        let ModelSettings { model, temperature, max_tokens, thinking, reasoning_effort, extra, .. } =
            &self.settings;
        json!({
            "model": model, "base_url": self.client.base_url(), "temperature": temperature, "max_tokens": max_tokens,
            "thinking": thinking, "reasoning_effort": reasoning_effort,
            "extra": self.client.secret().redact_json(&Value::Object(extra.clone())),
        })
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let (settings, client) = (self.settings.clone(), Arc::clone(&self.client));
        Ok(Box::new(Model { settings, client, failed: Vec::new() }))
    }
}

/// A model in an episode.
struct Model {
    settings: ModelSettings,
    client: Arc<Client>,
    /// Why requests were made again.
    failed: Vec<String>,
}

impl Agent for Model {
    fn next(&mut self, messages: &[Message]) -> Result<Move, AgentError> {
        match self.client.ask(&request(&self.settings, messages), &mut self.failed)? {
            Answer::Reply(reply) => Ok(Move::Reply(reply)),
            Answer::ContextExceeded(said) => {
                Ok(Move::GiveUp(format!("the conversation exceeds the model's context: {said}")))
            }
        }
    }

    fn failed_requests(&mut self) -> Vec<String> {
        std::mem::take(&mut self.failed)
    }
}
