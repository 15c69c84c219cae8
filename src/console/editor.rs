//! Editing a line, key by key, as IOS does.

use std::collections::VecDeque;

/// How many lines are kept.
const HISTORY: usize = 50;

/// What a key leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Nothing beyond the line.
    Edited,
    /// The line is done.
    Line(String),
    /// `?` behind this text.
    Help(String),
    /// The tabulator behind this text.
    Complete(String),
}

/// Where in an escape sequence the keys are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    Begun,
    Bracket,
}

/// A line being typed. What appears on the terminal is appended to `echo` by each key.
#[derive(Clone, Debug, Default)]
pub struct LineEditor {
    text: Vec<char>,
    cursor: usize,
    escape: Escape,
    /// The next character stands for itself.
    quoted: bool,
    /// The last key was a carriage return: a line feed behind it says the same again.
    after_return: bool,
    history: VecDeque<String>,
    /// Which line of the history is shown, counted from the latest.
    shown: Option<usize>,
    /// Keys are not shown, and help is not given.
    pub hidden: bool,
}

impl LineEditor {
    /// The longest line, in characters.
    pub const LONGEST: usize = 254;

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Throws the line away.
    pub fn clear(&mut self) {
        self.text.clear();
        self.cursor = 0;
        self.shown = None;
    }

    /// How many characters stand behind the cursor.
    #[must_use]
    pub fn behind(&self) -> usize {
        self.text.len() - self.cursor
    }

    /// Types a text, as completion does.
    pub fn insert(&mut self, text: &str, echo: &mut String) {
        text.chars().for_each(|c| self.put(c, echo));
    }

    /// A key.
    pub fn press(&mut self, key: u8, echo: &mut String) -> Pressed {
        let after_return = std::mem::take(&mut self.after_return);
        if std::mem::take(&mut self.quoted) && key >= b' ' {
            self.put(char::from(key), echo);
            return Pressed::Edited;
        }
        match (self.escape, key) {
            (Escape::Begun, b'[' | b'O') => {
                self.escape = Escape::Bracket;
                return Pressed::Edited;
            }
            (Escape::Bracket, b'0'..=b'9' | b';') => return Pressed::Edited,
            (Escape::Begun, b'b') => self.move_to(self.word_before(), echo),
            (Escape::Begun, b'f') => self.move_to(self.word_behind(), echo),
            (Escape::Begun, b'd') => self.cut(self.cursor, self.word_behind(), echo),
            (Escape::Bracket, b'A') => self.recall(true, echo),
            (Escape::Bracket, b'B') => self.recall(false, echo),
            (Escape::Bracket, b'C') => self.move_to(self.cursor + 1, echo),
            (Escape::Bracket, b'D') => self.move_to(self.cursor.saturating_sub(1), echo),
            (Escape::Bracket, b'H') => self.move_to(0, echo),
            (Escape::Bracket, b'F') => self.move_to(self.text.len(), echo),
            (Escape::None, _) => return self.plain(key, after_return, echo),
            _ => {}
        }
        self.escape = Escape::None;
        Pressed::Edited
    }

    fn plain(&mut self, key: u8, after_return: bool, echo: &mut String) -> Pressed {
        match key {
            b'\n' if after_return => {}
            b'\r' | b'\n' => {
                self.after_return = key == b'\r';
                return Pressed::Line(self.take());
            }
            b'?' if !self.hidden => {
                echo.push('?');
                return Pressed::Help(self.before());
            }
            b'\t' => return Pressed::Complete(self.before()),
            0x1a | 0x03 => {
                // Control-Z and control-C end the line themselves.
                echo.push_str(if key == 0x1a { "^Z" } else { "^C" });
                let mut line = self.take();
                line.push(char::from(key));
                return Pressed::Line(line);
            }
            0x08 | 0x7f => self.cut(self.cursor.saturating_sub(1), self.cursor, echo),
            0x01 => self.move_to(0, echo),
            0x02 => self.move_to(self.cursor.saturating_sub(1), echo),
            0x04 => self.cut(self.cursor, self.cursor + 1, echo),
            0x05 => self.move_to(self.text.len(), echo),
            0x06 => self.move_to(self.cursor + 1, echo),
            0x0b => self.cut(self.cursor, self.text.len(), echo),
            0x0e => self.recall(false, echo),
            0x10 => self.recall(true, echo),
            0x15 | 0x18 => self.cut(0, self.cursor, echo),
            0x16 => self.quoted = true,
            0x17 => self.cut(self.word_before(), self.cursor, echo),
            0x1b => self.escape = Escape::Begun,
            b' '..=b'~' => self.put(char::from(key), echo),
            _ => {}
        }
        Pressed::Edited
    }

    fn before(&self) -> String {
        self.text.iter().take(self.cursor).collect()
    }

    fn take(&mut self) -> String {
        let line = self.text();
        if !self.hidden && !line.trim().is_empty() && self.history.back() != Some(&line) {
            self.history.push_back(line.clone());
            if self.history.len() > HISTORY {
                self.history.pop_front();
            }
        }
        self.clear();
        line
    }

    fn put(&mut self, c: char, echo: &mut String) {
        if self.text.len() >= Self::LONGEST {
            echo.push('\u{7}');
            return;
        }
        self.text.insert(self.cursor, c);
        self.cursor += 1;
        if !self.hidden {
            echo.push(c);
            self.redraw_behind(0, echo);
        }
    }

    /// Shows what stands behind the cursor and `blanks` in place of what stood there, and goes back.
    fn redraw_behind(&self, blanks: usize, echo: &mut String) {
        echo.extend(self.text.iter().skip(self.cursor));
        echo.push_str(&" ".repeat(blanks));
        echo.push_str(&"\u{8}".repeat(self.behind() + blanks));
    }

