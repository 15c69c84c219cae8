//! Nothing hidden reaches an agent: a template has a word planted in every test, solution, mistake and optional line, and an agent that
//! reads whatever it can, and provokes every error, never sees that word.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use netconfarena::agent::action::{Action, ByHost};
use netconfarena::agent::builtin::{Actions, Recital, Reference};
use netconfarena::agent::external::External;
use netconfarena::agent::protocol::Scaffold;
use netconfarena::agent::protocol::message::{Message, Role, ToolCall};
use netconfarena::agent::{Agent, AgentError, AgentFactory, Move, Reply, Task};
use netconfarena::backend::emulator::Emulator;
use netconfarena::environment::Limits;
use netconfarena::environment::guard::Guard;
use netconfarena::episode::record::Episode;
use netconfarena::episode::{Settings, play};
use netconfarena::instance::Instance;
use netconfarena::template::Template;
use serde_json::{Value, json};

/// The planted word; what is planted where has another ending.
const WORD: &str = "canary";

const TEMPLATE: &str = r#"
title = "Two routers"
subcategory = "basic"
scenario = "{{ one }} and {{ two }} share {{ wire }}."
goals = ["From {{ one }} one gets to {{ lan }}."]

[nodes]
one = { name = "Elm" }
two = { name = "Oak" }

[[links]]
subnet = "wire"
nodes = ["one", "two"]
media = ["GigabitEthernet", "Serial"]

[[links]]
subnet = "lan"
nodes = ["two"]
media = ["FastEthernet"]

[parameters]
wire = { random_subnet = { within = "10.0.0.0/8", length = 30 } }
lan = { random_subnet = { within = "172.16.0.0/12", length = 24 } }
secret = { choice = ["canary-sampled"] }

[[tests]]
intent = "canary-intent"
device = "one"
command = "show ip route | exclude canary-command"
expect = { contains = { prefix = "{{ lan }}" }, absent = { protocol = "canary-expected" } }

[[tests]]
intent = "canary-end-to-end"
down = "lan"
device = "one"
command = "show running-config | include canary-after-a-cut"
expect = { contains = { text = { regex = "{{ secret }}" } } }

[[tests]]
intent = "canary-guard"
guard = true
device = "one"
command = "ping {{ two.wire.ip }}"
expect = { contains = { received = { greater = 3 } }, absent = { target = "canary-target" } }

[[optional]]
node = "one"
line = "description canary-optional"
reason = "canary-reason"

[[wrong]]
mistake = "canary-mistake"
caught_by = "canary-intent"
edit.one = [["canary-reference", "canary-edited"]]
instead.two = "interface Loopback7\n description canary-instead\n"
"#;

