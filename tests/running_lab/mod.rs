//! A laboratory with consoles, run by the program itself.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Writes configurations into a folder.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The consoles of a router, as the table of the program tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Router {
    pub name: String,
    pub telnet: String,
    pub ssh: String,
}

/// A running laboratory; it ends with this value.
pub struct RunningLab {
    child: Child,
    pub routers: Vec<Router>,
}

impl RunningLab {
    /// Starts `lab FOLDER` with options, and waits for its table.
    pub fn start(folder: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_netconfarena"))
            .arg("lab")
            .arg(folder)
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let header = lines.next().expect("a table");
        assert_eq!(header.split_whitespace().next(), Some("Router"), "{header}");
        let count = fs::read_dir(folder).unwrap().count();
        let routers = lines.take(count).map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            Router { name: words[0].to_owned(), telnet: words[1].to_owned(), ssh: words[2].to_owned() }
        });
        let routers = routers.collect();
        Self { child, routers }
    }
}

impl Drop for RunningLab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
