//! Task templates: a folder of data from which instances are sampled.
//!
//! | module | what it holds |
//! |---|---|
//! | [`schema`] | the shape of `template.toml` |
//! | [`sample`] | generators, constraints, resolution by dependency |
//! | [`subnet`] | networks as values in texts |
//! | [`topology`] | link media, interface names, addresses |
//! | `instantiate` | from a template and a seed to an instance |
//! | `texts` | which parameters the texts depend on |
//! | [`catalog`] | finding templates |
//! | [`error`] | what can be wrong, and where |

pub mod catalog;
pub mod error;
mod instantiate;
pub mod sample;
pub mod schema;
pub mod subnet;
mod texts;
pub mod topology;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use error::{Problem, TemplateError};
use minijinja::Environment;
use schema::TemplateFile;

/// Configuration texts by the role of a router, not yet rendered.
pub type RoleConfigs = BTreeMap<String, String>;

/// A template as read from its folder.
#[derive(Clone, Debug)]
pub struct Template {
    /// `<category>/<slug>`.
    pub name: String,
    /// `template.toml`.
    pub file: TemplateFile,
    path: PathBuf,
    source: String,
    startup: RoleConfigs,
    reference: RoleConfigs,
    alternatives: BTreeMap<String, RoleConfigs>,
    engine: Environment<'static>,
    /// Known after the first instance.
    needs: OnceLock<sample::Needs>,
}

impl Template {
    /// Reads the template in `folder`, whose last two parts are its name.
    ///
    /// # Errors
    /// The file, the line and what is wrong with it.
    pub fn load(folder: &Path) -> Result<Self, TemplateError> {
        let path = folder.join("template.toml");
        let source = read(&path)?;
        let file: TemplateFile = toml::from_str(&source).map_err(|e| {
            TemplateError::at(Problem::Syntax(e.message().to_owned()), &path, &source, e.span())
        })?;
        let mut parts: Vec<String> =
            folder.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
        let name = parts.split_off(parts.len().saturating_sub(2)).join("/");
        let mut template = Self {
            name,
            startup: read_configs(&folder.join("startup"))?,
            reference: read_configs(&folder.join("reference"))?,
            alternatives: read_alternatives(&folder.join("alternative"))?,
            file,
            path,
            source,
            engine: sample::engine(),
            needs: OnceLock::new(),
        };
        template.check()?;
        template.reference.retain(|_, text| !text.trim().is_empty());
        template.learn_texts();
        Ok(template)
    }

    /// The texts of all its files.
    #[must_use]
    pub fn files(&self) -> impl serde::Serialize + use<'_> {
        (&self.source, &self.startup, &self.reference, &self.alternatives)
    }

    /// First part of the name.
    #[must_use]
    pub fn category(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Checks what refers to nodes and networks, so that instances need not.
    fn check(&self) -> Result<(), TemplateError> {
        let roles = || self.file.nodes.keys().cloned().collect::<Vec<_>>().join(", ");
        let unknown = |entry: String, span, role: &str| {
            self.error(Problem::BadEntry { entry, reason: format!("there is no node `{role}`") }, span)
                .with_help(format!("nodes are {}", roles()))
        };
        for link in &self.file.links {
            let name = &link.get_ref().subnet;
            let entry = format!("link `{name}`");
            if !self.file.parameters.contains_key(name) {
                let reason = format!("there is no parameter `{name}`");
                let problem = Problem::BadEntry { entry, reason };
                return Err(self.error(problem, Some(link.span())));
            }
            if let Some(role) = link.get_ref().nodes.iter().find(|r| !self.file.nodes.contains_key(*r)) {
                return Err(unknown(entry, Some(link.span()), role));
            }
        }
        for (number, test) in self.file.tests.iter().enumerate() {
            let entry = format!("test {}", number + 1);
            if !self.file.nodes.contains_key(&test.get_ref().device) {
                return Err(unknown(entry, Some(test.span()), &test.get_ref().device));
            }
            if let Some(link) = &test.get_ref().down
                && !self.file.links.iter().any(|l| l.get_ref().subnet == *link)
            {
                let links = self.file.links.iter().map(|l| l.get_ref().subnet.clone()).collect::<Vec<_>>();
                let problem = Problem::BadEntry { entry, reason: format!("there is no link `{link}`") };
                let help = format!("links are {}", links.join(", "));
                return Err(self.error(problem, Some(test.span())).with_help(help));
            }
            test.get_ref()
                .expect
                .check()
                .map_err(|reason| self.error(Problem::BadEntry { entry, reason }, Some(test.span())))?;
        }
        self.check_wrong()?;
        let clash = self.file.nodes.iter().find(|(role, _)| self.file.parameters.contains_key(*role));
        if let Some((role, spec)) = clash {
            let reason = "a parameter has the same name".to_owned();
            let problem = Problem::BadEntry { entry: format!("node `{role}`"), reason };
            return Err(self.error(problem, Some(spec.span())));
        }
        let folders = [("startup", &self.startup), ("reference", &self.reference)];
        let folders = folders.into_iter().map(|(n, c)| (n.to_owned(), c));
        let others = self.alternatives.iter().map(|(n, c)| (format!("alternative/{n}"), c));
        for (folder, configs) in folders.chain(others) {
            if let Some(role) = configs.keys().find(|r| !self.file.nodes.contains_key(*r)) {
                return Err(unknown(format!("{folder}/{role}.cfg"), None, role));
            }
        }
        Ok(())
    }

    /// Checks that wrong solutions name groups and routers that exist, and edit what the reference has.
    fn check_wrong(&self) -> Result<(), TemplateError> {
        for spec in &self.file.wrong {
            let wrong = spec.get_ref();
            let fail = |reason: String| {
                let entry = format!("wrong solution `{}`", wrong.mistake);
                self.error(Problem::BadEntry { entry, reason }, Some(spec.span()))
            };
            if !self.file.tests.iter().any(|test| test.get_ref().intent == wrong.caught_by) {
                return Err(fail(format!("no test has the intent `{}`", wrong.caught_by)));
            }
            if let Some(role) = wrong.instead.keys().find(|role| !self.file.nodes.contains_key(*role)) {
                return Err(fail(format!("there is no node `{role}`")));
            }
            wrong.configs(&self.reference).map_err(fail)?;
        }
        Ok(())
    }

    /// A problem of this template at a place in `template.toml`.
    fn error(&self, problem: Problem, span: Option<Range<usize>>) -> TemplateError {
        TemplateError::at(problem, &self.path, &self.source, span)
    }
}

fn read(path: &Path) -> Result<String, TemplateError> {
    std::fs::read_to_string(path)
        .map_err(|e| TemplateError::at(Problem::Unreadable(e.to_string()), path, "", None))
}

/// Every `<role>.cfg` of a folder; nothing if there is no such folder.
fn read_configs(folder: &Path) -> Result<RoleConfigs, TemplateError> {
    let mut configs = RoleConfigs::new();
    for path in entries(folder) {
        if path.extension().is_some_and(|e| e == "cfg") {
            let role = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            configs.insert(role, read(&path)?);
        }
    }
    Ok(configs)
}

/// Every `alternative/<name>/<role>.cfg`.
fn read_alternatives(folder: &Path) -> Result<BTreeMap<String, RoleConfigs>, TemplateError> {
    let mut alternatives = BTreeMap::new();
    for path in entries(folder).into_iter().filter(|p| p.is_dir()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        alternatives.insert(name, read_configs(&path)?);
    }
    Ok(alternatives)
}

/// The entries of a folder in the order of their names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = read.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths
}
