//! Log events as IOS words them: `*Jan  1 00:00:12.345: %OSPF-5-ADJCHG: Process 1, Nbr ...`.

pub(crate) mod bgp;
pub(crate) mod level;
mod ospf_debug;

use netconfarena_emu::eigrp::{DownReason, EigrpLogEvent, NeighborChange, ResyncReason};
use netconfarena_emu::forwarding::AclFlow;
use netconfarena_emu::log::{LogEntry, LogEvent};
use netconfarena_emu::ospf::OspfLogEvent;
use netconfarena_emu::process::IpProtocol;

use crate::running_config::{protocol, tracked_object};
use crate::show::clock::Clock;

/// The line of an entry, without the newline: time, facility, severity, mnemonic, text.
///
/// The asterisk says that the clock was never set.
#[must_use]
pub fn line(entry: &LogEntry) -> String {
    let clock = Clock::at(entry.time);
    format!("*{} {:>2} {}: {}", clock.month, clock.day, clock.time, message(&entry.event))
}

/// The severity of an event, 0 (emergencies) to 7 (debugging).
#[must_use]
pub fn severity(event: &LogEvent) -> u8 {
    match event {
        LogEvent::LinkUpDown { .. } => 3,
        LogEvent::DuplicateAddress { .. } => 4,
        LogEvent::AccessList { .. } | LogEvent::AccessListMissed { .. } | LogEvent::Tracked { .. } => 6,
        LogEvent::LinkAdminDown { .. }
        | LogEvent::LineProtocolUpDown { .. }
        | LogEvent::Configured { .. }
        | LogEvent::Restarted
        | LogEvent::ReloadScheduled { .. }
        | LogEvent::ReloadCancelled
        | LogEvent::RevertScheduled { .. }
        | LogEvent::RevertBegun { .. }
        | LogEvent::ChangeConfirmed { .. }
        | LogEvent::Ospf(OspfLogEvent::AdjacencyChanged { .. }) => 5,
        LogEvent::Eigrp(event) => match event {
            EigrpLogEvent::StuckInActive { .. } => 3,
            EigrpLogEvent::NeighborChanged { .. } => 5,
            EigrpLogEvent::NotOnCommonSubnet { .. } => 6,
        },
        LogEvent::Bgp(event) => bgp::severity(event),
        LogEvent::Ospf(OspfLogEvent::Debug { .. }) => 7,
        LogEvent::Ospf(
            OspfLogEvent::NoRouterId { .. }
            | OspfLogEvent::DuplicateRouterId { .. }
            | OspfLogEvent::AreaMismatch { .. },
        ) => 4,
    }
}

