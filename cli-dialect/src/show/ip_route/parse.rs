//! The table from text.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::super::ParseError;
use super::super::age::Age;
use super::super::text::Line;
use super::{Gateway, IpRoute, IpRoutes, Path, Subnets};

pub(super) fn table(lines: &[Line<'_>]) -> Result<IpRoutes, ParseError> {
    let mut table = IpRoutes::default();
    // The mask that a heading `is subnetted` gives to the subnets below it.
    let mut mask = None;
    let mut in_body = false;
    for &line in lines {
        let text = line.text.trim_start();
        if let Some([vrf]) = line.holes("Routing Table: {}") {
            table.vrf = Some(vrf.to_owned());
        } else if text.starts_with("Gateway of last resort") {
            in_body = true;
            if let Some([address, network]) = line.holes("Gateway of last resort is {} to network {}") {
                table.gateway = Some(Gateway {
                    address: line.value(address, "the gateway's address")?,
                    network: line.value(network, "the network")?,
                });
            }
        } else if !in_body && !is_route(line) {
            // The legend, or a time stamp.
        } else if let Some([network, _]) = line.holes("{} is subnetted, {}") {
            mask = Some(line.value::<Ipv4Net>(network, "a network")?.prefix_len());
        } else if text.contains(" is variably subnetted,") {
            mask = None;
        } else if line.is_indented() {
            let route = table.routes.last_mut().ok_or_else(|| line.error("a route"))?;
            path(line, text, route)?;
        } else {
            table.routes.push(route(line, mask)?);
        }
    }
    match table.routes.iter().find(|route| route.paths.is_empty()) {
        Some(_) => Err(ParseError::missing("where the last route goes")),
        None => Ok(table),
    }
}

/// `Routing entry for 10.0.0.0/8, 3 known subnets` and what stands below.
pub(super) fn known_subnets(lines: &[Line<'_>]) -> Result<Subnets, ParseError> {
    let first = lines.first().ok_or(ParseError::missing("`Routing entry for ...`"))?;
    let expected = || first.error("`Routing entry for A.B.C.D/L, N known subnets`");
    let [network, _] = first.holes("Routing entry for {}, {} known subnets").ok_or_else(expected)?;
    let network: Ipv4Net = first.value(network, "a network")?;
    let mut table = IpRoutes::default();
    for &line in &lines[1..] {
        let text = line.text.trim_start();
        let remarks = ["Attached (", "Variably subnetted", "Redistributing via", "Advertised by"];
        if is_route(line) {
            table.routes.push(route(line, Some(network.prefix_len()))?);
        } else if !remarks.iter().any(|remark| text.starts_with(remark)) {
            let route = table.routes.last_mut().ok_or_else(|| line.error("a route"))?;
            path(line, text, route)?;
        }
    }
    Ok(Subnets { network, routes: table.routes })
}

fn is_destination(word: &str) -> bool {
    word.parse::<Ipv4Net>().is_ok() || word.parse::<Ipv4Addr>().is_ok()
}

fn is_route(line: Line<'_>) -> bool {
    !line.is_indented() && line.text.split_whitespace().take(3).any(is_destination)
}

fn route(line: Line<'_>, mask: Option<u8>) -> Result<IpRoute, ParseError> {
    let expected = "a route: its code and its destination";
    let destination =
        line.text.split_whitespace().find(|w| is_destination(w)).ok_or_else(|| line.error(expected))?;
    let (code, rest) = line.text.split_once(destination).ok_or_else(|| line.error(expected))?;
    let letters: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut chars = letters.chars();
    let first = chars.next().ok_or_else(|| line.error(expected))?;
    let kind = chars.as_str();
    let prefix = match destination.parse::<Ipv4Net>() {
        Ok(prefix) => prefix,
        Err(_) => mask
            .and_then(|mask| Ipv4Net::new(destination.parse().ok()?, mask).ok())
            .ok_or_else(|| line.error("a destination with its length"))?,
    };
    let mut route = IpRoute {
        code: if kind.is_empty() { first.to_string() } else { format!("{first} {kind}") },
        candidate_default: code.contains('*'),
        prefix,
        preference: None,
        paths: Vec::new(),
    };
    // A long destination stands alone; its paths follow on the next lines.
    if !rest.trim().is_empty() {
        path(line, rest.trim(), &mut route)?;
    }
    Ok(route)
}

/// Reads a path into `route`.
fn path(line: Line<'_>, text: &str, route: &mut IpRoute) -> Result<(), ParseError> {
    let expected = "`is directly connected, ...`, `is a summary, ...` or `[distance/metric] ...`";
    let mut fields = text.split(", ").map(str::trim);
    let head = fields.next().unwrap_or_default();
    let mut age = None;
    let mut interface = None;
    for field in fields {
        match field.parse::<Age>() {
            Ok(span) if age.is_none() => age = Some(span),
            _ => interface = Some(field.to_owned()),
        }
    }
    let needed = || line.error("an interface behind the commas");
    if head == "is directly connected" {
        route.paths.push(Path::Connected { age, interface: interface.ok_or_else(needed)? });
        return Ok(());
    }
    if head == "is a summary" {
        let age = age.ok_or_else(|| line.error("an age"))?;
        route.paths.push(Path::Summary { age, interface: interface.ok_or_else(needed)? });
        return Ok(());
    }
    let (numbers, via) =
        head.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(|| line.error(expected))?;
    let (distance, metric) = numbers.split_once('/').ok_or_else(|| line.error(expected))?;
    let (distance, metric) = (line.value(distance, "a distance")?, line.value(metric, "a metric")?);
    let (_, first_metric) = *route.preference.get_or_insert((distance, metric));
    let via = via.trim();
    if via.is_empty() {
        let age = age.ok_or_else(|| line.error("an age"))?;
        route.paths.push(Path::Discard { age, interface: interface.ok_or_else(needed)? });
        return Ok(());
    }
    let hop = via.strip_prefix("via ").ok_or_else(|| line.error(expected))?;
    let (address, vrf) = match hop.split_once(" (") {
        Some((address, vrf)) => (address, Some(vrf.trim_end_matches(')').to_owned())),
        None => (hop, None),
    };
    let address = line.value(address, "a next hop")?;
    route.paths.push(Path::Via {
        address,
        vrf,
        metric: Some(metric).filter(|&metric| metric != first_metric),
        age,
        interface,
    });
    Ok(())
}
