//! UPDATEs whose attributes or routes are wrong (RFC 7606): cases made from a table of what each attribute may be.

use netconfarena_emu::bgp::attributes::PathAttributes;
use netconfarena_emu::bgp::community::Community;

use crate::{OWN_AS, PEER_AS, Stage, assert_falls, assert_stays, update};

/// 10.1.0.0/16 on the wire.
const ROUTE: &[u8] = &[16, 10, 1];
const PREFIX: &str = "10.1.0.0/16";
const OTHER: &str = "10.2.0.0/16";

const OPTIONAL: u8 = 0x80;
const TRANSITIVE: u8 = 0x40;
const PARTIAL: u8 = 0x20;

/// What RFC 7606 wants done.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    /// The route is taken with the attribute.
    Taken,
    /// The route is taken without the attribute.
    Discarded,
    /// The route is gone, the session stays.
    Withdrawn,
    /// The session ends with 3/subcode.
    Falls(u8),
}

/// An attribute of an UPDATE: flags, code, value.
fn attribute(flags: u8, code: u8, value: &[u8]) -> Vec<u8> {
    let mut octets = vec![flags, code, u8::try_from(value.len()).unwrap()];
    octets.extend(value);
    octets
}

/// What is known of an attribute.
struct Kind {
    name: &'static str,
    code: u8,
    /// Optional and transitive bit.
    flags: u8,
    good: Vec<u8>,
    /// The value may be as many octets as a multiple of this, but not none.
    unit: Option<usize>,
    /// A value of wrong length, from another AS and from the own one.
    wrong_length: (Wanted, Wanted),
    /// Values of right length that mean nothing.
    bad_values: Vec<Vec<u8>>,
    /// Whether attributes have it; `None` for those that all routes have.
    seen: Option<fn(&PathAttributes) -> bool>,
    /// A peer of another AS must not send it: it is left out.
    internal_only: bool,
}

impl Kind {
    fn new(name: &'static str, code: u8, flags: u8, good: &[u8], wrong_length: Wanted) -> Self {
        Self {
            name,
            code,
            flags,
            good: good.to_vec(),
            unit: None,
            wrong_length: (wrong_length, wrong_length),
            bad_values: Vec::new(),
            seen: None,
            internal_only: false,
        }
    }

    fn of(mut self, unit: usize) -> Self {
        self.unit = Some(unit);
        self
    }

    fn bad(mut self, values: &[&[u8]]) -> Self {
        self.bad_values = values.iter().map(|value| value.to_vec()).collect();
        self
    }

    fn seen(mut self, seen: fn(&PathAttributes) -> bool) -> Self {
        self.seen = Some(seen);
        self
    }

    fn internal(mut self) -> Self {
        self.internal_only = true;
        self.wrong_length.0 = Wanted::Discarded;
        self
    }

    /// Lengths that the attribute cannot have.
    fn bad_lengths(&self) -> Vec<usize> {
        let good = self.good.len();
        let candidates = [0, 1, 2, 3, 5, 7, 9, 11, 13, good.saturating_sub(1), good + 1];
        let wrong = |length: &usize| match self.unit {
            Some(unit) => *length == 0 || !length.is_multiple_of(unit),
            None => *length != good,
        };
        // A path of no numbers is one within the own AS.
        candidates.into_iter().filter(wrong).filter(|&length| (self.code, length) != (2, 0)).collect()
    }
}

