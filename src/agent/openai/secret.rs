//! The key of an endpoint: it goes into one header and nowhere else.

use std::fmt;

use serde_json::Value;

/// What stands where a key was.
const REDACTED: &str = "[redacted]";
/// Shorter keys would redact ordinary words.
const SHORTEST: usize = 6;

/// A key. It can be neither printed nor serialised.
#[derive(Clone, Default)]
pub struct Secret(String);

impl Secret {
    /// Keeps a key; an empty one is none.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into().trim().to_owned())
    }

    /// The key, for the header.
    pub(super) fn key(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(self.0.as_str())
    }

    /// A text from outside without the key, in case the endpoint repeats it.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < SHORTEST { text.to_owned() } else { text.replace(&self.0, REDACTED) }
    }

    /// The same for every text in a value.
    #[must_use]
    pub fn redact_json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.redact(text)),
            Value::Array(list) => list.iter().map(|v| self.redact_json(v)).collect(),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(k, v)| (self.redact(k), self.redact_json(v))).collect())
            }
            other => other.clone(),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "no key" } else { REDACTED })
    }
}
