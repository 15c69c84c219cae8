//! What agents and endpoints can do to a run from outside: nothing of it harms the terminal, the report or the memory, and the key
//! is found in no file.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// A key that must be found nowhere.
const KEY: &str = "sk-marker-81c2f7";
/// The most memory that a run may take, in KiB: half of what the agent writes.
const MOST_MEMORY: u64 = 100 * 1024;

fn netconfarena(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    command.args(arguments);
    command
}

fn run(out: &Path, agent: &str) -> Command {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut command =
        netconfarena(&["run", "static/floating-routes@0", "--agent", agent, "--dense", "--templates"]);
    command.arg(templates).arg("--out").arg(out);
    command
}

/// Both outputs; a failure if they hold what a terminal would obey.
fn harmless(output: &Output) -> String {
    let text = String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap();
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!text.contains(obeyed), "{text:?}");
    text
}

fn report(run: &Path) -> String {
    let file = run.with_extension("html");
    let output = netconfarena(&["report"]).arg(run).arg("--out").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", harmless(&output));
    fs::read_to_string(file).unwrap()
}

#[test]
fn markup_and_escapes_in_the_agents_name_and_words_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let agent = "exec:# \u{1b}[2J\u{1b}]0;owned\u{7}</script><script>alert(1)</script>\n\
        read -r _; printf '%s\\n' '{\"text\": \"\\u001b[2J\\u0000</script><img src=x onerror=alert(1)>\"}'\n\
        read -r _; printf '%s\\n' '{\"give_up\": \"\\u001b[31m<b>no</b>\"}'; cat >/dev/null";
    let output = run(&out, agent).output().unwrap();
    assert!(output.status.success());
    assert!(harmless(&output).contains("owned"), "the name is shown");
    for arguments in [vec!["compare", "", ""], vec!["blame", "", "static/floating-routes@0"]] {
        let mut command = netconfarena(&arguments[..1]);
        arguments[1..].iter().for_each(|a| {
            command.arg(if a.is_empty() { out.as_os_str() } else { a.as_ref() });
        });
        if arguments[0] == "blame" {
            command.arg("--templates").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("templates"));
        }
        harmless(&command.output().unwrap());
    }
    let page = report(&out);
    assert!(!page.contains("<img") && !page.contains("<script>alert") && !page.contains('\u{1b}'));
    assert_eq!(page.matches("<script").count(), 4);
}

/// The most memory that a process has had so far, in KiB.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn lines_of_ten_megabytes_and_nuls_cost_a_turn_each_and_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    // Twenty lines of ten megabytes, half of them valid JSON, half NULs.
    let agent = "exec:for n in 1 2 3 4 5 6 7 8 9 10; do \
        read -r _; printf '{\"text\": \"'; head -c 10485760 /dev/zero | tr '\\0' x; printf '\"}\\n'; \
        read -r _; head -c 10485760 /dev/zero; echo; done; cat >/dev/null";
    let mut child = run(&out, agent).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(peak_memory(child.id()).unwrap_or_default());
        thread::sleep(Duration::from_millis(10));
    }
    assert!(child.wait().unwrap().success());
    if most == 0 {
        println!("SKIPPED: this system does not tell how much memory a process took");
    }
    assert!(most < MOST_MEMORY, "{most} KiB");
    let line = fs::read_to_string(out.join("episodes.jsonl")).unwrap();
    let episode: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&episode["turns"], &episode["metrics"]["null_turns"]), (&20.into(), &20.into()));
    assert!(line.len() < 1 << 20 && report(&out).len() < 1 << 20, "{} bytes", line.len());
}

/// An endpoint that repeats the key wherever it can.
fn parrot(listener: TcpListener) {
    let answers = [
        (429, format!("slow down, {KEY}")),
        (200, choice(&format!("Thought: the key is {KEY}\\nAction: wait 1"))),
        (500, format!("<b>{KEY}</b>")),
        (200, choice("Action: submit")),
    ];
    for (status, body) in answers {
        let Ok((stream, _)) = listener.accept() else { return };
        answer(stream, status, &body);
    }
}

fn choice(text: &str) -> String {
    format!(
        "{{\"id\": \"{KEY}\", \"choices\": [{{\"message\": {{\"role\": \"assistant\", \"content\": \"{text}\"}}}}]}}"
    )
}

fn answer(mut stream: TcpStream, status: u16, body: &str) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut length, mut key) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let header = line.trim().to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        key |= header == format!("authorization: bearer {KEY}");
        if header.is_empty() {
            break;
        }
    }
    assert!(key, "the key is sent");
    reader.read_exact(&mut vec![0; length]).unwrap();
    let head = format!(
        "HTTP/1.1 {status} X\r\nRetry-After: 0\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_key_is_in_no_file_and_in_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let endpoint = thread::spawn(|| parrot(listener));
    let extra = format!("{{\"user\": \"{KEY}\"}}");
    let mut command = run(&out, "openai");
    command.args(["--model", "m", "--base-url", &address, "--key-env", "SOME_KEY", "--extra", &extra]);
    let output = command.env("SOME_KEY", KEY).output().unwrap();
    let text = harmless(&output);
    assert!(output.status.success(), "{text}");
    endpoint.join().unwrap();
    report(&out);
    let export = folder.path().join("export.jsonl");
    let mut command = netconfarena(&["export", "--format", "rewards", "--out"]);
    assert!(command.arg(&export).arg(&out).output().unwrap().status.success());
    assert!(!text.contains(KEY), "{text}");
    let all = files(folder.path());
    assert!(all.len() >= 5, "{all:?}");
    for file in all {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains(KEY), "{}", file.display());
    }
    let kept = fs::read_to_string(out.join("episodes.jsonl")).unwrap();
    assert!(kept.contains("the key is [redacted]"), "{kept}");
    // A run that could not be played tells why, without the key.
    let refused = folder.path().join("refused");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let endpoint = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        answer(stream, 401, &format!("no such key: {KEY}"));
    });
    let mut command = run(&refused, "openai");
    command.args(["--model", "m", "--base-url", &address, "--key-env", "SOME_KEY"]);
    let text = harmless(&command.env("SOME_KEY", KEY).output().unwrap());
    endpoint.join().unwrap();
    assert!(text.contains("no such key: [redacted]") && !text.contains(KEY), "{text}");
    let mut all = files(&refused);
    all.retain(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).contains(KEY));
    assert_eq!(all, [""; 0].map(PathBuf::from));
}
