//! The files of a router: a few texts, which outlive a restart.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::time::Time;

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlashFile {
    /// What it holds.
    pub text: Arc<str>,
    /// When it was last written.
    pub written: Time,
}

/// Why a file was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashError {
    /// The name is empty, too long, or holds something else than letters, digits and `._-/`.
    BadName,
    /// There is no room for it.
    Full,
}

impl fmt::Display for FlashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadName => "Invalid file name",
            Self::Full => "No space left on device",
        })
    }
}

impl std::error::Error for FlashError {}

/// The file system `flash:`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    files: BTreeMap<String, FlashFile>,
}

impl Flash {
    /// Octets that all files together may hold.
    pub const CAPACITY: usize = 1 << 20;

    /// How many files there may be.
    pub const MOST_FILES: usize = 64;

    /// The longest file name, in octets.
    const LONGEST_NAME: usize = 63;

    /// The files by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FlashFile)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// A file.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FlashFile> {
        self.files.get(name)
    }

    /// Octets that are free.
    #[must_use]
    pub fn free(&self) -> usize {
        Self::CAPACITY.saturating_sub(self.files.values().map(|file| file.text.len()).sum())
    }

    /// Writes a file, in place of one of the same name.
    ///
    /// # Errors
    /// The name is malformed, or there is no room.
    pub fn write(&mut self, name: &str, text: &str, now: Time) -> Result<(), FlashError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        if name.is_empty() || name.len() > Self::LONGEST_NAME || !name.chars().all(fits) {
            return Err(FlashError::BadName);
        }
        let old = self.get(name).map(|file| file.text.len());
        let crowded = old.is_none() && self.files.len() >= Self::MOST_FILES;
        if crowded || text.len() > self.free() + old.unwrap_or_default() {
            return Err(FlashError::Full);
        }
        self.files.insert(name.to_owned(), FlashFile { text: text.into(), written: now });
        Ok(())
    }

    /// Writes behind the end of a file, which is made if it is not there.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn append(&mut self, name: &str, text: &str, now: Time) -> Result<(), FlashError> {
        let before = self.get(name).map_or("", |file| &file.text);
        let whole = format!("{before}{text}");
        self.write(name, &whole, now)
    }

    /// Deletes a file; tells whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        self.files.remove(name).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_appended_and_deleted() {
        let mut flash = Flash::default();
        flash.write("a.txt", "one\n", Time::ZERO).unwrap();
        flash.append("a.txt", "two\n", Time::from_secs(1)).unwrap();
        assert_eq!(&*flash.get("a.txt").unwrap().text, "one\ntwo\n");
        assert_eq!(flash.free(), Flash::CAPACITY - 8);
        assert!(flash.remove("a.txt") && !flash.remove("a.txt"));
    }

    #[test]
    fn room_and_names_are_bounded() {
        let mut flash = Flash::default();
        assert_eq!(flash.write("a b", "", Time::ZERO), Err(FlashError::BadName));
        assert_eq!(flash.write(&"x".repeat(64), "", Time::ZERO), Err(FlashError::BadName));
        let half = "x".repeat(Flash::CAPACITY / 2 + 1);
        flash.write("a", &half, Time::ZERO).unwrap();
        assert_eq!(flash.write("b", &half, Time::ZERO), Err(FlashError::Full));
        flash.write("a", &half, Time::ZERO).unwrap();
        flash.remove("a");
        for number in 0..Flash::MOST_FILES {
            flash.write(&number.to_string(), "", Time::ZERO).unwrap();
        }
        assert_eq!(flash.write("one-more", "", Time::ZERO), Err(FlashError::Full));
    }
}
