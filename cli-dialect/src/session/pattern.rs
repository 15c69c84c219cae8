//! Regular expressions as IOS writes them.

use regex::{Regex, RegexBuilder};

/// The longest expression, in octets.
const LONGEST: usize = 254;

/// The most memory that a compiled expression may take, in octets.
const SIZE_LIMIT: usize = 1 << 20;

/// What `_` stands for: the beginning or end of a line, a blank, a comma, a brace or a parenthesis.
const UNDERSCORE: &str = r"(?:^|$|[ ,{}()])";

/// A compiled expression. It is found anywhere in a line, and letters count as they are written.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Regex);

impl Pattern {
    /// Compiles an expression; `None` if it is malformed or too large.
    pub fn new(expression: &str) -> Option<Self> {
        if expression.len() > LONGEST {
            return None;
        }
        RegexBuilder::new(&translate(expression)).size_limit(SIZE_LIMIT).build().ok().map(Self)
    }

    /// Whether the expression is found in a line.
    pub fn is_found_in(&self, line: &str) -> bool {
        self.0.is_match(line)
    }
}

/// IOS knows `. * + ? ^ $ _ | ( ) [ ]` and a backslash in front of a character that shall stand for itself. Braces are
/// ordinary characters, and a backslash with a letter is no class.
fn translate(expression: &str) -> String {
    let mut out = String::new();
    let mut chars = expression.chars();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(literal) => out.push_str(&regex::escape(&literal.to_string())),
                None => out.push_str(r"\\"),
            },
            '[' if in_class => out.push_str(r"\["),
            '[' => {
                in_class = true;
                out.push('[');
                // A bracket that closes at once stands for itself, also behind the caret.
                let rest = chars.as_str();
                if rest.starts_with('^') {
                    chars.next();
                    out.push('^');
                }
                if chars.as_str().starts_with(']') {
                    chars.next();
                    out.push_str(r"\]");
                }
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '&' | '~' if in_class => {
                out.push('\\');
                out.push(c);
            }
            '_' if !in_class => out.push_str(UNDERSCORE),
            '{' | '}' if !in_class => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(expression: &str, line: &str) -> bool {
        Pattern::new(expression).is_some_and(|pattern| pattern.is_found_in(line))
    }

    #[test]
    fn an_underscore_is_a_delimiter_or_an_end() {
        for line in ["65001", "1 65001 2", "{65001}", "1,65001", "(65001)"] {
            assert!(found("_65001_", line), "{line}");
        }
        assert!(!found("_65001_", "165001"));
        assert!(!found("_65001_", "a_65001_"));
    }

    #[test]
    fn braces_and_escaped_letters_stand_for_themselves() {
        assert!(found("a{2}", "a{2}"));
        assert!(!found("a{2}", "aa"));
        assert!(!found(r"\d", "7"));
        assert!(found(r"\d", "d"));
        assert!(found(r"10\.0", "10.0") && !found(r"10\.0", "1010"));
        assert!(found("[^]]", "x") && !found("[^]]", "]"));
        assert!(found("up|down", "is down"));
    }

    #[test]
    fn malformed_expressions_are_refused() {
        assert!(Pattern::new("(").is_none());
        assert!(Pattern::new("*").is_none());
        assert!(Pattern::new(&"a".repeat(1000)).is_none());
    }

    proptest::proptest! {
        #[test]
        fn no_expression_panics(expression in ".*", line in ".*") {
            let _ = found(&expression, &line);
        }
    }
}
