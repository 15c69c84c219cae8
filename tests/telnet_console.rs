//! Telnet consoles of a laboratory, by a client that only knows sockets.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use pair::PAIR;
use running_lab::{RunningLab, folder};

#[path = "running_lab/pair.rs"]
mod pair;
mod running_lab;

struct Client {
    stream: TcpStream,
    seen: String,
}

impl Client {
    fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self { stream, seen: String::new() }
    }

    fn logged_in(address: &str) -> Self {
        let mut client = Self::connect(address);
        client.until("Username: ");
        client.types("admin\r");
        client.until("Password: ");
        client.types("cisco\r");
        client.until("#");
        client
    }

    fn types(&mut self, keys: &str) {
        self.stream.write_all(keys.as_bytes()).unwrap();
    }

    /// Everything up to and with a text that is shown next.
    fn until(&mut self, wanted: &str) -> String {
        loop {
            if let Some(at) = self.seen.find(wanted) {
                let rest = self.seen.split_off(at + wanted.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            let mut octets = [0; 4096];
            let count = match self.stream.read(&mut octets) {
                Ok(0) => panic!("closed before `{wanted}`: {}", self.seen),
                Ok(count) => count,
                Err(error) => panic!("{error} before `{wanted}`: {}", self.seen),
            };
            self.seen.push_str(&String::from_utf8_lossy(&octets[..count]));
        }
    }

    /// What a command prints.
    fn ask(&mut self, command: &str) -> String {
        self.types(&format!("{command}\r"));
        self.until("\r\n");
        self.until("#")
    }

    /// Whether the other side closes now.
    fn is_closed(&mut self) -> bool {
        let mut octets = [0; 4096];
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            match self.stream.read(&mut octets) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
            }
        }
        false
    }
}

fn pair(options: &[&str]) -> (tempfile::TempDir, RunningLab) {
    let folder = folder(&PAIR);
    let lab = RunningLab::start(folder.path(), options);
    (folder, lab)
}

#[test]
fn every_router_has_a_console_and_sessions_share_the_network() {
    let (_folder, lab) = pair(&["--telnet", "0"]);
    let names: Vec<&str> = lab.routers.iter().map(|router| router.name.as_str()).collect();
    assert_eq!(names, ["R1", "R2"]);
    assert!(lab.routers.iter().all(|router| router.telnet.starts_with("127.0.0.1:") && router.ssh == "-"));
    let mut first = Client::logged_in(&lab.routers[0].telnet);
    let mut second = Client::logged_in(&lab.routers[0].telnet);
    let mut other = Client::logged_in(&lab.routers[1].telnet);
    assert!(first.ask("ping 192.0.2.2").contains("Success rate is 100 percent"));
    assert!(other.ask("show ip ospf neighbor").contains("192.0.2.1"));
    other.ask("terminal monitor");
    first.ask("configure terminal");
    first.ask("interface GigabitEthernet0/0");
    first.ask("shutdown");
    first.ask("end");
    assert!(second.ask("show ip interface brief").contains("administratively down"));
    // The other router hears no hello for the dead interval of 40 s, in real time: its log tells before that of the line.
    other.until("%OSPF-5-ADJCHG: Process 1, Nbr 192.0.2.1 on GigabitEthernet0/0 from FULL to DOWN");
}

#[test]
fn keys_edit_the_line_and_pages_wait() {
    let (_folder, lab) = pair(&["--telnet", "0"]);
    let mut client = Client::logged_in(&lab.routers[0].telnet);
    client.types("show privx\u{8}\u{1}do \u{1}\u{4}\u{4}\u{4}\u{5}ilege\u{0}\r");
    client.until("Current privilege level is 15\r\nR1#");
    client.types("show runn\t");
    client.until("show running-config ");
    client.types("\r");
    client.until(" --More-- ");
    client.types("q");
    client.until("R1#");
    client.types("show cl?");
    client.until("\r\nR1#show cl");
    client.types("\u{15}\u{10}");
    client.until("show running-config");
    client.types("\u{15}terminal length 0\r");
    client.until("R1#");
    assert!(client.ask("show running-config").ends_with("\r\nend\r\n\r\nR1#"));
    client.types("exit\r");
    assert!(client.is_closed());
}

#[test]
fn connections_above_the_limit_are_closed_and_a_free_place_is_used_again() {
    let (_folder, lab) = pair(&["--telnet", "0", "--connections", "2"]);
    let address = &lab.routers[0].telnet;
    let first = Client::logged_in(address);
    let _second = Client::logged_in(address);
    assert!(Client::connect(address).is_closed());
    drop(first);
    let start = Instant::now();
    loop {
        let mut client = Client::connect(address);
        let mut octet = [0];
        if matches!(client.stream.read(&mut octet), Ok(1)) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "the place stays taken");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_session_without_keys_ends_after_the_time_of_its_line() {
    let files =
        [("R1.cfg", "hostname R1\nline vty 0 4\n no login\n privilege level 15\n exec-timeout 0 2\n")];
    let folder = folder(&files);
    let lab = RunningLab::start(folder.path(), &["--telnet", "0"]);
    let mut client = Client::connect(&lab.routers[0].telnet);
    client.until("R1#");
    let start = Instant::now();
    assert!(client.is_closed());
    assert!(start.elapsed() >= Duration::from_millis(1900), "{:?}", start.elapsed());
}

#[test]
fn hostile_octets_harm_nobody() {
    let (_folder, lab) = pair(&["--telnet", "0"]);
    let address = &lab.routers[0].telnet;
    let mut state: u32 = 7;
    let mut noise = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    for _ in 0..8 {
        let mut client = Client::connect(address);
        let octets: Vec<u8> = (0..20_000).map(|_| noise()).collect();
        // The session may end in the middle.
        let _ = client.stream.write_all(&octets);
    }
    // Who asks for much and reads nothing is not served without end.
    let mut greedy = Client::logged_in(address);
    greedy.ask("terminal length 0");
    greedy.stream.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
    let lines = "show running-config\r".repeat(200);
    while greedy.stream.write_all(lines.as_bytes()).is_ok() {}
    assert!(Client::logged_in(address).ask("show privilege").contains("level is 15"));
}

#[test]
fn what_cannot_be_served_is_said() {
    let folder = folder(&PAIR);
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netconfarena"));
        let output = command.arg("lab").arg(folder.path()).args(options).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(run(&["--telnet", "65535"]).contains("are beyond 65535"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(run(&["--telnet", &port]).contains(&format!("127.0.0.1:{port}: ")));
    #[cfg(not(feature = "ssh"))]
    assert!(run(&["--ssh", "0"]).contains("--features ssh"));
}
