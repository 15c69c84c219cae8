//! The instances of a run, each made when an episode needs it: a run of very many holds only those that are being played.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use miette::Diagnostic;
use thiserror::Error;

use crate::instance::{Instance, InstanceName};
use crate::template::Template;
use crate::template::error::TemplateError;

/// Why there is no instance.
#[derive(Debug, Error, Diagnostic)]
pub enum InstanceError {
    /// The run has none of this name.
    #[error("there is no instance {0}")]
    Unknown(InstanceName),
    /// Its template makes none with this seed.
    #[error("{name} cannot be made: {error}")]
    #[diagnostic(forward(error))]
    Template {
        /// Which.
        name: InstanceName,
        /// What is wrong with the template.
        error: Box<TemplateError>,
    },
}

/// Instances by name. The same name always gives the same instance.
pub trait Instances: Sync {
    /// The names, each once.
    fn names(&self) -> BTreeSet<InstanceName>;

    /// The instance of one of the names.
    ///
    /// # Errors
    /// Its template does not make it, or the name is none of [`Instances::names`].
    fn make(&self, name: &InstanceName) -> Result<Cow<'_, Instance>, InstanceError>;

    /// A BLAKE3 hash for each template, of all that its instances are made from.
    ///
    /// # Errors
    /// A template is found wrong.
    fn hashes(&self) -> Result<BTreeMap<String, String>, InstanceError>;
}

/// Instances that are made of templates.
#[derive(Debug)]
pub struct Sampled {
    templates: BTreeMap<String, Template>,
    names: BTreeSet<InstanceName>,
}

impl Sampled {
    /// The instances of these names; a name whose template is not there is found out when it is made.
    #[must_use]
    pub fn new(templates: Vec<Template>, names: BTreeSet<InstanceName>) -> Self {
        let templates = templates.into_iter().map(|template| (template.name.clone(), template)).collect();
        Self { templates, names }
    }
}

impl Instances for Sampled {
    fn names(&self) -> BTreeSet<InstanceName> {
        self.names.clone()
    }

    fn make(&self, name: &InstanceName) -> Result<Cow<'_, Instance>, InstanceError> {
        let found = self.templates.get(&name.template).filter(|_| self.names.contains(name));
        let template = found.ok_or_else(|| InstanceError::Unknown(name.clone()))?;
        template
            .instantiate(name.seed)
            .map(Cow::Owned)
            .map_err(|error| InstanceError::Template { name: name.clone(), error: Box::new(error) })
    }

    /// Of a template's files and its seeds, and of the first instance: that shows a change of how instances are made, and most
    /// mistakes in a template before an episode is played.
    fn hashes(&self) -> Result<BTreeMap<String, String>, InstanceError> {
        let mut hashers: BTreeMap<String, blake3::Hasher> = BTreeMap::new();
        for name in &self.names {
            if !hashers.contains_key(&name.template) {
                let mut hasher = blake3::Hasher::new();
                hasher.update(&serialized(&*self.make(name)?));
                let files = self.templates.get(&name.template).map(Template::files);
                hasher.update(&serialized(&files));
                hashers.insert(name.template.clone(), hasher);
            }
            if let Some(hasher) = hashers.get_mut(&name.template) {
                hasher.update(&name.seed.to_le_bytes());
            }
        }
        Ok(finished(hashers))
    }
}

/// Instances that are there already.
impl Instances for Vec<Instance> {
    fn names(&self) -> BTreeSet<InstanceName> {
        self.iter().map(|instance| instance.name.clone()).collect()
    }

    fn make(&self, name: &InstanceName) -> Result<Cow<'_, Instance>, InstanceError> {
        let found = self.iter().find(|instance| instance.name == *name);
        found.map(Cow::Borrowed).ok_or_else(|| InstanceError::Unknown(name.clone()))
    }

    fn hashes(&self) -> Result<BTreeMap<String, String>, InstanceError> {
        let mut hashers: BTreeMap<String, blake3::Hasher> = BTreeMap::new();
        for instance in self {
            hashers.entry(instance.name.template.clone()).or_default().update(&serialized(instance));
        }
        Ok(finished(hashers))
    }
}

fn serialized(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn finished(hashers: BTreeMap<String, blake3::Hasher>) -> BTreeMap<String, String> {
    hashers.into_iter().map(|(name, h)| (name, h.finalize().to_hex().to_string())).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::authoring::scaffold;

    fn name(seed: u64) -> InstanceName {
        InstanceName { template: "x/first".to_owned(), seed }
    }

    fn sampled(folder: &Path, seeds: &[u64]) -> Sampled {
        Sampled::new(vec![Template::load(folder).unwrap()], seeds.iter().map(|&seed| name(seed)).collect())
    }

    #[test]
    fn another_file_another_seed_and_another_name_are_another_hash() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("x/first");
        scaffold::write(&folder).unwrap();
        let hash = |seeds: &[u64]| sampled(&folder, seeds).hashes().unwrap()["x/first"].clone();
        let whole = hash(&[0, 1]);
        assert_eq!(hash(&[0, 1]), whole);
        assert_ne!(hash(&[0, 2]), whole);
        // A line that only some seeds might show.
        let file = folder.join("startup/hub.cfg");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{text}{{# of another seed #}}\n")).unwrap();
        assert_ne!(hash(&[0, 1]), whole);
    }

    #[test]
    fn a_wrong_template_is_found_before_anything_is_played() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("x/first");
        scaffold::write(&folder).unwrap();
        fs::write(folder.join("startup/hub.cfg"), "{{ nobody }}").unwrap();
        let error = sampled(&folder, &[4]).hashes().unwrap_err();
        assert!(error.to_string().starts_with("x/first@4 cannot be made: "), "{error}");
        let shown = format!("{:?}", miette::Report::new(error));
        assert!(shown.contains("texts know the parameters"), "{shown}");
    }

    #[test]
    fn an_instance_is_that_of_its_template_and_others_are_named() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("x/first");
        scaffold::write(&folder).unwrap();
        let instances = sampled(&folder, &[3, 1]);
        assert_eq!(instances.names().into_iter().map(|n| n.seed).collect::<Vec<_>>(), [1, 3]);
        let wanted = Template::load(&folder).unwrap().instantiate(3).unwrap();
        assert_eq!(*instances.make(&name(3)).unwrap(), wanted);
        let error = instances.make(&name(2)).unwrap_err();
        assert_eq!(error.to_string(), "there is no instance x/first@2");
    }
}
