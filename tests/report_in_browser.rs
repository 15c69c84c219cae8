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

/// A run of that agent, and its report in `folder`.
fn report(folder: &Path) {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let netconfarena = || Command::new(env!("CARGO_BIN_EXE_netconfarena"));
    let (run, page) = (folder.join("run"), folder.join("report.html"));
    let mut command = netconfarena();
    command.args(["run", "ospf/dr-placement@1", "--dense", "--agent", AGENT]);
    assert!(
        command.arg("--templates").arg(templates).arg("--out").arg(&run).output().unwrap().status.success()
    );
    assert!(netconfarena().arg("report").arg(run).arg("--out").arg(page).output().unwrap().status.success());
}

#[test]
fn the_viewer_shows_every_turn_and_hostile_text_stays_text() {
    let Some(browser) = browser() else {
        println!("SKIPPED: there is no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    report(folder.path());
    let address = format!("file://{}#e0", folder.path().join("report.html").display());
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
}

/// A page that shows the report as a phone does, and has as its title what it measures there.
const PHONE: &str = r##"<!doctype html><title>not measured</title><iframe src="report.html#PLACE" width="390" height="844"></iframe>
<script>
addEventListener("load", () => {
  const page = document.querySelector("iframe").contentDocument;
  const style = page.defaultView.getComputedStyle(page.body);
  const light = (colour) => {
    const parts = colour.match(/\d+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  document.title = JSON.stringify({
    width: page.documentElement.scrollWidth, turns: page.querySelectorAll(".turn").length,
    ground: light(style.backgroundColor), ink: light(style.color),
  });
});
</script>"##;

#[test]
fn the_page_fits_a_phone_and_can_be_read_in_the_light_and_in_the_dark() {
    let Some(browser) = browser() else {
        println!("SKIPPED: there is no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    report(folder.path());
    for (place, turns) in [("leaderboard", 0), ("e0", 3)] {
        let page = folder.path().join("phone.html");
        fs::write(&page, PHONE.replace("PLACE", place)).unwrap();
        let address = format!("file://{}", page.display());
        for dark in [false, true] {
            let scheme = format!("--blink-settings=preferredColorScheme={}", u8::from(!dark));
            let arguments = ["--allow-file-access-from-files", &scheme, "--dump-dom", &address];
            let Some(printed) = browse(&browser, folder.path(), &arguments) else {
                println!("SKIPPED: {} does not run here", browser.display());
                return;
            };
            let title = printed.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
            let found: serde_json::Value = serde_json::from_str(title.unwrap()).unwrap();
            let value = |name: &str| found[name].as_f64().unwrap();
            assert!(value("width") <= 390.0, "wide things scroll by themselves: {found}");
            assert_eq!(found["turns"], turns);
            let (ground, ink) = (value("ground"), value("ink"));
            assert_eq!(ground < ink, dark, "{found}");
            // Contrast as WCAG 2 defines it; 7 is its higher demand.
            let contrast = (ground.max(ink) + 0.05) / (ground.min(ink) + 0.05);
            assert!(contrast > 7.0, "{found}");
        }
    }
}
