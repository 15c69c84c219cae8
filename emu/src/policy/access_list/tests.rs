//! Tests of access lists.

use proptest::prelude::*;

use super::*;

const ANY: Wildcard = Wildcard { address: Ipv4Addr::UNSPECIFIED, mask: Ipv4Addr::BROADCAST };

fn ip(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

fn packet(protocol: IpProtocol) -> PacketFields {
    PacketFields {
        source: ip("10.0.0.1"),
        destination: ip("20.0.0.1"),
        protocol,
        ports: None,
        tcp_flags: 0,
        icmp: None,
        tos: 0,
        is_later_fragment: false,
    }
}

fn extended(entries: Vec<ExtendedEntry>) -> AccessList {
    AccessList::Extended(entries.into_iter().collect())
}

fn permits(entry: ExtendedEntry, packet: PacketFields) -> bool {
    extended(vec![entry]).evaluate(&packet, |_| true).action.is_permit()
}

fn permit(protocol: Option<IpProtocol>) -> ExtendedEntry {
    ExtendedEntry::new(Permission::Permit, protocol, ANY, ANY)
}

#[test]
fn the_first_line_decides_and_the_end_denies() {
    let host = Wildcard::new(ip("10.0.0.1"), Ipv4Addr::UNSPECIFIED);
    let deny = ExtendedEntry::new(Permission::Deny, None, host, ANY);
    let list = extended(vec![deny, permit(Some(IpProtocol::TCP))]);
    let tcp = packet(IpProtocol::TCP);
    let verdict = list.evaluate(&tcp, |_| true);
    assert_eq!((verdict.action, verdict.line), (Permission::Deny, Some(10)));
    let other = PacketFields { source: ip("10.0.0.2"), ..tcp };
    assert_eq!(list.evaluate(&other, |_| true).line, Some(20));
    let udp = PacketFields { protocol: IpProtocol::UDP, ..other };
    let verdict = list.evaluate(&udp, |_| true);
    assert_eq!((verdict.action, verdict.line), (Permission::Deny, None));
}

#[test]
fn a_list_of_remarks_permits_all() {
    let list = AccessList::Standard({
        let mut lines = Lines::default();
        lines.remark("later");
        lines
    });
    assert!(list.evaluate(&packet(IpProtocol::TCP), |_| true).action.is_permit());
    assert!(list.permits_prefix("10.0.0.0/8".parse().unwrap()));
}

#[test]
fn ports_established_icmp_and_dscp() {
    let tcp = PacketFields { ports: Some((1024, 80)), ..packet(IpProtocol::TCP) };
    for (condition, expected) in [
        (PortMatch::Eq(vec![22, 80]), true),
        (PortMatch::Neq(vec![80]), false),
        (PortMatch::Lt(80), false),
        (PortMatch::Gt(79), true),
        (PortMatch::Range(80, 90), true),
    ] {
        let entry = ExtendedEntry { destination_ports: Some(condition), ..permit(Some(IpProtocol::TCP)) };
        assert_eq!(permits(entry, tcp), expected);
    }
    let established = ExtendedEntry { established: true, ..permit(Some(IpProtocol::TCP)) };
    assert!(!permits(established.clone(), PacketFields { tcp_flags: 0x02, ..tcp }));
    assert!(permits(established, PacketFields { tcp_flags: 0x12, ..tcp }));
    let echo =
        ExtendedEntry { icmp: Some(IcmpMatch { kind: 8, code: None }), ..permit(Some(IpProtocol::ICMP)) };
    assert!(permits(echo.clone(), PacketFields { icmp: Some((8, 0)), ..packet(IpProtocol::ICMP) }));
    assert!(!permits(echo, PacketFields { icmp: Some((0, 0)), ..packet(IpProtocol::ICMP) }));
    let ef = ExtendedEntry { dscp: Some(46), ..permit(None) };
    assert!(permits(ef.clone(), PacketFields { tos: 46 << 2, ..tcp }));
    assert!(!permits(ef, tcp));
}

#[test]
fn a_later_fragment_matches_a_permit_with_ports_but_not_a_deny() {
    let fragment = PacketFields { is_later_fragment: true, ..packet(IpProtocol::TCP) };
    let entry = ExtendedEntry { destination_ports: Some(PortMatch::Eq(vec![80])), ..permit(None) };
    assert!(entry.matches(&fragment));
    assert!(!ExtendedEntry { action: Permission::Deny, ..entry }.matches(&fragment));
}

#[test]
fn an_entry_counts_only_while_its_time_range_is_active() {
    let list = extended(vec![ExtendedEntry { time_range: Some("WORK".into()), ..permit(None) }]);
    assert!(list.evaluate(&packet(IpProtocol::TCP), |name| name == "WORK").action.is_permit());
    assert!(!list.evaluate(&packet(IpProtocol::TCP), |_| false).action.is_permit());
}

#[test]
fn an_extended_list_compares_a_route_s_mask_with_the_destination() {
    let network = Wildcard::new(ip("10.0.0.0"), ip("0.255.255.255"));
    let mask = Wildcard::new(ip("255.255.255.0"), Ipv4Addr::UNSPECIFIED);
    let list = extended(vec![ExtendedEntry::new(Permission::Permit, None, network, mask)]);
    assert!(list.permits_prefix("10.1.1.0/24".parse().unwrap()));
    assert!(!list.permits_prefix("10.1.0.0/16".parse().unwrap()));
}

proptest! {
    /// A standard list over address and mask bits, against a comparison bit by bit.
    #[test]
    fn standard_lists_equal_a_naive_model(
        entries in prop::collection::vec((any::<bool>(), 0u32..8, 0u32..8), 0..6),
        source in 0u32..8,
    ) {
        let permission = |permit| if permit { Permission::Permit } else { Permission::Deny };
        let lines = entries.iter().map(|&(permit, address, mask)| {
            let source = Wildcard::new(Ipv4Addr::from(address), Ipv4Addr::from(mask));
            StandardEntry { action: permission(permit), source, log: None }
        });
        let list = AccessList::Standard(lines.collect());
        let same = |address: u32, mask: u32| {
            (0..32).all(|bit| mask >> bit & 1 == 1 || address >> bit & 1 == source >> bit & 1)
        };
        let model = entries.iter().find(|&&(_, a, m)| same(a, m)).map_or(entries.is_empty(), |e| e.0);
        let packet = PacketFields { source: Ipv4Addr::from(source), ..packet(IpProtocol::UDP) };
        prop_assert_eq!(list.evaluate(&packet, |_| true).action, permission(model));
    }
}

/// An address of few, so that lines and packets meet often.
fn few_addresses() -> impl Strategy<Value = Ipv4Addr> {
    (0..3_u8, 0..4_u8).prop_map(|(net, host)| Ipv4Addr::new(10, 0, net, host))
}

fn few_wildcards() -> impl Strategy<Value = Wildcard> {
    let masks = ["0.0.0.0", "0.0.0.3", "0.0.0.255", "0.0.3.0", "255.255.255.255"].map(ip);
    (few_addresses(), prop::sample::select(masks.to_vec()))
        .prop_map(|(address, mask)| Wildcard::new(address, mask))
}

fn few_ports() -> impl Strategy<Value = Option<PortMatch>> {
    prop_oneof![
        3 => Just(None),
        3 => prop::collection::vec(1..5_u16, 1..4).prop_map(|ports| Some(PortMatch::Eq(ports))),
        1 => prop::collection::vec(1..5_u16, 1..3).prop_map(|ports| Some(PortMatch::Neq(ports))),
        1 => (1..5_u16).prop_map(|port| Some(PortMatch::Gt(port))),
        1 => (1..3_u16, 3..5_u16).prop_map(|(low, high)| Some(PortMatch::Range(low, high))),
    ]
}

fn few_entries() -> impl Strategy<Value = ExtendedEntry> {
    let protocol = prop::sample::select(vec![
        None,
        Some(IpProtocol::TCP),
        Some(IpProtocol::UDP),
        Some(IpProtocol::ICMP),
    ]);
    let range = prop::sample::select(vec![None, None, Some("ON"), Some("OFF")]);
    let options = (any::<bool>(), any::<bool>(), prop::option::weighted(0.1, 0..3_u8), range);
    (protocol, few_wildcards(), few_ports(), few_wildcards(), few_ports(), options).prop_map(
        |(
            protocol,
            source,
            source_ports,
            destination,
            destination_ports,
            (permit, established, kind, range),
        )| {
            let action = if permit { Permission::Permit } else { Permission::Deny };
            let with_ports = matches!(protocol, Some(IpProtocol::TCP | IpProtocol::UDP));
            ExtendedEntry {
                source_ports: source_ports.filter(|_| with_ports),
                destination_ports: destination_ports.filter(|_| with_ports),
                established: established && protocol == Some(IpProtocol::TCP),
                icmp: kind
                    .filter(|_| protocol == Some(IpProtocol::ICMP))
                    .map(|kind| IcmpMatch { kind, code: None }),
                fragments: kind == Some(1) && !with_ports,
                log: permit.then_some(AclLog::Log),
                time_range: range.map(str::to_owned),
                ..ExtendedEntry::new(action, protocol, source, destination)
            }
        },
    )
}

fn few_packets() -> impl Strategy<Value = PacketFields> {
    let protocol =
        prop::sample::select(vec![IpProtocol::TCP, IpProtocol::UDP, IpProtocol::ICMP, IpProtocol::GRE]);
    (protocol, few_addresses(), few_addresses(), (1..5_u16, 1..5_u16), 0..3_u8, any::<u8>()).prop_map(
        |(protocol, source, destination, ports, kind, bits)| {
            let is_later_fragment = bits & 7 == 0;
            let with_ports = matches!(protocol, IpProtocol::TCP | IpProtocol::UDP) && !is_later_fragment;
            PacketFields {
                source,
                destination,
                ports: with_ports.then_some(ports),
                tcp_flags: if with_ports && protocol == IpProtocol::TCP { bits } else { 0 },
                icmp: (protocol == IpProtocol::ICMP && !is_later_fragment).then_some((kind, 0)),
                is_later_fragment,
                ..packet(protocol)
            }
        },
    )
}

/// The first line that matches, one after the other.
fn line_by_line(list: &AccessList, packet: &PacketFields, is_active: impl Fn(&str) -> bool) -> Option<u32> {
    match list {
        AccessList::Standard(lines) => {
            lines.iter().find(|(_, entry)| entry.source.matches(packet.source)).map(|(s, _)| s)
        }
        AccessList::Extended(lines) => lines
            .iter()
            .find(|(_, e)| e.time_range.as_deref().is_none_or(&is_active) && e.matches(packet))
            .map(|(sequence, _)| sequence),
    }
}

proptest! {
    #[test]
    fn a_long_list_is_searched_as_if_line_by_line(
        entries in prop::collection::vec(few_entries(), 40..400),
        packets in prop::collection::vec(few_packets(), 50),
        edits in prop::collection::vec((any::<bool>(), 1..400_u32, few_entries()), 0..4),
    ) {
        let mut lines: Lines<ExtendedEntry> = entries.into_iter().collect();
        for (removes, number, entry) in edits {
            // Edits between searches: an index of before must not be used behind them.
            let list = AccessList::Extended(lines.clone());
            let _ = list.evaluate(&packets[0], |_| true);
            let AccessList::Extended(searched) = list else { unreachable!() };
            lines = searched;
            if removes {
                lines.remove_sequence(number * 10);
            } else {
                let _ = lines.insert(number, entry);
            }
        }
        let list = AccessList::Extended(lines);
        for packet in &packets {
            let is_active = |range: &str| range == "ON";
            prop_assert_eq!(list.evaluate(packet, is_active).line, line_by_line(&list, packet, is_active));
        }
    }

    #[test]
    fn a_long_standard_list_is_searched_as_if_line_by_line(
        sources in prop::collection::vec((any::<bool>(), few_wildcards()), 40..400),
        packets in prop::collection::vec(few_packets(), 50),
    ) {
        let entry = |(permit, source)| StandardEntry {
            action: if permit { Permission::Permit } else { Permission::Deny },
            source,
            log: None,
        };
        let list = AccessList::Standard(sources.into_iter().map(entry).collect());
        for packet in &packets {
            prop_assert_eq!(list.evaluate(packet, |_| true).line, line_by_line(&list, packet, |_| true));
        }
    }
}
