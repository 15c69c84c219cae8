//! What two sides say of the same network, held side by side.

use std::collections::{BTreeMap, BTreeSet};

/// One thing that only one of the two says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The router.
    pub router: String,
    /// What the emulator says; nothing if it is silent.
    pub emulator: Option<String>,
    /// What FRR says.
    pub frr: Option<String>,
    /// Why the two may differ here; nothing if they must not.
    pub explanation: Option<&'static str>,
}

/// The outcome for one network.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// What differs.
    pub differences: Vec<Difference>,
    /// How many routes and LSAs were compared.
    pub compared: usize,
    /// FRR was run more than once.
    pub repeated: bool,
}

impl Comparison {
    /// The differences without an explanation.
    pub fn unexplained(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.explanation.is_none())
    }

    /// Compares `once` and, while something is unexplained, up to `more` times again: only what differs each time counts, since FRR is not
    /// deterministic.
    ///
    /// # Errors
    /// What `once` says.
    pub fn repeated(more: usize, once: impl Fn() -> Result<Self, String>) -> Result<Self, String> {
        let mut comparison = once()?;
        for _ in 0..more {
            if comparison.unexplained().next().is_none() {
                break;
            }
            let again = once()?;
            comparison.differences.retain(|difference| again.differences.contains(difference));
            comparison.repeated = true;
        }
        Ok(comparison)
    }

    /// Takes in what both say of one router, item by item. `say` makes an item a text, `explain` tells why it may differ.
    pub fn add<K: Ord, V: PartialEq>(
        &mut self,
        router: &str,
        (ours, theirs): (&BTreeMap<K, V>, &BTreeMap<K, V>),
        say: impl Fn(&K, &V) -> String,
        explain: impl Fn(&K, Option<&V>, Option<&V>) -> Option<&'static str>,
    ) {
        let keys: BTreeSet<&K> = ours.keys().chain(theirs.keys()).collect();
        self.compared += keys.len();
        for key in keys {
            let (emulator, frr) = (ours.get(key), theirs.get(key));
            if emulator != frr {
                self.differences.push(Difference {
                    router: router.to_owned(),
                    emulator: emulator.map(|value| say(key, value)),
                    frr: frr.map(|value| say(key, value)),
                    explanation: explain(key, emulator, frr),
                });
            }
        }
    }
}
