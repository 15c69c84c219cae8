//! Worked scenarios of DUAL in whole networks, step by step, and clones of networks that converge.
//!
//! | scenario | from | what is checked |
//! |---|---|---|
//! | a link fails, three routers compute | the textbook example of DUAL with routers A to E | all distances before and after, who asks whom and who answers |
//! | unequal paths | the textbook example of variance: 20, 30 and 45 | who carries traffic with which share |
//! | a far router is silent | RFC 7868 section 3.6 | SIA queries and replies; who says that it waits is kept, only the silent neighbor is lost |

use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::eigrp::packet::Opcode;
use netconfarena_emu::eigrp::{ActiveTime, DownReason, NeighborChange};
use netconfarena_emu::network::{LinkProperties, Network};
use proptest::prelude::*;

use crate::lab::{AS, Lab, link_address, loopback, towards};

/// A distance in the cost units of a textbook: each link's delay is ten times its cost, beside the destination's loopback and gigabit links.
fn units(distance: u64) -> Option<u64> {
    (distance / 256).checked_sub(10 + 500).map(|delay| delay / 10)
}

/// The paths of a router to a destination as textbooks write them: by which neighbor, distance and reported distance.
fn paths(lab: &Lab, router: usize, prefix: Ipv4Net) -> Vec<(usize, u64, Option<u64>)> {
    let Some(destination) = lab.destination(router, prefix) else { return Vec::new() };
    let path = |path: &netconfarena_emu::eigrp::Path| {
        let by = usize::from(path.source.neighbor()?.address.octets()[3]);
        Some((by, units(path.distance.distance().0)?, units(path.reported_distance.distance().0)))
    };
    destination.paths().iter().filter_map(path).collect()
}

/// Queries and replies about a destination that went over a link, in their order: who sent what.
fn dialogue(lab: &Lab, a: usize, b: usize, prefix: Ipv4Net) -> Vec<(usize, Opcode)> {
    let all = lab.captured(a, b).into_iter();
    let about = all.filter(|(_, packet)| packet.routes().any(|route| route.destinations.contains(&prefix)));
    let said = about.map(|(source, packet)| (usize::from(source.octets()[3]), packet.header.opcode));
    said.filter(|(_, opcode)| *opcode != Opcode::Update).collect()
}

const A: usize = 1;
const B: usize = 2;
const C: usize = 3;
const D: usize = 4;
const E: usize = 5;

/// ```text
///   A --1-- B --1-- D
///           |     / |
///           2   2   1
///           | /     |
///           C --1-- E
/// ```
#[test]
fn a_link_fails_and_three_routers_compute() {
    let costs = [(A, B, 10), (B, D, 10), (B, C, 20), (C, D, 20), (C, E, 10), (D, E, 10)];
    let mut lab = Lab::converged(1, 5, &costs);
    let network = loopback(A);
    let fd = |lab: &Lab, router| lab.feasible_distance(router, network).and_then(units);
    // Distance and reported distance; D hears poison of E, whose way leads by D.
    assert_eq!(paths(&lab, C, network), [(B, 3, Some(1)), (D, 4, Some(2)), (E, 4, Some(3))]);
    assert_eq!(paths(&lab, D, network), [(B, 2, Some(1)), (C, 5, Some(3))]);
    assert_eq!(paths(&lab, E, network), [(C, 4, Some(3)), (D, 3, Some(2))]);
    assert_eq!([C, D, E].map(|router| fd(&lab, router)), [Some(3), Some(2), Some(3)]);

    lab.capture_all();
    lab.network.set_link_up(lab.link(B, D), false);
    lab.run(1);
    // Step 1: C's 3 is not less than D's FD of 2, so D goes active.
    assert!(lab.destination(D, network).unwrap().state.is_active());
    assert_eq!(lab.via(D, network), [0; 0]);
    // Step 2: so does E when its successor D asks it, as C's 3 is not less than its own 3.
    let active =
        |lab: &Lab| lab.destination(E, network).is_some_and(|destination| destination.state.is_active());
    for _ in 0..1000 {
        if active(&lab) {
            break;
        }
        lab.network.run_for(Duration::from_micros(100));
    }
    assert!(active(&lab));
    // Step 3: C has not lost its successor, answers both and asks nobody; E answers D in the end.
    lab.converge();
    assert_eq!(dialogue(&lab, C, D, network), [(D, Opcode::Query), (C, Opcode::Reply)]);
    assert_eq!(dialogue(&lab, C, E, network), [(E, Opcode::Query), (C, Opcode::Reply)]);
    assert_eq!(dialogue(&lab, D, E, network), [(D, Opcode::Query), (E, Opcode::Reply)]);
    assert_eq!((dialogue(&lab, A, B, network), dialogue(&lab, B, C, network)), (vec![], vec![]));
    // C has never moved; E goes by C, and D by both.
    assert_eq!([C, D, E].map(|router| fd(&lab, router)), [Some(3), Some(5), Some(4)]);
    assert_eq!(paths(&lab, D, network), [(C, 5, Some(3)), (E, 5, Some(4))]);
    assert_eq!([C, D, E].map(|router| lab.via(router, network)), [vec![B], vec![C, E], vec![C]]);
}

