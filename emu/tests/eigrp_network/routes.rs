//! Routes: convergence, failover, redistribution, summaries, filters.

use netconfarena_emu::rib::RouteKind;

use crate::lab::{Lab, loopback};

/// Three routers, each linked to the others.
const TRIANGLE: &[(usize, usize, u32)] = &[(1, 2, 10), (2, 3, 10), (1, 3, 100)];

#[test]
fn a_triangle_converges_to_the_shortest_paths() {
    let lab = Lab::converged(1, 3, TRIANGLE);
    // 256 * (10 + 10 + 10 + 500 of the loopback)
    assert_eq!(lab.feasible_distance(1, loopback(3)), Some(256 * (10 + 10 + 10 + 500)));
    assert_eq!(lab.via(1, loopback(3)), [2]);
    let route = lab.route(1, loopback(3)).unwrap();
    assert_eq!((route.kind, route.distance, route.metric), (RouteKind::EigrpInternal, 90, 135_680));
    assert_eq!(lab.via(2, loopback(1)), [1]);
    assert_eq!(lab.via(3, loopback(1)), [2]);
}
