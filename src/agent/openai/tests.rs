//! Episodes against a scripted endpoint on the loopback interface.

#[path = "../../../tests/scripted_endpoint/mod.rs"]
mod scripted_endpoint;

use std::time::{Duration, Instant};

use serde_json::json;

use self::scripted_endpoint::{Line, Server, call, message, say};
use super::client::Endpoint;
use super::secret::Secret;
use super::*;
use crate::backend::scripted::Scripted;
use crate::episode::record::Episode;
use crate::episode::{EpisodeError, Settings, play};
use crate::instance::sample::two_routers;
use crate::scores::metrics::{Completion, Conduct};

/// A key that must be found nowhere.
const KEY: &str = "sk-marker-3f9a";

fn endpoint(server: &Server) -> Endpoint {
    Endpoint {
        base_url: server.base_url(),
        secret: Secret::new(KEY),
        timeout: Duration::from_millis(500),
        requests_per_minute: None,
        attempts: 3,
        pause: Duration::from_millis(1),
    }
}

fn model(server: &Server, scaffold: Scaffold) -> OpenAi {
    let settings = ModelSettings { model: "m".to_owned(), scaffold, ..ModelSettings::default() };
    OpenAi::new(settings, Client::new(endpoint(server)).unwrap())
}

fn play_with(agent: &OpenAi) -> Result<Episode, EpisodeError> {
    let instance = two_routers();
    let task = Task { instance: &instance, repeat: 0, limits: Settings::default().limits };
    play(task, agent, &Scripted, Settings::default())
}

fn episode(scaffold: Scaffold, lines: Vec<Line>) -> Result<Episode, EpisodeError> {
    play_with(&model(&Server::start(lines), scaffold))
}

const READ: &str = "Thought: look\nAction: get_running_config []";
const SOLVE: &str = r#"Action: apply_config {"R1": "solved\nalso"}"#;
const WRONG: &str = r#"Action: apply_config {"R1": "bad"}"#;
const LOOK: &str = r#"Action: execute_validation {"R1": "show lines"}"#;
const REFUSED: &str = r#"Action: execute_validation {"R1": "reload"}"#;
const SUBMIT: &str = "Action: submit";

/// Turns, null turns, judged actions, rejected ones, repeated turns.
const fn conduct(counts: [usize; 5]) -> Conduct {
    let [turns, null_turns, judged_actions, rejected_actions, repeated_turns] = counts;
    Conduct { turns, null_turns, judged_actions, rejected_actions, repeated_turns }
}

#[test]
fn written_text_trajectories_have_the_metrics_computed_by_hand() {
    let full = vec!["Action: wait 1"; 25];
    let cases: Vec<(Vec<&str>, Completion, [usize; 5], f64)> = vec![
        (vec![SOLVE, SUBMIT], Completion::CorrSub, [2, 0, 1, 0, 0], 1.0),
        (vec![READ, SOLVE, LOOK, SUBMIT], Completion::CorrSub, [4, 0, 2, 0, 0], 1.0),
        (vec![SUBMIT], Completion::EarlySub, [1, 0, 0, 0, 0], 0.0),
        (vec![READ, LOOK, SUBMIT], Completion::EarlySub, [3, 0, 1, 0, 0], 0.0),
        (vec![WRONG, SUBMIT], Completion::ErrSub, [2, 0, 1, 1, 0], 0.0),
        (vec![WRONG, WRONG, SOLVE, SUBMIT], Completion::CorrSub, [4, 0, 3, 2, 1], 1.0),
        (vec![LOOK, LOOK, LOOK, SOLVE, SUBMIT], Completion::CorrSub, [5, 0, 4, 0, 2], 1.0),
        (vec!["I would look first.", SOLVE, SUBMIT], Completion::CorrSub, [3, 1, 1, 0, 0], 1.0),
        (vec!["Action: submit\nAction: submit", SUBMIT], Completion::EarlySub, [2, 1, 0, 0, 0], 0.0),
        (vec![REFUSED, SOLVE, SUBMIT], Completion::CorrSub, [3, 0, 2, 1, 0], 1.0),
        (vec!["", "Action: reboot", SOLVE, SUBMIT], Completion::CorrSub, [4, 2, 1, 0, 0], 1.0),
        (
            vec!["Action: get_running_config [\"R7\"]", SOLVE, SUBMIT],
            Completion::CorrSub,
            [3, 0, 1, 0, 0],
            1.0,
        ),
        (full.clone(), Completion::Limit, [20, 0, 0, 0, 0], 0.0),
        ([vec![SOLVE], full].concat(), Completion::Limit, [20, 0, 1, 0, 0], 1.0),
    ];
    for (texts, completion, counts, f1) in cases {
        let episode = episode(Scaffold::React, texts.iter().copied().map(say).collect()).unwrap();
        assert_eq!(episode.completion, completion, "{texts:?}");
        assert_eq!(episode.metrics.conduct, conduct(counts), "{texts:?}");
        assert_eq!(episode.metrics.cfg.f1, f1, "{texts:?}");
        let turns = counts[0] as u64;
        assert_eq!(episode.tokens, Some(crate::agent::Tokens { input: 100 * turns, output: 10 * turns }));
    }
}

