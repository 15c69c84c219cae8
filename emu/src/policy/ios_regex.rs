//! IOS regular expressions, as as-path access lists and expanded community lists have them.
//!
//! The language is small: `.`, `*`, `+`, `?`, `^`, `$`, `[...]`, `(...)`, `|`, `\`, and `_`, which stands for a blank, comma, brace or
//! parenthesis, or for either end of the text. It is translated to the syntax of the `regex` crate, whose automata take time linear in
//! the text; the pattern's length is bounded, and the language has no counted repetition that could blow an automaton up.

use std::fmt;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// The longest pattern, as a configuration line of IOS bounds it.
const LONGEST_PATTERN: usize = 254;

/// The greatest size of a compiled automaton, in octets.
const AUTOMATON_LIMIT: usize = 1 << 20;

/// What `_` stands for.
const UNDERSCORE: &str = r"(?:^|[ \t,{}()]|$)";

/// A regular expression in IOS's syntax, compiled.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IosRegex {
    pattern: String,
    compiled: Regex,
}

/// Why a pattern is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidRegex {
    /// More than 254 characters.
    TooLong,
    /// `*`, `+` or `?` with nothing in front.
    NothingToRepeat,
    /// A parenthesis without its partner.
    UnmatchedParenthesis,
    /// A bracket without its partner, or a range out of order.
    MalformedBrackets,
    /// A backslash at the end.
    TrailingBackslash,
    /// `\1` and the like: recalling what a parenthesis has matched.
    BackReference,
    /// The automaton would be too big.
    TooBig,
}

impl fmt::Display for InvalidRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the pattern is longer than 254 characters",
            Self::NothingToRepeat => "?+* follows nothing",
            Self::UnmatchedParenthesis => "unmatched ()",
            Self::MalformedBrackets => "unmatched [] or invalid range",
            Self::TrailingBackslash => "trailing \\",
            Self::BackReference => "recalling a parenthesis by \\N is not supported",
            Self::TooBig => "the pattern is too complex",
        })
    }
}

impl std::error::Error for InvalidRegex {}

impl IosRegex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// If the pattern is malformed, too long, or asks for what automata cannot do.
    pub fn new(pattern: &str) -> Result<Self, InvalidRegex> {
        if pattern.chars().count() > LONGEST_PATTERN {
            return Err(InvalidRegex::TooLong);
        }
        let translated = Translator::new(pattern).translate()?;
        let compiled = RegexBuilder::new(&translated)
            .size_limit(AUTOMATON_LIMIT)
            .dfa_size_limit(AUTOMATON_LIMIT)
            .build()
            .map_err(|_| InvalidRegex::TooBig)?;
        Ok(Self { pattern: pattern.to_owned(), compiled })
    }

    /// The pattern as written.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether the pattern matches somewhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.is_match(text)
    }
}

impl PartialEq for IosRegex {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for IosRegex {}

impl fmt::Debug for IosRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IosRegex").field(&self.pattern).finish()
    }
}

impl fmt::Display for IosRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}

impl TryFrom<String> for IosRegex {
    type Error = InvalidRegex;

    fn try_from(pattern: String) -> Result<Self, InvalidRegex> {
        Self::new(&pattern)
    }
}

impl From<IosRegex> for String {
    fn from(regex: IosRegex) -> Self {
        regex.pattern
    }
}

/// Translates a pattern one atom at a time.
struct Translator<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    out: String,
    /// Where the last atom begins in `out`, if something can be repeated here.
    atom: Option<usize>,
    /// Where the open parentheses begin.
    open: Vec<usize>,
}

impl<'a> Translator<'a> {
    fn new(pattern: &'a str) -> Self {
        Self { rest: pattern.chars().peekable(), out: String::new(), atom: None, open: Vec::new() }
    }

    fn translate(mut self) -> Result<String, InvalidRegex> {
        while let Some(c) = self.rest.next() {
            match c {
                '*' | '+' | '?' => self.repeat(c)?,
                '^' | '$' | '|' => self.verbatim(c),
                '(' => {
                    self.open.push(self.out.len());
                    self.out.push_str("(?:");
                    self.atom = None;
                }
                ')' => {
                    let start = self.open.pop().ok_or(InvalidRegex::UnmatchedParenthesis)?;
                    self.out.push(')');
                    self.atom = Some(start);
                }
                '[' => self.brackets()?,
                '.' => self.push_atom("."),
                '_' => self.push_atom(UNDERSCORE),
                '\\' => match self.rest.next() {
                    None => return Err(InvalidRegex::TrailingBackslash),
                    Some(digit) if digit.is_ascii_digit() => return Err(InvalidRegex::BackReference),
                    Some(escaped) => self.literal(escaped),
                },
                other => self.literal(other),
            }
        }
        if self.open.is_empty() { Ok(self.out) } else { Err(InvalidRegex::UnmatchedParenthesis) }
    }

    fn verbatim(&mut self, c: char) {
        self.out.push(c);
        self.atom = None;
    }

    fn push_atom(&mut self, text: &str) {
        self.atom = Some(self.out.len());
        self.out.push_str(text);
    }

    fn literal(&mut self, c: char) {
        let mut buffer = [0; 4];
        let escaped = regex::escape(c.encode_utf8(&mut buffer));
        self.push_atom(&escaped);
    }

