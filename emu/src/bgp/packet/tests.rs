//! Tests of the message codec.

use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use proptest::prelude::*;

use super::attribute::code;
use super::*;
use crate::bgp::as_path::{AsPath, Segment, SegmentKind};
use crate::bgp::attributes::{Aggregator, ClusterId, Origin, PathAttributes, UnknownAttribute};
use crate::bgp::community::{Community, ExtendedCommunity, LargeCommunity};
use crate::ids::{Asn, RouterId};

const EXTERNAL: UpdateFormat =
    UpdateFormat { four_octet_as: true, add_path: false, peer: PeerKind::External };
const INTERNAL: UpdateFormat = UpdateFormat { peer: PeerKind::Internal, ..EXTERNAL };

fn parse(message: &[u8], format: UpdateFormat) -> Result<Message, Notification> {
    let frame = frame(message, MAX_LENGTH).unwrap().unwrap();
    assert_eq!(frame.length(), message.len());
    Message::parse(frame, format)
}

/// An UPDATE of these raw attributes, announcing 10.1.0.0/16.
fn update_of(attributes: &[&[u8]]) -> Vec<u8> {
    let attributes = attributes.concat();
    message(MessageType::Update, |out| {
        out.extend([0, 0]);
        out.extend((attributes.len() as u16).to_be_bytes());
        out.extend(attributes);
        out.extend([16, 10, 1]);
    })
}

const ORIGIN: &[u8] = &[0x40, 1, 1, 0];
const AS_PATH: &[u8] = &[0x40, 2, 6, 2, 1, 0, 0, 0, 7];
const NEXT_HOP: &[u8] = &[0x40, 3, 4, 192, 0, 2, 1];

fn read(attributes: &[&[u8]], format: UpdateFormat) -> Result<Update, Notification> {
    match parse(&update_of(attributes), format)? {
        Message::Update(update) => Ok(update),
        other => panic!("{other:?}"),
    }
}

/// What is found when `attribute` stands behind the mandatory ones.
fn finding(attribute: &[u8], format: UpdateFormat) -> Option<(u8, Problem, Treatment)> {
    let update = read(&[ORIGIN, AS_PATH, NEXT_HOP, attribute], format).unwrap();
    let withdrawn = !update.withdrawn.is_empty();
    let first = update.findings.first()?;
    assert_eq!(withdrawn, first.treatment == Treatment::TreatAsWithdraw, "{attribute:?}");
    assert_eq!(update.announced.is_empty(), withdrawn);
    assert_eq!(update.attributes.is_none(), withdrawn);
    Some((first.code, first.problem, first.treatment))
}

#[test]
fn rfc4271_4_3_a_minimal_update_is_read() {
    let update = read(&[ORIGIN, AS_PATH, NEXT_HOP], EXTERNAL).unwrap();
    assert_eq!(update.announced, [Nlri::new("10.1.0.0/16".parse().unwrap())]);
    assert_eq!(update.findings, []);
    let attributes = update.attributes.unwrap();
    assert_eq!(attributes.as_path.to_string(), "7");
    assert_eq!(attributes.next_hop, Ipv4Addr::new(192, 0, 2, 1));
}

#[test]
fn rfc4271_6_1_headers_out_of_order_are_answered() {
    let good = keepalive();
    assert_eq!(frame(&good, MAX_LENGTH).unwrap().unwrap().kind, MessageType::Keepalive);
    assert_eq!(frame(&good[..18], MAX_LENGTH), Ok(None));
    let with = |at: usize, value: u8| {
        let mut damaged = good.clone();
        damaged[at] = value;
        damaged
    };
    assert_eq!(frame(&with(3, 0), MAX_LENGTH), Err(Notification::NOT_SYNCHRONIZED));
    assert_eq!(frame(&with(17, 18), MAX_LENGTH), Err(Notification::bad_length(18)));
    assert_eq!(frame(&with(17, 20), MAX_LENGTH), Err(Notification::bad_length(20)));
    assert_eq!(frame(&with(16, 0x20), MAX_LENGTH), Err(Notification::bad_length(0x2013)));
    assert_eq!(frame(&with(18, 9), MAX_LENGTH), Err(Notification::bad_type(9)));
    // OPEN, UPDATE and NOTIFICATION have least lengths.
    for kind in 1..=3 {
        assert_eq!(frame(&with(18, kind), MAX_LENGTH), Err(Notification::bad_length(19)));
    }
}

