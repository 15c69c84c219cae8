//! A report in a real browser: the viewer shows every turn, and what agents say runs nowhere.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Says markup and escapes where agents can.
const AGENT: &str = r#"exec:# <script>document.title="pwned"</script>
for n in 1 2; do read -r _; printf '%s\n' '{"text": "Thought: <img src=x onerror=\"document.title=1\"> \u001b[2J\nAction: execute_validation {\"R\": \"show <b>clock</b>\"}"}'; done
read -r _; printf '%s\n' '{"action": {"name": "submit"}}'; cat >/dev/null"#;

/// How long the browser may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn browser() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let all: Vec<PathBuf> =
        std::env::split_paths(&paths).flat_map(|folder| names.map(|name| folder.join(name))).collect();
    all.into_iter().find(|path| path.is_file())
}

/// What the browser prints; nothing if it does not come to an end.
fn browse(browser: &Path, folder: &Path, arguments: &[&str]) -> Option<String> {
    let printed = folder.join("printed");
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            &profile,
        ])
        .args(arguments)
        .stdout(fs::File::create(&printed).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        sleep(Duration::from_millis(50));
    }
    fs::read_to_string(printed).ok()
}

#[test]
fn the_viewer_shows_every_turn_and_hostile_text_stays_text() {
    let Some(browser) = browser() else {
        println!("SKIPPED: there is no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let netconfarena = || Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    let mut run = netconfarena();
    run.args([
        "run",
        "ospf/dr-placement@1",
        "--dense",
        "--agent",
        AGENT,
        "--out",
        &path("run"),
        "--templates",
    ]);
    assert!(run.arg(templates).output().unwrap().status.success());
    let mut report = netconfarena();
    assert!(
        report
            .args(["report", &path("run"), "--out", &path("report.html")])
            .output()
            .unwrap()
            .status
            .success()
    );
    let address = format!("file://{}#e0", path("report.html"));
    let Some(page) = browse(&browser, folder.path(), &["--dump-dom", &address]) else {
        println!("SKIPPED: {} does not run here", browser.display());
        return;
    };
    for shown in [
        "Turn 1: execute_validation",
        "Turn 3: submit",
        "Goal, judged after each turn",
        "show the hidden tests",
        "<circle",
        "&lt;img src=x",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(
        !page.contains("<img") && !page.contains("<b>clock") && page.contains("<title>NetConfArena: exec:")
    );
    let picture = format!("--screenshot={}", path("phone.png"));
    browse(&browser, folder.path(), &[&picture, "--window-size=390,844", address.trim_end_matches("#e0")])
        .unwrap();
    assert!(fs::metadata(path("phone.png")).unwrap().len() > 10_000, "an empty page makes a small file");
}