/// Section 7, and RFC 6793, 7311, 8092.
fn kinds(asn: u32) -> Vec<Kind> {
    use Wanted::{Discarded, Withdrawn};
    let own_path = [&[2, 1][..], &asn.to_be_bytes()].concat();
    let optional_transitive = OPTIONAL | TRANSITIVE;
    vec![
        Kind::new("ORIGIN", 1, TRANSITIVE, &[0], Withdrawn).bad(&[&[3], &[255]]),
        Kind::new("AS_PATH", 2, TRANSITIVE, &own_path, Withdrawn).bad(&[
            // Segment types; no numbers; more numbers than octets; AS 0.
            &[0, 1, 0, 0, 0, 7],
            &[5, 1, 0, 0, 0, 7],
            &[2, 0, 0, 0, 0, 7],
            &[2, 2, 0, 0, 0, 7],
            &[2, 1, 0, 0, 0, 0],
        ]),
        Kind::new("NEXT_HOP", 3, TRANSITIVE, &[10, 0, 0, 2], Withdrawn).bad(&[
            &[0, 0, 0, 0],
            &[127, 0, 0, 1],
            &[224, 0, 0, 5],
            &[255; 4],
        ]),
        Kind::new("MULTI_EXIT_DISC", 4, OPTIONAL, &[0, 0, 0, 9], Withdrawn).seen(|a| a.med == Some(9)),
        Kind::new("LOCAL_PREF", 5, TRANSITIVE, &[0, 0, 0, 150], Withdrawn)
            .seen(|a| a.local_preference == Some(150))
            .internal(),
        Kind::new("ATOMIC_AGGREGATE", 6, TRANSITIVE, &[], Discarded).seen(|a| a.atomic_aggregate),
        Kind::new("AGGREGATOR", 7, optional_transitive, &[0, 0, 0, 7, 9, 9, 9, 9], Discarded)
            .seen(|a| a.aggregator.is_some()),
        Kind::new("COMMUNITIES", 8, optional_transitive, &[0, 1, 0, 2], Withdrawn)
            .of(4)
            .seen(|a| a.has_community(Community(0x1_0002))),
        Kind::new("ORIGINATOR_ID", 9, OPTIONAL, &[9, 9, 9, 9], Withdrawn)
            .seen(|a| a.originator_id.is_some())
            .internal(),
        Kind::new("CLUSTER_LIST", 10, OPTIONAL, &[8, 8, 8, 8], Withdrawn)
            .of(4)
            .seen(|a| a.cluster_list.len() == 1)
            .internal(),
        Kind::new("EXTENDED COMMUNITIES", 16, optional_transitive, &[0, 2, 0, 1, 0, 0, 0, 1], Withdrawn)
            .of(8)
            .seen(|a| a.extended_communities.len() == 1),
        Kind::new("AIGP", 26, OPTIONAL, &[1, 0, 11, 0, 0, 0, 0, 0, 0, 0, 9], Discarded)
            .seen(|a| a.aigp == Some(9)),
        Kind::new(
            "LARGE_COMMUNITY",
            32,
            optional_transitive,
            &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3],
            Withdrawn,
        )
        .of(12)
        .seen(|a| a.large_communities.len() == 1),
    ]
}

/// A case: its name, the attributes on the wire, and what is wanted.
struct Case {
    name: String,
    octets: Vec<u8>,
    wanted: Wanted,
    /// Whether the route that is taken has the attribute.
    seen: Option<fn(&PathAttributes) -> bool>,
}

/// The mandatory attributes, without one code.
fn mandatory(asn: u32, without: u8) -> Vec<u8> {
    let path = [&[2, 1][..], &asn.to_be_bytes()].concat();
    let all = [(1, vec![0]), (2, path), (3, vec![10, 0, 0, 2])];
    let kept = all.iter().filter(|(code, _)| *code != without);
    kept.flat_map(|(code, value)| attribute(TRANSITIVE, *code, value)).collect()
}

