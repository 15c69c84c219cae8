//! OSPF networks in the emulator and in FRR, side by side: when they have converged, and what that costs.
//!
//! `cargo run --release --example beside_frr`, as root, with Debian's packages `frr iproute2`. Both run the default timers. Virtual time costs
//! nothing, so a ratio of wall times would prove little: compare the two times of convergence (they should agree), and processor time and
//! memory as the cost.

use std::error::Error;
use std::time::{Duration, Instant};

use netconfarena::fidelity::frr::{Daemon, FrrNetwork};
use netconfarena::fidelity::model::Model;
use netconfarena::fidelity::ospf_model::OspfModel;

const LIMIT: Duration = Duration::from_secs(180);

/// Resident memory of this process in KiB.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or_default()
}

fn ring(count: usize) -> Vec<[usize; 2]> {
    (0..count).map(|n| [n, (n + 1) % count]).collect()
}

fn grid(side: usize) -> Vec<[usize; 2]> {
    let across = (0..side * side).filter(|n| n % side + 1 < side).map(|n| [n, n + 1]);
    let down = (0..side * (side - 1)).map(|n| [n, n + side]);
    across.chain(down).collect()
}

/// Seconds from start until every FRR router has a route to every network.
fn frr_seconds(frr: &FrrNetwork, model: &OspfModel) -> Result<f64, Box<dyn Error>> {
    let started = Instant::now();
    frr.start()?;
    let wanted = model.routers + model.links.len();
    while started.elapsed() < LIMIT {
        let mut complete = true;
        for router in 0..model.routers {
            let routes = frr.ask_json(&OspfModel::name(router), Daemon::Ospfd, "show ip ospf route json")?;
            complete &= routes.as_object().is_some_and(|routes| routes.len() >= wanted);
        }
        if complete {
            return Ok(started.elapsed().as_secs_f64());
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    Err("FRR has not converged".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<18} {:>12} {:>9} {:>11} {:>9} {:>12} {:>9}",
        "network", "virtual s", "FRR s", "our cpu ms", "FRR ms", "our KiB", "FRR KiB"
    );
    for (name, routers, cables, point_to_point) in [
        ("pair p2p", 2, vec![[0, 1]], true),
        ("pair broadcast", 2, vec![[0, 1]], false),
        ("ring 10 p2p", 10, ring(10), true),
        ("ring 10 broadcast", 10, ring(10), false),
        ("grid 25 p2p", 25, grid(5), true),
    ] {
        let model = OspfModel::plain(routers, &cables, point_to_point);
        let (before, started) = (resident_kib(), Instant::now());
        let (mut network, _) = model.emulate(1)?;
        let converged = network.run_until_converged(Duration::from_secs(1200));
        let (ours, memory) = (started.elapsed(), resident_kib().saturating_sub(before));
        let virtual_seconds = Duration::from_nanos(converged.at.as_nanos()).as_secs_f64();
        drop(network);
        let (frr_routers, frr_cables) = model.frr();
        let frr = FrrNetwork::build(&frr_routers, &frr_cables)?;
        let seconds = frr_seconds(&frr, &model)?;
        let cost = frr.cost();
        println!(
            "{name:<18} {virtual_seconds:>12.1} {seconds:>9.1} {:>11.1} {:>9} {memory:>12} {:>9}",
            ours.as_secs_f64() * 1000.0,
            cost.processor.as_millis(),
            cost.memory_kib
        );
    }
    Ok(())
}
