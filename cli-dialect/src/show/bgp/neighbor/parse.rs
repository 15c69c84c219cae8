//! A neighbor from text.

use super::{Connection, Neighbor};
use crate::show::ParseError;
use crate::show::bgp::summary::as_number;
use crate::show::text::Line;

/// `BGP neighbor is A,  [vrf V,  ]remote AS N, [local AS N,] external link`.
pub(super) fn first_line(line: Line<'_>) -> Result<Option<Neighbor>, ParseError> {
    let Some([address, fields]) = line.holes("BGP neighbor is {}, {}") else { return Ok(None) };
    let mut neighbor = Neighbor::named(line.value(address.trim_start_matches('*'), "an address")?, 0, false);
    for field in fields.split(',').map(str::trim) {
        if let Some(vrf) = field.strip_prefix("vrf ") {
            neighbor.vrf = Some(vrf.trim().to_owned());
        } else if let Some(asn) = field.strip_prefix("remote AS ") {
            neighbor.remote_as = as_number(line, asn.trim())?;
        } else if let Some(asn) = field.strip_prefix("local AS ") {
            neighbor.local_as = Some(as_number(line, asn.split(' ').next().unwrap_or(asn))?);
        } else {
            neighbor.internal |= field == "internal link";
        }
    }
    Ok(Some(neighbor))
}

/// Takes in a line about a neighbor; what has no field is passed over. `families` is how many address families have begun.
pub(super) fn line(n: &mut Neighbor, line: Line<'_>, families: u32) -> Result<(), ParseError> {
    let text = line.text.trim();
    if families == 1 && family(n, line)? {
        return Ok(());
    }
    if families == 0 {
        head(n, line)?;
    }
    if let Some([established, dropped]) = line.holes("Connections established {}; dropped {}") {
        n.established = line.value(established, "a count")?;
        n.dropped = line.value(dropped, "a count")?;
    } else if let Some(reset) = text.strip_prefix("Last reset ").filter(|reset| *reset != "never") {
        let (age, reason) = reset.split_once(", due to ").map_or((reset, None), |(a, r)| (a, Some(r)));
        n.last_reset = age.trim_end_matches(',').parse().ok();
        n.reset_reason = reason.map(str::to_owned);
    } else if let Some([restart, stale]) =
        line.holes("Graceful-Restart is enabled, restart-time {} seconds, stalepath-time {} seconds")
    {
        n.restart_time = Some(line.value(restart, "seconds")?);
        n.stale_path_time = Some(line.value(stale, "seconds")?);
    } else if let Some([hops]) = line.holes("External BGP neighbor may be up to {} hops away.") {
        n.multihop = Some(line.value(hops, "hops")?);
    } else if text == "External BGP neighbor not directly connected." {
        n.directly_connected = false;
    } else if let Some([address, port]) = line.holes("Local host: {}, Local port: {}") {
        let address = line.value(address, "an address")?;
        n.connection = Some(Connection {
            local_address: address,
            local_port: line.value(port, "a port")?,
            remote_address: n.neighbor,
            remote_port: 0,
        });
    } else if let (Some([address, port]), Some(connection)) =
        (line.holes("Foreign host: {}, Foreign port: {}"), &mut n.connection)
    {
        connection.remote_address = line.value(address, "an address")?;
        connection.remote_port = line.value(port, "a port")?;
    }
    Ok(())
}