/// Every way in which each attribute can be wrong.
fn cases(asn: u32) -> Vec<Case> {
    let external = asn != OWN_AS;
    // From the own AS a path may begin with any number.
    let asn = if external { asn } else { 64_900 };
    let mut cases = Vec::new();
    for kind in kinds(asn) {
        let others = mandatory(asn, kind.code);
        let left_out = external && kind.internal_only;
        let mut case = |what: &str, octets: Vec<u8>, wanted| {
            let from = if external { "from another AS" } else { "from the own AS" };
            let name = format!("{}: {what}, {from}", kind.name);
            cases.push(Case { name, octets: [others.clone(), octets].concat(), wanted, seen: kind.seen });
        };
        let good = || attribute(kind.flags, kind.code, &kind.good);
        case("good", good(), if left_out { Wanted::Discarded } else { Wanted::Taken });
        let mut long = good();
        long[0] |= 0x10;
        long.insert(2, 0);
        case(
            "good with a length of two octets",
            long,
            if left_out { Wanted::Discarded } else { Wanted::Taken },
        );
        for flags in [0, OPTIONAL, TRANSITIVE, OPTIONAL | TRANSITIVE] {
            if flags != kind.flags && !left_out {
                let octets = attribute(flags, kind.code, &kind.good);
                case(&format!("flags {flags:#x}"), octets, Wanted::Withdrawn);
            }
        }
        for length in kind.bad_lengths() {
            let mut value = kind.good.clone();
            value.resize(length, 0);
            let wanted = if external { kind.wrong_length.0 } else { kind.wrong_length.1 };
            case(&format!("length {length}"), attribute(kind.flags, kind.code, &value), wanted);
        }
        for value in &kind.bad_values {
            case(&format!("value {value:?}"), attribute(kind.flags, kind.code, value), Wanted::Withdrawn);
        }
        if !left_out {
            case("twice", [good(), good()].concat(), Wanted::Taken);
        }
        // Section 4: the last attribute reaches beyond the others' length, or breaks off within its head.
        let mut beyond = good();
        beyond[2] += 1;
        case("longer than there is", beyond, Wanted::Withdrawn);
        case("a head without length", vec![kind.flags, kind.code], Wanted::Withdrawn);
        if kind.code <= 3 {
            case("missing", Vec::new(), Wanted::Withdrawn);
        }
    }
    cases
}

/// Says `octets` in a session that has 10.1.0.0/16 and 10.2.0.0/16, and looks at what is left of them.
fn try_out(established: &Stage, case: &Case, octets: &[u8]) {
    let Case { name, wanted, seen, .. } = case;
    let mut stage = established.clone();
    let heard = stage.say(octets);
    if let Wanted::Falls(subcode) = wanted {
        assert_falls(&stage, &heard, 3, *subcode, None, name);
        assert!(
            stage.path(PREFIX).is_none() && stage.path(OTHER).is_none(),
            "{name}: routes go with the session"
        );
        return;
    }
    assert_stays(&stage, &heard, name);
    assert!(stage.path(OTHER).is_some(), "{name}: other routes stay");
    let path = stage.path(PREFIX);
    assert_eq!(path.is_some(), *wanted != Wanted::Withdrawn, "{name}: {path:?}");
    if let (Some(path), Some(seen)) = (path, seen) {
        assert_eq!(seen(&path.attributes), *wanted == Wanted::Taken, "{name}: {:?}", path.attributes);
    }
    // The session goes on as if nothing had been.
    let good = mandatory(if stage.peer_as == OWN_AS { 64_900 } else { stage.peer_as }, 0);
    let heard = stage.say(&update(&[], &good, ROUTE));
    assert_stays(&stage, &heard, name);
    assert!(stage.path(PREFIX).is_some(), "{name}: a good route is taken afterwards");
}

/// A session with two good routes.
fn with_routes(peer_as: u32) -> Stage {
    let mut stage = Stage::established(peer_as);
    let good = mandatory(if peer_as == OWN_AS { 64_900 } else { peer_as }, 0);
    stage.say(&update(&[], &good, &[ROUTE, &[16, 10, 2]].concat()));
    assert!(stage.path(PREFIX).is_some() && stage.path(OTHER).is_some());
    stage
}