#[test]
fn rfc8654_long_messages_pass_only_where_agreed_on() {
    let long = message(MessageType::Update, |out| out.extend([0; 5000]));
    assert_eq!(frame(&long, MAX_LENGTH), Err(Notification::bad_length(5019)));
    assert!(frame(&long, MAX_EXTENDED_LENGTH).unwrap().is_some());
    let mut open = long;
    open[18] = 1;
    assert_eq!(frame(&open, MAX_EXTENDED_LENGTH), Err(Notification::bad_length(5019)));
}

#[test]
fn rfc4271_6_2_open_errors_are_answered() {
    let open = Open {
        my_as: 65000,
        hold_time: 180,
        router_id: RouterId(Ipv4Addr::new(1, 1, 1, 1)),
        capabilities: vec![Capability::RouteRefresh],
    };
    let good = open.message();
    assert_eq!(parse(&good, EXTERNAL), Ok(Message::Open(open)));
    let with = |changes: &[(usize, u8)]| {
        let mut damaged = good.clone();
        changes.iter().for_each(|&(at, value)| damaged[HEADER_LENGTH + at] = value);
        parse(&damaged, EXTERNAL).unwrap_err()
    };
    assert_eq!(with(&[(0, 3)]), Notification::unsupported_version());
    assert_eq!(with(&[(3, 0), (4, 2)]), Notification::UNACCEPTABLE_HOLD_TIME);
    let zero = [(5, 0), (6, 0), (7, 0), (8, 0)];
    assert_eq!(with(&zero), Notification::bad_identifier(Ipv4Addr::UNSPECIFIED));
    assert_eq!(with(&[(9, 3)]), Notification::MALFORMED_OPEN);
    assert_eq!(with(&[(10, 1)]), Notification::UNSUPPORTED_PARAMETER);
    assert_eq!(with(&[(13, 1)]), Notification::MALFORMED_OPEN);
}

#[test]
fn rfc6793_the_capability_tells_the_wide_number() {
    let mut open = Open {
        my_as: Asn::TRANS.0 as u16,
        hold_time: 0,
        router_id: RouterId(Ipv4Addr::new(1, 1, 1, 1)),
        capabilities: vec![Capability::FourOctetAs(Asn(70_000))],
    };
    assert_eq!(open.asn(), Asn(70_000));
    assert!(open.speaks(Family::IPV4_UNICAST));
    open.capabilities = vec![Capability::Multiprotocol(Family::IPV6_UNICAST)];
    assert_eq!(open.asn(), Asn::TRANS);
    assert!(!open.speaks(Family::IPV4_UNICAST) && open.speaks(Family::IPV6_UNICAST));
}

#[test]
fn rfc7606_3_flags_in_conflict_withdraw() {
    use Problem::Flags;
    use Treatment::TreatAsWithdraw;
    assert_eq!(finding(&[0x40, 4, 4, 0, 0, 0, 1], EXTERNAL), Some((4, Flags, TreatAsWithdraw)));
    assert_eq!(finding(&[0x80, 8, 4, 0, 0, 0, 1], EXTERNAL), Some((8, Flags, TreatAsWithdraw)));
    // The partial bit is no conflict.
    assert_eq!(finding(&[0xe0, 8, 4, 0, 0, 0, 1], EXTERNAL), None);
}

