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