/// Facility, severity, mnemonic and text; what `debug` shows has the text alone.
#[must_use]
pub fn message(event: &LogEvent) -> String {
    let state = |up: &bool| if *up { "up" } else { "down" };
    let severity = severity(event);
    match event {
        LogEvent::LinkUpDown { interface, up } => {
            format!("%LINK-{severity}-UPDOWN: Interface {interface}, changed state to {}", state(up))
        }
        LogEvent::LinkAdminDown { interface } => {
            format!("%LINK-{severity}-CHANGED: Interface {interface}, changed state to administratively down")
        }
        LogEvent::LineProtocolUpDown { interface, up } => format!(
            "%LINEPROTO-{severity}-UPDOWN: Line protocol on Interface {interface}, changed state to {}",
            state(up)
        ),
        LogEvent::DuplicateAddress { address, interface, station } => {
            format!(
                "%IP-{severity}-DUPADDR: Duplicate address {address} on {interface}, sourced by {station}"
            )
        }
        LogEvent::Configured { source } => format!("%SYS-{severity}-CONFIG_I: Configured from {source}"),
        LogEvent::AccessList { flow, packets } => access_list(severity, flow, *packets),
        LogEvent::AccessListMissed { packets } => {
            let s = if *packets == 1 { "" } else { "s" };
            format!(
                "%SEC-{severity}-IPACCESSLOGRL: access-list logging rate-limited or missed {packets} packet{s}"
            )
        }
        LogEvent::Restarted => format!("%SYS-{severity}-RESTART: System restarted --"),
        LogEvent::ReloadScheduled { at, by, reason } => format!(
            "%SYS-{severity}-SCHEDULED_RELOAD: Reload requested for {} by {by}. Reload Reason: {reason}.",
            Clock::at(*at).long(),
        ),
        LogEvent::ReloadCancelled => {
            format!("%SYS-{severity}-SCHEDULED_RELOAD_CANCELLED: Scheduled reload cancelled")
        }
        LogEvent::RevertScheduled { user, file, minutes } => format!(
            "%ARCHIVE_DIFF-{severity}-ROLLBK_CNFMD_CHG_START_ABSTIMER: User: {user}: Scheduled to rollback to config {file} in {minutes} minutes",
        ),
        LogEvent::RevertBegun { file } => {
            format!("%ARCHIVE_DIFF-{severity}-ROLLBK_CNFMD_CHG_ROLLBACK_START: Start rolling to: {file}")
        }
        LogEvent::ChangeConfirmed { user } => format!(
            "%ARCHIVE_DIFF-{severity}-ROLLBK_CNFMD_CHG_CONFIRM: User: {user}: Confirm the configuration change",
        ),
        LogEvent::Tracked { number, object, up } => {
            let (old, new) = if *up { ("Down", "Up") } else { ("Up", "Down") };
            format!("%TRACK-{severity}-STATE: {number} {} {old} -> {new}", tracked_object(object))
        }
        LogEvent::Eigrp(event) => eigrp_message(event, severity),
        LogEvent::Bgp(event) => bgp::message(event),
        LogEvent::Ospf(OspfLogEvent::AdjacencyChanged { process, neighbor, interface, from, to, reason }) => {
            format!(
                "%OSPF-{severity}-ADJCHG: Process {process}, Nbr {neighbor} on {interface} from {from} to {to}, {reason}"
            )
        }
        LogEvent::Ospf(OspfLogEvent::Debug { process, interface, event }) => {
            ospf_debug::message(*process, *interface, event)
        }
        LogEvent::Ospf(OspfLogEvent::NoRouterId { process }) => format!(
            "%OSPF-{severity}-NORTRID: OSPF process {process} failed to allocate unique router-id and cannot start"
        ),
        LogEvent::Ospf(OspfLogEvent::DuplicateRouterId { router_id, source, interface }) => format!(
            "%OSPF-{severity}-DUP_RTRID_NBR: OSPF detected duplicate router-id {router_id} from {source} on interface {interface}"
        ),
        LogEvent::Ospf(OspfLogEvent::AreaMismatch { backbone, source, interface }) => {
            let what = if *backbone {
                "mismatched area ID, from backbone area must be virtual-link but not found"
            } else {
                "mismatched area ID"
            };
            format!("%OSPF-{severity}-ERRRCV: Received invalid packet: {what} from {source}, {interface}")
        }
    }
}

/// The matches of an access list: one mnemonic for standard lists, one for protocols with ports, for ICMP, for routing protocols and for
/// others.
fn access_list(severity: u8, flow: &AclFlow, packets: u64) -> String {
    let AclFlow { list, source, .. } = flow;
    let action = if flow.action.is_permit() { "permitted" } else { "denied" };
    let packets = format!("{packets} packet{}", if packets == 1 { "" } else { "s" });
    let Some(extended) = flow.extended else {
        return format!("%SEC-{severity}-IPACCESSLOGS: list {list} {action} {source} {packets}");
    };
    let destination = extended.destination;
    let protocol = protocol(Some(extended.protocol));
    let input = match extended.input {
        None => String::new(),
        Some((interface, None)) => format!(" ({interface} )"),
        Some((interface, Some(mac))) => format!(" ({interface} {mac})"),
    };
    let (mnemonic, what) = match (extended.protocol, extended.numbers) {
        (IpProtocol::TCP | IpProtocol::UDP, numbers) => {
            let (from, to) = numbers.unwrap_or_default();
            ("IPACCESSLOGP", format!("{source}({from}){input} -> {destination}({to})"))
        }
        (IpProtocol::ICMP, numbers) => {
            let (kind, code) = numbers.unwrap_or_default();
            ("IPACCESSLOGDP", format!("{source}{input} -> {destination} ({kind}/{code})"))
        }
        (IpProtocol::EIGRP | IpProtocol::OSPF, _) => {
            ("IPACCESSLOGRP", format!("{source}{input} -> {destination}"))
        }
        _ => ("IPACCESSLOGNP", format!("{source}{input} -> {destination}")),
    };
    format!("%SEC-{severity}-{mnemonic}: list {list} {action} {protocol} {what}, {packets}")
}

