//! How much the instances of a template differ: what is the same in all of them can be learned by heart.

use std::collections::BTreeSet;
use std::ops::Range;

use netconfarena_emu::interface::InterfaceKind;

use crate::template::Template;
use crate::template::error::TemplateError;

/// Seeds over which a template is compared with itself.
pub const SEEDS: Range<u64> = 0..1000;
/// Distinct prompts that are wanted, in percent of the seeds.
const DISTINCT: usize = 90;

/// What was found over some seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variety {
    /// How many seeds.
    pub seeds: usize,
    /// Distinct prompts.
    pub prompts: usize,
    /// Link media that occur.
    pub media: BTreeSet<InterfaceKind>,
    /// Distinct ways in which routers are called, by their roles.
    pub names: usize,
}

impl Variety {
    /// Compares the instances of these seeds.
    ///
    /// # Errors
    /// A seed has no instance.
    pub fn of(template: &Template, seeds: Range<u64>) -> Result<Self, TemplateError> {
        let (mut prompts, mut names) = (BTreeSet::new(), BTreeSet::new());
        let mut variety = Self::default();
        for seed in seeds {
            let instance = template.instantiate(seed)?;
            variety.seeds += 1;
            prompts.insert(blake3::hash(instance.prompt().as_bytes()).to_string());
            variety.media.extend(instance.links.iter().map(|link| link.medium));
            names.insert(instance.nodes.into_iter().map(|node| node.name).collect::<Vec<_>>());
        }
        variety.prompts = prompts.len();
        variety.names = names.len();
        Ok(variety)
    }

    /// Whether prompts repeat too often.
    #[must_use]
    pub const fn repeats(&self) -> bool {
        self.prompts * 100 < self.seeds * DISTINCT
    }
}
