//! Reports of runs on the scripted backend.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};
use tempfile::tempdir;

use super::*;
use crate::agent::action::{Action, ByHost};
use crate::agent::builtin::{Recital, Reference};
use crate::agent::{Agent, AgentError, AgentFactory, Move, Reply, Task};
use crate::backend::scripted::Scripted;
use crate::episode::Settings;
use crate::instance::sample::two_routers;
use crate::runs::directory::RunDirectory;
use crate::runs::runner::Job;

/// Markup, escapes of terminals, and what ends a script or a line.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'><b>&amp;\u{1b}[2J\u{1b}]0;x\u{7}\0\u{202e}\u{2028}<!--";

/// Says hostile things in every place where an agent can.
struct Hostile;

impl AgentFactory for Hostile {
    fn name(&self) -> String {
        format!("evil {HOSTILE}")
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let text = |text: String| Move::Reply(Reply { reasoning: Some(HOSTILE.to_owned()), ..text.into() });
        let by_host =
            ByHost::from([("R1".to_owned(), HOSTILE.to_owned()), (HOSTILE.to_owned(), HOSTILE.to_owned())]);
        let act = |action: &Action| Move::Reply(action.into());
        Ok(Box::new(Recital::new(vec![
            text(format!("Thought: {HOSTILE}\nAction: wait 1")),
            text(HOSTILE.to_owned()),
            act(&Action::ApplyConfig(by_host.clone())),
            act(&Action::ExecuteValidation(by_host)),
            act(&Action::GetRunningConfig(vec![])),
            Move::GiveUp(HOSTILE.to_owned()),
        ])))
    }
}

fn run(factory: &dyn AgentFactory, path: &Path) -> PathBuf {
    let instances = vec![two_routers()];
    let job = Job {
        factory,
        backend: &Scripted,
        settings: Settings { dense: true, ..Settings::default() },
        instances: &instances,
        repeats: 2,
        shard: None,
        workers: 1,
        attempts: 1,
    };
    job.run(&mut RunDirectory::open(path, &job.plan().unwrap()).unwrap(), &()).unwrap();
    path.to_owned()
}

fn report(runs: &[PathBuf], which: Trajectories) -> String {
    let mut out = Vec::new();
    write(runs, which, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The texts of the script elements whose start tag is this.
fn scripts<'a>(page: &'a str, start: &str) -> Vec<&'a str> {
    page.split(start).skip(1).map(|rest| rest.split("</script>").next().unwrap()).collect()
}

#[test]
fn hostile_text_stays_text() {
    let folder = tempdir().unwrap();
    let page = report(&[run(&Hostile, folder.path())], Trajectories::All);
    // Two trajectories, the names of the runs, the index, and the script.
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (5, 5));
    for markup in ["<img", "<b>&amp;", "<!--", "\u{1b}", "\0", "\u{7}"] {
        assert!(!page.contains(markup), "{markup:?}");
    }
    let trajectory: Value = serde_json::from_str(scripts(&page, "id=\"e0\">")[0]).unwrap();
    assert_eq!(trajectory["steps"][0]["thought"], HOSTILE, "nothing is lost of it");
    assert!(trajectory["gave_up"] == HOSTILE && trajectory["said"][1]["content"] == HOSTILE);
    let names: Vec<String> = serde_json::from_str(scripts(&page, "id=\"runs\">")[0]).unwrap();
    assert!(names[0].starts_with("evil </script>") && !names[0].contains('\u{1b}'));
}

#[test]
fn the_page_names_its_one_script_and_loads_nothing() {
    let folder = tempdir().unwrap();
    let page = report(&[run(&Reference, folder.path())], Trajectories::All);
    let script = scripts(&page, "<script>");
    let hash = BASE64_STANDARD.encode(Sha256::digest(script[0].as_bytes()));
    assert!(script.len() == 1 && page.contains("default-src &#x27;none&#x27;"), "no script but this one");
    let policy = page.split("Content-Security-Policy").nth(1).unwrap().split('>').next().unwrap();
    assert!(
        policy.replace("&#x2b;", "+").replace("&#x2f;", "/").replace("&#x3d;", "=").contains(&hash),
        "{policy} {hash}"
    );
    for loading in
        [" src=", "url(", "@import", "fetch(", "XMLHttpRequest", "<link", "href=\"http", "innerHTML"]
    {
        assert!(!page.contains(loading), "{loading}");
    }
}

#[test]
fn the_tables_have_every_run_and_the_papers_rows_marked_as_such() {
    let folder = tempdir().unwrap();
    let runs = [run(&Reference, &folder.path().join("a")), run(&Hostile, &folder.path().join("b"))];
    let page = report(&runs, Trajectories::Failed);
    assert_eq!(page.matches("<tr class=\"paper\">").count(), 8);
    assert!(page.contains("qwen3-8B (paper, thinking off)") && page.contains("arXiv 2608.23179"));
    assert!(page.contains("test: lines") && page.contains("score 1.000, pass rate 1.000, 2 episodes"));
    assert!(page.contains("apply_config: 50.0 %") && page.contains("goals that hold: 100 % after turn 2"));
    assert!(page.contains("No failed episode.") && page.contains("rejected lines never corrected"));
    let first = page.find("<th scope=\"row\">reference").unwrap();
    assert!(first < page.find("<th scope=\"row\">deepseek-v4-pro").unwrap(), "the best score first");
    let index: Vec<Value> = serde_json::from_str(scripts(&page, "id=\"index\">")[0]).unwrap();
    let names: BTreeSet<(u64, &str)> =
        index.iter().map(|entry| (entry[0].as_u64().unwrap(), entry[1].as_str().unwrap())).collect();
    assert_eq!(names, BTreeSet::from([(1, "test/lines@0"), (1, "test/lines@0#1")]), "those that failed");
    assert_eq!(scripts(&page, "application/json\" id=\"e").len(), 2);
    assert!(!report(&runs, Trajectories::None).contains("id=\"e0\""));
    assert!("some".parse::<Trajectories>().unwrap_err().contains("all, failed, none"));
}
