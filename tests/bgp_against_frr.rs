//! Random networks of ASes in the emulator and in FRR 8.4: every router's best paths agree.
//!
//! Needs root and Debian's packages `frr iproute2`. `FIDELITY_NETWORKS` says how many networks (default 10), `FIDELITY_SEED` the first.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use netconfarena::fidelity::bgp_differential::compare;
use netconfarena::fidelity::frr;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_networks_agree_with_frr() {
    if let Err(reason) = frr::require() {
        eprintln!("SKIPPED: {reason}");
        return;
    }
    let (first, count) = (setting("FIDELITY_SEED", 0), setting("FIDELITY_NETWORKS", 10));
    let next = AtomicU64::new(first);
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        // FRR mostly waits for its timers, so several networks run at a time.
        for _ in 0..5 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        break;
                    }
                    let outcome = compare(seed);
                    outcomes.lock().unwrap().push((seed, outcome));
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.sort_by_key(|(seed, _)| *seed);
    let (mut compared, mut explained, mut repeated, mut bad) = (0, 0, 0, Vec::new());
    for (seed, outcome) in outcomes {
        match outcome {
            Err(error) => bad.push(format!("network {seed}: {error}")),
            Ok(comparison) => {
                compared += comparison.compared;
                repeated += usize::from(comparison.repeated);
                explained += comparison.differences.len() - comparison.unexplained().count();
                bad.extend(comparison.unexplained().map(|d| format!("network {seed}: {d:#?}")));
            }
        }
    }
    println!(
        "{count} networks, {compared} best paths compared, {explained} explained differences, FRR run again for {repeated}"
    );
    assert!(bad.is_empty(), "{} unexplained:\n{}", bad.len(), bad.join("\n"));
}
