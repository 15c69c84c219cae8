//! A network namespace with a program in it.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use netconfarena::host::TapDevice;
use tempfile::TempDir;

/// Tells apart the namespaces of one test process.
static SERIAL: AtomicU32 = AtomicU32::new(0);

/// A namespace, a folder for its programs, and the programs. All go when it is dropped.
pub struct Namespace {
    name: String,
    pub folder: TempDir,
    programs: Vec<Child>,
    plugged: Cell<bool>,
}

fn ip(arguments: &[&str]) {
    let output = Command::new("ip").args(arguments).output().unwrap();
    assert!(output.status.success(), "ip {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Namespace {
    /// A namespace for a program, if everything is there; else says what is missing.
    pub fn for_program(program: &str, package: &str) -> Option<Self> {
        let missing = if Command::new(program).arg("--version").output().is_err() {
            Some(format!("{program} is not installed (apt-get install {package})"))
        } else if let Err(error) = TapDevice::create("ncaprobe") {
            Some(format!("no TAP device can be made (CAP_NET_ADMIN and /dev/net/tun): {error}"))
        } else if !Command::new("ip").args(["netns", "list"]).output().is_ok_and(|o| o.status.success()) {
            Some("`ip netns` does not work (apt-get install iproute2, run as root)".to_owned())
        } else {
            None
        };
        if let Some(reason) = missing {
            eprintln!("SKIPPED: {reason}");
            return None;
        }
        let name = format!("ncasp{}x{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed));
        ip(&["netns", "add", &name]);
        ip(&["-n", &name, "link", "set", "lo", "up"]);
        let folder = tempfile::tempdir().unwrap();
        Some(Self { name, folder, programs: Vec::new(), plugged: Cell::new(false) })
    }

    /// A TAP device whose one end is `tap0` in the namespace, with an address there.
    pub fn plug(&self, subnet: &str, address: &str) -> TapDevice {
        assert!(!self.plugged.replace(true), "one device is enough");
        let device = TapDevice::create("ncatap").unwrap();
        ip(&["link", "set", device.name(), "netns", &self.name, "name", "tap0"]);
        let (_, length) = subnet.split_once('/').unwrap();
        ip(&["-n", &self.name, "address", "add", &format!("{address}/{length}"), "dev", "tap0"]);
        ip(&["-n", &self.name, "link", "set", "tap0", "up"]);
        device
    }

    /// A file in the folder.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The text of a file in the folder; empty if there is none.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).args(words).stdin(Stdio::null());
        command
    }

    /// Starts a program that runs as long as the namespace.
    pub fn start(&mut self, words: &[&str]) {
        let log = fs::File::create(Path::new(&self.path("output"))).unwrap();
        let mut command = self.command(words);
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.programs.push(command.spawn().unwrap());
    }

    /// Runs a program to its end; what it says.
    pub fn run(&self, words: &[&str]) -> String {
        let output = self.command(words).output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        for program in &mut self.programs {
            // One that has ended by itself is no failure.
            let _ = program.kill();
            let _ = program.wait();
        }
        let _ = Command::new("ip").args(["netns", "del", &self.name]).status();
    }
}
