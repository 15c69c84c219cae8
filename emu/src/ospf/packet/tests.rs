use std::net::Ipv4Addr;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::config::CryptographicAlgorithm;
use crate::ospf::handcrafted::rid;
use crate::ospf::lsa::{LsAge, LsType, Lsa, LsaBody, LsaHeader, LsaKey, SequenceNumber, SummaryLsa};

fn any_address() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

fn any_options() -> impl Strategy<Value = Options> {
    any::<u8>().prop_map(Options)
}

fn any_key() -> impl Strategy<Value = LsaKey> {
    (0..=255_u8, any_address(), any_address())
        .prop_map(|(kind, id, router)| LsaKey::new(LsType::from_wire(kind), id, RouterId(router)))
}

fn any_header() -> impl Strategy<Value = LsaHeader> {
    let rest = (0..=3600_u64, any_options(), any::<i32>(), any::<u16>(), 20..=u16::MAX);
    (any_key(), rest).prop_map(|(key, (age, options, sequence, checksum, length))| LsaHeader {
        age: LsAge::from_secs(age),
        options,
        ls_type: key.ls_type,
        link_state_id: key.link_state_id,
        advertising_router: key.advertising_router,
        sequence: SequenceNumber(sequence),
        checksum,
        length,
    })
}

fn any_hello() -> impl Strategy<Value = Hello> {
    let numbers = (any::<u16>(), any_options(), any::<u8>(), any::<u32>());
    let addresses = (any_address(), any_address(), any_address());
    (numbers, addresses, vec(any_address().prop_map(RouterId), 0..20)).prop_map(
        |((hello_interval, options, priority, dead_interval), (mask, dr, bdr), neighbors)| Hello {
            network_mask: mask,
            hello_interval,
            options,
            priority,
            dead_interval,
            designated_router: dr,
            backup_designated_router: bdr,
            neighbors,
        },
    )
}

fn any_description() -> impl Strategy<Value = DatabaseDescription> {
    let flags = any::<(bool, bool, bool)>();
    (any::<u16>(), any_options(), flags, any::<u32>(), vec(any_header(), 0..20)).prop_map(
        |(mtu, options, (init, more, master), sequence, headers)| DatabaseDescription {
            mtu,
            options,
            flags: DdFlags { init, more, master },
            sequence,
            headers,
        },
    )
}

fn any_lsa() -> impl Strategy<Value = (LsAge, Lsa)> {
    (0..=3600_u64, any_address(), 0..=0x00ff_ffff_u32).prop_map(|(age, id, metric)| {
        let body = LsaBody::SummaryNetwork(SummaryLsa { mask: Ipv4Addr::new(255, 255, 0, 0), metric });
        (LsAge::from_secs(age), Lsa::new(id, rid(1), Options::E, SequenceNumber::INITIAL, body))
    })
}

fn any_body() -> impl Strategy<Value = PacketBody> {
    prop_oneof![
        any_hello().prop_map(PacketBody::Hello),
        any_description().prop_map(PacketBody::DatabaseDescription),
        vec(any_key(), 0..20).prop_map(PacketBody::LinkStateRequest),
        vec(any_lsa(), 0..20).prop_map(PacketBody::LinkStateUpdate),
        vec(any_header(), 0..20).prop_map(PacketBody::LinkStateAck),
    ]
}

fn any_digest() -> impl Strategy<Value = Digest> {
    let algorithm = prop_oneof![
        Just(CryptographicAlgorithm::Md5),
        Just(CryptographicAlgorithm::HmacSha1),
        Just(CryptographicAlgorithm::HmacSha256),
        Just(CryptographicAlgorithm::HmacSha384),
        Just(CryptographicAlgorithm::HmacSha512),
    ];
    (any::<u8>(), algorithm, vec(any::<u8>(), 0..80)).prop_map(|(key_id, algorithm, secret)| Digest {
        key_id,
        algorithm,
        secret,
    })
}

fn any_key_pair() -> impl Strategy<Value = (PacketKey, Keys)> {
    prop_oneof![
        Just((PacketKey::Null, Keys::Null)),
        any::<[u8; 8]>().prop_map(|password| (PacketKey::Simple(password), Keys::Simple(password))),
        any_digest()
            .prop_map(|digest| (PacketKey::Cryptographic(digest.clone()), Keys::Cryptographic(vec![digest]))),
    ]
}

