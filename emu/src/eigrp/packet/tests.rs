use std::net::Ipv4Addr;
use std::process::Command;
use std::time::Duration;

use ipnet::Ipv4Net;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::ids::RouterId;
use crate::process::IpProtocol;
use crate::wire::Ipv4Header;

fn address() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

fn net() -> impl Strategy<Value = Ipv4Net> {
    (address(), 0u8..=32).prop_map(|(address, length)| Ipv4Net::new(address, length).unwrap().trunc())
}

fn classic() -> impl Strategy<Value = RouteMetric> {
    (any::<[u32; 2]>(), 0u32..1 << 24, any::<[u8; 5]>()).prop_map(|(long, mtu, short)| {
        RouteMetric::Classic(ClassicMetric {
            delay: long[0],
            bandwidth: long[1],
            mtu,
            hop_count: short[0],
            reliability: short[1],
            load: short[2],
            internal_tag: short[3],
            flags: short[4],
        })
    })
}

fn wide() -> impl Strategy<Value = RouteMetric> {
    let long = [0u64..1 << 48, 0u64..1 << 48];
    (address(), long, 0u32..1 << 24, any::<[u8; 4]>(), any::<u16>(), any::<u32>()).prop_map(
        |(router_id, [delay, bandwidth], mtu, short, flags, tag)| RouteMetric::Wide {
            router_id: RouterId(router_id),
            metric: WideMetric {
                priority: short[0],
                reliability: short[1],
                load: short[2],
                mtu,
                hop_count: short[3],
                delay,
                bandwidth,
                flags,
                tag,
            },
        },
    )
}

fn external() -> impl Strategy<Value = ExternalData> {
    (address(), any::<[u32; 3]>(), any::<u8>(), any::<u8>()).prop_map(|(router_id, long, protocol, flags)| {
        ExternalData {
            router_id: RouterId(router_id),
            autonomous_system: long[0],
            tag: long[1],
            metric: long[2],
            protocol: ExternalProtocol::from_wire(protocol),
            flags,
        }
    })
}

fn route() -> impl Strategy<Value = Tlv> {
    (address(), prop_oneof![classic(), wide()], option::of(external()), btree_set(net(), 1..4)).prop_map(
        |(next_hop, metric, external, destinations)| {
            Tlv::Route(RouteTlv { next_hop, metric, external, destinations })
        },
    )
}

fn k_values() -> impl Strategy<Value = KValues> {
    any::<[u8; 6]>().prop_map(|[k1, k2, k3, k4, k5, k6]| KValues { k1, k2, k3, k4, k5, k6 })
}

fn tlv() -> impl Strategy<Value = Tlv> {
    prop_oneof![
        3 => route(),
        1 => (k_values(), any::<u16>())
            .prop_map(|(k, hold_time)| Tlv::Parameters(Parameters { k, hold_time })),
        1 => (any::<u16>(), any::<u32>(), any::<u32>(), vec(any::<u8>(), 0..40)).prop_map(
            |(kind, key_id, key_sequence, digest)| {
                Tlv::Authentication(Authentication { kind, key_id, key_sequence, digest })
            }
        ),
        1 => vec(address(), 0..4).prop_map(Tlv::Sequence),
        1 => any::<[u8; 4]>().prop_map(|[a, b, c, d]| {
            Tlv::SoftwareVersion(SoftwareVersion { release: (a, b), tlv: (c, d) })
        }),
        1 => any::<u32>().prop_map(|number| Tlv::MulticastSequence(Sequence(number))),
        1 => any::<u16>().prop_map(|flags| Tlv::Stub(StubFlags(flags))),
        1 => vec(address(), 0..4).prop_map(Tlv::PeerTermination),
        1 => (0x0008u16..0x0100, vec(any::<u8>(), 0..20))
            .prop_map(|(kind, value)| Tlv::Unknown { kind, value }),
    ]
}

fn packet() -> impl Strategy<Value = Packet> {
    (any::<u8>(), any::<[u32; 3]>(), any::<[u16; 2]>(), vec(tlv(), 0..6)).prop_map(
        |(opcode, [flags, sequence, acknowledgment], [virtual_router, autonomous_system], tlvs)| Packet {
            header: Header {
                opcode: Opcode::from_wire(opcode),
                flags: Flags(flags),
                sequence: Sequence(sequence),
                acknowledgment: Sequence(acknowledgment),
                virtual_router,
                autonomous_system,
            },
            tlvs,
        },
    )
}

