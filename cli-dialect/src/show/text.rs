//! Reading IOS text: lines without the noise of a terminal session, and patterns with holes.

use super::ParseError;

/// One line of output, with its number in the text (from 1) for error messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: usize,
    /// The line without blanks at its end.
    pub text: &'a str,
}

impl<'a> Line<'a> {
    /// The words of the line.
    #[must_use]
    pub fn words(self) -> Vec<&'a str> {
        self.text.split_whitespace().collect()
    }

    /// Whether the line starts with a blank.
    #[must_use]
    pub fn is_indented(self) -> bool {
        self.text.starts_with([' ', '\t'])
    }

    /// See [`holes`].
    #[must_use]
    pub fn holes<const N: usize>(self, pattern: &str) -> Option<[&'a str; N]> {
        holes(self.text, pattern)
    }

    /// Whether the line is `pattern`, apart from the amount of white space.
    #[must_use]
    pub fn is(self, pattern: &str) -> bool {
        holes::<0>(self.text, pattern).is_some()
    }

    /// Interface, status and line protocol, if the line is the head of what is said of an interface: `X is up, line protocol is up`, and
    /// what some commands put behind it.
    #[must_use]
    pub fn interface_head(self) -> Option<[&'a str; 3]> {
        let [interface, status, protocol] =
            self.holes("{} is {}, line protocol is {}").filter(|_| !self.is_indented())?;
        Some([interface, status, protocol.split(' ').next().unwrap_or_default()])
    }

    /// An error about this line.
    #[must_use]
    pub fn error(self, expected: &'static str) -> ParseError {
        ParseError::new(self.number, self.text, expected)
    }

    /// `word` as a value, or an error about this line.
    pub fn value<T: std::str::FromStr>(self, word: &str, expected: &'static str) -> Result<T, ParseError> {
        word.trim().parse().map_err(|_| self.error(expected))
    }
}

/// The lines of `text` that a device printed as the command's output: an echoed command, a returned prompt, the lines of
/// `terminal exec prompt timestamp` and blank lines are left out.
#[must_use]
pub fn lines(text: &str) -> Vec<Line<'_>> {
    text.lines()
        .enumerate()
        .map(|(index, line)| Line { number: index + 1, text: line.trim_end() })
        .filter(|line| !is_noise(line.text))
        .collect()
}

fn is_noise(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty()
        || line.starts_with("Load for five secs")
        || line.starts_with("Time source is")
        || line.starts_with("%OSPF: ")
        || line.starts_with("show ")
        || is_prompt(line)
}

/// Whether a line is a prompt, alone or with an echoed command behind it.
fn is_prompt(line: &str) -> bool {
    let Some(end) = line.find(['#', '>']) else { return false };
    let (host, rest) = line.split_at(end);
    let command = rest[1..].trim_start().to_ascii_lowercase();
    !host.is_empty()
        && host.chars().all(|c| c.is_ascii_alphanumeric() || "-_.@/:".contains(c))
        && (command.is_empty() || ["sh", "ping", "trace", "do "].iter().any(|word| command.starts_with(word)))
}

/// Matches `text` against a pattern in which `{}` stands for a field.
///
/// White space in the pattern stands for any amount of it (at least one) in the text; white space around the text does not
/// count. A field is the shortest text up to what follows it in the pattern, and is never empty.
#[must_use]
pub fn holes<'a, const N: usize>(text: &'a str, pattern: &str) -> Option<[&'a str; N]> {
    let mut literals = pattern.split("{}");
    let mut rest = literal(text.trim(), literals.next()?.trim_start())?;
    let mut found = [""; N];
    let mut count = 0;
    let mut literals = literals.peekable();
    while let Some(next) = literals.next() {
        let is_last = literals.peek().is_none();
        let (field, behind) = field(rest, next, is_last)?;
        *found.get_mut(count)? = field;
        count += 1;
        rest = behind;
    }
    (count == N && rest.is_empty()).then_some(found)
}

/// The shortest non-empty field that `next` follows (at the end of the text, if it is the last), and the text behind.
fn field<'a>(text: &'a str, next: &str, is_last: bool) -> Option<(&'a str, &'a str)> {
    if is_last && next.is_empty() {
        let field = text.trim();
        return (!field.is_empty()).then_some((field, ""));
    }
    text.char_indices().skip(1).find_map(|(at, _)| {
        let behind = literal(&text[at..], next)?;
        let field = text[..at].trim();
        (!field.is_empty() && (!is_last || behind.is_empty())).then_some((field, behind))
    })
}

/// The text behind `pattern`, if the text starts with it.
fn literal<'a>(text: &'a str, pattern: &str) -> Option<&'a str> {
    let mut rest = text;
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            while chars.next_if(|c| c.is_whitespace()).is_some() {}
            let trimmed = rest.trim_start();
            if trimmed.len() == rest.len() {
                return None;
            }
            rest = trimmed;
        } else {
            rest = rest.strip_prefix(c)?;
        }
    }
    Some(rest)
}

/// Pieces of text with an empty line between.
pub(super) fn blocks<T>(pieces: &[T], render: impl Fn(&T, &mut String)) -> String {
    let mut out = String::new();
    for (number, piece) in pieces.iter().enumerate() {
        out.push_str(if number == 0 { "" } else { "\n" });
        render(piece, &mut out);
    }
    out
}

/// Appends a formatted line without blanks at its end.
pub(super) fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_take_the_shortest_fields() {
        assert_eq!(
            holes::<3>(
                "    Neighbor priority is 1, State is FULL, 6 state changes",
                "Neighbor priority is {}, State is {}, {} state changes"
            ),
            Some(["1", "FULL", "6"])
        );
        assert_eq!(holes::<2>("Internet  10.0.0.1", "Internet {}.{}"), Some(["10", "0.0.1"]));
        assert_eq!(holes::<1>("Area 0", "Area {} is"), None);
        assert_eq!(holes::<0>("  a   b ", "a b"), Some([]));
        assert_eq!(holes::<1>("a ", "a {}"), None);
        assert_eq!(holes::<1>("\u{e9}\u{e9}x", "{}x"), Some(["\u{e9}\u{e9}"]));
    }

    #[test]
    fn a_session_around_the_output_is_left_out() {
        let text = "\nR1#show clock\nLoad for five secs: 1%/0%\n*00:00:01.000 UTC\nR1#\n";
        let numbers: Vec<usize> = lines(text).iter().map(|l| l.number).collect();
        assert_eq!(numbers, [4]);
    }

    proptest::proptest! {
        #[test]
        fn holes_never_panic(text in ".*", pattern in ".*") {
            let _ = holes::<1>(&text, &pattern);
            let _ = holes::<1>(&text, &format!("{{}}{pattern}"));
            let _ = lines(&text);
        }
    }
}
