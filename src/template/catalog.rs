//! Finding templates: every `<category>/<slug>/template.toml` under a folder.

use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::error::TemplateError;
use super::{Template, entries};

/// Why templates cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub enum CatalogError {
    /// The folder holds none.
    #[error("there are no templates in {}", .0.display())]
    #[diagnostic(help("give the folder that holds <category>/<slug>/template.toml with --templates DIR"))]
    Empty(PathBuf),
    /// A name or pattern matches none.
    #[error("there is no template `{wanted}`")]
    #[diagnostic(help("templates are: {}", known.join(", ")))]
    Unknown {
        /// What was asked for.
        wanted: String,
        /// All names.
        known: Vec<String>,
    },
    /// A template is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Template(#[from] TemplateError),
}

/// The folders of all templates under `root`, in the order of their names.
#[must_use]
pub fn find(root: &Path) -> Vec<PathBuf> {
    let categories = entries(root).into_iter().filter(|p| p.is_dir());
    categories.flat_map(|c| entries(&c)).filter(|p| p.join("template.toml").is_file()).collect()
}

/// Loads the templates under `root` whose names match one of `wanted` (all, if it is empty): a full name, a category,
/// or a pattern with `*`.
///
/// # Errors
/// A pattern without a match, or a template that is wrong.
pub fn load(root: &Path, wanted: &[String]) -> Result<Vec<Template>, CatalogError> {
    let folders = find(root);
    if folders.is_empty() {
        return Err(CatalogError::Empty(root.to_owned()));
    }
    let named: Vec<(String, PathBuf)> = folders.into_iter().map(|f| (name_of(&f), f)).collect();
    for pattern in wanted {
        if !named.iter().any(|(name, _)| matches(pattern, name)) {
            let known = named.iter().map(|(n, _)| n.clone()).collect();
            return Err(CatalogError::Unknown { wanted: pattern.clone(), known });
        }
    }
    let chosen = named.iter().filter(|(n, _)| wanted.is_empty() || matches_any(wanted, n));
    chosen.map(|(_, folder)| Ok(Template::load(folder)?)).collect()
}

fn name_of(folder: &Path) -> String {
    let part =
        |p: Option<&Path>| p.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    format!("{}/{}", part(folder.parent()), part(Some(folder)))
}

/// Whether one of the patterns stands for `name`.
#[must_use]
pub fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

/// Whether `name` is `pattern`, lies in the category `pattern`, or matches its `*`s.
fn matches(pattern: &str, name: &str) -> bool {
    if pattern == name || name.split('/').next() == Some(pattern) {
        return true;
    }
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_match_in_full_by_category_and_by_pattern() {
        for pattern in ["ospf/cost-steering", "ospf", "ospf/*", "*steering", "o*st*g", "*"] {
            assert!(matches(pattern, "ospf/cost-steering"), "{pattern}");
        }
        for pattern in ["osp", "ospf/cost", "*cost", "bgp/*", ""] {
            assert!(!matches(pattern, "ospf/cost-steering"), "{pattern}");
        }
    }
}
