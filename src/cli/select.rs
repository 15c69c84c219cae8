//! Which templates and instances a command is about.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use miette::{Result, miette};

use crate::instance::{Difficulty, Instance, InstanceName};
use crate::runs::instances::Sampled;
use crate::template::{Template, catalog};

/// The most seeds of one selection.
const MOST_SEEDS: u64 = 100_000;

/// Where templates are.
#[derive(Clone, Debug, Args)]
pub(super) struct Folder {
    /// Folder that holds CATEGORY/SLUG/template.toml
    #[arg(long, value_name = "DIR", default_value = "templates")]
    pub templates: PathBuf,
}

/// Options that select instances.
#[derive(Clone, Debug, Args)]
pub(super) struct Selection {
    /// Templates by name, category or pattern with `*`, or single instances as NAME@SEED; all templates if none is given
    #[arg(value_name = "TEMPLATE")]
    pub patterns: Vec<String>,
    #[command(flatten)]
    pub folder: Folder,
    /// Only templates that have all these tags
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Only templates of these difficulties: easy, medium, hard
    #[arg(long, value_name = "DIFFICULTY")]
    pub difficulty: Vec<Difficulty>,
}

/// Seeds as `0-4` or `0,3,7-9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seeds(pub BTreeSet<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no list of seeds: write e.g. 0-4 or 0,3,7-9");
        let mut seeds = BTreeSet::new();
        for part in text.split(',').map(str::trim) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u64, u64) =
                (first.trim().parse().map_err(|_| wrong())?, last.trim().parse().map_err(|_| wrong())?);
            if last < first {
                return Err(wrong());
            }
            if last - first >= MOST_SEEDS || seeds.len() as u64 >= MOST_SEEDS {
                return Err(format!("at most {MOST_SEEDS} seeds"));
            }
            seeds.extend(first..=last);
        }
        Ok(Self(seeds))
    }
}

impl Folder {
    /// The instance of this name.
    pub fn instance(&self, name: &InstanceName) -> Result<Instance> {
        let wanted = [name.template.clone()];
        let templates = catalog::load(&self.templates, &wanted)?;
        let found = templates.iter().find(|t| t.name == name.template);
        let template = found.ok_or_else(|| {
            let names = templates.iter().map(|t| t.name.as_str()).collect::<Vec<_>>().join(", ");
            miette!("`{}` names several templates: {names}", name.template)
        })?;
        Ok(template.instantiate(name.seed)?)
    }

    /// The instances of these names, each made when it is needed.
    pub fn sampled(&self, names: BTreeSet<InstanceName>) -> Result<Sampled> {
        let wanted: BTreeSet<String> = names.iter().map(|name| name.template.clone()).collect();
        let wanted: Vec<String> = wanted.into_iter().collect();
        let templates = if wanted.is_empty() { Vec::new() } else { catalog::load(&self.templates, &wanted)? };
        Ok(Sampled::new(templates, names))
    }
}

impl Selection {
    /// The templates, without regard to seeds.
    pub fn templates(&self) -> Result<Vec<Template>> {
        let names: Vec<String> =
            self.patterns.iter().map(|p| p.split('@').next().unwrap_or_default().to_owned()).collect();
        let mut templates = catalog::load(&self.folder.templates, &names)?;
        let all: BTreeSet<String> = templates.iter().flat_map(|t| t.file.tags.clone()).collect();
        let of_difficulty = |d: &Difficulty| self.difficulty.is_empty() || self.difficulty.contains(d);
        if !templates.iter().any(|template| of_difficulty(&template.file.difficulty)) {
            let words: Vec<&str> = self.difficulty.iter().map(|d| d.word()).collect();
            return Err(miette!("none of these templates is {}", words.join(" or ")));
        }
        templates.retain(|template| of_difficulty(&template.file.difficulty));
        templates.retain(|template| self.tag.iter().all(|tag| template.file.tags.contains(tag)));
        if templates.is_empty() {
            let tags = all.into_iter().collect::<Vec<_>>().join(", ");
            return Err(miette!("no template has the tags {}; there are: {tags}", self.tag.join(", ")));
        }
        Ok(templates)
    }

    /// The instances with these seeds; a pattern with a seed of its own stands for that instance only.
    pub fn sampled(&self, seeds: &Seeds) -> Result<Sampled> {
        let single: BTreeSet<InstanceName> = self
            .patterns
            .iter()
            .filter(|pattern| pattern.contains('@'))
            .map(|pattern| pattern.parse().map_err(|reason: String| miette!("{reason}")))
            .collect::<Result<_>>()?;
        let whole: Vec<String> = self.patterns.iter().filter(|p| !p.contains('@')).cloned().collect();
        let mut names = BTreeSet::new();
        let templates = self.templates()?;
        for template in &templates {
            let of_pattern = self.patterns.is_empty() || catalog::matches_any(&whole, &template.name);
            let mut wanted = if of_pattern { seeds.0.clone() } else { BTreeSet::new() };
            wanted.extend(single.iter().filter(|name| name.template == template.name).map(|name| name.seed));
            names.extend(
                wanted.into_iter().map(|seed| InstanceName { template: template.name.clone(), seed }),
            );
        }
        Ok(Sampled::new(templates, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_lists_and_ranges() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|s| s.0.into_iter().collect::<Vec<_>>());
        assert_eq!(seeds("0-2"), Ok(vec![0, 1, 2]));
        assert_eq!(seeds("7, 0-1,1"), Ok(vec![0, 1, 7]));
        for wrong in ["", "a", "3-1", "1-", "-1", "0-99999999999"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}
