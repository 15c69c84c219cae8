//! Two runs side by side, paired by episode.

use std::collections::BTreeMap;

use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::table::Outcome;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 2000;

/// How two runs compare on the episodes that both have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Episodes in both.
    pub pairs: usize,
    /// Episodes that only the first has.
    pub only_in_first: usize,
    /// Episodes that only the second has.
    pub only_in_second: usize,
    /// Both pass.
    pub both_pass: usize,
    /// Only the first passes.
    pub first_passes: usize,
    /// Only the second passes.
    pub second_passes: usize,
    /// Neither passes.
    pub neither_passes: usize,
    /// McNemar's test, exact and two-sided: how likely pass rates as different as these are if both are equally good.
    pub mcnemar_p: f64,
    /// Mean difference of the scores, second less first.
    pub score_difference: f64,
    /// Ends of its 95 % interval, from a bootstrap over templates; nothing with fewer than two templates.
    pub score_interval: Option<(f64, f64)>,
    /// Mean difference of the scores by template.
    pub by_template: BTreeMap<String, f64>,
}

/// An episode's name: instance and repeat.
type Name<'a> = (&'a str, usize);

fn named(outcomes: &[Outcome]) -> BTreeMap<Name<'_>, &Outcome> {
    outcomes.iter().map(|outcome| ((outcome.instance.as_str(), outcome.repeat), outcome)).collect()
}

/// Compares two runs.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "numbers of episodes")]
pub fn compare(first: &[Outcome], second: &[Outcome]) -> Comparison {
    let (first, second) = (named(first), named(second));
    let mut found = Comparison::default();
    let mut clusters: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (name, one) in &first {
        let Some(other) = second.get(name) else {
            found.only_in_first += 1;
            continue;
        };
        found.pairs += 1;
        let count = match (one.passed, other.passed) {
            (true, true) => &mut found.both_pass,
            (true, false) => &mut found.first_passes,
            (false, true) => &mut found.second_passes,
            (false, false) => &mut found.neither_passes,
        };
        *count += 1;
        clusters.entry(one.template.as_str()).or_default().push(other.score - one.score);
    }
    found.only_in_second = second.keys().filter(|name| !first.contains_key(*name)).count();
    found.mcnemar_p = mcnemar(found.first_passes, found.second_passes);
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    let all: Vec<f64> = clusters.values().flatten().copied().collect();
    found.score_difference = mean(&all);
    found.score_interval = bootstrap(&clusters.values().map(Vec::as_slice).collect::<Vec<_>>());
    found.by_template = clusters.iter().map(|(name, list)| ((*name).to_owned(), mean(list))).collect();
    found
}

/// McNemar's exact test: of the episodes that only one run passes, how likely a split as uneven as this one is.
#[expect(clippy::cast_precision_loss, reason = "numbers of episodes")]
fn mcnemar(first: usize, second: usize) -> f64 {
    let (all, least) = (first + second, first.min(second));
    // Sums of C(all, k) / 2^all by logarithms, since 2^all overflows.
    let mut log_choose = 0.0;
    let mut tail = 0.0;
    for k in 0..=least {
        if k > 0 {
            log_choose += ((all - k + 1) as f64).ln() - (k as f64).ln();
        }
        tail += (log_choose - all as f64 * std::f64::consts::LN_2).exp();
    }
    (2.0 * tail).min(1.0)
}

/// Ends of the 95 % interval of the mean over resampled clusters.
#[expect(clippy::cast_precision_loss, reason = "numbers of episodes")]
fn bootstrap(clusters: &[&[f64]]) -> Option<(f64, f64)> {
    if clusters.len() < 2 {
        return None;
    }
    // The same runs always give the same interval.
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut means: Vec<f64> = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let (mut sum, mut count) = (0.0, 0);
        for _ in 0..clusters.len() {
            let drawn = clusters.choose(&mut rng)?;
            sum += drawn.iter().sum::<f64>();
            count += drawn.len();
        }
        means.push(sum / count.max(1) as f64);
    }
    means.sort_by(f64::total_cmp);
    Some((*means.get(RESAMPLES / 40)?, *means.get(RESAMPLES - 1 - RESAMPLES / 40)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::change::ChangeF1;
    use crate::scores::metrics::{Completion, Conduct};

    fn outcome(name: &str, score: f64) -> Outcome {
        let (instance, repeat) = name.split_once('#').unwrap_or((name, "0"));
        Outcome {
            instance: instance.to_owned(),
            repeat: repeat.parse().unwrap(),
            template: instance.split('@').next().unwrap().to_owned(),
            score,
            passed: score >= 1.0,
            completion: Completion::CorrSub,
            cfg: ChangeF1::default(),
            conduct: Conduct::default(),
            output_tokens: None,
            wall_seconds: 0.0,
            subcategory: String::new(),
            difficulty: crate::instance::Difficulty::Easy,
            actions: BTreeMap::new(),
            failures: std::collections::BTreeSet::new(),
            gave_up: false,
        }
    }

    #[test]
    fn episodes_are_paired_by_instance_and_repeat() {
        let first =
            [outcome("a/x@0", 1.0), outcome("a/x@0#1", 0.0), outcome("a/y@0", 0.5), outcome("a/z@0", 0.5)];
        let second =
            [outcome("a/x@0#1", 1.0), outcome("a/x@0", 1.0), outcome("a/y@0", 0.5), outcome("b/w@0", 1.0)];
        let found = compare(&first, &second);
        assert_eq!((found.pairs, found.only_in_first, found.only_in_second), (3, 1, 1));
        assert_eq!(
            (found.both_pass, found.first_passes, found.second_passes, found.neither_passes),
            (1, 0, 1, 1)
        );
        assert!((found.score_difference - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.by_template["a/x"], 0.5);
        let (low, high) = found.score_interval.unwrap();
        assert!((0.0..=0.5).contains(&low) && (0.0..=0.5).contains(&high) && low < high);
    }

    #[test]
    fn mcnemar_by_hand() {
        // 2 * (C(6,0) + C(6,1)) / 2^6 = 14/64.
        assert!((mcnemar(1, 5) - 14.0 / 64.0).abs() < 1e-12);
        assert_eq!((mcnemar(0, 0), mcnemar(3, 3)), (1.0, 1.0));
        assert!((mcnemar(0, 10) - 2.0 / 1024.0).abs() < 1e-12);
        assert!(mcnemar(100, 3000) < 1e-300 || mcnemar(100, 3000) == 0.0);
    }
}