#[test]
fn rfc7606_7_each_attribute_wrong_in_each_way_is_treated_as_its_type_wants() {
    let mut count = 0;
    for peer_as in [PEER_AS, OWN_AS] {
        let established = with_routes(peer_as);
        for case in cases(peer_as) {
            try_out(&established, &case, &update(&[], &case.octets, ROUTE));
            count += 1;
        }
    }
    assert!(count > 300, "only {count} cases");
}

#[test]
fn rfc7606_2_the_strongest_of_several_treatments_counts() {
    let established = with_routes(PEER_AS);
    let good = mandatory(PEER_AS, 0);
    let discard = attribute(TRANSITIVE, 6, &[1]);
    let withdraw = attribute(OPTIONAL, 4, &[1]);
    let reset = attribute(TRANSITIVE, 99, &[]);
    let cases = [
        ("discard and withdraw", [&good[..], &discard, &withdraw].concat(), Wanted::Withdrawn),
        ("withdraw and discard", [&withdraw[..], &discard, &good].concat(), Wanted::Withdrawn),
        ("withdraw and reset", [&withdraw[..], &good, &reset].concat(), Wanted::Falls(2)),
        ("discard alone", [&good[..], &discard].concat(), Wanted::Taken),
    ];
    for (name, octets, wanted) in cases {
        let case = Case { name: name.to_owned(), octets, wanted, seen: None };
        try_out(&established, &case, &update(&[], &case.octets, ROUTE));
    }
}

#[test]
fn rfc4271_6_3_unknown_attributes_end_the_session_if_well_known_and_pass_if_transitive() {
    let established = with_routes(PEER_AS);
    let good = mandatory(PEER_AS, 0);
    let unknown: fn(&PathAttributes) -> bool =
        |a| a.unknown.iter().any(|u| u.code == 99 && u.flags & PARTIAL != 0 && u.value[..] == [7, 7]);
    for (flags, wanted) in [
        (0, Wanted::Falls(2)),
        (TRANSITIVE, Wanted::Falls(2)),
        (OPTIONAL, Wanted::Discarded),
        (OPTIONAL | TRANSITIVE, Wanted::Taken),
        (OPTIONAL | TRANSITIVE | PARTIAL, Wanted::Taken),
    ] {
        let octets = [good.clone(), attribute(flags, 99, &[7, 7])].concat();
        let case =
            Case { name: format!("unknown with flags {flags:#x}"), octets, wanted, seen: Some(unknown) };
        try_out(&established, &case, &update(&[], &case.octets, ROUTE));
    }
    let mut stage = established;
    let well_known = attribute(TRANSITIVE, 99, &[7]);
    let heard = stage.say(&update(&[], &[good, well_known.clone()].concat(), ROUTE));
    assert_falls(&stage, &heard, 3, 2, Some(&well_known), "the attribute comes back");
}

#[test]
fn rfc4271_6_3_lengths_that_do_not_fit_the_message_end_the_session() {
    let established = with_routes(PEER_AS);
    let good = mandatory(PEER_AS, 0);
    let whole = update(&[], &good, ROUTE);
    let with = |at: usize, value: u8| {
        let mut octets = whole.clone();
        octets[at] = value;
        octets
    };
    // The low octets of the two lengths.
    let attributes = 19 + 3;
    let cases = [
        ("withdrawn routes beyond the message", with(20, 250), 1),
        ("attributes beyond the message", with(attributes, 250), 1),
        ("attributes by one beyond the message", with(attributes, whole[attributes] + 4), 1),
        ("no room for the attributes' length", crate::message(2, &[0, 4, 0, 0]), 1),
    ];
    for (name, octets, subcode) in cases {
        let wanted = Wanted::Falls(subcode);
        try_out(
            &established,
            &Case { name: name.to_owned(), octets: Vec::new(), wanted, seen: None },
            &octets,
        );
    }
}

