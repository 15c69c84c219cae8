//! What BGP logs, in IOS's words.

use std::fmt::Write as _;

use netconfarena_emu::bgp::packet::Notification;
use netconfarena_emu::bgp::{BgpLogEvent, DownReason, LoggedPeer};
use netconfarena_emu::tcp::TcpLogEvent;

/// The severity of an event.
pub(super) const fn severity(event: &BgpLogEvent) -> u8 {
    match event {
        BgpLogEvent::Up { .. } | BgpLogEvent::Down { .. } | BgpLogEvent::RemovedFromSession { .. } => 5,
        BgpLogEvent::Notification { .. } | BgpLogEvent::PrefixesBeyondMaximum { .. } => 3,
        BgpLogEvent::PrefixesNearMaximum { .. } => 4,
        BgpLogEvent::MalformedAttribute { .. } | BgpLogEvent::LongAsPath { .. } | BgpLogEvent::Tcp(_) => 6,
    }
}

/// Facility, severity, mnemonic and text.
pub(super) fn message(event: &BgpLogEvent) -> String {
    let severity = severity(event);
    match event {
        // The blank at the end is IOS's.
        BgpLogEvent::Up { neighbor } => {
            format!("%BGP-{severity}-ADJCHANGE: neighbor {} Up ", peer(neighbor))
        }
        BgpLogEvent::Down { neighbor, reason } => {
            format!("%BGP-{severity}-ADJCHANGE: neighbor {} Down {}", peer(neighbor), down_reason(*reason))
        }
        BgpLogEvent::RemovedFromSession { neighbor, reason } => {
            let topology = neighbor.vrf.as_deref().unwrap_or("base");
            format!(
                "%BGP_SESSION-{severity}-ADJCHANGE: neighbor {} IPv4 Unicast {}topology {topology} removed from session  {}",
                neighbor.address,
                neighbor.vrf.as_ref().map_or(String::new(), |vrf| format!("vpn vrf {vrf} ")),
                down_reason(*reason)
            )
        }
        BgpLogEvent::Notification { neighbor, sent, passive, notification } => {
            let way = if *sent { "sent to" } else { "received from" };
            let side = match passive {
                Some(true) => "passive ",
                Some(false) => "active ",
                None => "",
            };
            format!(
                "%BGP-{severity}-NOTIFICATION: {way} neighbor {} {side}{}",
                peer(neighbor),
                notification_text(notification)
            )
        }
        BgpLogEvent::PrefixesNearMaximum { neighbor, count, limit } => format!(
            "%BGP-{severity}-MAXPFX: Number of prefixes received from {} (afi 0) reaches {count}, max {limit}",
            peer(neighbor)
        ),
        BgpLogEvent::PrefixesBeyondMaximum { neighbor, count, limit } => format!(
            "%BGP-{severity}-MAXPFXEXCEED: Number of prefixes received from {} (afi 0): {count} exceeds limit {limit}",
            peer(neighbor)
        ),
        BgpLogEvent::MalformedAttribute { neighbor } => {
            format!("%BGP-{severity}-MALFORMEDATTR: Malformed attribute received from {}", peer(neighbor))
        }
        BgpLogEvent::LongAsPath { neighbor, length, limit } => format!(
            "%BGP-{severity}-ASPATH: Long AS path of {length} received from {}: More than configured MAXAS-LIMIT {limit}",
            peer(neighbor)
        ),
        BgpLogEvent::Tcp(TcpLogEvent::BadAuthentication { invalid, from, to }) => {
            let what = if *invalid { "Invalid" } else { "No" };
            format!(
                "%TCP-{severity}-BADAUTH: {what} MD5 digest from {}({}) to {}({}) tableid - 0",
                from.0, from.1, to.0, to.1
            )
        }
    }
}

fn peer(peer: &LoggedPeer) -> String {
    match &peer.vrf {
        Some(vrf) => format!("{} vpn vrf {vrf}", peer.address),
        None => peer.address.to_string(),
    }
}