#[test]
fn rfc7606_7_each_attribute_has_its_treatment() {
    use Problem::{Length, Unexpected, Value};
    use Treatment::{AttributeDiscard, TreatAsWithdraw};
    type Case = (&'static [u8], UpdateFormat, Option<(u8, Problem, Treatment)>);
    let cases: &[Case] = &[
        (&[0x80, 4, 3, 0, 0, 1], EXTERNAL, Some((4, Length, TreatAsWithdraw))),
        (&[0x40, 5, 4, 0, 0, 0, 1], EXTERNAL, Some((5, Unexpected, AttributeDiscard))),
        (&[0x40, 5, 4, 0, 0, 0, 1], INTERNAL, None),
        (&[0x40, 5, 3, 0, 0, 1], INTERNAL, Some((5, Length, TreatAsWithdraw))),
        (&[0x40, 6, 1, 0], EXTERNAL, Some((6, Length, AttributeDiscard))),
        (&[0xc0, 7, 6, 0, 7, 1, 1, 1, 1], EXTERNAL, Some((7, Length, AttributeDiscard))),
        (&[0xc0, 7, 8, 0, 0, 0, 0, 1, 1, 1, 1], EXTERNAL, Some((7, Value, AttributeDiscard))),
        (&[0xc0, 8, 0], EXTERNAL, Some((8, Length, TreatAsWithdraw))),
        (&[0xc0, 8, 5, 0, 0, 0, 1, 0], EXTERNAL, Some((8, Length, TreatAsWithdraw))),
        (&[0x80, 9, 4, 1, 1, 1, 1], EXTERNAL, Some((9, Unexpected, AttributeDiscard))),
        (&[0x80, 9, 4, 1, 1, 1, 1], INTERNAL, None),
        (&[0x80, 9, 3, 1, 1, 1], INTERNAL, Some((9, Length, TreatAsWithdraw))),
        (&[0x80, 10, 4, 1, 1, 1, 1], EXTERNAL, Some((10, Unexpected, AttributeDiscard))),
        (&[0x80, 10, 0], INTERNAL, Some((10, Length, TreatAsWithdraw))),
        (&[0xc0, 16, 4, 0, 2, 0, 1], EXTERNAL, Some((16, Length, TreatAsWithdraw))),
        (&[0xc0, 17, 6, 2, 1, 0, 0, 0, 7], EXTERNAL, Some((17, Unexpected, AttributeDiscard))),
        (&[0x80, 26, 3, 1, 0, 4], INTERNAL, Some((26, Value, AttributeDiscard))),
        (&[0xc0, 32, 4, 0, 0, 0, 1], EXTERNAL, Some((32, Length, TreatAsWithdraw))),
    ];
    for (attribute, format, expected) in cases {
        assert_eq!(finding(attribute, *format), *expected, "{attribute:?}");
    }
}

#[test]
fn rfc7606_7_1_to_7_3_malformed_mandatory_attributes_withdraw() {
    let withdrawn = |attributes: &[&[u8]], format| {
        let update = read(attributes, format).unwrap();
        assert!(update.announced.is_empty() && update.attributes.is_none());
        assert_eq!(update.withdrawn, [Nlri::new("10.1.0.0/16".parse().unwrap())]);
        (update.findings[0].code, update.findings[0].problem)
    };
    use Problem::{Length, Missing, Overrun, Value};
    assert_eq!(withdrawn(&[&[0x40, 1, 1, 3], AS_PATH, NEXT_HOP], EXTERNAL), (1, Value));
    assert_eq!(withdrawn(&[&[0x40, 1, 2, 0, 0], AS_PATH, NEXT_HOP], EXTERNAL), (1, Length));
    assert_eq!(withdrawn(&[AS_PATH, NEXT_HOP], EXTERNAL), (1, Missing));
    assert_eq!(withdrawn(&[ORIGIN, NEXT_HOP], EXTERNAL), (2, Missing));
    assert_eq!(withdrawn(&[ORIGIN, AS_PATH], EXTERNAL), (3, Missing));
    assert_eq!(withdrawn(&[ORIGIN, AS_PATH, &[0x40, 3, 3, 1, 1, 1]], EXTERNAL), (3, Length));
    assert_eq!(withdrawn(&[ORIGIN, AS_PATH, &[0x40, 3, 4, 224, 0, 0, 1]], EXTERNAL), (3, Value));
    for bad_path in [
        &[0x40, 2, 6, 9, 1, 0, 0, 0, 7][..],
        &[0x40, 2, 2, 2, 0],
        &[0x40, 2, 5, 2, 1, 0, 0, 7],
        &[0x40, 2, 6, 2, 2, 0, 0, 0, 7],
        // RFC 7607.
        &[0x40, 2, 6, 2, 1, 0, 0, 0, 0],
        // RFC 5065 section 5: confederation segments from outside.
        &[0x40, 2, 6, 3, 1, 0, 0, 0, 7],
    ] {
        assert_eq!(withdrawn(&[ORIGIN, bad_path, NEXT_HOP], EXTERNAL), (2, Value), "{bad_path:?}");
    }
    let confederation = UpdateFormat { peer: PeerKind::Confederation, ..EXTERNAL };
    assert_eq!(withdrawn(&[ORIGIN, AS_PATH, NEXT_HOP], confederation), (2, Value));
    assert_eq!(withdrawn(&[ORIGIN, AS_PATH, NEXT_HOP, &[0xc0, 8, 200, 0]], EXTERNAL), (8, Overrun));
}

#[test]
fn rfc7606_3_g_of_repeated_attributes_the_first_counts() {
    let update = read(&[ORIGIN, AS_PATH, NEXT_HOP, &[0x40, 1, 1, 2]], EXTERNAL).unwrap();
    assert_eq!(update.attributes.unwrap().origin, Origin::Igp);
    assert_eq!(update.findings[0].problem, Problem::Repeated);
    let unreach: &[u8] = &[0x80, 15, 3, 0, 1, 1];
    assert_eq!(read(&[unreach, unreach], EXTERNAL), Err(Notification::MALFORMED_ATTRIBUTES));
}

#[test]
fn rfc7606_5_3_lengths_that_hide_the_routes_end_the_session() {
    let body = |octets: &[u8]| {
        let message = message(MessageType::Update, |out| out.extend(octets));
        parse(&message, EXTERNAL).unwrap_err()
    };
    assert_eq!(body(&[0, 9, 0, 0]), Notification::MALFORMED_ATTRIBUTES);
    assert_eq!(body(&[0, 0, 0, 9]), Notification::MALFORMED_ATTRIBUTES);
    assert_eq!(body(&[0, 2, 33, 10, 0, 0]), Notification::INVALID_NETWORK);
    assert_eq!(body(&[0, 1, 24, 0, 0]), Notification::INVALID_NETWORK);
    assert_eq!(body(&[0, 0, 0, 0, 33, 10, 1, 1, 1, 1]), Notification::INVALID_NETWORK);
    let unknown: &[u8] = &[0x40, 99, 1, 5];
    assert_eq!(read(&[unknown], EXTERNAL), Err(Notification::unrecognized_well_known(unknown)));
    let mp: &[u8] = &[0x80, 14, 2, 0, 1];
    assert_eq!(read(&[ORIGIN, mp], EXTERNAL).unwrap_err().subcode, 9);
}

#[test]
fn rfc4271_5_unknown_optional_attributes_go_on_if_they_are_transitive() {
    let update = read(&[ORIGIN, AS_PATH, NEXT_HOP, &[0xc0, 99, 1, 5], &[0x80, 98, 1, 5]], EXTERNAL).unwrap();
    let unknown = &update.attributes.unwrap().unknown;
    assert_eq!(unknown.len(), 1);
    assert_eq!((unknown[0].code, unknown[0].flags), (99, 0xe0), "the partial bit is set");
}

#[test]
fn rfc4760_ipv4_routes_in_multiprotocol_attributes_are_read_and_other_families_ignored() {
    let reach: &[u8] = &[0x80, 14, 12, 0, 1, 1, 4, 192, 0, 2, 9, 0, 16, 10, 9];
    let message = message(MessageType::Update, |out| {
        let attributes = [ORIGIN, AS_PATH, reach].concat();
        out.extend([0, 0, 0, attributes.len() as u8]);
        out.extend(attributes);
    });
    let Ok(Message::Update(update)) = parse(&message, EXTERNAL) else { panic!() };
    assert_eq!(update.announced, [Nlri::new("10.9.0.0/16".parse().unwrap())]);
    assert_eq!(update.attributes.unwrap().next_hop, Ipv4Addr::new(192, 0, 2, 9));
    let ipv6: &[u8] = &[0x80, 14, 6, 0, 2, 1, 0, 0, 0];
    let update = read(&[ORIGIN, AS_PATH, NEXT_HOP, ipv6], EXTERNAL).unwrap();
    assert_eq!(update.announced.len(), 1);
}

#[test]
fn rfc4724_2_the_end_of_the_initial_routes_is_an_empty_update() {
    let Ok(Message::Update(update)) = parse(&Update::end_of_rib(), EXTERNAL) else { panic!() };
    assert_eq!(update, Update { end_of_rib: Some(Family::IPV4_UNICAST), ..Update::default() });
}

#[test]
fn rfc6793_old_speakers_get_as_trans_and_as4_attributes() {
    let attributes = PathAttributes {
        as_path: AsPath::sequence([Asn(65000), Asn(70_000)]),
        aggregator: Some(Aggregator { asn: Asn(80_000), router: Ipv4Addr::new(1, 1, 1, 1) }),
        next_hop: Ipv4Addr::new(192, 0, 2, 1),
        ..PathAttributes::local(Origin::Igp)
    };
    let old = UpdateFormat { four_octet_as: false, ..EXTERNAL };
    let route = [Nlri::new("10.0.0.0/8".parse().unwrap())];
    let messages = Update::announcements(old, MAX_LENGTH, &attributes, &route);
    let trans = 23456u16.to_be_bytes();
    assert!(messages[0].windows(2).filter(|w| *w == trans).count() >= 2);
    let Ok(Message::Update(update)) = parse(&messages[0], old) else { panic!() };
    assert_eq!(*update.attributes.unwrap(), attributes);
}

#[test]
fn a_message_is_filled_to_the_limit_and_no_further() {
    let attributes =
        PathAttributes { next_hop: Ipv4Addr::new(192, 0, 2, 1), ..PathAttributes::local(Origin::Igp) };
    let routes: Vec<Nlri> = (0..3000u32)
        .map(|i| Nlri::new(Ipv4Net::new(Ipv4Addr::from(0x0a00_0000 + i * 256), 24).unwrap()))
        .collect();
    let announced = Update::announcements(EXTERNAL, MAX_LENGTH, &attributes, &routes);
    let withdrawn = Update::withdrawals(EXTERNAL, MAX_LENGTH, &routes);
    for messages in [&announced, &withdrawn] {
        assert_eq!(messages.len(), 3);
        assert!(messages.iter().all(|m| m.len() <= MAX_LENGTH));
        assert!(messages[..2].iter().all(|m| m.len() + 4 > MAX_LENGTH));
    }
    let mut read = Vec::new();
    for message in announced.iter().chain(&withdrawn) {
        let Ok(Message::Update(update)) = parse(message, EXTERNAL) else { panic!() };
        read.extend(update.announced);
        read.extend(update.withdrawn);
    }
    assert_eq!(read, [routes.clone(), routes].concat());
}

#[test]
fn attributes_too_long_for_a_message_send_none() {
    let attributes = PathAttributes {
        communities: (0..1100).map(Community).collect(),
        ..PathAttributes::local(Origin::Igp)
    };
    let route = [Nlri::new("10.0.0.0/8".parse().unwrap())];
    assert_eq!(Update::announcements(EXTERNAL, MAX_LENGTH, &attributes, &route), Vec::<Vec<u8>>::new());
    assert_eq!(Update::announcements(EXTERNAL, MAX_EXTENDED_LENGTH, &attributes, &route).len(), 1);
}

#[test]
fn rfc7313_5_refresh_messages_of_wrong_length_are_answered() {
    let short = message(MessageType::RouteRefresh, |out| out.extend([0, 1, 0]));
    assert_eq!(parse(&short, EXTERNAL), Err(Notification::bad_refresh_length(&short)));
    let long = message(MessageType::RouteRefresh, |out| out.extend([0, 1, 1, 1, 0]));
    assert_eq!(parse(&long, EXTERNAL).unwrap_err().code, Notification::REFRESH);
    let unknown = message(MessageType::RouteRefresh, |out| out.extend([0, 1, 77, 1]));
    assert_eq!(parse(&unknown, EXTERNAL), Ok(Message::RouteRefresh(None)));
}

fn prefix() -> impl Strategy<Value = Ipv4Net> {
    (any::<u32>(), 0u8..=32).prop_map(|(a, len)| Ipv4Net::new(a.into(), len).unwrap().trunc())
}

fn address() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

fn asn() -> impl Strategy<Value = Asn> {
    prop_oneof![1u32..65536, 1u32..u32::MAX].prop_map(Asn)
}

fn path(confederation: bool) -> impl Strategy<Value = AsPath> {
    let kind = prop_oneof![Just(SegmentKind::Sequence), Just(SegmentKind::Set)];
    let segment = (kind, prop::collection::vec(asn(), 1..300));
    // RFC 6793 section 4.2.2: confederation segments have no AS4_PATH, so old speakers see only short numbers there.
    let front = prop::collection::vec((1u32..65536).prop_map(Asn), usize::from(confederation)..4);
    (front, prop::collection::vec(segment, 0..4)).prop_map(move |(front, rest)| {
        let front = Segment {
            kind: SegmentKind::ConfedSequence,
            asns: if confederation { front } else { Vec::new() },
        };
        // A set has no more numbers than a segment on the wire.
        let rest = rest.into_iter().map(|(kind, mut asns)| {
            asns.truncate(if kind.is_sequence() { 300 } else { 255 });
            Segment { kind, asns }
        });
        AsPath::new(std::iter::once(front).chain(rest))
    })
}

fn lists() -> impl Strategy<Value = (Vec<Community>, Vec<ExtendedCommunity>, Vec<LargeCommunity>)> {
    let large =
        any::<[u32; 3]>().prop_map(|[global, local1, local2]| LargeCommunity { global, local1, local2 });
    (
        prop::collection::btree_set(any::<u32>().prop_map(Community), 0..80),
        prop::collection::btree_set(any::<[u8; 8]>().prop_map(ExtendedCommunity), 0..40),
        prop::collection::btree_set(large, 0..30),
    )
        .prop_map(|(a, b, c)| (a.into_iter().collect(), b.into_iter().collect(), c.into_iter().collect()))
}

fn attributes(format: UpdateFormat) -> impl Strategy<Value = PathAttributes> {
    let origin = prop_oneof![Just(Origin::Igp), Just(Origin::Egp), Just(Origin::Incomplete)];
    let internal = format.peer != PeerKind::External;
    let unknown = prop::collection::btree_map(100u8..=255, prop::collection::vec(any::<u8>(), 0..300), 0..3);
    let aggregator = prop::option::of((asn(), address()));
    (
        (origin, path(format.peer == PeerKind::Confederation), 0x0100_0000u32..0x7f00_0000),
        (any::<Option<u32>>(), any::<Option<u32>>(), any::<bool>(), aggregator),
        (lists(), prop::option::of(address()), prop::collection::vec(address(), 0..5)),
        (any::<Option<u64>>(), unknown),
    )
        .prop_map(
            move |((origin, as_path, hop), (med, lp, atomic, aggregator), lists, (aigp, unknown))| {
                let ((communities, extended_communities, large_communities), originator, clusters) = lists;
                PathAttributes {
                    origin,
                    as_path,
                    next_hop: hop.into(),
                    med,
                    local_preference: lp.filter(|_| internal),
                    atomic_aggregate: atomic,
                    aggregator: aggregator.map(|(asn, router)| Aggregator { asn, router }),
                    communities,
                    extended_communities,
                    large_communities,
                    originator_id: originator.filter(|_| internal).map(RouterId),
                    cluster_list: clusters.into_iter().filter(|_| internal).map(ClusterId).collect(),
                    aigp,
                    unknown: unknown
                        .into_iter()
                        .map(|(code, value)| UnknownAttribute { flags: 0xe0, code, value: value.into() })
                        .collect(),
                }
            },
        )
}

fn format() -> impl Strategy<Value = UpdateFormat> {
    let peer = prop_oneof![Just(PeerKind::Internal), Just(PeerKind::Confederation), Just(PeerKind::External)];
    (any::<bool>(), any::<bool>(), peer).prop_map(|(four_octet_as, add_path, peer)| UpdateFormat {
        four_octet_as,
        add_path,
        peer,
    })
}

fn routes(add_path: bool) -> impl Strategy<Value = Vec<Nlri>> {
    prop::collection::vec((prefix(), any::<u32>()), 1..300).prop_map(move |routes| {
        routes
            .into_iter()
            .map(|(prefix, id)| Nlri { prefix, path_id: if add_path { id } else { 0 } })
            .collect()
    })
}

fn capability() -> impl Strategy<Value = Capability> {
    let family = || (any::<u16>(), any::<u8>()).prop_map(|(afi, safi)| Family { afi, safi });
    let mode = prop_oneof![Just(AddPathMode::Receive), Just(AddPathMode::Send), Just(AddPathMode::Both)];
    let kinds = prop::collection::vec(any::<(u8, u8)>(), 0..4);
    prop_oneof![
        family().prop_map(Capability::Multiprotocol),
        Just(Capability::RouteRefresh),
        Just(Capability::CiscoRouteRefresh),
        Just(Capability::ExtendedMessage),
        Just(Capability::EnhancedRouteRefresh),
        any::<u32>().prop_map(|asn| Capability::FourOctetAs(Asn(asn))),
        prop::collection::vec((family(), mode), 0..4).prop_map(Capability::AddPath),
        (any::<[bool; 2]>(), 0u16..4096, prop::collection::vec((family(), any::<bool>()), 0..4)).prop_map(
            |([restarting, notification], time, families)| Capability::GracefulRestart {
                restarting,
                notification,
                time,
                families
            }
        ),
        (any::<bool>(), prop::collection::vec((family(), kinds), 0..4)).prop_map(|(cisco, entries)| {
            let entries = entries.into_iter().map(|(family, kinds)| OrfOffer { family, kinds }).collect();
            Capability::OutboundRouteFiltering { cisco, entries }
        }),
        (150u8..=255, prop::collection::vec(any::<u8>(), 0..256))
            .prop_map(|(code, value)| Capability::Unknown { code, value }),
    ]
}

proptest! {
    #[test]
    fn updates_are_read_as_they_were_written(
        (format, attributes, routes) in format().prop_flat_map(|format| {
            (Just(format), attributes(format), routes(format.add_path))
        }),
    ) {
        let messages = Update::announcements(format, MAX_EXTENDED_LENGTH, &attributes, &routes);
        let mut read = Vec::new();
        for message in &messages {
            let frame = frame(message, MAX_EXTENDED_LENGTH).unwrap().unwrap();
            let Ok(Message::Update(update)) = Message::parse(frame, format) else { panic!() };
            prop_assert_eq!(&update.findings, &[]);
            prop_assert_eq!(update.attributes, Some(Arc::new(attributes.clone())));
            read.extend(update.announced);
        }
        prop_assert_eq!(read, routes);
    }

    #[test]
    fn opens_are_read_as_they_were_written(
        (my_as, hold, id) in (any::<u16>(), 3u16.., 1u32..),
        capabilities in prop::collection::vec(capability(), 0..12),
    ) {
        let open = Open { my_as, hold_time: hold, router_id: RouterId(id.into()), capabilities };
        prop_assert_eq!(parse(&open.message(), EXTERNAL), Ok(Message::Open(open)));
    }

    #[test]
    fn refreshes_are_read_as_they_were_written(
        entries in prop::collection::vec((0u8..3, any::<(u32, bool, u8, u8)>(), prefix()), 0..20),
        (defer, cisco) in any::<(bool, bool)>(),
        unknown in prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
    ) {
        let entries = entries.into_iter().map(|(action, (sequence, permit, min_length, max_length), prefix)| {
            let filter = PrefixFilter { sequence, permit, prefix, min_length, max_length };
            match action {
                0 => PrefixFilterChange::Add(filter),
                1 => PrefixFilterChange::Remove(filter),
                _ => PrefixFilterChange::RemoveAll,
            }
        });
        let mut groups = vec![FilterGroup::PrefixList { cisco, entries: entries.collect() }];
        groups.extend(unknown.map(|body| FilterGroup::Unknown(7, body)));
        let filters = Some(FilterUpdate { defer, groups });
        let refresh = RouteRefresh { family: Family::IPV4_UNICAST, kind: RefreshKind::Request, filters };
        prop_assert_eq!(parse(&refresh.message(), EXTERNAL), Ok(Message::RouteRefresh(Some(refresh))));
    }

    /// Whatever comes in: no panic, and what is read of an UPDATE is consistent.
    #[test]
    fn arbitrary_octets_never_panic(
        kind in 1u8..=6,
        body in prop::collection::vec(any::<u8>(), 0..200),
        format in format(),
    ) {
        let mut octets = vec![0xff; 16];
        octets.extend(((body.len() + HEADER_LENGTH) as u16).to_be_bytes());
        octets.push(kind);
        octets.extend(&body);
        if let Ok(Some(frame)) = frame(&octets, MAX_EXTENDED_LENGTH)
            && let Ok(Message::Update(update)) = Message::parse(frame, format)
        {
            prop_assert_eq!(update.attributes.is_some(), !update.announced.is_empty());
        }
        let _ = frame(&body, MAX_LENGTH);
    }

    /// Damage within a well-formed UPDATE: no panic, and the session ends or the routes are accounted for.
    #[test]
    fn damaged_updates_lose_no_route_silently(
        attributes in attributes(INTERNAL),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let route = Nlri::new("10.1.0.0/16".parse().unwrap());
        let Some(mut message) =
            Update::announcements(INTERNAL, MAX_EXTENDED_LENGTH, &attributes, &[route]).pop() else { return Ok(()) };
        let (from, to) = (HEADER_LENGTH + 4, message.len() - 3);
        for (at, value) in damage {
            message[from + at.index(to - from)] = value;
        }
        let frame = frame(&message, MAX_EXTENDED_LENGTH).unwrap().unwrap();
        if let Ok(Message::Update(update)) = Message::parse(frame, INTERNAL) {
            prop_assert!(update.announced.contains(&route) != update.withdrawn.contains(&route));
        }
    }
}

#[test]
fn codes_are_those_of_the_registry() {
    assert_eq!([code::MP_REACH, code::MP_UNREACH, code::AIGP, code::LARGE_COMMUNITIES], [14, 15, 26, 32]);
}