fn eigrp_message(event: &EigrpLogEvent, severity: u8) -> String {
    match event {
        EigrpLogEvent::NeighborChanged { autonomous_system, neighbor, interface, change } => {
            let change = match change {
                NeighborChange::Up => "up: new adjacency".to_owned(),
                NeighborChange::Down(reason) => format!("down: {}", down_reason(*reason)),
                NeighborChange::Resync(reason) => format!("resync: {}", resync_reason(*reason)),
            };
            format!(
                "%DUAL-{severity}-NBRCHANGE: EIGRP-IPv4 {autonomous_system}: Neighbor {neighbor} ({interface}) is {change}"
            )
        }
        EigrpLogEvent::NotOnCommonSubnet { autonomous_system, neighbor, interface, address } => format!(
            "%DUAL-{severity}-NBRINFO: EIGRP-IPv4 {autonomous_system}: Neighbor {neighbor} ({interface}) is blocked: not on common subnet ({address})"
        ),
        EigrpLogEvent::StuckInActive { autonomous_system, prefix } => format!(
            "%DUAL-{severity}-SIA: EIGRP-IPv4 {autonomous_system}: Route {prefix} stuck-in-active state. Cleaning up"
        ),
    }
}

const fn down_reason(reason: DownReason) -> &'static str {
    match reason {
        DownReason::HoldingTimeExpired => "holding time expired",
        DownReason::RetryLimitExceeded => "retry limit exceeded",
        DownReason::StuckInActive => "stuck in active",
        DownReason::KValueMismatch => "K-value mismatch",
        DownReason::GoodbyeReceived => "Interface Goodbye received",
        DownReason::PeerTerminationReceived => "Peer Termination received",
        DownReason::PeerRestarted => "peer restarted",
        DownReason::PeerInfoChanged => "peer info changed",
        DownReason::AuthenticationFailure => "Auth failure",
        DownReason::AuthenticationModeChanged => "authentication mode changed",
        DownReason::KeychainChanged => "keychain changed",
        DownReason::InterfaceDown => "interface down",
        DownReason::InterfacePassive => "interface passive",
        DownReason::AddressChanged => "address changed",
        DownReason::StaticPeerConfigured => "Static peer configured",
        DownReason::StaticPeerRemoved => "Static peer removed",
        DownReason::RouteConfigurationChanged => "route configuration changed",
        DownReason::MetricChanged => "metric changed",
        DownReason::ManuallyCleared => "manually cleared",
        DownReason::Shutdown => "shutdown",
    }
}

