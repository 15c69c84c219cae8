//! What `?` and the tabulator answer.

use std::fmt::Write as _;

use super::parse::{Form, ParseError, words};
use super::token::{Token, abbreviates};
use super::tree::Tree;

/// The width of a terminal, for lists of words.
const WIDTH: usize = 79;

/// The answer to `?` behind `line` (without the question mark), from octet `from` on.
///
/// Behind a blank it lists what may follow; behind a part of a word, the words that begin so.
///
/// # Errors
/// If the words before cannot be followed.
pub fn help<H: Copy>(tree: &Tree<H>, line: &str, from: usize, form: Form) -> Result<String, ParseError> {
    let partial = partial_word(line, from);
    let before = &line[..line.len() - partial.len()];
    let position = tree.follow(before, from, form)?;
    if !partial.is_empty() {
        let mut keywords: Vec<&str> = tree
            .candidates(&position)
            .filter_map(|(_, node)| match node.token {
                Token::Keyword(keyword) if abbreviates(partial, keyword) => Some(keyword),
                _ => None,
            })
            .collect();
        keywords.sort_unstable();
        if !keywords.is_empty() {
            return Ok(in_columns(&keywords));
        }
    }
    let mut entries: Vec<(String, &str)> = tree
        .candidates(&position)
        .filter(|(_, node)| {
            partial.is_empty()
                || !matches!(node.token, Token::Keyword(_)) && node.token.value(partial).is_some()
        })
        .flat_map(|(_, node)| node.token.rows(node.help))
        .collect();
    if entries.is_empty() && !partial.is_empty() {
        return Err(ParseError::Invalid { at: before.len(), understood: 0 });
    }
    // Values before keywords, keywords in alphabetical order.
    entries.sort_by_key(|(shown, _)| {
        (!shown.starts_with(|c: char| c == '<' || c.is_ascii_uppercase()), shown.clone())
    });
    entries.dedup();
    let ends = position.node.map(|id| &tree.nodes[id]).is_some_and(|node| match form {
        Form::Set => node.run.is_some(),
        Form::No | Form::Default => node.run.is_some() || node.negative.is_some(),
    });
    if ends && partial.is_empty() {
        entries.push(("<cr>".to_owned(), "<cr>"));
    }
    Ok(in_rows(&entries))
}

/// The word that the line ends in, without a blank behind it.
fn partial_word(line: &str, from: usize) -> &str {
    match words(line).last() {
        Some(word) if word.at >= from && word.at + word.text.len() == line.len() => word.text,
        _ => "",
    }
}

/// One candidate a line, its help two blanks behind the longest.
fn in_rows(entries: &[(String, &str)]) -> String {
    let width = entries.iter().map(|(shown, _)| shown.len()).max().unwrap_or(0);
    entries.iter().fold(String::new(), |mut text, (shown, help)| {
        let _ = match shown.as_str() {
            "<cr>" => writeln!(text, "  <cr>"),
            _ => writeln!(text, "  {shown:<width$}  {help}"),
        };
        text
    })
}

/// Words side by side.
fn in_columns(words: &[&str]) -> String {
    let width = words.iter().map(|w| w.len()).max().unwrap_or(0) + 2;
    let columns = (WIDTH / width).max(1);
    words.chunks(columns).fold(String::new(), |mut text, row| {
        let line = row.iter().fold(String::new(), |line, word| format!("{line}{word:<width$}"));
        text.push_str(line.trim_end());
        text.push('\n');
        text
    })
}

/// What the tabulator appends to `line`: the rest of the only keyword that its last word abbreviates, and a blank.
#[must_use]
pub fn complete<H: Copy>(tree: &Tree<H>, line: &str, from: usize, form: Form) -> Option<String> {
    let partial = partial_word(line, from);
    let position = tree.follow(&line[..line.len() - partial.len()], from, form).ok()?;
    let mut fitting = tree.candidates(&position).filter_map(|(_, node)| match node.token {
        Token::Keyword(keyword) if !partial.is_empty() && abbreviates(partial, keyword) => Some(keyword),
        _ => None,
    });
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(format!("{} ", &only[partial.len()..])),
        _ => None,
    }
}
