//! Errors of templates: they name the template's file, the line and the parameter, and say what to do.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A file cannot be read.
    Unreadable(String),
    /// `template.toml` is not TOML, or has a field that is missing, unknown or of a wrong type.
    Syntax(String),
    /// A parameter depends on a name that does not exist.
    UnknownName {
        /// The parameter (or node, link, test) that uses the name.
        parameter: String,
        /// The name.
        name: String,
    },
    /// Parameters depend on each other in a circle.
    Cycle(Vec<String>),
    /// No value satisfies a parameter's constraints.
    Unsatisfiable {
        /// The parameter.
        parameter: String,
        /// The constraint that refused the last candidate.
        constraint: String,
    },
    /// A parameter's generator is wrong or cannot produce a value.
    BadParameter {
        /// The parameter.
        parameter: String,
        /// Why.
        reason: String,
    },
    /// A node, link, test or optional line is wrong.
    BadEntry {
        /// Which, e.g. `link backbone`.
        entry: String,
        /// Why.
        reason: String,
    },
    /// A text of the template does not render.
    Render {
        /// Which text, e.g. `goals[2]`, `startup/hub.cfg`.
        text: String,
        /// The template engine's message.
        reason: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reason) => write!(f, "cannot be read: {reason}"),
            Self::Syntax(reason) => write!(f, "{reason}"),
            Self::UnknownName { parameter, name } => {
                write!(f, "parameter `{parameter}`: there is no `{name}`")
            }
            Self::Cycle(parameters) => {
                write!(f, "parameter `{}`: circular dependency", parameters.join("` -> `"))
            }
            Self::Unsatisfiable { parameter, constraint } => {
                write!(f, "parameter `{parameter}`: no value satisfies {constraint}")
            }
            Self::BadParameter { parameter, reason } => write!(f, "parameter `{parameter}`: {reason}"),
            Self::BadEntry { entry, reason } => write!(f, "{entry}: {reason}"),
            Self::Render { text, reason } => write!(f, "{text} does not render: {reason}"),
        }
    }
}

impl Problem {
    /// What the author can do about it.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => {
                "a template is a folder CATEGORY/SLUG with template.toml; `netconfarena template new FOLDER` writes one"
            }
            Self::Syntax(_) => {
                "templates/README.md shows every table and field; `netconfarena template new` writes a template with all of them"
            }
            Self::UnknownName { .. } => "correct the name, or add it under [parameters]",
            Self::Cycle(_) => "give one of these parameters a generator that needs none of the others",
            Self::Unsatisfiable { .. } => {
                "give it more values than its constraints exclude: a wider range, a larger `within`, a longer list"
            }
            Self::BadParameter { .. } => {
                "a parameter has one generator: choice, int_range, random_subnet, subnet_attr, format or shuffle"
            }
            Self::BadEntry { .. } => "correct the entry at this place, or add what it names",
            Self::Render { .. } => {
                "texts know the parameters ({{ lan }}, {{ lan.mask }}) and the routers by role ({{ hub }}, {{ hub.lan.ip }}, \
                 {{ hub.lan.mask }}, {{ hub.lan.interface }}, with a link that the router is on)"
            }
        }
    }
}

/// A [`Problem`] with the place where it was found.
#[derive(Debug)]
pub struct TemplateError {
    problem: Box<Problem>,
    file: String,
    line: usize,
    source: Box<NamedSource<String>>,
    span: Option<Range<usize>>,
    help: Option<String>,
}

impl TemplateError {
    /// A problem at a byte range of a file whose text is `source`.
    #[must_use]
    pub fn at(problem: Problem, file: &Path, source: &str, span: Option<Range<usize>>) -> Self {
        let file = file.display().to_string();
        let line = span.as_ref().map_or(1, |s| line_of(source, s.start));
        Self {
            problem: Box::new(problem),
            source: Box::new(NamedSource::new(&file, source.to_owned())),
            file,
            line,
            span,
            help: None,
        }
    }

    /// Adds what the author can do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What is wrong.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }
}

/// The number, from 1, of the line that holds byte `offset`.
fn line_of(source: &str, offset: usize) -> usize {
    source.bytes().take(offset).filter(|&b| b == b'\n').count() + 1
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

impl std::error::Error for TemplateError {}

impl Diagnostic for TemplateError {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.span.as_ref().map(|_| &*self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        let label = LabeledSpan::new_with_span(Some("here".to_owned()), span);
        Some(Box::new(std::iter::once(label)))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.help.as_deref().unwrap_or_else(|| self.problem.remedy());
        Some(Box::new(help))
    }
}
