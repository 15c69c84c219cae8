//! Requests to an endpoint: their rate, further attempts, and what an answer's status means.
//!
//! | answer | what is done |
//! |---|---|
//! | 2xx with a choice | the reply |
//! | 401, 402, 403, 404; 429 that speaks of a used-up quota | the run stops |
//! | 408, 429, 5xx, no connection, no valid answer in time | again, after `Retry-After` or a pause that doubles |
//! | 400, 413, 422, 500 and the like that speak of the context's length | the agent gives up |
//! | anything else | the episode is not scored; after ten in a row the run stops |

use std::fmt::Write as _;
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use reqwest::StatusCode;
use reqwest::blocking::Response;
use reqwest::header::{DATE, RETRY_AFTER};
use serde_json::Value;

use super::response;
use super::secret::Secret;
use crate::agent::{AgentError, Reply};

/// Bytes of an answer that are read.
const LONGEST_ANSWER: u64 = 16 * 1024 * 1024;
/// Characters of an endpoint's error that are kept.
const KEPT_OF_ERROR: usize = 300;
/// The longest pause, also where `Retry-After` asks for more.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// Requests that are refused in a row, without an answer in between, until there is no hope of another outcome: a field that the
/// endpoint does not know, say, is the same in every request.
const MOST_REFUSALS: u32 = 10;

/// How an endpoint is reached.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// E.g. `https://api.openai.com/v1`.
    pub base_url: String,
    /// The key.
    pub secret: Secret,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Requests a minute over all episodes; unlimited if absent.
    pub requests_per_minute: Option<u32>,
    /// Attempts at a request.
    pub attempts: u32,
    /// Pause before the second attempt.
    pub pause: Duration,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The model speaks.
    Reply(Reply),
    /// The conversation is too long for it, in the endpoint's words.
    ContextExceeded(String),
}

/// A client of one endpoint, shared by all episodes.
#[derive(Debug)]
pub struct Client {
    endpoint: Endpoint,
    http: reqwest::blocking::Client,
    /// When the next request may be sent.
    next_slot: Mutex<Instant>,
    /// Requests refused since the last answer.
    refusals: AtomicU32,
}

/// Why an attempt failed.
enum Failure {
    Retry { reason: String, after: Option<Duration> },
    Final(AgentError),
}

