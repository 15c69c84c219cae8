//! A neighbor as text.

use super::{Connection, Family, Messages, Neighbor};

/// How the line about graceful restart begins.
pub(super) const RESTART: &str = "Graceful Restart Capability";

pub(super) fn neighbor(n: &Neighbor, out: &mut String) {
    let vrf = n.vrf.as_ref().map_or_else(String::new, |vrf| format!("vrf {vrf},  "));
    let local = n.local_as.map_or_else(String::new, |asn| format!(" local AS {asn},"));
    let link = if n.internal { "internal" } else { "external" };
    out.push_str(&format!(
        "BGP neighbor is {},  {vrf}remote AS {},{local} {link} link\n",
        n.neighbor, n.remote_as
    ));
    if !n.description.is_empty() {
        out.push_str(&format!(" Description: {}\n", n.description));
    }
    if let Some(group) = &n.peer_group {
        out.push_str(&format!(" Member of peer-group {group} for session parameters\n"));
    }
    if n.shutdown {
        out.push_str("  Administratively shut down\n");
    }
    out.push_str(&format!(
        "  BGP version 4, remote router ID {}\n  BGP state = {}",
        n.remote_router_id, n.state
    ));
    match n.uptime {
        Some(age) => out.push_str(&format!(
            ", up for {age}\n  Last read 00:00:00, last write 00:00:00, hold time is {}, keepalive interval is {} seconds\n",
            n.hold_time, n.keepalive
        )),
        None => out.push_str(&format!(
            "\n  Configured hold time is {}, keepalive interval is {} seconds\n",
            n.hold_time, n.keepalive
        )),
    }
    out.push_str("  Neighbor sessions:\n");
    out.push_str(if n.uptime.is_some() {
        "    1 active, is not multisession capable (disabled)\n"
    } else {
        "    0 active, is not multisession capable (disabled)\n    Stateful switchover support enabled: NO\n"
    });
    if !n.capabilities.is_empty() {
        out.push_str("  Neighbor capabilities:\n");
        for line in &n.capabilities {
            out.push_str(&format!("    {line}\n"));
            if let Some(seconds) = n.remote_restart_time.filter(|_| line.starts_with(RESTART)) {
                // IOS leaves the parenthesis open.
                let preserved = if n.forwarding_preserved { "was preserved" } else { "was not preserved" };
                out.push_str(&format!(
                    "      Remote Restart timer is {seconds} seconds\n      Address families advertised by peer:\n        \
                     IPv4 Unicast ({preserved}\n"
                ));
            }
        }
    }
    messages(&n.messages, out);
    let interval = if n.internal { 0 } else { 30 };
    out.push_str(&format!(
        "  Do log neighbor state changes (via global configuration)\n  \
         Default minimum time between advertisement runs is {interval} seconds\n\n For address family: IPv4 Unicast\n"
    ));
    if n.uptime.is_some() {
        out.push_str(&format!("  Session: {}\n", n.neighbor));
    }
    family(&n.family, n.peer_group.as_deref(), out);
    session(n, out);
}

fn messages(messages: &Messages, out: &mut String) {
    let all = [
        ("Opens:", messages.opens),
        ("Notifications:", messages.notifications),
        ("Updates:", messages.updates),
        ("Keepalives:", messages.keepalives),
        ("Route Refresh:", messages.route_refreshes),
    ];
    let total = all.iter().fold([0u64; 2], |[sent, received], (_, [s, r])| {
        [sent.saturating_add(*s), received.saturating_add(*r)]
    });
    out.push_str(
        "  Message statistics:\n    InQ depth is 0\n    OutQ depth is 0\n    \n                         Sent       Rcvd\n",
    );
    for (name, [sent, received]) in all.into_iter().chain([("Total:", total)]) {
        out.push_str(&format!("    {name:<15}{sent:>10} {received:>10}\n"));
    }
}

fn family(family: &Family, group: Option<&str>, out: &mut String) {
    let version = family.table_version;
    out.push_str(&format!(
        "  BGP table version {version}, neighbor version {version}/0\n  Output queue size : 0\n  \
         Index 1, Advertise bit 0\n"
    ));
    let mut line = |text: String| out.push_str(&format!("  {text}\n"));
    if family.reflector_client {
        line("Route-Reflector Client".to_owned());
    }
    line("1 update-group member".to_owned());
    if let Some(group) = group {
        line(format!("{group} peer-group member"));
    }
    for (is_set, text) in [
        (family.soft_reconfiguration, "Inbound soft reconfiguration allowed"),
        (family.next_hop_self, "NEXT_HOP is always this router for eBGP paths"),
        (family.send_community, "Community attribute sent to this neighbor"),
        (family.default_originate, "Default information originate, default sent"),
    ] {
        if is_set {
            line(text.to_owned());
        }
    }
    for (name, text) in filters(family) {
        if let Some(name) = name {
            line(format!("{text} {name}"));
        }
    }
    if let Some(most) = family.maximum_prefix {
        line(format!("Maximum prefixes allowed {most}"));
    }
    activity(family, out);
}