#[test]
fn rfc4271_6_3_routes_that_cannot_be_read_end_the_session() {
    let established = with_routes(PEER_AS);
    let good = mandatory(PEER_AS, 0);
    let bad: [&[u8]; 5] = [&[33, 1, 2, 3, 4, 5], &[255], &[32, 1, 2, 3], &[16, 10, 1, 24, 10], &[8]];
    for routes in bad {
        for (place, octets) in
            [("announced", update(&[], &good, routes)), ("withdrawn", update(routes, &good, ROUTE))]
        {
            let name = format!("{routes:?} {place}");
            try_out(
                &established,
                &Case { name, octets: Vec::new(), wanted: Wanted::Falls(10), seen: None },
                &octets,
            );
        }
    }
    // Bits behind the prefix's length mean nothing (section 4.3).
    let case =
        Case { name: "trailing bits".to_owned(), octets: Vec::new(), wanted: Wanted::Taken, seen: None };
    try_out(&established, &case, &update(&[], &good, &[15, 10, 1, 16, 10, 1]));
}

#[test]
fn rfc7606_3_multiprotocol_attributes_that_cannot_be_read_end_the_session() {
    let established = with_routes(PEER_AS);
    let good = mandatory(PEER_AS, 3);
    let reach: &[u8] = &[0, 1, 1, 4, 10, 0, 0, 2, 0, 16, 10, 1];
    let unreach: &[u8] = &[0, 1, 1, 16, 10, 1];
    let of = |code, value: &[u8]| attribute(OPTIONAL, code, value);
    let cases: Vec<(&str, Vec<u8>, Wanted)> = vec![
        ("MP_REACH_NLRI", of(14, reach), Wanted::Taken),
        ("MP_UNREACH_NLRI", of(15, unreach), Wanted::Withdrawn),
        ("MP_REACH_NLRI twice", [of(14, reach), of(14, reach)].concat(), Wanted::Falls(1)),
        ("MP_UNREACH_NLRI twice", [of(15, unreach), of(15, unreach)].concat(), Wanted::Falls(1)),
        ("a next hop of three octets", of(14, &[0, 1, 1, 3, 10, 0, 0, 0, 16, 10, 1]), Wanted::Falls(9)),
        ("a next hop beyond the attribute", of(14, &[0, 1, 1, 99, 10, 0, 0, 2]), Wanted::Falls(9)),
        ("no reserved octet", of(14, &[0, 1, 1, 4, 10, 0, 0, 2]), Wanted::Falls(9)),
        ("a route of 33 bits", of(14, &[0, 1, 1, 4, 10, 0, 0, 2, 0, 33, 1, 2, 3, 4, 5]), Wanted::Falls(9)),
        ("two octets only", of(15, &[0, 1]), Wanted::Falls(9)),
        ("half a withdrawn route", of(15, &[0, 1, 1, 16, 10]), Wanted::Falls(9)),
        // Section 3 c: its routes can be found, so they are withdrawn.
        ("transitive MP_REACH_NLRI", attribute(OPTIONAL | TRANSITIVE, 14, reach), Wanted::Withdrawn),
    ];
    for (name, octets, wanted) in cases {
        let octets = [good.clone(), octets].concat();
        let case = Case { name: name.to_owned(), octets, wanted, seen: None };
        try_out(&established, &case, &update(&[], &case.octets, &[]));
    }
}

#[test]
fn rfc7606_5_2_withdrawals_need_no_attributes_and_bad_ones_harm_no_other_route() {
    let established = with_routes(PEER_AS);
    let bad = attribute(OPTIONAL, 4, &[1]);
    for (name, attributes) in [("none", Vec::new()), ("bad ones", bad), ("all", mandatory(PEER_AS, 0))] {
        let case = Case { name: name.to_owned(), octets: attributes, wanted: Wanted::Withdrawn, seen: None };
        try_out(&established, &case, &update(ROUTE, &case.octets, &[]));
    }
}
