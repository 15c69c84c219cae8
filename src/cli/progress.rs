//! Progress of a run on the terminal.

use std::cell::Cell;

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::printable;
use crate::episode::record::Episode;
use crate::runs::directory::Failure;
use crate::runs::runner::Progress;

/// A bar with the pass rate so far; nothing where standard error is no terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    played: Cell<u64>,
    passed: Cell<u64>,
    failed: Cell<u64>,
}

impl Bar {
    pub fn new() -> Self {
        let bar = ProgressBar::new(0);
        let style = "{bar:30} {pos}/{len} episodes, {msg}, {per_sec}, {elapsed} ({eta} left)";
        // The default style serves if this one were wrong.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Self { bar, played: Cell::new(0), passed: Cell::new(0), failed: Cell::new(0) }
    }

    /// Takes the bar off the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self) {
        let (played, passed, failed) = (self.played.get(), self.passed.get(), self.failed.get());
        let errors = if failed == 0 { String::new() } else { format!(", {failed} infrastructure errors") };
        self.bar.set_message(format!("{passed} of {played} passed{errors}"));
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
        self.played.set(self.played.get() + 1);
        self.passed.set(self.passed.get() + u64::from(episode.passed));
        self.tell();
        self.bar.inc(1);
    }

    fn failed(&self, failure: &Failure) {
        self.failed.set(self.failed.get() + 1);
        let last = failure.attempts.last().map_or("", String::as_str);
        self.bar.suspend(|| eprintln!("{}: {}", failure.key, printable(last)));
        self.tell();
    }
}