/// What stands before the address families.
fn head(n: &mut Neighbor, line: Line<'_>) -> Result<(), ParseError> {
    let text = line.text.trim();
    if let Some(description) = text.strip_prefix("Description: ") {
        n.description = description.to_owned();
    } else if let Some([group]) = line.holes("Member of peer-group {} for session parameters") {
        n.peer_group = Some(group.to_owned());
    } else if text == "Administratively shut down" {
        n.shutdown = true;
    } else if let Some([_, id]) = line.holes("BGP version {}, remote router ID {}") {
        n.remote_router_id = line.value(id, "a router id")?;
    } else if let Some([state]) = line.holes("BGP state = {}") {
        let (state, age) = state.split_once(", up for ").map_or((state, None), |(s, a)| (s, Some(a)));
        n.state = state.split(',').next().unwrap_or(state).to_owned();
        n.uptime = age.map(|age| line.value(age, "an age")).transpose()?;
    } else if let Some([_, hold, keepalive]) =
        line.holes("Last read {}, hold time is {}, keepalive interval is {} seconds")
    {
        n.hold_time = line.value(hold, "seconds")?;
        n.keepalive = line.value(keepalive, "seconds")?;
    } else if let Some([hold, keepalive]) = line
        .holes("Configured hold time is {}, keepalive interval is {} seconds")
        .filter(|_| n.uptime.is_none())
    {
        n.hold_time = line.value(hold, "seconds")?;
        n.keepalive = line.value(keepalive, "seconds")?;
    } else if let Some([seconds]) = line.holes("Remote Restart timer is {} seconds") {
        n.remote_restart_time = Some(line.value(seconds, "seconds")?);
    } else if text.starts_with("IPv4 Unicast (was ") {
        n.forwarding_preserved = text.starts_with("IPv4 Unicast (was preserved");
    } else if let Some((name, _)) = text.split_once(": ").filter(|(_, behind)| is_capability(behind)) {
        if !name.is_empty() {
            n.capabilities.push(text.to_owned());
        }
    } else if let Some([name, sent, received]) = line.holes("{}: {} {}") {
        let counter = match name {
            "Opens" => &mut n.messages.opens,
            "Notifications" => &mut n.messages.notifications,
            "Updates" => &mut n.messages.updates,
            "Keepalives" => &mut n.messages.keepalives,
            "Route Refresh" => &mut n.messages.route_refreshes,
            _ => return Ok(()),
        };
        *counter = [line.value(sent, "a count")?, line.value(received, "a count")?];
    }
    Ok(())
}

fn is_capability(text: &str) -> bool {
    text.starts_with("advertised") || text.starts_with("received")
}

/// What is said of the address family; `false` if the line is none of it.
fn family(n: &mut Neighbor, line: Line<'_>) -> Result<bool, ParseError> {
    let text = line.text.trim();
    let family = &mut n.family;
    let name = |start: &str| text.strip_prefix(start).map(|name| name.trim_start_matches('*').to_owned());
    match text {
        "Route-Reflector Client" => family.reflector_client = true,
        "Inbound soft reconfiguration allowed" => family.soft_reconfiguration = true,
        "Community attribute sent to this neighbor" => family.send_community = true,
        _ if text.starts_with("NEXT_HOP is always this router") => family.next_hop_self = true,
        _ if text.starts_with("Default information originate") => family.default_originate = true,
        _ => {
            let filters = [
                ("Incoming update network filter list is ", &mut family.distribute_list_in),
                ("Outgoing update network filter list is ", &mut family.distribute_list_out),
                ("Incoming update prefix filter list is ", &mut family.prefix_list_in),
                ("Outgoing update prefix filter list is ", &mut family.prefix_list_out),
                ("Incoming update AS path filter list is ", &mut family.filter_list_in),
                ("Outgoing update AS path filter list is ", &mut family.filter_list_out),
                ("Route map for incoming advertisements is ", &mut family.route_map_in),
                ("Route map for outgoing advertisements is ", &mut family.route_map_out),
            ];
            for (start, field) in filters {
                if let Some(name) = name(start) {
                    *field = Some(name);
                    return Ok(true);
                }
            }
            return numbers(n, line);
        }
    }
    Ok(true)
}

fn numbers(n: &mut Neighbor, line: Line<'_>) -> Result<bool, ParseError> {
    let family = &mut n.family;
    let number = |text: &str| line.value::<u32>(text, "a count");
    if let Some([version, _]) = line.holes("BGP table version {}, neighbor version {}") {
        family.table_version = number(version)?;
    } else if let Some([most]) = line.holes("Maximum prefixes allowed {}") {
        family.maximum_prefix = Some(number(most.split([' ', ',']).next().unwrap_or(most))?);
    } else if let Some([sent, received]) = line.holes("Prefixes Current: {} {}") {
        family.prefixes_sent = number(sent)?;
        family.prefixes_received = number(received.split(' ').next().unwrap_or(received))?;
    } else if let Some([count]) = line.holes("Used as bestpath: n/a {}") {
        family.bestpaths = number(count)?;
    } else if let Some([count]) = line.holes("Used as multipath: n/a {}") {
        family.multipaths = number(count)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}