/// Writes the template, and gives an instance of it.
fn instance(root: &Path) -> Instance {
    let folder = root.join("test/hidden");
    let solution = |word: &str| {
        format!(
            "ip route {{{{ lan.network }}}} {{{{ lan.mask }}}} {{{{ two.wire.ip }}}} name {word}\n\
             interface {{{{ one.wire.interface }}}}\n description canary-optional\n"
        )
    };
    let startup = |role: &str, links: &[&str]| {
        let mut text = format!("hostname {{{{ {role} }}}}\n");
        for link in links {
            let end = format!("{role}.{link}");
            text.push_str(&format!(
                "interface {{{{ {end}.interface }}}}\n ip address {{{{ {end}.ip }}}} {{{{ {end}.mask }}}}\n"
            ));
        }
        text
    };
    for (file, text) in [
        ("template.toml", TEMPLATE.to_owned()),
        ("startup/one.cfg", startup("one", &["wire"])),
        ("startup/two.cfg", startup("two", &["wire", "lan"])),
        ("reference/one.cfg", solution("canary-reference")),
        ("alternative/canary-other/one.cfg", solution("canary-alternative")),
    ] {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Template::load(&folder).unwrap().instantiate(0).unwrap()
}

/// Commands that tell something, or should not.
const COMMANDS: &str = "show running-config\nshow startup-config\nshow ip interface brief\nshow interfaces\n\
    show interfaces description\nshow ip route\nshow ip route static\nshow ip protocols\nshow logging\nshow version\nshow clock\n\
    show history\nshow users\nshow arp\nshow ip arp\nshow flash:\nshow archive\nshow tech-support\nshow tests\nshow reference\n\
    show ?\nshow ip ?\nmore nvram:startup-config\ndir\nping 10.0.0.1\ntraceroute 172.16.0.1 ttl 1 2 probe 1 timeout 1\n\
    show running-config | include name\nshow running-config | section interface\nconfigure terminal\nreload\n?";
/// Lines that are accepted, refused, incomplete and unknown.
const LINES: &str = "do show running-config\ndo show startup-config\ninterface Loopback9\n description mine\nexit\nip route\n\
    ip route 192.0.2.0 255.255.255.0 Null0 name ?\nip route 192.0.2.0 255.255.255.0 Null0\nno ip route 198.51.100.0 255.255.255.0 Null0\n\
    frobnicate\ncrypto pki trustpoint X\nshow running-config\n?\ndescription\nend\nwrite memory\nshow startup-config";

/// What the agent does, turn by turn.
fn actions(instance: &Instance) -> Vec<Action> {
    let everywhere = |text: &str| -> ByHost {
        let hosts = instance.nodes.iter().map(|node| node.name.clone());
        hosts.chain(["nobody".to_owned()]).map(|host| (host, text.to_owned())).collect()
    };
    let breaking = instance.nodes.iter().map(|node| {
        let ports = node.ports.iter().map(|port| format!("interface {port}\nshutdown\n"));
        (node.name.clone(), ports.collect::<String>())
    });
    vec![
        Action::GetRunningConfig(Vec::new()),
        Action::GetRunningConfig(vec!["nobody".to_owned(), "Elm".to_owned()]),
        // Fifty commands are the most of one action.
        Action::ExecuteValidation(ByHost::from([("Elm".to_owned(), COMMANDS.to_owned())])),
        Action::ExecuteValidation(ByHost::from([("Oak".to_owned(), COMMANDS.to_owned())])),
        Action::ExecuteValidation(everywhere(COMMANDS)),
        Action::ApplyConfig(everywhere(LINES)),
        Action::ApplyConfig(everywhere(&"no shutdown\n".repeat(3000))),
        Action::Wait(u64::MAX),
        Action::Wait(60),
        Action::ApplyConfig(breaking.collect()),
        Action::GetRunningConfig(Vec::new()),
        Action::Submit,
    ]
}

/// What it says besides: nothing of it is an action.
const NONSENSE: [&str; 4] = [
    "Tell me the tests.",
    "Action: get_tests",
    "Action: get_reference {\"host\": \"Elm\"}",
    "Action: wait soon",
];

/// The agent, in any of the ways to ask one.
struct Curious {
    scaffold: Scaffold,
}

impl AgentFactory for Curious {
    fn name(&self) -> String {
        "curious".to_owned()
    }

    fn scaffold(&self) -> Scaffold {
        self.scaffold
    }

    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let spoken = |message| Move::Reply(Reply::from(message));
        let nonsense = NONSENSE.map(|text| spoken(Message::new(Role::Assistant, text)));
        let moves = actions(task.instance).into_iter().map(|action| match self.scaffold {
            Scaffold::React => Move::Reply((&action).into()),
            Scaffold::Tools => spoken(called(&action)),
            Scaffold::Oneshot => {
                spoken(Message::new(Role::Assistant, json!({"Elm": LINES, "nobody": "x"}).to_string()))
            }
        });
        Ok(Box::new(Recital::new(
            nonsense.into_iter().filter(|_| self.scaffold != Scaffold::Oneshot).chain(moves).collect(),
        )))
    }
}

/// An action as the call of a tool.
fn called(action: &Action) -> Message {
    let arguments = match action {
        Action::GetRunningConfig(hosts) => json!({ "hosts": hosts }),
        Action::ApplyConfig(texts) => json!({ "commands": texts }),
        Action::ExecuteValidation(texts) => json!({ "commands": texts }),
        Action::Wait(seconds) => json!({ "seconds": seconds }),
        Action::Submit => json!({}),
    };
    let mut message = Message::new(Role::Assistant, "");
    message.tool_calls.push(ToolCall::new("1", action.name(), arguments.to_string()));
    message
}

fn played(instance: &Instance, factory: &dyn AgentFactory, guard: Option<Guard>) -> Episode {
    let settings = Settings { limits: Limits::default(), dense: true, guard };
    let task = Task { instance, repeat: 0, limits: settings.limits };
    play(task, factory, &Emulator::default(), settings).unwrap()
}

/// All that an agent was told and said.
fn heard(episode: &Episode) -> String {
    serde_json::to_string(&episode.messages).unwrap().to_lowercase()
}

#[test]
fn the_word_is_in_everything_that_is_hidden() {
    let root = tempfile::tempdir().unwrap();
    let instance = instance(root.path());
    let count = |value: Value| value.to_string().matches(WORD).count();
    let whole = serde_json::to_value(&instance).unwrap();
    for (part, times) in [("tests", 8), ("reference", 2), ("alternatives", 3), ("optional", 2), ("wrong", 5)]
    {
        assert_eq!(count(whole[part].clone()), times, "{part}");
    }
    assert!(!instance.prompt().contains(WORD));
    // Whoever enters the reference sees the word: an agent is seen to hear it.
    assert!(heard(&played(&instance, &Reference, None)).contains("canary-reference"));
}

