//! Tests of the LSA codec.

use std::cmp::Ordering;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::ospf::ExternalMetricType;

/// A router LSA with two stub links, as an AS boundary router sends it.
const ROUTER_LSA: [u8; 48] = [
    0x00, 0x01, 0x22, 0x01, 0xc0, 0xa8, 0xaa, 0x08, 0xc0, 0xa8, 0xaa, 0x08, 0x80, 0x00, 0x0d, 0xc3, 0x5b,
    0x81, 0x00, 0x30, 0x02, 0x00, 0x00, 0x02, 0xc0, 0xa8, 0xaa, 0x00, 0xff, 0xff, 0xff, 0x00, 0x03, 0x00,
    0x00, 0x0a, 0xc0, 0xa8, 0xaa, 0x00, 0xff, 0xff, 0xff, 0x00, 0x03, 0x00, 0x00, 0x0a,
];

fn header(sequence: i32, checksum: u16, age: u16) -> LsaHeader {
    LsaHeader {
        age: LsAge::from_wire(age),
        options: Options::E,
        ls_type: LsType::Router,
        link_state_id: Ipv4Addr::new(1, 1, 1, 1),
        advertising_router: RouterId(Ipv4Addr::new(1, 1, 1, 1)),
        sequence: SequenceNumber(sequence),
        checksum,
        length: 24,
    }
}

#[test]
fn appendix_a4_2_a_router_lsa_is_read_and_its_checksum_computed() {
    assert_eq!(checksum::compute(&ROUTER_LSA[2..]), 0x5b81);
    let (age, lsa) = Lsa::parse(&ROUTER_LSA).unwrap();
    assert_eq!(age.secs(), 1);
    assert_eq!(lsa.options(), Options::E | Options::DC);
    let body = lsa.as_router().unwrap();
    assert!(body.flags.as_boundary && !body.flags.area_border);
    assert_eq!(body.links.len(), 2);
    assert_eq!(body.links[0].stub_prefix(), Some("192.168.170.0/24".parse().unwrap()));
    let mut again = Vec::new();
    lsa.emit(age, &mut again);
    assert_eq!(again, ROUTER_LSA);
}

#[test]
fn rfc13_step1_damaged_lsa_is_refused() {
    for at in 2..ROUTER_LSA.len() {
        let mut damaged = ROUTER_LSA;
        damaged[at] ^= 0x10;
        assert!(Lsa::parse(&damaged).is_err(), "octet {at}");
    }
    let mut older = ROUTER_LSA;
    older[1] = 77;
    assert!(Lsa::parse(&older).is_ok(), "the age is not covered");
    assert_eq!(Lsa::parse(&ROUTER_LSA[..47]), Err(LsaError::Truncated));
}

#[test]
fn rfc13_1_newer_by_sequence_then_checksum_then_max_age_then_age() {
    let base = header(5, 100, 10);
    assert_eq!(header(6, 1, 3000).compare_recency(&base), Ordering::Greater);
    assert_eq!(header(SequenceNumber::INITIAL.0, 9, 0).compare_recency(&base), Ordering::Less);
    assert_eq!(header(5, 101, 3000).compare_recency(&base), Ordering::Greater);
    assert_eq!(header(5, 100, 3600).compare_recency(&base), Ordering::Greater);
    assert_eq!(header(5, 100, 911).compare_recency(&base), Ordering::Less);
    assert_eq!(base.compare_recency(&header(5, 100, 911)), Ordering::Greater);
    assert_eq!(header(5, 100, 910).compare_recency(&base), Ordering::Equal);
}

#[test]
fn rfc12_1_1_age_grows_in_whole_seconds_and_stops_at_max_age() {
    let age = LsAge::from_secs(10);
    assert_eq!(age.after(Duration::from_millis(1999)).secs(), 11);
    assert_eq!(age.after(Duration::from_secs(99_999)), LsAge::MAX);
    assert_eq!(age.transmitted(1).secs(), 11);
    assert_eq!(LsAge::from_wire(0x7fff), LsAge::MAX);
    assert_eq!(LsAge::from_secs(3599).until_max(), Some(Duration::from_secs(1)));
}

#[test]
fn rfc1793_2_2_do_not_age_stands_still_but_grows_by_transmission() {
    let age = LsAge::from_secs(10).with_do_not_age();
    assert_eq!(age.after(Duration::from_secs(5000)), age);
    assert_eq!(age.transmitted(2), LsAge::from_secs(12).with_do_not_age());
    assert!(LsAge::MAX.with_do_not_age().is_max());
    assert_eq!(age.until_max(), None);
}

#[test]
fn rfc12_1_6_sequence_numbers_are_signed_and_end() {
    assert_eq!(SequenceNumber::INITIAL.to_string(), "0x80000001");
    assert!(SequenceNumber::INITIAL < SequenceNumber(0));
    assert_eq!(SequenceNumber(-1).next(), Some(SequenceNumber(0)));
    assert_eq!(SequenceNumber::MAX.next(), None);
}

