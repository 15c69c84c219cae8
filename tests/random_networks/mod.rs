//! Random networks in the emulator and in FRR, several at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use netconfarena::fidelity::comparison::Comparison;
use netconfarena::fidelity::frr;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `FIDELITY_NETWORKS` networks (default 10) from seed `FIDELITY_SEED` on: nothing differs without an explanation. `what` is compared.
pub fn agree_with_frr(compare: fn(u64) -> Result<Comparison, String>, what: &str) {
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
        "{count} networks, {compared} {what} compared, {explained} explained differences, FRR run again for {repeated}"
    );
    assert!(bad.is_empty(), "{} unexplained:\n{}", bad.len(), bad.join("\n"));
}