    /// A repetition of the last atom. It is put in parentheses of its own, since `a*?` would mean something else otherwise.
    fn repeat(&mut self, operator: char) -> Result<(), InvalidRegex> {
        let start = self.atom.ok_or(InvalidRegex::NothingToRepeat)?;
        self.out.insert_str(start, "(?:");
        self.out.push(operator);
        self.out.push(')');
        Ok(())
    }

    /// `[...]`: characters and ranges; `^` in front excludes, `]` in front and `-` at either end stand for themselves.
    fn brackets(&mut self) -> Result<(), InvalidRegex> {
        let mut class = String::from("[");
        if self.rest.next_if_eq(&'^').is_some() {
            class.push('^');
        }
        let mut is_first = true;
        loop {
            let low = self.rest.next().ok_or(InvalidRegex::MalformedBrackets)?;
            if low == ']' && !is_first {
                break;
            }
            is_first = false;
            let low =
                if low == '\\' { self.rest.next().ok_or(InvalidRegex::MalformedBrackets)? } else { low };
            let mut high = low;
            if self.rest.peek() == Some(&'-') {
                let mut ahead = self.rest.clone();
                ahead.next();
                if let Some(end) = ahead.next().filter(|&end| end != ']') {
                    self.rest = ahead;
                    high = end;
                }
            }
            if low > high {
                return Err(InvalidRegex::MalformedBrackets);
            }
            class.push_str(&format!(r"\x{{{:x}}}-\x{{{:x}}}", u32::from(low), u32::from(high)));
        }
        class.push(']');
        self.push_atom(&class);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        IosRegex::new(pattern).unwrap().is_match(text)
    }

    #[test]
    fn underscore_is_an_end_or_a_delimiter() {
        for text in ["65001", "65001 7", "7 65001", "7 65001 8", "7 {65001,8}", "7 (65001) 8"] {
            assert!(matches("_65001_", text), "{text}");
        }
        for text in ["", "650011", "165001", "7 650012 8"] {
            assert!(!matches("_65001_", text), "{text}");
        }
    }

    #[test]
    fn familiar_patterns() {
        assert!(matches("^$", "") && !matches("^$", "1"));
        assert!(matches(".*", "") && matches(".*", "1 2"));
        assert!(matches("^100_[0-9]+$", "100 7") && !matches("^100_[0-9]+$", "100 7 8"));
        assert!(matches("^([0-9]+)(_[0-9]+)?$", "1 2") && !matches("^([0-9]+)(_[0-9]+)?$", "1 2 3"));
        assert!(matches("_(100|200)$", "5 200") && !matches("_(100|200)$", "200 5"));
        assert!(matches("^65[0-1][^0-9]", "650 1") && !matches("^65[0-1][^0-9]", "6501"));
    }

    #[test]
    fn brackets_take_signs_literally() {
        assert!(matches("[]a]", "]") && matches("[a-]", "-") && matches("[-a]", "-"));
        assert!(matches("[.&&~]", "&") && !matches("[.]", "x"));
        assert!(matches(r"[\]]", "]"));
    }

    #[test]
    fn braces_and_escapes_are_literal() {
        assert!(matches("{65002,65003}$", "65001 {65002,65003}"));
        assert!(matches(r"\(65001\)", "(65001) 2") && matches(r"1\.2", "1.2") && !matches(r"1\.2", "1x2"));
    }

    #[test]
    fn a_repeated_repetition_stays_greedy() {
        assert!(matches("^a*?$", "aaa") && matches("^a+*$", ""));
    }

    #[test]
    fn malformed_patterns_are_refused() {
        for (pattern, error) in [
            ("*1", InvalidRegex::NothingToRepeat),
            ("(+1)", InvalidRegex::NothingToRepeat),
            ("^*", InvalidRegex::NothingToRepeat),
            ("(1", InvalidRegex::UnmatchedParenthesis),
            ("1)", InvalidRegex::UnmatchedParenthesis),
            ("[1", InvalidRegex::MalformedBrackets),
            ("[]", InvalidRegex::MalformedBrackets),
            ("[9-0]", InvalidRegex::MalformedBrackets),
            ("1\\", InvalidRegex::TrailingBackslash),
            (r"(1)\1", InvalidRegex::BackReference),
        ] {
            assert_eq!(IosRegex::new(pattern), Err(error), "{pattern}");
        }
        assert_eq!(IosRegex::new(&"1".repeat(255)), Err(InvalidRegex::TooLong));
    }

    #[test]
    fn equality_and_storage_go_by_the_pattern() {
        let regex = IosRegex::new("_1_").unwrap();
        let bytes = postcard::to_stdvec(&regex).unwrap();
        let back: IosRegex = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back, regex);
        assert!(back.is_match("2 1"));
        assert!(postcard::from_bytes::<IosRegex>(&postcard::to_stdvec("(1").unwrap()).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_a_pattern_or_an_error(pattern in "[-0-9_.*+?^$()|\\[\\]\\\\{} ]{0,40}", text in "[0-9 {},()]{0,40}") {
            if let Ok(regex) = IosRegex::new(&pattern) {
                let _ = regex.is_match(&text);
            }
        }

        #[test]
        fn literals_match_themselves(text in "\\PC{1,30}") {
            let pattern: String = text.chars().flat_map(|c| if c.is_ascii_punctuation() { vec!['\\', c] } else { vec![c] }).collect();
            prop_assert!(matches(&pattern, &text));
        }
    }
}