#[test]
fn equal_instances_share_one_allocation() {
    let (_, first) = Lsa::parse(&ROUTER_LSA).unwrap();
    let mut older = ROUTER_LSA;
    older[1] = 200;
    let (_, second) = Lsa::parse(&older).unwrap();
    assert!(Arc::ptr_eq(&first.0, &second.0));
    let saved = postcard::to_stdvec(&first).unwrap();
    let loaded: Lsa = postcard::from_bytes(&saved).unwrap();
    assert!(Arc::ptr_eq(&first.0, &loaded.0));
    assert_eq!(size_of::<Lsa>(), size_of::<usize>());
}

#[test]
fn an_oversized_router_lsa_is_cut_to_what_the_length_field_can_tell() {
    let link =
        RouterLink { kind: LinkKind::Stub, id: Ipv4Addr::LOCALHOST, data: Ipv4Addr::BROADCAST, metric: 1 };
    let body = LsaBody::Router(RouterLsa { flags: RouterFlags::default(), links: vec![link; 70_000] });
    let lsa = Lsa::new(Ipv4Addr::LOCALHOST, RouterId::UNSPECIFIED, Options::E, SequenceNumber::INITIAL, body);
    let mut wire = Vec::new();
    lsa.emit(LsAge::ZERO, &mut wire);
    assert_eq!(wire.len(), usize::from(lsa.length()));
    assert!(Lsa::parse(&wire).is_ok());
}

fn address() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

fn link() -> impl Strategy<Value = RouterLink> {
    let kind = prop_oneof![
        Just(LinkKind::PointToPoint),
        Just(LinkKind::Transit),
        Just(LinkKind::Stub),
        Just(LinkKind::Virtual)
    ];
    (kind, address(), address(), any::<u16>()).prop_map(|(kind, id, data, metric)| RouterLink {
        kind,
        id,
        data,
        metric,
    })
}

fn external() -> impl Strategy<Value = ExternalLsa> {
    (address(), any::<bool>(), 0..=LS_INFINITY, address(), any::<u32>()).prop_map(
        |(mask, type2, metric, forwarding_address, tag)| ExternalLsa {
            mask,
            metric_type: if type2 { ExternalMetricType::Type2 } else { ExternalMetricType::Type1 },
            metric,
            forwarding_address,
            tag,
        },
    )
}

fn body() -> impl Strategy<Value = LsaBody> {
    let summary = || (address(), 0..=LS_INFINITY).prop_map(|(mask, metric)| SummaryLsa { mask, metric });
    let raw = || proptest::collection::vec(any::<u8>(), 0..40).prop_map(Vec::into_boxed_slice);
    let router = (0u8..16, proptest::collection::vec(link(), 0..8)).prop_map(|(bits, links)| {
        let flags = RouterFlags {
            virtual_endpoint: bits & 1 != 0,
            as_boundary: bits & 2 != 0,
            area_border: bits & 4 != 0,
            nssa_translator: bits & 8 != 0,
        };
        LsaBody::Router(RouterLsa { flags, links })
    });
    prop_oneof![
        router,
        (address(), proptest::collection::vec(address().prop_map(RouterId), 0..8))
            .prop_map(|(mask, attached)| LsaBody::Network(NetworkLsa { mask, attached })),
        summary().prop_map(LsaBody::SummaryNetwork),
        summary().prop_map(LsaBody::SummaryAsbr),
        external().prop_map(LsaBody::AsExternal),
        external().prop_map(LsaBody::Nssa),
        raw().prop_map(|octets| LsaBody::Opaque(OpaqueScope::Area, octets)),
        raw().prop_map(|octets| LsaBody::Unknown(6, octets)),
    ]
}

proptest! {
    #[test]
    fn what_is_emitted_is_read_back(
        body in body(), id in address(), router in address(), options: u8, sequence: i32, age in 0u16..=3600,
    ) {
        let lsa = Lsa::new(id, RouterId(router), Options(options), SequenceNumber(sequence), body.clone());
        let mut wire = Vec::new();
        lsa.emit(LsAge::from_wire(age), &mut wire);
        let (read_age, read) = Lsa::parse(&wire).unwrap();
        prop_assert_eq!(read_age.secs(), age);
        prop_assert_eq!(&read, &lsa);
        prop_assert_eq!(read.body(), &body);
        prop_assert!(checksum::is_valid(&wire[2..]));
    }

    #[test]
    fn arbitrary_octets_never_panic(octets in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Lsa::parse(&octets);
        let _ = LsaHeader::parse(&octets);
    }

    #[test]
    fn arbitrary_bodies_behind_a_valid_checksum_never_panic(
        ls_type in 0u8..13, octets in proptest::collection::vec(any::<u8>(), 0..100),
    ) {
        let lsa = Lsa::new(
            Ipv4Addr::LOCALHOST, RouterId::UNSPECIFIED, Options::E, SequenceNumber::INITIAL,
            LsaBody::Unknown(ls_type, octets.into()),
        );
        let mut wire = Vec::new();
        lsa.emit(LsAge::ZERO, &mut wire);
        let _ = Lsa::parse(&wire);
    }

    #[test]
    fn one_damaged_octet_is_noticed(at in 2usize..48, damage in 1u8..=254) {
        // Fletcher cannot tell 0x00 from 0xff; everything else must be noticed.
        let mut octets = ROUTER_LSA;
        octets[at] = octets[at].wrapping_add(damage);
        if octets[at].abs_diff(ROUTER_LSA[at]) != 255 {
            prop_assert!(Lsa::parse(&octets).is_err());
        }
    }
}
