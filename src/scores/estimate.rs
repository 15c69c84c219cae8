//! Means and shares with 95 % confidence intervals clustered by template, and pass^k.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One episode's contribution to a ratio: a mean has weight 1 everywhere, a share of actions has the number of actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// What the episodes that hang together have in common: the template.
    pub cluster: &'a str,
    /// Numerator.
    pub value: f64,
    /// Denominator.
    pub weight: f64,
}

/// A ratio and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The sum of the values over the sum of the weights.
    pub mean: f64,
    /// Half the width of the 95 % interval; nothing with fewer than two clusters.
    pub margin: Option<f64>,
}

/// The ratio of sums, with a cluster-robust (linearised) standard error and Student's t with one degree of freedom less
/// than there are clusters. Instances of one template are alike, so treating them as independent would claim too much.
/// `None` if there is nothing to divide by.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "numbers of templates")]
pub fn estimate(samples: &[Sample<'_>]) -> Option<Estimate> {
    let weight: f64 = samples.iter().map(|s| s.weight).sum();
    if weight <= 0.0 {
        return None;
    }
    let mean = samples.iter().map(|s| s.value).sum::<f64>() / weight;
    let mut residuals: BTreeMap<&str, f64> = BTreeMap::new();
    for sample in samples {
        *residuals.entry(sample.cluster).or_default() += sample.value - mean * sample.weight;
    }
    let clusters = residuals.len();
    let margin = (clusters > 1).then(|| {
        let squares: f64 = residuals.values().map(|r| r * r).sum();
        let correction = clusters as f64 / (clusters - 1) as f64;
        student_t(clusters - 1) * (correction * squares).sqrt() / weight
    });
    Some(Estimate { mean, margin })
}

/// The 97.5 % quantile of Student's t: a table for few degrees of freedom, Fisher's expansion beyond.
#[expect(clippy::cast_precision_loss, reason = "numbers of templates")]
fn student_t(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    const Z: f64 = 1.959_964;
    let tabled = freedom.checked_sub(1).and_then(|i| TABLE.get(i));
    let n = freedom.max(1) as f64;
    tabled.copied().unwrap_or_else(|| {
        let first = (Z.powi(3) + Z) / 4.0;
        let second = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0;
        let third = (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0;
        Z + first / n + second / n.powi(2) + third / n.powi(3)
    })
}

/// The repeats of one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats<'a> {
    /// Its template.
    pub cluster: &'a str,
    /// How many passed.
    pub passed: usize,
    /// How many there are.
    pub all: usize,
}

/// pass^k: the chance that `k` repeats of an instance, drawn from those that were run, all pass; averaged over
/// instances. `None` if some instance has fewer than `k` repeats.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "numbers of repeats")]
pub fn pass_hat(runs: &[Repeats<'_>], k: usize) -> Option<Estimate> {
    if k == 0 || runs.iter().any(|run| run.all < k) {
        return None;
    }
    // C(passed, k) / C(all, k), factor by factor.
    let chance = |run: &Repeats<'_>| -> f64 {
        (0..k).map(|i| run.passed.saturating_sub(i) as f64 / (run.all - i) as f64).product()
    };
    let samples: Vec<Sample<'_>> =
        runs.iter().map(|run| Sample { cluster: run.cluster, value: chance(run), weight: 1.0 }).collect();
    estimate(&samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    fn sample(cluster: &str, value: f64, weight: f64) -> Sample<'_> {
        Sample { cluster, value, weight }
    }

    #[test]
    fn the_interval_is_by_template_not_by_instance() {
        // Three templates, all instances of one alike: mean 2/3. Residual sums by template: 2/3, 2/3, -4/3.
        // se = sqrt(3/2 * (4/9 + 4/9 + 16/9)) / 6 = 1/3; t(2) = 4.303.
        let all: Vec<Sample<'_>> = [("a", 1.0), ("a", 1.0), ("b", 1.0), ("b", 1.0), ("c", 0.0), ("c", 0.0)]
            .into_iter()
            .map(|(c, v)| sample(c, v, 1.0))
            .collect();
        let found = estimate(&all).unwrap();
        assert!(near(found.mean, 2.0 / 3.0));
        assert!(near(found.margin.unwrap(), 4.303 / 3.0), "{found:?}");
    }

    #[test]
    fn a_share_weighs_episodes_by_their_actions() {
        let found = estimate(&[sample("a", 1.0, 1.0), sample("b", 0.0, 9.0)]).unwrap();
        assert!(near(found.mean, 0.1));
        assert_eq!(estimate(&[sample("a", 1.0, 1.0)]).unwrap().margin, None);
        assert_eq!(estimate(&[sample("a", 0.0, 0.0)]), None);
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn t_quantiles_continue_the_table() {
        assert!(near(student_t(11), 2.201) && near(student_t(30), 2.0423) && near(student_t(95), 1.9853));
        assert!(student_t(0) > 1.0 && student_t(10_000) < 1.961);
    }

    #[test]
    fn pass_hat_k_by_hand() {
        // 3 of 4 passed: C(3,2)/C(4,2) = 3/6; 4 of 4: 1; 1 of 4: C(1,2) = 0.
        let run = |cluster, passed| Repeats { cluster, passed, all: 4 };
        let runs = [run("a", 3), run("a", 4), run("b", 1)];
        let mean = |k| pass_hat(&runs, k).unwrap().mean;
        assert!(near(mean(1), 8.0 / 12.0) && near(mean(2), 0.5) && near(mean(4), 1.0 / 3.0));
        // By template: of a the residuals 0 and 0.5 sum to 0.5, of b -0.5.
        // se = sqrt(2/1 * (0.25 + 0.25)) / 3 = 1/3; t(1) = 12.706.
        assert!(near(pass_hat(&runs, 2).unwrap().margin.unwrap(), 12.706 / 3.0));
        assert_eq!(pass_hat(&runs, 5), None);
        assert_eq!(pass_hat(&[], 1), None);
    }
}
