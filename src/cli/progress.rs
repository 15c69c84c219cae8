//! How a run goes on, on the terminal.

use std::cell::RefCell;
use std::collections::BTreeMap;

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::printable;
use crate::episode::record::Episode;
use crate::runs::directory::Failure;
use crate::runs::runner::Progress;

/// Slow episodes that are shown.
const SLOWEST: usize = 3;
/// Errors that are shown.
const ERRORS: usize = 3;
/// Characters of an error that are shown.
const LONGEST_ERROR: usize = 100;

/// What the view counts.
#[derive(Clone, Debug, Default)]
struct Tally {
    played: usize,
    passed: usize,
    score: f64,
    endings: BTreeMap<String, usize>,
    /// Real seconds and names, the slowest first.
    slowest: Vec<(f64, String)>,
    failed: usize,
    errors: Vec<String>,
}

impl Tally {
    fn finished(&mut self, episode: &Episode) {
        self.played += 1;
        self.passed += usize::from(episode.passed);
        self.score += episode.score;
        *self.endings.entry(episode.completion.to_string()).or_default() += 1;
        self.slowest.push((episode.wall_seconds, episode.key().to_string()));
        self.slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.slowest.truncate(SLOWEST);
    }

    fn failed(&mut self, failure: &Failure) {
        self.failed += 1;
        let last = failure.attempts.last().map_or("", String::as_str);
        let error: String = printable(last).replace('\n', " ").chars().take(LONGEST_ERROR).collect();
        self.errors.push(format!("{}: {error}", failure.key));
        if self.errors.len() > ERRORS {
            self.errors.remove(0);
        }
    }

    /// The lines below the bar.
    #[expect(clippy::cast_precision_loss, reason = "numbers of episodes")]
    fn lines(&self) -> String {
        let played = self.played.max(1) as f64;
        let mut text = format!(
            "pass rate so far {:.3} ({} of {}), score {:.3}",
            self.passed as f64 / played,
            self.passed,
            self.played,
            self.score / played
        );
        let list = |parts: Vec<String>| parts.join(", ");
        let endings = self.endings.iter().map(|(ending, count)| format!("{count} {ending}"));
        let slowest = self.slowest.iter().map(|(seconds, name)| format!("{name} {seconds:.2} s"));
        if self.played > 0 {
            text.push_str(&format!("\nended    {}", list(endings.collect())));
            text.push_str(&format!("\nslowest  {}", list(slowest.collect())));
        }
        if self.failed > 0 {
            text.push_str(&format!("\n{} infrastructure errors, not scored; the last:", self.failed));
            self.errors.iter().for_each(|error| text.push_str(&format!("\n  {error}")));
        }
        text
    }
}

/// A view of a running evaluation; nothing where standard error is no terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    tally: RefCell<Tally>,
}

impl Bar {
    pub fn new() -> Self {
        let bar = ProgressBar::new(0);
        let style = "{bar:30} {pos}/{len} episodes, {per_sec}, {elapsed} ({eta} left)\n{msg}";
        // The default style serves if this one were wrong.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Self { bar, tally: RefCell::default() }
    }

    /// Takes the view off the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self) {
        if !self.bar.is_hidden() {
            self.bar.set_message(self.tally.borrow().lines());
        }
    }
}

impl Progress for Bar {
    fn begin(&self, all: usize, done: usize) {
        self.bar.set_length(all as u64);
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
        if done > 0 {
            self.bar.suspend(|| eprintln!("{done} of {all} episodes are there already"));
        }
        self.tell();
    }

    fn finished(&self, episode: &Episode) {
        self.tally.borrow_mut().finished(episode);
        self.tell();
        self.bar.inc(1);
    }

    fn failed(&self, failure: &Failure) {
        self.tally.borrow_mut().failed(failure);
        let last = failure.attempts.last().map_or("", String::as_str);
        self.bar.suspend(|| eprintln!("{}: {}", failure.key, printable(last)));
        self.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Task;
    use crate::agent::builtin::{Reference, Useless};
    use crate::backend::scripted::Scripted;
    use crate::episode::{Settings, play};
    use crate::instance::sample::two_routers;
    use crate::runs::plan::Key;

    #[test]
    fn the_view_shows_the_pass_rate_the_slowest_and_errors_without_what_a_terminal_obeys() {
        let instance = two_routers();
        let task = |repeat| Task { instance: &instance, repeat, limits: Settings::default().limits };
        let mut tally = Tally::default();
        assert_eq!(tally.lines(), "pass rate so far 0.000 (0 of 0), score 0.000");
        for repeat in 0..4 {
            let mut episode = if repeat == 2 {
                play(task(repeat), &Useless::Hasty, &Scripted, Settings::default()).unwrap()
            } else {
                play(task(repeat), &Reference, &Scripted, Settings::default()).unwrap()
            };
            episode.wall_seconds = repeat as f64;
            tally.finished(&episode);
        }
        let key = Key::new(&instance.name, 7);
        for number in 0..5 {
            let attempts =
                vec!["first".to_owned(), format!("no {number}\u{1b}[2J\nroute {}", "x".repeat(500))];
            tally.failed(&Failure { key: key.clone(), attempts });
        }
        let lines = tally.lines();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], "pass rate so far 0.750 (3 of 4), score 0.875");
        assert_eq!(lines[1], "ended    3 correct submit, 1 early submit");
        assert_eq!(lines[2], "slowest  test/lines@0#3 3.00 s, test/lines@0#2 2.00 s, test/lines@0#1 1.00 s");
        assert_eq!(lines[3], "5 infrastructure errors, not scored; the last:");
        assert_eq!(lines.len(), 7);
        assert!(lines[6].starts_with("  test/lines@0#7: no 4\u{fffd}[2J route xx") && lines[6].len() < 140);
    }
}