/// R1 reaches R5 by R2 at 30, by R3 at 20, by R4 at 45, of which R4's own part is 25.
#[test]
fn variance_takes_what_is_feasible_within_its_multiple_and_shares_by_the_inverse_of_distances() {
    let costs = [(1, 2, 200), (2, 5, 100), (1, 3, 100), (3, 5, 100), (1, 4, 200), (4, 5, 250)];
    let mut lab = Lab::converged(1, 5, &costs);
    let (network, fd) = (loopback(5), |cost: u64| 256 * (10 + 10 * cost + 500));
    assert_eq!(paths(&lab, 1, network), [(2, 30, Some(10)), (3, 20, Some(10)), (4, 45, Some(25))]);
    assert_eq!(lab.via(1, network), [3]);
    for variance in [2, 3, 128] {
        lab.configure_eigrp(1, |config| config.variance = Some(variance));
        lab.run(100);
        // 45 lies within three times 20, but R4's 25 is not less than 20: it is no feasible successor.
        assert_eq!(lab.via(1, network), [2, 3], "variance {variance}");
    }
    let hops = &lab.route(1, network).unwrap().next_hops;
    let weights: Vec<u64> = hops.iter().map(|hop| u64::from(hop.weight)).collect();
    assert_eq!(weights, [240 * fd(20) / fd(30), 240]);
}

/// R1 - R2 - R3 - R4, and R4 hears nothing any more.
#[test]
fn rfc7868_3_6_only_the_silent_neighbor_at_the_end_of_the_queries_is_lost() {
    let mut lab = Lab::converged(1, 4, &[(1, 2, 10), (2, 3, 10), (3, 4, 10)]);
    for router in 1..=4 {
        lab.configure_eigrp(router, |config| config.active_time = Some(ActiveTime::Minutes(1)));
    }
    // The hold time does not end the waiting.
    for (own, far) in [(3, 4), (4, 3)] {
        lab.configure(own, |config| {
            config.interfaces.get_mut(&towards(far)).unwrap().eigrp.entry(AS).or_default().hold_time =
                Some(600);
        });
    }
    lab.run(10_000);
    let network = loopback(1);
    let since = [2, 3].map(|router| lab.log_length(router));
    lab.capture_all();
    let link = lab.link(3, 4);
    let properties = *lab.network.link_properties(link).unwrap();
    lab.network.set_link_properties(link, LinkProperties { loss_ppm: 1_000_000, ..properties });
    lab.configure(1, |config| {
        config.interfaces.get_mut(&crate::lab::port("Loopback0")).unwrap().shutdown = true
    });
    lab.run(29_000);
    assert_eq!(dialogue(&lab, 2, 3, network), [(2, Opcode::Query)]);
    // After half of the active time R2 asks R3 why there is no answer, and R3 says that it waits itself.
    lab.run(2_000);
    assert_eq!(
        dialogue(&lab, 2, 3, network),
        [(2, Opcode::Query), (2, Opcode::SiaQuery), (3, Opcode::SiaReply)]
    );
    lab.run(32_000);
    assert_eq!(dialogue(&lab, 2, 3, network).last(), Some(&(3, Opcode::Reply)));
    let silent = (link_address(4, 3).addr(), NeighborChange::Down(DownReason::RetryLimitExceeded));
    assert_eq!(lab.neighbor_log(3, since[1]), [silent]);
    assert_eq!(lab.neighbor_log(2, since[0]), []);
    assert!([1, 2, 3].iter().all(|&router| lab.destination(router, network).is_none()));
}

fn states(network: &Network, lab: &Lab) -> Vec<String> {
    lab.nodes.iter().map(|&node| format!("{:?}", network.router(node))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// At any instant of a computation, packets in flight included.
    #[test]
    fn a_clone_of_a_converging_network_has_the_same_future(start in 0u64..4000, after in 0u64..60_000, seed: u64) {
        let costs = [(A, B, 10), (B, D, 10), (B, C, 20), (C, D, 20), (C, E, 10), (D, E, 10)];
        let mut lab = Lab::new(seed, 5, &costs);
        lab.run(start);
        lab.network.set_link_up(lab.link(B, D), false);
        lab.network.run_for(Duration::from_micros(after));
        let mut twin = lab.network.clone();
        lab.network.set_link_up(lab.link(C, E), false);
        twin.set_link_up(lab.link(C, E), false);
        lab.run(30_000);
        twin.run_until(lab.network.now());
        prop_assert_eq!(states(&lab.network, &lab), states(&twin, &lab));
    }
}
