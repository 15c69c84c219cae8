//! A destination under news, time and lost interfaces.

use super::*;

const IF1: IfIndex = IfIndex(1);
const IF2: IfIndex = IfIndex(2);
const MOST: usize = 4;

fn intervals() -> Intervals {
    Intervals::new(BasicTimers::default())
}

fn at(seconds: u64) -> Time {
    Time::from_secs(seconds)
}

fn news(gateway: u8, interface: IfIndex, metric: u8) -> News {
    let gateway = Ipv4Addr::new(10, 0, 0, gateway);
    News { next_hop: gateway, interface, gateway, metric, tag: 0 }
}

/// A destination told of by 10.0.0.1 with metric 3 at second 0.
fn learned() -> RipRoute {
    RipRoute { changed: false, ..RipRoute::learned(news(1, IF1, 3), at(0)) }
}

fn hear(route: &mut RipRoute, news: News, second: u64) -> Outcome {
    route.hear(news, MOST, at(second), intervals())
}

fn is_down(route: &RipRoute) -> bool {
    matches!(route.state, RouteState::Down { .. })
}

#[test]
fn rfc2453_3_9_2_a_better_route_replaces_and_a_worse_one_does_not() {
    let mut route = learned();
    assert_eq!(hear(&mut route, news(2, IF2, 4), 10), Outcome::Same);
    assert_eq!(hear(&mut route, news(2, IF2, 2), 10), Outcome::Changed);
    assert_eq!((route.metric(), route.paths().len(), route.changed), (2, 1, true));
}

#[test]
fn rfc2453_3_9_2_the_word_of_the_same_gateway_counts_even_if_worse() {
    let mut route = learned();
    assert_eq!(hear(&mut route, news(1, IF1, 7), 10), Outcome::Changed);
    assert_eq!(route.metric(), 7);
    assert_eq!(hear(&mut route, news(1, IF1, 7), 40), Outcome::Same);
    assert_eq!(route.deadline(intervals()), Some(at(220)));
}

#[test]
fn equal_routes_share_up_to_the_most_paths() {
    let mut route = learned();
    assert_eq!(hear(&mut route, news(2, IF2, 3), 1), Outcome::Paths);
    for gateway in 3..9 {
        hear(&mut route, news(gateway, IF2, 3), 1);
    }
    assert_eq!(route.paths().len(), MOST);
    assert!(!route.changed, "neighbours are told the same as before");
    // One of them becomes worse and leaves, another becomes better and stays alone.
    assert_eq!(hear(&mut route, news(2, IF2, 5), 2), Outcome::Paths);
    assert_eq!(route.paths().len(), 3);
    assert_eq!(hear(&mut route, news(1, IF1, 2), 3), Outcome::Changed);
    assert_eq!((route.paths().len(), route.metric()), (1, 2));
}

#[test]
fn a_poisoned_route_is_held_down_and_nothing_better_is_believed_meanwhile() {
    let mut route = learned();
    assert_eq!(hear(&mut route, news(1, IF1, 16), 10), Outcome::Changed);
    assert!(is_down(&route) && route.changed);
    assert_eq!((route.metric(), route.paths().len()), (16, 1), "it is still used");
    assert_eq!(hear(&mut route, news(2, IF2, 1), 189), Outcome::Same);
    assert_eq!(hear(&mut route, news(1, IF1, 3), 189), Outcome::Same);
    assert_eq!(hear(&mut route, news(2, IF2, 1), 190), Outcome::Changed);
    assert_eq!(route.metric(), 1);
}

#[test]
fn one_of_several_paths_poisoned_leaves_the_others() {
    let mut route = learned();
    hear(&mut route, news(2, IF2, 3), 1);
    assert_eq!(hear(&mut route, news(1, IF1, 16), 2), Outcome::Paths);
    assert_eq!((route.metric(), route.paths().len(), route.changed), (3, 1, false));
}

#[test]
fn silence_makes_a_route_invalid_after_180_s_and_forgotten_after_240_s() {
    let mut route = learned();
    assert_eq!(route.age(at(179), intervals()), Outcome::Same);
    assert_eq!(route.deadline(intervals()), Some(at(180)));
    assert_eq!(route.age(at(180), intervals()), Outcome::Changed);
    assert!(is_down(&route));
    assert_eq!(route.deadline(intervals()), Some(at(240)));
    assert_eq!(route.age(at(239), intervals()), Outcome::Same);
    assert_eq!(route.age(at(240), intervals()), Outcome::Gone);
}

#[test]
fn a_silent_path_leaves_the_others() {
    let mut route = learned();
    hear(&mut route, news(2, IF2, 3), 100);
    assert_eq!(route.age(at(180), intervals()), Outcome::Paths);
    assert_eq!(route.paths().len(), 1);
    assert_eq!(route.deadline(intervals()), Some(at(280)));
}

#[test]
fn a_lost_interface_holds_nothing_down() {
    let mut route = learned();
    assert_eq!(route.interface_gone(IF2, at(5), intervals()), Outcome::Same);
    assert_eq!(route.interface_gone(IF1, at(5), intervals()), Outcome::Changed);
    assert!(is_down(&route) && route.paths().is_empty());
    assert_eq!(route.deadline(intervals()), Some(at(65)), "told as unreachable for flush less invalid");
    assert_eq!(hear(&mut route, news(2, IF2, 9), 6), Outcome::Changed);
    assert_eq!(route.metric(), 9);
}

#[test]
fn unreachable_news_of_something_unknown_changes_nothing() {
    let mut route = learned();
    assert_eq!(hear(&mut route, news(2, IF2, 16), 5), Outcome::Same);
    route.lose(at(6), intervals());
    assert_eq!(hear(&mut route, news(2, IF2, 16), 7), Outcome::Same);
    assert!(is_down(&route));
}

#[test]
fn own_routes_do_not_listen() {
    let mut route = RipRoute::new(RouteState::Connected { interface: IF1 });
    let before = route.clone();
    assert_eq!(hear(&mut route, news(2, IF2, 1), 5), Outcome::Same);
    assert_eq!(route.age(at(1_000_000), intervals()), Outcome::Same);
    assert_eq!(route, before);
}
