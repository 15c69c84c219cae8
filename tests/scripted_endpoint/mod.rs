//! An OpenAI-compatible endpoint on the loopback interface that says what is written.

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// One answer of the endpoint.
#[derive(Clone, Debug)]
pub enum Line {
    /// Status, `Retry-After`, body.
    Status(u16, Option<&'static str>, String),
    /// Nothing, for longer than the client waits.
    Hang,
}

/// What the endpoint knows: its script, and what it was asked.
#[derive(Debug, Default)]
struct Script {
    lines: VecDeque<Line>,
    requests: Vec<(HeaderMap, Value)>,
}

type Shared = Arc<Mutex<Script>>;

/// A running endpoint; it stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    script: Shared,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts one that gives these answers.
    pub fn start(lines: Vec<Line>) -> Self {
        let script: Shared = Arc::new(Mutex::new(Script { lines: lines.into(), requests: Vec::new() }));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(Arc::clone(&script));
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            tokio::select! {
                served = async { axum::serve(listener, app).await } => served.unwrap(),
                _ = stopped => {}
            }
        };
        let thread = thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(serve);
        });
        Self { address, script, stop: Some(stop), thread: Some(thread) }
    }

    /// Its base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1/", self.address)
    }

    /// What it was asked.
    pub fn requests(&self) -> Vec<(HeaderMap, Value)> {
        self.script.lock().unwrap().requests.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn answer(State(script): State<Shared>, headers: HeaderMap, body: axum::body::Bytes) -> Response<Body> {
    let line = {
        let mut script = script.lock().unwrap();
        script.requests.push((headers, serde_json::from_slice(&body).unwrap()));
        script.lines.pop_front()
    };
    match line {
        None => Response::builder().status(500).body(Body::from("the script is over")).unwrap(),
        Some(Line::Hang) => {
            tokio::time::sleep(Duration::from_secs(600)).await;
            Response::new(Body::empty())
        }
        Some(Line::Status(status, after, body)) => {
            let mut response = Response::builder().status(status);
            if let Some(after) = after {
                response = response.header("Retry-After", after);
            }
            response.body(Body::from(body)).unwrap()
        }
    }
}

/// A good answer with a message; every answer costs 100 and 10 tokens.
pub fn message(message: &Value) -> Line {
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
    let body = json!({"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage});
    Line::Status(200, None, body.to_string())
}

/// A good answer with a text.
pub fn say(text: impl Into<String>) -> Line {
    message(&json!({"role": "assistant", "content": text.into()}))
}

/// A good answer with tool calls.
pub fn call(calls: &[(&str, &str)]) -> Line {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(id, (name, arguments))| {
            json!({"id": format!("c{id}"), "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    message(&json!({"role": "assistant", "content": null, "tool_calls": calls}))
}