impl Client {
    /// A client.
    ///
    /// # Errors
    /// The URL is none, or holds a key; TLS cannot be set up.
    pub fn new(endpoint: Endpoint) -> Result<Self, String> {
        let url: reqwest::Url = endpoint
            .base_url
            .parse()
            .map_err(|error| format!("`{}` is no URL: {error}", endpoint.base_url))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("`{}` is no http or https URL", endpoint.base_url));
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(
                "a base URL with a user, a password or a query would be written to run.json; put the key \
                        into the environment"
                    .to_owned(),
            );
        }
        // Fails only if a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::blocking::Client::builder()
            .timeout(endpoint.timeout)
            .user_agent(concat!("netconfarena/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("no HTTP client: {}", causes(&error)))?;
        Ok(Self { endpoint, http, next_slot: Mutex::new(Instant::now()), refusals: AtomicU32::new(0) })
    }

    /// The endpoint's URL.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.endpoint.base_url
    }

    /// The key.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.endpoint.secret
    }

    /// Sends a chat request, again if need be; `failed` gets what went wrong before.
    ///
    /// # Errors
    /// The endpoint gave no usable answer to any attempt, or refused the key or the model.
    pub fn ask(&self, request: &Value, failed: &mut Vec<String>) -> Result<Answer, AgentError> {
        let mut pause = self.endpoint.pause;
        let mut attempt = 1;
        loop {
            self.wait_for_slot();
            match self.attempt(request) {
                Ok(answer) => return Ok(answer),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Retry { reason, .. }) if attempt >= self.endpoint.attempts => {
                    return Err(AgentError::passing(format!("{reason} (attempt {attempt})")));
                }
                Err(Failure::Retry { reason, after }) => {
                    failed.push(reason);
                    thread::sleep(after.unwrap_or(pause).min(LONGEST_PAUSE));
                    pause = pause.saturating_mul(2);
                    attempt += 1;
                }
            }
        }
    }

    /// Waits until the next request may be sent.
    fn wait_for_slot(&self) {
        let Some(rate) = self.endpoint.requests_per_minute.filter(|rate| *rate > 0) else { return };
        let now = Instant::now();
        let slot = {
            // A worker that panicked while it held the lock has left a valid instant.
            let mut next = self.next_slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let slot = (*next).max(now);
            *next = slot + Duration::from_secs(60) / rate;
            slot
        };
        thread::sleep(slot.saturating_duration_since(now));
    }

    fn attempt(&self, request: &Value) -> Result<Answer, Failure> {
        let url = format!("{}/chat/completions", self.endpoint.base_url.trim_end_matches('/'));
        let mut post = self.http.post(url).json(request);
        if let Some(key) = self.endpoint.secret.key() {
            post = post.bearer_auth(key);
        }
        let again = |reason: String| Failure::Retry { reason, after: None };
        let answer = post.send().map_err(|error| again(self.clean(&causes(&error))))?;
        let status = answer.status();
        let after = retry_after(&answer);
        let body = read(answer).map_err(|error| again(format!("the answer broke off: {error}")))?;
        if status.is_success() {
            let value: Value = serde_json::from_slice(&body)
                .map_err(|error| again(format!("the answer is no valid JSON: {error}")))?;
            let reply = response::reply(&value, &self.endpoint.secret).map_err(again)?;
            self.refusals.store(0, Ordering::Relaxed);
            return Ok(Answer::Reply(reply));
        }
        let said = String::from_utf8_lossy(&body);
        let reason = self.clean(&format!("{status}: {}", said.trim()));
        match status {
            StatusCode::UNAUTHORIZED
            | StatusCode::PAYMENT_REQUIRED
            | StatusCode::FORBIDDEN
            | StatusCode::NOT_FOUND => Err(Failure::Final(AgentError::lasting(reason))),
            StatusCode::TOO_MANY_REQUESTS if said.contains("insufficient_quota") => {
                Err(Failure::Final(AgentError::lasting(reason)))
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                Err(Failure::Retry { reason, after })
            }
            _ if speaks_of_context(&said) => Ok(Answer::ContextExceeded(reason)),
            _ if status.is_server_error() => Err(Failure::Retry { reason, after }),
            _ => Err(Failure::Final(self.refused(reason))),
        }
    }

    /// A request that the endpoint does not want.
    fn refused(&self, reason: String) -> AgentError {
        let refusals = self.refusals.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        if refusals < MOST_REFUSALS {
            return AgentError::passing(reason);
        }
        AgentError::lasting(format!("{reason} ({refusals} requests refused in a row)"))
    }

    /// A text for files and terminals: without the key, short, and printable.
    fn clean(&self, text: &str) -> String {
        let printable = |c: char| if c.is_control() { ' ' } else { c };
        self.endpoint.secret.redact(text).chars().map(printable).take(KEPT_OF_ERROR).collect()
    }
}

/// The pause that `Retry-After` asks for (RFC 9110 section 10.2.3).
fn retry_after(answer: &Response) -> Option<Duration> {
    let header = |name| answer.headers().get(name)?.to_str().ok().map(str::trim);
    pause(header(RETRY_AFTER)?, header(DATE))
}

/// The pause until what `Retry-After` says: seconds, or a date by the server's clock. That clock need not agree with ours, but shows in the
/// answer's own date.
fn pause(after: &str, date: Option<&str>) -> Option<Duration> {
    if let Ok(seconds) = after.parse() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let then = httpdate::parse_http_date(after).ok()?;
    let now = date.and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or_else(SystemTime::now);
    Some(then.duration_since(now).unwrap_or_default())
}

fn read(answer: Response) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    answer.take(LONGEST_ANSWER).read_to_end(&mut body)?;
    Ok(body)
}

/// Whether a refusal says that the conversation is too long for the model.
fn speaks_of_context(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    let signs = [
        "context_length",
        "context length",
        "maximum context",
        "context window",
        "context size",
        "exceed_context",
        "n_ctx",
        "prompt is too long",
        "input token count",
        "reduce the length of the messages",
    ];
    signs.iter().any(|sign| said.contains(sign))
}

/// An error with everything behind it; reqwest's own text leaves the cause out.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing into a text cannot fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc9110_10_2_3_retry_after_is_seconds_or_a_date_by_the_servers_clock() {
        let date = |second: u8| format!("Fri, 31 Dec 1999 23:59:{second:02} GMT");
        assert_eq!(pause("0.5", None), Some(Duration::from_millis(500)));
        assert_eq!(pause(&date(50), Some(&date(45))), Some(Duration::from_secs(5)));
        assert_eq!(pause(&date(40), Some(&date(45))), Some(Duration::ZERO), "it is over");
        assert_eq!(pause(&date(40), None), Some(Duration::ZERO), "long ago by our clock");
        for odd in ["", "soon", "-1", "NaN", "1e300", "Fri, 31 Dec"] {
            assert_eq!(pause(odd, None), None, "{odd}");
        }
    }
}