proptest! {
    #[test]
    fn packets_read_back_as_they_were_written(
        body in any_body(), (key, keys) in any_key_pair(), sequence in any::<u32>(), lls in any::<u32>(),
    ) {
        let packet = Packet { router_id: rid(7), area: AreaId(9), body, lls: Some(lls) };
        let octets = packet.emit(&key, sequence);
        let envelope = Envelope::parse(&octets).unwrap();
        prop_assert_eq!((envelope.router_id, envelope.area), (rid(7), AreaId(9)));
        let cryptographic = matches!(key, PacketKey::Cryptographic(_));
        prop_assert_eq!(envelope.verify(&keys), Ok(cryptographic.then_some(sequence)));
        let body = envelope.body().unwrap();
        let options = body.options();
        prop_assert_eq!(envelope.lls(options), options.contains(Options::L).then_some(lls));
        prop_assert_eq!(body, packet.body);
    }

    #[test]
    fn any_octets_are_read_without_panic(octets in vec(any::<u8>(), 0..200), kind in 0..=6_u8) {
        let _ = PacketBody::parse(kind, &octets);
        let mut framed = vec![2, kind, 0, u8::try_from(octets.len()).unwrap().saturating_add(24)];
        framed.extend_from_slice(&[0; 20]);
        framed.extend_from_slice(&octets);
        for octets in [&octets, &framed] {
            if let Ok(envelope) = Envelope::parse(octets) {
                let _ = (envelope.body(), envelope.lls(Options::L));
            }
        }
    }

    #[test]
    fn appendix_d_a_changed_octet_is_noticed(
        (key, keys) in any_key_pair(), at in 0..44_usize, bit in 0..8_u8,
    ) {
        let body = PacketBody::LinkStateRequest(vec![]);
        let mut octets = Packet { router_id: rid(7), area: AreaId(9), body, lls: None }.emit(&key, 5);
        let at = at % octets.len();
        octets[at] ^= 1 << bit;
        let verdict = Envelope::parse(&octets).and_then(|envelope| envelope.verify(&keys));
        let ignored = key == PacketKey::Null && (16..24).contains(&at);
        prop_assert_eq!(verdict.is_ok(), ignored, "octet {}", at);
    }
}

#[test]
fn keys_of_another_kind_or_number_are_refused() {
    let digest =
        |key_id| Digest { key_id, algorithm: CryptographicAlgorithm::Md5, secret: b"cisco".to_vec() };
    let octets = |key: &PacketKey| {
        let body = PacketBody::LinkStateAck(vec![]);
        Packet { router_id: rid(1), area: AreaId(0), body, lls: None }.emit(key, 1)
    };
    let verify = |key: &PacketKey, keys: &Keys| Envelope::parse(&octets(key)).unwrap().verify(keys);
    let signed = PacketKey::Cryptographic(digest(1));
    assert_eq!(verify(&PacketKey::Null, &Keys::Simple([0; 8])), Err(PacketError::AuthenticationTypeMismatch));
    assert_eq!(verify(&signed, &Keys::Null), Err(PacketError::AuthenticationTypeMismatch));
    let other = Keys::Cryptographic(vec![digest(2)]);
    assert_eq!(verify(&signed, &other), Err(PacketError::AuthenticationFailed));
    let both = Keys::Cryptographic(vec![digest(2), digest(1)]);
    assert_eq!(verify(&signed, &both), Ok(Some(1)), "key rollover");
    assert_eq!(
        verify(&PacketKey::Simple(*b"one\0\0\0\0\0"), &Keys::Simple(*b"two\0\0\0\0\0")),
        Err(PacketError::AuthenticationFailed)
    );
}

#[test]
fn rfc13_steps_1_and_2_a_damaged_lsa_is_left_out_of_its_update() {
    let body = LsaBody::SummaryNetwork(SummaryLsa { mask: Ipv4Addr::new(255, 0, 0, 0), metric: 1 });
    let lsa =
        |n: u8| Lsa::new([10, n, 0, 0].into(), rid(1), Options::E, SequenceNumber::INITIAL, body.clone());
    let update = PacketBody::LinkStateUpdate(vec![(LsAge::ZERO, lsa(1)), (LsAge::ZERO, lsa(2))]);
    let mut octets = Vec::new();
    update.emit(&mut octets);
    octets[4 + 22] ^= 0x55;
    let read = PacketBody::parse(4, &octets).unwrap();
    assert_eq!(read, PacketBody::LinkStateUpdate(vec![(LsAge::ZERO, lsa(2))]));
}