#[test]
fn written_tool_trajectories_have_the_metrics_computed_by_hand() {
    let solve = ("apply_config", r#"{"commands": {"R1": "solved"}}"#);
    let cases: Vec<(Vec<Line>, Completion, [usize; 5])> = vec![
        (vec![call(&[solve]), call(&[("submit", "{}")])], Completion::CorrSub, [2, 0, 1, 0, 0]),
        (
            vec![call(&[solve, ("submit", "{}")]), call(&[("submit", "")])],
            Completion::EarlySub,
            [2, 1, 0, 0, 0],
        ),
        (
            vec![call(&[("configure", "{}")]), call(&[solve]), call(&[("submit", "{}")])],
            Completion::CorrSub,
            [3, 1, 1, 0, 0],
        ),
        (
            vec![call(&[("wait", "{\"sec")]), say("Done."), call(&[("submit", "{}")])],
            Completion::EarlySub,
            [3, 2, 0, 0, 0],
        ),
    ];
    for (lines, completion, counts) in cases {
        let episode = episode(Scaffold::Tools, lines).unwrap();
        assert_eq!((episode.completion, episode.metrics.conduct), (completion, conduct(counts)));
    }
}

#[test]
fn requests_hold_the_conversation_the_tools_and_the_extra_fields() {
    let server = Server::start(vec![call(&[("wait", "{\"seconds\": 1}")]), call(&[("submit", "{}")])]);
    let extra =
        json!({"top_p": 0.5, "temperature": null, "chat_template_kwargs": {"enable_thinking": false}});
    let settings = ModelSettings {
        model: "m".to_owned(),
        scaffold: Scaffold::Tools,
        temperature: Some(0.2),
        max_tokens: Some(99),
        extra: extra.as_object().unwrap().clone(),
        ..ModelSettings::default()
    };
    play_with(&OpenAi::new(settings, Client::new(endpoint(&server)).unwrap())).unwrap();
    let requests = server.requests();
    let (headers, first) = &requests[0];
    assert_eq!(headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(
        (&first["model"], &first["max_tokens"], &first["top_p"]),
        (&json!("m"), &json!(99), &json!(0.5))
    );
    assert!(first.get("temperature").is_none() && first.get("stop").is_none());
    assert_eq!(first["chat_template_kwargs"]["enable_thinking"], false);
    assert_eq!(first["tools"].as_array().unwrap().len(), 5);
    let roles: Vec<&str> =
        requests[1].1["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool"]);
    assert_eq!(requests[1].1["messages"][3]["tool_call_id"], "c0");
}

#[test]
fn what_may_pass_is_tried_again_and_retry_after_is_honoured() {
    let busy = || Line::Status(429, Some("0.3"), "slow down".to_owned());
    let odd = |status: u16| Line::Status(status, None, "<html>oops</html>".to_owned());
    let cut = Line::Status(200, None, "{\"choices\": [{\"mess".to_owned());
    let empty = Line::Status(200, None, "{\"choices\": []}".to_owned());
    let lines = vec![
        busy(),
        say(SOLVE),
        odd(500),
        odd(503),
        say(READ),
        cut,
        empty,
        say(LOOK),
        odd(408),
        Line::Hang,
        say(SUBMIT),
    ];
    let server = Server::start(lines);
    let started = Instant::now();
    let episode = play_with(&model(&server, Scaffold::React)).unwrap();
    assert!(started.elapsed() >= Duration::from_millis(800), "0.3 s asked for, 0.5 s of a hanging answer");
    assert_eq!((episode.completion, episode.turns), (Completion::CorrSub, 4));
    assert_eq!(server.requests().len(), 11);
    assert_eq!(episode.tokens.unwrap().output, 40, "only answers count");
    let failed = &episode.failed_requests;
    assert_eq!(failed.len(), 7, "{failed:?}");
    for (at, said) in [(0, "429 Too Many Requests: slow down"), (3, "no valid JSON"), (6, "timed out")] {
        assert!(failed[at].contains(said), "{failed:?}");
    }
}

#[test]
fn an_endpoint_that_stays_away_is_no_failure_of_the_agent() {
    let down = || Line::Status(502, None, format!("bad gateway for {KEY}"));
    let error = episode(Scaffold::React, vec![say(READ), down(), down(), down(), down()]).unwrap_err();
    assert!(error.may_pass(), "{error}");
    let text = error.to_string();
    assert!(text.contains("502") && text.contains("attempt 3") && !text.contains(KEY), "{text}");

    let server = Server::start(vec![]);
    let nobody = Endpoint { base_url: "http://127.0.0.1:1/v1".to_owned(), ..endpoint(&server) };
    let settings = ModelSettings { model: "m".to_owned(), ..ModelSettings::default() };
    let error = play_with(&OpenAi::new(settings, Client::new(nobody).unwrap())).unwrap_err();
    assert!(error.may_pass() && error.to_string().contains("refused"), "{error}");
}

#[test]
fn a_key_that_is_refused_stops_the_run_and_is_not_told() {
    let refusal = Line::Status(401, None, format!("Incorrect API key provided: {KEY}"));
    let error = episode(Scaffold::React, vec![refusal]).unwrap_err();
    assert!(!error.may_pass());
    assert!(error.to_string().contains("[redacted]") && !error.to_string().contains(KEY), "{error}");
    let unknown = Line::Status(404, None, "no model `m`".to_owned());
    assert!(!episode(Scaffold::React, vec![unknown]).unwrap_err().may_pass());
}

#[test]
fn a_conversation_that_is_too_long_is_given_up() {
    for (status, said) in [
        (
            400,
            r#"{"error": {"code": "context_length_exceeded", "message": "maximum context length is 512"}}"#,
        ),
        (400, r#"{"error": {"type": "exceed_context_size_error", "message": "the request exceeds"}}"#),
        (400, "prompt is too long: 210000 tokens > 200000 maximum"),
        (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
        (413, "Please reduce the length of the messages or completion."),
        (422, "the context length is 4096"),
        (500, "the request exceeds the available context size. try increasing the context size"),
        (500, "Requested tokens (2500) exceed context window of 2048"),
    ] {
        let full = Line::Status(status, None, said.to_owned());
        let episode = episode(Scaffold::React, vec![say(SOLVE), full]).unwrap();
        assert_eq!((episode.turns, episode.completion, episode.passed), (1, Completion::Limit, true));
        let reason = episode.gave_up.unwrap();
        assert!(reason.starts_with("the conversation exceeds the model's context: "), "{reason}");
        assert!(reason.contains(&status.to_string()), "{reason}");
    }
    let odd =
        self::episode(Scaffold::React, vec![Line::Status(400, None, "bad field".to_owned())]).unwrap_err();
    assert!(odd.may_pass() && odd.to_string().contains("bad field"), "{odd}");
}

#[test]
fn requests_that_are_always_refused_and_a_quota_that_is_used_up_stop_the_run() {
    let refusal = || Line::Status(400, None, "unknown field `stop`".to_owned());
    let mut lines: Vec<Line> = (0..9).map(|_| refusal()).collect();
    lines.push(say(SUBMIT));
    lines.extend((0..10).map(|_| refusal()));
    let server = Server::start(lines);
    let agent = model(&server, Scaffold::React);
    for _ in 0..9 {
        assert!(play_with(&agent).unwrap_err().may_pass());
    }
    assert!(play_with(&agent).is_ok(), "an answer begins the count anew");
    for _ in 0..9 {
        assert!(play_with(&agent).unwrap_err().may_pass());
    }
    let last = play_with(&agent).unwrap_err();
    assert!(!last.may_pass() && last.to_string().contains("10 requests refused in a row"), "{last}");
    let quota = r#"{"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}"#;
    let error = episode(Scaffold::React, vec![Line::Status(429, None, quota.to_owned())]).unwrap_err();
    assert!(!error.may_pass() && error.to_string().contains("exceeded your current quota"), "{error}");
}

#[test]
fn a_malformed_call_is_sent_back_as_endpoints_take_it() {
    let server =
        Server::start(vec![call(&[("wait", "{\"sec"), ("", "")]), say(""), call(&[("submit", "{}")])]);
    let episode = play_with(&model(&server, Scaffold::Tools)).unwrap();
    assert_eq!((episode.turns, episode.metrics.conduct.null_turns), (3, 2));
    assert_eq!(episode.messages[2].tool_calls[0].function.arguments, "{\"sec", "the record has it as it was");
    let sent = &server.requests()[2].1["messages"];
    let calls = &sent[2]["tool_calls"];
    assert_eq!(calls[0]["function"]["arguments"], r#"{"unreadable":"{\"sec"}"#);
    assert_eq!(calls[1]["function"], json!({"name": "nameless", "arguments": "{}"}));
    assert_eq!(sent[5]["content"], "(nothing)");
}

#[test]
fn no_key_is_found_in_what_is_kept() {
    let server = Server::start(vec![say(format!("Thought: my key is {KEY}\n{SOLVE}")), say(SUBMIT)]);
    let mut agent = model(&server, Scaffold::React);
    agent.settings.extra.insert("user".to_owned(), json!(KEY));
    let episode = play_with(&agent).unwrap();
    let kept = serde_json::to_string(&episode).unwrap();
    assert!(kept.contains("[redacted]") && !kept.contains(KEY));
    assert!(!agent.settings().to_string().contains(KEY));
    assert!(!format!("{agent:?}").contains("marker"), "also not where the whole agent is printed");
}

#[test]
fn huge_and_odd_answers_become_null_turns() {
    let huge = "x".repeat(5 << 20);
    let episode = episode(
        Scaffold::React,
        vec![say(&huge), say("\0\u{1b}[2J"), message(&json!({"refusal": "No."})), say(SUBMIT)],
    );
    let episode = episode.unwrap();
    assert_eq!((episode.turns, episode.metrics.conduct.null_turns), (4, 3));
    assert!(serde_json::to_string(&episode).unwrap().len() < 50_000);
}

#[test]
fn requests_keep_their_rate() {
    let server = Server::start(vec![say(READ), say(READ), say(SUBMIT)]);
    let endpoint = Endpoint { requests_per_minute: Some(300), ..endpoint(&server) };
    let settings = ModelSettings { model: "m".to_owned(), ..ModelSettings::default() };
    let started = Instant::now();
    play_with(&OpenAi::new(settings, Client::new(endpoint).unwrap())).unwrap();
    assert!(started.elapsed() >= Duration::from_millis(400), "three requests, 200 ms apart");
}

#[test]
fn urls_that_are_none_or_hold_secrets_are_refused() {
    let server = Server::start(vec![]);
    let with = |base_url: &str| Client::new(Endpoint { base_url: base_url.to_owned(), ..endpoint(&server) });
    for (url, said) in [
        ("api.example.com", "is no URL"),
        ("ftp://example.com", "no http or https URL"),
        ("https://me:secret@example.com/v1", "into the environment"),
        ("https://example.com/v1?key=secret", "into the environment"),
    ] {
        assert!(with(url).unwrap_err().contains(said), "{url}");
    }
}
