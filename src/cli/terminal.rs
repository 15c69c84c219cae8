//! Texts from outside on a terminal.

/// A text without what a terminal would obey: control characters other than line feed and tabulator are replaced.
pub(super) fn printable(text: &str) -> String {
    let harmless = |c: char| c == '\n' || c == '\t' || !c.is_control();
    text.chars().map(|c| if harmless(c) { c } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[2J\0\r\u{9b}b\n\tc"), "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}b\n\tc");
    }
}