const fn resync_reason(reason: ResyncReason) -> &'static str {
    match reason {
        ResyncReason::SummaryConfigured => "summary configured",
        ResyncReason::RouteConfigurationChanged => "route configuration changed",
        ResyncReason::SplitHorizonChanged => "split horizon changed",
        ResyncReason::NextHopSelfChanged => "next_hop_self value changed",
        ResyncReason::PeerGracefulRestart => "peer graceful-restart",
        ResyncReason::ManuallyCleared => "manually cleared",
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use netconfarena_emu::forwarding::ExtendedFlow;
    use netconfarena_emu::ids::{MacAddress, RouterId};
    use netconfarena_emu::ospf::OspfInterfaceName;
    use netconfarena_emu::policy::Permission;
    use netconfarena_emu::time::Time;

    use super::*;

    fn text(event: LogEvent) -> String {
        line(&LogEntry { time: Time::from_millis(12_345), event })
    }

    #[test]
    fn lines_are_those_of_real_routers() {
        let interface = "FastEthernet0/0".parse().unwrap();
        let at = "*Jan  1 00:00:12.345: ";
        assert_eq!(
            text(LogEvent::LinkUpDown { interface, up: true }),
            format!("{at}%LINK-3-UPDOWN: Interface FastEthernet0/0, changed state to up")
        );
        assert_eq!(
            text(LogEvent::LineProtocolUpDown { interface, up: false }),
            format!(
                "{at}%LINEPROTO-5-UPDOWN: Line protocol on Interface FastEthernet0/0, changed state to down"
            )
        );
        assert_eq!(
            text(LogEvent::LinkAdminDown { interface }),
            format!("{at}%LINK-5-CHANGED: Interface FastEthernet0/0, changed state to administratively down")
        );
        assert_eq!(
            text(LogEvent::Configured { source: "console by console".to_owned() }),
            format!("{at}%SYS-5-CONFIG_I: Configured from console by console")
        );
        let flow = |extended| AclFlow {
            list: "101".to_owned(),
            action: Permission::Deny,
            source: Ipv4Addr::new(10, 0, 0, 1),
            extended,
        };
        let extended = |protocol, numbers, input| {
            Some(ExtendedFlow { protocol, destination: Ipv4Addr::new(10, 0, 0, 2), numbers, input })
        };
        let mac = Some(MacAddress([0, 0x11, 0x22, 0x33, 0x44, 0x55]));
        for (extended, packets, expected) in [
            (None, 1, "%SEC-6-IPACCESSLOGS: list 101 denied 10.0.0.1 1 packet"),
            (
                extended(IpProtocol::TCP, Some((1024, 80)), Some((interface, mac))),
                1,
                "%SEC-6-IPACCESSLOGP: list 101 denied tcp 10.0.0.1(1024) (FastEthernet0/0 0011.2233.4455) -> 10.0.0.2(80), 1 packet",
            ),
            (
                extended(IpProtocol::ICMP, Some((8, 0)), None),
                5,
                "%SEC-6-IPACCESSLOGDP: list 101 denied icmp 10.0.0.1 -> 10.0.0.2 (8/0), 5 packets",
            ),
            (
                extended(IpProtocol::OSPF, None, None),
                1,
                "%SEC-6-IPACCESSLOGRP: list 101 denied ospf 10.0.0.1 -> 10.0.0.2, 1 packet",
            ),
            (
                extended(IpProtocol::GRE, None, None),
                1,
                "%SEC-6-IPACCESSLOGNP: list 101 denied gre 10.0.0.1 -> 10.0.0.2, 1 packet",
            ),
        ] {
            let event = LogEvent::AccessList { flow: flow(extended), packets };
            assert_eq!(text(event), format!("{at}{expected}"));
        }
        let event = OspfLogEvent::AdjacencyChanged {
            process: 1,
            neighbor: RouterId(Ipv4Addr::new(172, 16, 46, 4)),
            interface: OspfInterfaceName::Physical(interface),
            from: "LOADING".to_owned(),
            to: "FULL".to_owned(),
            reason: "Loading Done".to_owned(),
        };
        assert_eq!(
            text(LogEvent::Ospf(OspfLogEvent::NoRouterId { process: 2 })),
            format!(
                "{at}%OSPF-4-NORTRID: OSPF process 2 failed to allocate unique router-id and cannot start"
            )
        );
        let eigrp = |change| {
            text(LogEvent::Eigrp(EigrpLogEvent::NeighborChanged {
                autonomous_system: 100,
                neighbor: Ipv4Addr::new(10, 0, 12, 2),
                interface: "Ethernet0/0".parse().unwrap(),
                change,
            }))
        };
        let neighbor = "%DUAL-5-NBRCHANGE: EIGRP-IPv4 100: Neighbor 10.0.12.2 (Ethernet0/0) is";
        assert_eq!(eigrp(NeighborChange::Up), format!("{at}{neighbor} up: new adjacency"));
        assert_eq!(
            eigrp(NeighborChange::Down(DownReason::HoldingTimeExpired)),
            format!("{at}{neighbor} down: holding time expired")
        );
        assert_eq!(
            eigrp(NeighborChange::Resync(ResyncReason::SummaryConfigured)),
            format!("{at}{neighbor} resync: summary configured")
        );
        assert_eq!(
            text(LogEvent::Ospf(event)),
            format!(
                "{at}%OSPF-5-ADJCHG: Process 1, Nbr 172.16.46.4 on FastEthernet0/0 from LOADING to FULL, Loading Done"
            )
        );
    }
}