#[test]
fn an_agent_that_reads_everything_never_hears_the_word() {
    let root = tempfile::tempdir().unwrap();
    let instance = instance(root.path());
    for scaffold in Scaffold::ALL {
        for guard in [None, Some(Guard::Warn), Some(Guard::Refuse)] {
            let episode = played(&instance, &Curious { scaffold }, guard);
            let heard = heard(&episode);
            assert!(!heard.contains(WORD), "{scaffold}, {guard:?}: {heard}");
            assert!(episode.steps.iter().filter(|step| step.rejected).count() >= 1, "errors were provoked");
            if scaffold != Scaffold::Oneshot {
                let taken = episode.steps.iter().filter_map(|step| step.action.as_ref()).collect::<Vec<_>>();
                assert_eq!(taken, actions(&instance).iter().collect::<Vec<_>>(), "every action is one");
                assert!(heard.contains("current configuration") && heard.contains("at most 3600"), "{heard}");
                assert_eq!(heard.contains("reaches"), guard.is_some(), "the guard tells what would be lost");
            }
        }
    }
}

#[test]
fn neither_a_second_episode_nor_a_copy_of_the_network_brings_the_word() {
    let root = tempfile::tempdir().unwrap();
    let instance = instance(root.path());
    let stage = netconfarena::episode::Stage::set(&Emulator::default(), &instance)
        .map_err(|e| e.to_string())
        .unwrap();
    let saving =
        instance.reference.iter().map(|(host, lines)| (host.clone(), format!("{lines}end\nwrite memory\n")));
    let saved = Actions::entering("saves", &saving.collect());
    assert!(heard(&stage.play(0, &saved, Settings::default()).unwrap()).contains(WORD));
    let episode = stage.play(1, &Curious { scaffold: Scaffold::React }, Settings::default()).unwrap();
    assert!(!heard(&episode).contains(WORD));
}

/// A program that notes its environment and all that it is told, and answers with lines of a file.
#[cfg(unix)]
#[test]
fn a_program_is_never_told_the_word() {
    let root = tempfile::tempdir().unwrap();
    let instance = instance(root.path());
    let (log, replies) = (root.path().join("log"), root.path().join("replies"));
    let lines = actions(&instance).into_iter().map(|action| json!({ "action": action }).to_string() + "\n");
    fs::write(&replies, lines.collect::<String>()).unwrap();
    let command = format!(
        "env >{log}; exec 3<{replies}; while IFS= read -r line; do printf '%s\\n' \"$line\" >>{log}; IFS= read -r reply <&3 || exit 0; \
         printf '%s\\n' \"$reply\"; done",
        log = log.display(),
        replies = replies.display()
    );
    let episode =
        played(&instance, &External { command, timeout: Duration::from_secs(60) }, Some(Guard::Warn));
    assert_eq!(episode.turns, actions(&instance).len());
    let told = fs::read_to_string(&log).unwrap().to_lowercase();
    assert!(told.contains("\"type\":\"task\"") && told.contains("current configuration"), "{told}");
    assert!(!told.contains(WORD), "{told}");
}

/// Reads a request, and gives all of it.
fn request(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let (mut all, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
        all.push_str(&line);
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    all + &String::from_utf8(body).unwrap()
}

#[test]
fn an_endpoint_is_never_told_the_word() {
    let root = tempfile::tempdir().unwrap();
    let actions = actions(&instance(root.path()));
    let turns = actions.len();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let endpoint = thread::spawn(move || {
        let mut told = Vec::new();
        for action in actions {
            let (mut stream, _) = listener.accept().unwrap();
            told.push(request(&stream).to_lowercase());
            let reply = Reply::from(&action).message;
            let body = json!({"choices": [{"message": reply, "finish_reason": "stop"}]}).to_string();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
        told
    });
    let out = root.path().join("run");
    let output = Command::new(env!("CARGO_BIN_EXE_netconfarena"))
        .args([
            "run",
            "test/hidden@0",
            "--dense",
            "--guard",
            "--agent",
            "openai",
            "--model",
            "m",
            "--base-url",
            &address,
        ])
        .args(["--key-env", "SOME_KEY"])
        .env("SOME_KEY", "key")
        .arg("--templates")
        .arg(root.path())
        .arg("--out")
        .arg(out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = endpoint.join().unwrap();
    assert!(told.len() == turns && told[turns - 1].contains("current configuration"), "{told:?}");
    assert!(!told.iter().any(|text| text.contains(WORD)), "{told:?}");
}

#[test]
fn a_task_is_shown_without_the_word_unless_revealed() {
    let root = tempfile::tempdir().unwrap();
    instance(root.path());
    let shown = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
        command.args(["show", "test/hidden@0", "--startup"]).args(more).arg("--templates").arg(root.path());
        let output = command.output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["--reveal"]).contains(WORD));
    let plain = shown(&[]);
    assert!(plain.contains("# Goals") && plain.contains("# Startup") && !plain.contains(WORD));
}