/// The filters with what IOS says before their names.
fn filters(family: &Family) -> [(Option<&String>, &'static str); 8] {
    [
        (family.distribute_list_in.as_ref(), "Incoming update network filter list is"),
        (family.distribute_list_out.as_ref(), "Outgoing update network filter list is"),
        (family.prefix_list_in.as_ref(), "Incoming update prefix filter list is"),
        (family.prefix_list_out.as_ref(), "Outgoing update prefix filter list is"),
        (family.filter_list_in.as_ref(), "Incoming update AS path filter list is"),
        (family.filter_list_out.as_ref(), "Outgoing update AS path filter list is"),
        (family.route_map_in.as_ref(), "Route map for incoming advertisements is"),
        (family.route_map_out.as_ref(), "Route map for outgoing advertisements is"),
    ]
}

fn activity(family: &Family, out: &mut String) {
    let Family { prefixes_sent, prefixes_received, bestpaths, multipaths, .. } = family;
    let consumed = match prefixes_received {
        0 => String::new(),
        count => format!(" (Consumes {} bytes)", u64::from(*count) * 84),
    };
    out.push_str(&format!(
        "  Slow-peer detection is disabled\n  Slow-peer split-update-group dynamic is disabled\n                                 \
         Sent       Rcvd\n  Prefix activity:               ----       ----\n    \
         Prefixes Current:      {prefixes_sent:>10} {prefixes_received:>10}{consumed}\n    \
         Prefixes Total:        {prefixes_sent:>10} {prefixes_received:>10}\n    \
         Implicit Withdraw:              0          0\n    \
         Explicit Withdraw:              0          0\n    \
         Used as bestpath:             n/a {bestpaths:>10}\n    \
         Used as multipath:            n/a {multipaths:>10}\n    \
         Used as secondary:            n/a          0\n\n                                   Outbound    Inbound\n  \
         Local Policy Denied Prefixes:    --------    -------\n    \
         Total:                                0          0\n  \
         Number of NLRIs in the update sent: max 0, min 0\n  Last detected as dynamic slow peer: never\n  \
         Dynamic slow peer recovered: never\n  Refresh Epoch: 1\n  Last Sent Refresh Start-of-rib: never\n  \
         Last Sent Refresh End-of-rib: never\n  Last Received Refresh Start-of-rib: never\n  \
         Last Received Refresh End-of-rib: never\n\n"
    ));
}

fn session(n: &Neighbor, out: &mut String) {
    out.push_str(&format!(
        "  Address tracking is enabled, the RIB does have a route to {}\n  Connections established {}; dropped {}\n",
        n.neighbor, n.established, n.dropped
    ));
    match (n.last_reset, &n.reset_reason) {
        (Some(age), Some(reason)) => out.push_str(&format!("  Last reset {age}, due to {reason}\n")),
        (Some(age), None) => out.push_str(&format!("  Last reset {age}\n")),
        (None, _) => out.push_str("  Last reset never\n"),
    }
    if let Some(hops) = n.multihop {
        out.push_str(&format!("  External BGP neighbor may be up to {hops} hops away.\n"));
    }
    if !n.directly_connected {
        out.push_str("  External BGP neighbor not directly connected.\n");
    }
    out.push_str("  Transport(tcp) path-mtu-discovery is enabled\n");
    match (n.restart_time, n.stale_path_time) {
        (Some(restart), Some(stale)) => out.push_str(&format!(
            "  Graceful-Restart is enabled, restart-time {restart} seconds, stalepath-time {stale} seconds\n"
        )),
        _ => out.push_str("  Graceful-Restart is disabled\n"),
    }
    let Some(connection) = n.connection else {
        out.push_str("  No active TCP connection\n");
        return;
    };
    let Connection { local_address, local_port, remote_address, remote_port } = connection;
    let ttl = if n.internal { 255 } else { n.multihop.unwrap_or(1) };
    out.push_str(&format!(
        "Connection state is ESTAB, I/O status: 1, unread input bytes: 0            \n\
         Connection is ECN Disabled, Mininum incoming TTL 0, Outgoing TTL {ttl}\n\
         Local host: {local_address}, Local port: {local_port}\n\
         Foreign host: {remote_address}, Foreign port: {remote_port}\n\
         Connection tableid (VRF): 0\nMaximum output segment queue size: 50\n"
    ));
}