/// Why a session is down, as `%BGP-5-ADJCHANGE` and `Last reset` say it.
pub(crate) const fn down_reason(reason: DownReason) -> &'static str {
    match reason {
        DownReason::NotificationSent => "BGP Notification sent",
        DownReason::NotificationReceived => "BGP Notification received",
        DownReason::PeerClosed => "Peer closed the session",
        DownReason::InterfaceFlap => "Interface flap",
        DownReason::UserReset => "User reset",
        DownReason::AdminShutdown => "Admin. shutdown",
        DownReason::NeighborDeleted => "Neighbor deleted",
        DownReason::Initialization => "BGP protocol initialization",
        DownReason::RemoteAsChanged => "Remote AS changed",
        DownReason::LocalAsChanged => "Local AS changed",
        DownReason::RouterIdChanged => "Router ID changed",
        DownReason::ClusterIdChanged => "Cluster ID changed",
        DownReason::ConfederationChanged => "Confederation peer list changed",
        DownReason::UpdateSourceChanged => "Update source changed",
        DownReason::MultihopChanged => "Multihop changed",
        DownReason::PasswordChanged => "Password change",
        DownReason::CapabilityChanged => "Capability changed",
        DownReason::ReflectorClientChanged => "RR client config change",
        DownReason::FamilyActivated => "Address family activated",
        DownReason::FamilyDeactivated => "Address family deactivated",
        DownReason::PeerGroupChanged => "Member added to peergroup",
        DownReason::RouteToPeerLost => "Route to peer lost",
        DownReason::Collision => "Error during connection collision",
    }
}

/// `4/0 (hold time expired) 0 bytes`, as behind the peer in log lines.
pub(crate) fn notification_text(notification: &Notification) -> String {
    let Notification { code, subcode, data } = notification;
    let mut text = format!("{code}/{subcode} ({}) {} bytes", meaning(*code, *subcode), data.len());
    // Eight digits a group, as IOS prints memory.
    for word in data.chunks(4) {
        text.push(' ');
        for octet in word {
            let _ = write!(text, "{octet:02X}");
        }
    }
    text
}

/// What a NOTIFICATION says, by code and subcode.
const fn meaning(code: u8, subcode: u8) -> &'static str {
    match (code, subcode) {
        (1, 1) => "not synchronized",
        (1, 2) => "illegal header length",
        (1, 3) => "illegal message type",
        (1, _) => "header error",
        (2, 1) => "unsupported version",
        (2, 2) => "peer in wrong AS",
        (2, 3) => "BGP identifier wrong",
        (2, 4) => "unsupported optional parameter",
        (2, 5) => "authentication failure",
        (2, 6) => "unacceptable hold time",
        (2, 7) => "unsupported/disjoint capability",
        (2, 8) => "no supported AFI/SAFI",
        (2, _) => "malformed OPEN",
        (3, 1) => "malformed attribute list",
        (3, 2) => "unrecognized well-known attribute",
        (3, 3) => "missing well-known attribute",
        (3, 4) => "attribute flags error",
        (3, 5) => "attribute length error",
        (3, 6) => "invalid origin attribute",
        (3, 8) => "invalid next hop attribute",
        (3, 9) => "optional attribute error",
        (3, 10) => "illegal network",
        (3, 11) => "malformed AS_PATH",
        (3, _) => "update malformed",
        (4, _) => "hold time expired",
        (5, 1) => "unexpected message in OpenSent",
        (5, 2) => "unexpected message in OpenConfirm",
        (5, 3) => "unexpected message in Established",
        (5, _) => "FSM error",
        (6, 1) => "Maximum Number of Prefixes Reached",
        (6, 2) => "Administrative Shutdown",
        (6, 3) => "Peer De-configured",
        (6, 4) => "Administrative Reset",
        (6, 5) => "Connection Rejected",
        (6, 6) => "Other Configuration Change",
        (6, 7) => "Connection Collision Resolution",
        (6, 8) => "Out of Resources",
        (6, _) => "cease",
        (7, _) => "route refresh error",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_real_routers() {
        let neighbor = LoggedPeer { address: "10.1.1.2".parse().unwrap(), vrf: None };
        assert_eq!(
            message(&BgpLogEvent::Up { neighbor: neighbor.clone() }),
            "%BGP-5-ADJCHANGE: neighbor 10.1.1.2 Up "
        );
        assert_eq!(
            message(&BgpLogEvent::Down { neighbor: neighbor.clone(), reason: DownReason::UserReset }),
            "%BGP-5-ADJCHANGE: neighbor 10.1.1.2 Down User reset"
        );
        let expired = BgpLogEvent::Notification {
            neighbor: neighbor.clone(),
            sent: true,
            passive: None,
            notification: Notification::HOLD_TIMER_EXPIRED,
        };
        assert_eq!(
            message(&expired),
            "%BGP-3-NOTIFICATION: sent to neighbor 10.1.1.2 4/0 (hold time expired) 0 bytes"
        );
        let wrong = BgpLogEvent::Notification {
            neighbor,
            sent: false,
            passive: Some(false),
            notification: Notification::bad_peer_as(200),
        };
        assert_eq!(
            message(&wrong),
            "%BGP-3-NOTIFICATION: received from neighbor 10.1.1.2 active 2/2 (peer in wrong AS) 2 bytes 00C8"
        );
    }
}
