//! What may follow a show command behind `|`.

use std::sync::LazyLock;

use super::pattern::Pattern;
use super::storage::FileName;
use crate::config::Complaint;
use crate::grammar::{self, Args, Form, ParseError, Spec, Tree, kw, line, word};

/// What is done with the lines of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Begin,
    Count,
    Exclude,
    Include,
    Section,
    SectionExclude,
}

/// What a line behind `|` asks for.
#[derive(Clone, Copy, Debug)]
enum Action {
    Lines(Kind),
    File { append: bool, tee: bool },
}

/// A filter of an output.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    kind: Kind,
    pattern: Pattern,
}

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    /// The file.
    pub file: FileName,
    /// Behind what it holds.
    pub append: bool,
    /// To the terminal as well.
    pub tee: bool,
}

/// What stands behind the `|`.
#[derive(Clone, Debug)]
pub(super) enum Pipe {
    /// A part of the output is printed.
    Filter(Filter),
    /// The output is written to a file.
    Write(Destination),
}

static TREE: LazyLock<Tree<Action>> = LazyLock::new(|| {
    let filter = |word, help, kind| kw(word, help).then([expression(kind)]);
    let file = |append, tee| word("url", "URL to write the output to").run(Action::File { append, tee });
    Tree::new([
        kw("append", "Append redirected output to URL").then([file(true, false)]),
        filter("begin", "Begin with the line that matches", Kind::Begin),
        filter("count", "Count number of lines which match regexp", Kind::Count),
        filter("exclude", "Exclude lines that match", Kind::Exclude),
        filter("include", "Include lines that match", Kind::Include),
        kw("redirect", "Redirect output to URL").then([file(false, false)]),
        kw("section", "Filter a section of output").then([
            expression(Kind::Section),
            filter("exclude", "Exclude section(s) of output", Kind::SectionExclude),
            filter("include", "Include section(s) of output", Kind::Section),
        ]),
        kw("tee", "Copy output to URL")
            .then([kw("/append", "Append output to URL").then([file(true, true)]), file(false, true)]),
    ])
});

fn expression(kind: Kind) -> Spec<Action> {
    line("expression", "Regular Expression").run(Action::Lines(kind))
}

/// Reads what stands behind the `|` before octet `from` of a line.
pub(super) fn parse(text: &str, from: usize) -> Result<Pipe, Complaint> {
    let matched = grammar::parse(&TREE, text, from, Form::Set).map_err(|error| {
        Complaint::Syntax(match error {
            ParseError::Empty => ParseError::Incomplete,
            other => other,
        })
    })?;
    match matched.handler {
        Action::Lines(kind) => filter(kind, &matched.args).map(Pipe::Filter),
        Action::File { append, tee } => {
            let file = FileName::parse(matched.args.text("url").unwrap_or_default())?;
            Ok(Pipe::Write(Destination { file, append, tee }))
        }
    }
}

fn filter(kind: Kind, args: &Args) -> Result<Filter, Complaint> {
    let expression = args.text("expression").unwrap_or_default();
    let refused = || Complaint::Refused(format!("% Failed to compile regular expression: {expression}"));
    Ok(Filter { kind, pattern: Pattern::new(expression).ok_or_else(refused)? })
}

/// The answer to `?` behind the `|`.
pub(super) fn help(text: &str, from: usize) -> Result<String, ParseError> {
    grammar::help(&TREE, text, from, Form::Set)
}

/// What the tabulator appends behind the `|`.
pub(super) fn complete(text: &str, from: usize) -> Option<String> {
    grammar::complete(&TREE, text, from, Form::Set)
}

impl Filter {
    /// The part of an output that passes.
    pub fn apply(&self, output: &str) -> String {
        let matches = |line: &&str| self.pattern.is_found_in(line);
        match self.kind {
            Kind::Begin => joined(output.lines().skip_while(|line| !self.pattern.is_found_in(line))),
            Kind::Include => joined(output.lines().filter(matches)),
            Kind::Exclude => joined(output.lines().filter(|line| !self.pattern.is_found_in(line))),
            Kind::Count => {
                let count = output.lines().filter(matches).count();
                format!("Number of lines which match regexp = {count}\n")
            }
            Kind::Section => self.sections(output, true),
            Kind::SectionExclude => self.sections(output, false),
        }
    }

    /// A section is a line that matches, with the lines below that are indented further.
    fn sections(&self, output: &str, include: bool) -> String {
        let mut head: Option<usize> = None;
        joined(output.lines().filter(|line| {
            let indent = line.len() - line.trim_start().len();
            if head.is_none_or(|head| indent <= head || line.is_empty()) {
                head = self.pattern.is_found_in(line).then_some(indent);
            }
            head.is_some() == include
        }))
    }
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.fold(String::new(), |text, line| text + line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a one\n inner one\n  deep\n inner two\nb two\n";

    fn filtered(pipe: &str) -> String {
        match parse(pipe, 0).unwrap() {
            Pipe::Filter(filter) => filter.apply(TEXT),
            Pipe::Write(_) => panic!("a filter"),
        }
    }

    #[test]
    fn lines_and_sections_are_filtered() {
        assert_eq!(filtered("i one|two"), "a one\n inner one\n inner two\nb two\n");
        assert_eq!(filtered("exclude inner"), "a one\n  deep\nb two\n");
        assert_eq!(filtered("b two"), " inner two\nb two\n");
        assert_eq!(filtered("count inner"), "Number of lines which match regexp = 2\n");
        assert_eq!(filtered("section ^a"), "a one\n inner one\n  deep\n inner two\n");
        assert_eq!(filtered("section inner one"), " inner one\n  deep\n");
        assert_eq!(filtered("section exclude ^a"), "b two\n");
    }

    #[test]
    fn what_is_wrong_with_a_pipe_is_told() {
        let complaint = |pipe| parse(pipe, 0).unwrap_err();
        assert_eq!(complaint(""), Complaint::Syntax(ParseError::Incomplete));
        assert_eq!(complaint("include"), Complaint::Syntax(ParseError::Incomplete));
        assert!(matches!(complaint("grep x"), Complaint::Syntax(ParseError::Invalid { at: 0, .. })));
        assert!(matches!(complaint("include ("), Complaint::Refused(_)));
    }
}