    fn move_to(&mut self, place: usize, echo: &mut String) {
        let place = place.min(self.text.len());
        if !self.hidden {
            if place < self.cursor {
                echo.push_str(&"\u{8}".repeat(self.cursor - place));
            } else {
                echo.extend(self.text.iter().take(place).skip(self.cursor));
            }
        }
        self.cursor = place;
    }

    /// Removes characters.
    fn cut(&mut self, from: usize, to: usize, echo: &mut String) {
        let to = to.min(self.text.len());
        if from >= to {
            return;
        }
        self.move_to(from, echo);
        self.text.drain(from..to);
        if !self.hidden {
            self.redraw_behind(to - from, echo);
        }
    }

    fn word_before(&self) -> usize {
        let before = self.text.iter().take(self.cursor).rev();
        let blanks = before.clone().take_while(|c| **c == ' ').count();
        let word = before.skip(blanks).take_while(|c| **c != ' ').count();
        self.cursor - blanks - word
    }

    fn word_behind(&self) -> usize {
        let behind = self.text.iter().skip(self.cursor);
        let blanks = behind.clone().take_while(|c| **c == ' ').count();
        let word = behind.skip(blanks).take_while(|c| **c != ' ').count();
        self.cursor + blanks + word
    }

    /// Shows an earlier or a later line in place of this one.
    fn recall(&mut self, earlier: bool, echo: &mut String) {
        let next = match (self.shown, earlier) {
            (None, true) => Some(0),
            (Some(shown), true) => Some((shown + 1).min(self.history.len().saturating_sub(1))),
            (Some(0) | None, false) => None,
            (Some(shown), false) => Some(shown - 1),
        };
        let line = match next {
            Some(place) => match self.history.iter().rev().nth(place) {
                Some(line) => line.clone(),
                None => return,
            },
            None => String::new(),
        };
        if self.hidden {
            return;
        }
        self.cut(0, self.text.len(), echo);
        self.insert(&line, echo);
        self.shown = next;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The line that keys make, and what the terminal shows of it.
    fn typed(keys: &str) -> (String, String) {
        let mut editor = LineEditor::default();
        let mut echo = String::new();
        keys.bytes().for_each(|key| drop(editor.press(key, &mut echo)));
        (editor.text(), on_screen(&echo))
    }

    /// What a terminal shows of an echo.
    fn on_screen(echo: &str) -> String {
        let mut screen: Vec<char> = Vec::new();
        let mut at: usize = 0;
        for c in echo.chars() {
            match c {
                '\u{8}' => at = at.saturating_sub(1),
                '\u{7}' => {}
                c => {
                    if at < screen.len() {
                        screen[at] = c
                    } else {
                        screen.push(c)
                    }
                    at += 1;
                }
            }
        }
        screen.into_iter().collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn keys_edit_and_the_screen_follows() {
        for (keys, line) in [
            ("show vrx\u{8}f", "show vrf"),
            ("hw\u{1}s\u{5}o", "shwo"),
            ("abc\u{2}\u{2}X", "aXbc"),
            ("one two three\u{17}\u{17}x", "one x"),
            ("abc\u{1b}[D\u{1b}[D\u{4}", "ac"),
            ("abc\u{1}\u{b}z", "z"),
            ("abc def\u{15}g", "g"),
            ("one two\u{1b}b\u{1b}d!", "one !"),
            ("what\u{16}?", "what?"),
        ] {
            let (text, screen) = typed(keys);
            assert_eq!((text.as_str(), screen.as_str()), (line, line), "{keys:?}");
        }
    }

    #[test]
    fn the_history_is_walked_through() {
        assert_eq!(typed("one\rtwo\r\u{10}").0, "two");
        assert_eq!(typed("one\rtwo\r\u{10}\u{10}\u{10}").0, "one");
        assert_eq!(typed("one\rtwo\r\u{1b}[A\u{1b}[A\u{1b}[B").0, "two");
        assert_eq!(typed("one\r\u{10}\u{e}").0, "");
    }

    #[test]
    fn a_return_with_its_line_feed_is_one_end() {
        let mut editor = LineEditor::default();
        let mut echo = String::new();
        let ends =
            "a\r\nb\nc\r".bytes().filter(|key| matches!(editor.press(*key, &mut echo), Pressed::Line(_)));
        assert_eq!(ends.count(), 3);
    }

    #[test]
    fn help_completion_and_control_characters_are_told() {
        let mut editor = LineEditor::default();
        let mut echo = String::new();
        "show ".bytes().for_each(|key| drop(editor.press(key, &mut echo)));
        assert_eq!(editor.press(b'?', &mut echo), Pressed::Help("show ".to_owned()));
        assert_eq!(editor.press(b'\t', &mut echo), Pressed::Complete("show ".to_owned()));
        assert_eq!(editor.press(0x1a, &mut echo), Pressed::Line("show \u{1a}".to_owned()));
        editor.hidden = true;
        echo.clear();
        "secret?".bytes().for_each(|key| drop(editor.press(key, &mut echo)));
        assert_eq!((editor.text().as_str(), echo.as_str()), ("secret?", ""));
    }

    proptest! {
        #[test]
        fn no_keys_panic_and_the_line_stays_short(keys in prop::collection::vec(any::<u8>(), 0..600)) {
            let mut editor = LineEditor::default();
            let mut echo = String::new();
            for key in keys {
                editor.press(key, &mut echo);
                prop_assert!(editor.text.len() <= LineEditor::LONGEST && editor.cursor <= editor.text.len());
            }
        }
    }
}
