//! `--agent` and the options that belong to it.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use miette::{Result, miette};
use serde_json::{Map, Value};

use crate::agent::AgentFactory;
use crate::agent::builtin::{Random, Reference, Useless};
use crate::agent::external::External;
use crate::agent::openai::client::{Client, Endpoint};
use crate::agent::openai::secret::Secret;
use crate::agent::openai::{ModelSettings, OpenAi};
use crate::agent::protocol::Scaffold;
use crate::agent::replay::Replay;

/// Who acts.
#[derive(Debug, Args)]
pub(super) struct AgentArgs {
    /// Who acts: reference, noop, hasty, onlooker, eraser, spammer, random, replay:RUN_DIR, exec:COMMAND or openai
    #[arg(long, value_name = "AGENT", default_value = "reference")]
    pub agent: String,
    /// Seconds that an answer of the agent may take
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub timeout: u64,
    #[command(flatten, next_help_heading = "Options of --agent openai")]
    pub model: ModelArgs,
}

/// A model behind a chat endpoint.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    /// Name of the model
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Base URL of the endpoint
    #[arg(long, value_name = "URL", default_value = "https://api.openai.com/v1")]
    pub base_url: String,
    /// Environment variable that holds the key; without it, requests carry none
    #[arg(long, value_name = "VARIABLE", default_value = "OPENAI_API_KEY")]
    pub key_env: String,
    /// How the model is asked: react, tools or oneshot
    #[arg(long, value_name = "SCAFFOLD", default_value = "react")]
    pub scaffold: Scaffold,
    /// Sampling temperature
    #[arg(long, value_name = "NUMBER")]
    pub temperature: Option<f64>,
    /// Most tokens of an answer
    #[arg(long, value_name = "TOKENS")]
    pub max_tokens: Option<u64>,
    /// Whether a model that can think does: `chat_template_kwargs.enable_thinking`, as vLLM, SGLang and llama.cpp take it
    #[arg(long, value_name = "on|off", value_parser = switch)]
    pub thinking: Option<bool>,
    /// How much a model thinks, e.g. low: `reasoning_effort`
    #[arg(long, value_name = "LEVEL")]
    pub reasoning_effort: Option<String>,
    /// Further fields of each request as a JSON object, which go before all others; a null removes one, e.g. '{"stop": null}'
    #[arg(long, value_name = "JSON", value_parser = object)]
    pub extra: Option<Map<String, Value>>,
    /// Requests a minute, over all episodes
    #[arg(long, value_name = "N")]
    pub requests_per_minute: Option<u32>,
    /// Attempts at a request that the endpoint does not answer
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub request_attempts: u32,
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("it is on or off".to_owned()),
    }
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err("a JSON object is wanted, e.g. '{\"top_p\": 0.9}'".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl AgentArgs {
    /// The factory of the agent.
    pub fn factory(&self) -> Result<Box<dyn AgentFactory>> {
        let timeout = Duration::from_secs(self.timeout);
        if let Some(useless) = Useless::ALL.into_iter().find(|u| u.word() == self.agent) {
            return Ok(Box::new(useless));
        }
        Ok(match self.agent.split_once(':').unwrap_or((&self.agent, "")) {
            ("reference", "") => Box::new(Reference),
            ("random", "") => Box::new(Random),
            ("replay", path) if !path.is_empty() => Box::new(Replay::of(Path::new(path))?),
            ("exec", command) if !command.is_empty() => {
                Box::new(External { command: command.to_owned(), timeout })
            }
            ("openai", "") => Box::new(self.model.openai(timeout)?),
            _ => {
                let useless = Useless::ALL.map(Useless::word).join(", ");
                let help =
                    format!("agents are: reference, {useless}, random, replay:RUN_DIR, exec:COMMAND, openai");
                return Err(miette!(help = help, "there is no agent `{}`", self.agent));
            }
        })
    }
}

impl ModelArgs {
    fn openai(&self, timeout: Duration) -> Result<OpenAi> {
        let model = self.model.clone().ok_or_else(|| miette!("--agent openai needs --model NAME"))?;
        let key = std::env::var(&self.key_env).unwrap_or_default();
        let client = Client::new(Endpoint {
            base_url: self.base_url.clone(),
            secret: Secret::new(key),
            timeout,
            requests_per_minute: self.requests_per_minute,
            attempts: self.request_attempts.max(1),
            pause: Duration::from_secs(1),
        });
        let settings = ModelSettings {
            model,
            scaffold: self.scaffold,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            thinking: self.thinking,
            reasoning_effort: self.reasoning_effort.clone(),
            extra: self.extra.clone().unwrap_or_default(),
        };
        Ok(OpenAi::new(settings, client.map_err(|reason| miette!("{reason}"))?))
    }
}