fn key(digest: Digest, secret: &str) -> AuthenticationKey {
    AuthenticationKey { digest, id: 7, secret: secret.to_owned() }
}

proptest! {
    #[test]
    fn round_trip(packet in packet()) {
        prop_assert_eq!(Packet::parse(&packet.emit()), Ok(packet));
    }

    #[test]
    fn wire_len_is_what_is_emitted(tlv in route()) {
        let Tlv::Route(route) = &tlv else { unreachable!() };
        let mut octets = Vec::new();
        tlv.emit(&mut octets);
        prop_assert_eq!(octets.len(), route.wire_len());
    }

    #[test]
    fn any_octets(octets in vec(any::<u8>(), 0..200)) {
        let _ = Packet::parse(&octets);
    }

    #[test]
    fn any_tlvs_behind_a_good_header(body in vec(any::<u8>(), 0..120), kind in prop_oneof![0u16..9, Just(0x0102), Just(0x0103), Just(0x0602), Just(0x0603)]) {
        let header = Header {
            opcode: Opcode::Update,
            flags: Flags::NONE,
            sequence: Sequence(1),
            acknowledgment: Sequence::NONE,
            virtual_router: 0,
            autonomous_system: 1,
        };
        let mut octets = Packet { header, tlvs: Vec::new() }.emit_without_checksum();
        octets.extend_from_slice(&kind.to_be_bytes());
        octets.extend_from_slice(&u16::try_from(4 + body.len()).unwrap().to_be_bytes());
        octets.extend_from_slice(&body);
        fill_checksum(&mut octets);
        match Packet::parse(&octets) {
            Ok(packet) => prop_assert_eq!(packet.tlvs.len(), 1),
            Err(error) => prop_assert_eq!(error, PacketError::TlvValue { kind, offset: 20 }),
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed(packet in packet(), bit in any::<prop::sample::Index>()) {
        let mut octets = packet.emit();
        let bit = bit.index(octets.len() * 8);
        octets[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(Packet::parse(&octets).is_err());
    }

    #[test]
    fn a_signed_packet_is_accepted_with_its_key_and_source_only(packet in packet(), md5: bool, octet in any::<prop::sample::Index>()) {
        let digest = if md5 { Digest::Md5 } else { Digest::Sha256 };
        let (good, source) = (key(digest, "cisco"), Ipv4Addr::new(10, 0, 0, 1));
        let octets = packet.emit_signed(&good, source);
        let parsed = Packet::parse(&octets).unwrap();
        prop_assert!(parsed.is_signed_with(&octets, &good, source));
        prop_assert!(!parsed.is_signed_with(&octets, &key(digest, "other"), source));
        let renumbered = AuthenticationKey { id: 8, ..good.clone() };
        prop_assert!(!parsed.is_signed_with(&octets, &renumbered, source));
        // Only HMAC-SHA-256 covers the source address.
        prop_assert_eq!(parsed.is_signed_with(&octets, &good, Ipv4Addr::new(10, 0, 0, 2)), md5);
        let mut forged = octets.clone();
        forged[octet.index(octets.len())] ^= 0x10;
        fill_checksum(&mut forged);
        let changed = forged[4..] != octets[4..];
        if let Ok(parsed) = Packet::parse(&forged) {
            prop_assert_eq!(parsed.is_signed_with(&forged, &good, source), !changed && forged[..2] == octets[..2]);
        }
    }
}

fn header(opcode: Opcode) -> Header {
    Header {
        opcode,
        flags: Flags::NONE,
        sequence: Sequence::NONE,
        acknowledgment: Sequence::NONE,
        virtual_router: 0,
        autonomous_system: 100,
    }
}

#[test]
fn rfc7868_6_the_octets_of_a_hello() {
    let packet = Packet {
        header: header(Opcode::Hello),
        tlvs: vec![
            Tlv::Parameters(Parameters { k: KValues::default(), hold_time: 15 }),
            Tlv::SoftwareVersion(SoftwareVersion { release: (23, 0), tlv: (2, 0) }),
        ],
    };
    let mut expected = vec![2, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100];
    expected.extend([0, 1, 0, 12, 1, 0, 1, 0, 0, 0, 0, 15, 0, 4, 0, 8, 23, 0, 2, 0]);
    let octets = packet.emit();
    assert_eq!(octets[4..], expected[4..]);
    // 0x0205 + 100 + 0x0001 + 0x000c + 0x0100 + 0x0100 + 15 + 0x0004 + 0x0008 + 0x1700 + 0x0200 = 0x1d91
    assert_eq!(octets[2..4], (!0x1d91u16).to_be_bytes());
}

#[test]
fn rfc7868_6_8_a_default_route_has_no_address_and_frrs_one_octet_is_read_too() {
    let Tlv::Route(mut route) = internal("0.0.0.0/0") else { unreachable!() };
    let mut octets = Vec::new();
    route.emit(&mut octets);
    assert_eq!(octets.len(), 4 + 16 + 1);
    octets.push(0);
    assert_eq!(Tlv::parse(0x0102, &octets), Some(internal("0.0.0.0/0")));
    route.destinations.clear();
    let mut octets = Vec::new();
    route.emit(&mut octets);
    assert_eq!(Tlv::parse(0x0102, &octets), None, "a route TLV without destination");
}

#[test]
fn errors_say_what_and_where() {
    let octets = Packet { header: header(Opcode::Hello), tlvs: Vec::new() }.emit();
    assert_eq!(Packet::parse(&octets[..19]), Err(PacketError::Truncated));
    let mut long = octets.clone();
    long.extend([0, 1, 0, 99]);
    fill_checksum(&mut long);
    assert_eq!(Packet::parse(&long), Err(PacketError::Checksum), "the old checksum is in it");
    long[2..4].fill(0);
    fill_checksum(&mut long);
    assert_eq!(Packet::parse(&long), Err(PacketError::TlvLength { offset: 20 }));
    let mut other = octets;
    other[0] = 1;
    assert_eq!(Packet::parse(&other), Err(PacketError::Version(1)));
    assert_eq!(
        PacketError::TlvValue { kind: 0x0102, offset: 20 }.to_string(),
        "bad value of the TLV of type 0x0102 at octet 20"
    );
}

fn internal(prefix: &str) -> Tlv {
    let metric = ClassicMetric {
        delay: 128_256,
        bandwidth: 256,
        mtu: 1514,
        hop_count: 1,
        reliability: 255,
        load: 1,
        internal_tag: 0,
        flags: 0,
    };
    Tlv::Route(RouteTlv {
        next_hop: Ipv4Addr::UNSPECIFIED,
        metric: RouteMetric::Classic(metric),
        external: None,
        destinations: [prefix.parse().unwrap()].into(),
    })
}

/// One of every kind of packet and TLV.
fn samples() -> Vec<(Packet, Option<Digest>)> {
    let external = ExternalData {
        router_id: RouterId(Ipv4Addr::new(9, 9, 9, 9)),
        autonomous_system: 1,
        tag: 77,
        metric: 20,
        protocol: ExternalProtocol::Ospf,
        flags: ExternalData::CANDIDATE_DEFAULT,
    };
    let wide = RouteMetric::Wide {
        router_id: RouterId(Ipv4Addr::new(1, 2, 3, 4)),
        metric: WideMetric {
            priority: 0,
            reliability: 255,
            load: 1,
            mtu: 1500,
            hop_count: 3,
            delay: 1_250_000,
            bandwidth: 8_000_000,
            flags: 0,
            tag: 5,
        },
    };
    let with = |tlv: Tlv, external: Option<ExternalData>, metric: Option<RouteMetric>| {
        let Tlv::Route(route) = tlv else { unreachable!() };
        let metric = metric.unwrap_or(route.metric);
        Tlv::Route(RouteTlv { external, metric, ..route })
    };
    let hello = vec![
        Tlv::Parameters(Parameters { k: KValues::default(), hold_time: 15 }),
        Tlv::SoftwareVersion(SoftwareVersion { release: (23, 0), tlv: (2, 0) }),
        Tlv::Stub(StubFlags(5)),
        Tlv::Sequence(vec![Ipv4Addr::new(10, 0, 0, 2)]),
        Tlv::MulticastSequence(Sequence(17)),
    ];
    let routes = vec![
        internal("10.1.2.0/24"),
        internal("0.0.0.0/0"),
        with(internal("172.16.0.0/12"), Some(external), None),
        with(internal("192.168.1.128/25"), None, Some(wide)),
        with(internal("192.168.2.1/32"), Some(external), Some(wide)),
    ];
    let of = |opcode, flags, tlvs: &Vec<Tlv>| Packet {
        header: Header { flags, sequence: Sequence(16), acknowledgment: Sequence(3), ..header(opcode) },
        tlvs: tlvs.clone(),
    };
    let mut samples = vec![
        (Packet { header: header(Opcode::Hello), tlvs: hello.clone() }, None),
        (Packet { header: header(Opcode::Hello), tlvs: hello.clone() }, Some(Digest::Md5)),
        (Packet { header: header(Opcode::Hello), tlvs: hello }, Some(Digest::Sha256)),
        (of(Opcode::Update, Flags::INIT, &Vec::new()), Some(Digest::Md5)),
        (of(Opcode::Hello, Flags::NONE, &Vec::new()), None),
    ];
    for opcode in [Opcode::Update, Opcode::Query, Opcode::Reply, Opcode::SiaQuery, Opcode::SiaReply] {
        let flags = Flags::CONDITIONAL_RECEIVE | Flags::END_OF_TABLE;
        samples.push((of(opcode, flags, &routes), None));
    }
    samples
}

#[test]
fn wireshark_reads_every_kind_of_packet() {
    if Command::new("tshark").arg("--version").output().is_err() {
        eprintln!("SKIPPED: tshark is not installed (apt-get install tshark)");
        return;
    }
    let source = Ipv4Addr::new(10, 0, 0, 1);
    let header = PcapHeader { datalink: pcap_file::DataLink::RAW, ..PcapHeader::default() };
    let mut writer = PcapWriter::with_header(Vec::new(), header).unwrap();
    let samples = samples();
    for (number, (packet, digest)) in (0..).zip(&samples) {
        let payload = match digest {
            Some(digest) => packet.emit_signed(&key(*digest, "cisco"), source),
            None => packet.emit(),
        };
        let ip = Ipv4Header {
            source,
            destination: Ipv4Addr::new(224, 0, 0, 10),
            protocol: IpProtocol::EIGRP,
            ttl: 2,
            tos: 0xC0,
            ident: number,
            dont_fragment: false,
            more_fragments: false,
            fragment_offset: 0,
            options: Vec::new(),
        };
        let frame = ip.emit(&payload);
        let time = Duration::from_secs(u64::from(number));
        writer.write_packet(&PcapPacket::new(time, u32::try_from(frame.len()).unwrap(), &frame)).unwrap();
    }
    let path = std::env::temp_dir().join(format!("netconfarena-eigrp-{}.pcap", std::process::id()));
    std::fs::write(&path, writer.into_writer()).unwrap();
    let read = |filter: &str, more: &[&str]| {
        let output = Command::new("tshark")
            .args(["-n", "-r"])
            .arg(&path)
            .args(["-Y", filter])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let bad = "_ws.malformed || _ws.expert.severity >= error || eigrp.checksum.status == 0";
    assert_eq!(read(bad, &[]), "");
    let all = read("eigrp.as == 100", &["-V"]);
    assert_eq!(read("eigrp.as == 100", &[]).lines().count(), samples.len());
    for text in [
        "10.1.2.0/24",
        "0.0.0.0/0",
        "172.16.0.0/12",
        "192.168.1.128/25",
        "192.168.2.1/32",
        "Delay: 1250000",
        "Bandwidth: 8000000",
        "IP Address: 10.0.0.2",
        "Multicast Sequence: 17",
        "Tag: 5",
        "K1: 1",
        "Hold Time: 15",
        "End Of Table: Set",
    ] {
        assert!(all.contains(text), "no {text:?} in\n{all}");
    }
    std::fs::remove_file(&path).unwrap();
}
