//! The table as text.

use std::collections::BTreeSet;

use ipnet::Ipv4Net;

use super::{Gateway, IpRoute, IpRoutes, Path, Subnets, classful_length};

/// The legend of IOS 15.9.
const CODES: &str = "\
Codes: L - local, C - connected, S - static, R - RIP, M - mobile, B - BGP
       D - EIGRP, EX - EIGRP external, O - OSPF, IA - OSPF inter area 
       N1 - OSPF NSSA external type 1, N2 - OSPF NSSA external type 2
       E1 - OSPF external type 1, E2 - OSPF external type 2
       i - IS-IS, su - IS-IS summary, L1 - IS-IS level-1, L2 - IS-IS level-2
       ia - IS-IS inter area, * - candidate default, U - per-user static route
       o - ODR, P - periodic downloaded static route, H - NHRP, l - LISP
       a - application route
       + - replicated route, % - next hop override, p - overrides from PfR
";

pub(super) fn table(table: &IpRoutes) -> String {
    let mut out = String::new();
    if let Some(vrf) = &table.vrf {
        out.push_str(&format!("\nRouting Table: {vrf}\n"));
    }
    out.push_str(CODES);
    match table.gateway {
        Some(Gateway { address, network }) => {
            out.push_str(&format!("\nGateway of last resort is {address} to network {network}\n\n"));
        }
        None => out.push_str("\nGateway of last resort is not set\n\n"),
    }
    let mut rest = table.routes.as_slice();
    while let [first, ..] = rest {
        let size = group_size(rest);
        let (group, behind) = rest.split_at(size.max(1));
        if size == 0 {
            route(&mut out, first, 6, &first.prefix.to_string());
        } else {
            subnets(&mut out, group);
        }
        rest = behind;
    }
    out
}

pub(super) fn known_subnets(subnets: &Subnets) -> String {
    let Subnets { network, routes } = subnets;
    let mut out = format!("Routing entry for {network}, {} known subnets\n", routes.len());
    let is_attached =
        |route: &&IpRoute| route.paths.iter().any(|path| matches!(path, Path::Connected { .. }));
    let attached = routes.iter().filter(is_attached).count();
    if attached > 0 {
        out.push_str(&format!("  Attached ({attached} connections)\n"));
    }
    let masks: BTreeSet<u8> = routes.iter().map(|route| route.prefix.prefix_len()).collect();
    if masks.len() > 1 {
        out.push_str(&format!("  Variably subnetted with {} masks\n", masks.len()));
        routes.iter().for_each(|r| route(&mut out, r, 9, &r.prefix.to_string()));
    } else {
        routes.iter().for_each(|r| route(&mut out, r, 9, &r.prefix.addr().to_string()));
    }
    out
}

/// The classful network that a prefix is printed under; `None` for supernets and for the default route.
fn classful(prefix: Ipv4Net) -> Option<Ipv4Net> {
    let length = classful_length(prefix.addr());
    (prefix.prefix_len() >= length).then(|| Ipv4Net::new_assert(prefix.addr(), length).trunc())
}

/// How many routes at the start of `routes` stand under one heading; 0 if the first stands alone.
fn group_size(routes: &[IpRoute]) -> usize {
    let major = |route: &IpRoute| classful(route.prefix);
    let Some(network) = routes.first().and_then(major) else { return 0 };
    let size = routes.iter().take_while(|&r| major(r) == Some(network)).count();
    if size == 1 && routes.first().is_some_and(|r| r.prefix == network) { 0 } else { size }
}

/// A classful network with its subnets: with one mask the heading says it, else each subnet does.
fn subnets(out: &mut String, group: &[IpRoute]) {
    let masks: BTreeSet<u8> = group.iter().map(|r| r.prefix.prefix_len()).collect();
    let Some(network) = group.first().and_then(|r| classful(r.prefix)) else { return };
    let count = group.len();
    match masks.first() {
        Some(mask) if masks.len() == 1 => {
            let heading = format!("      {}/{mask} is subnetted, {count} subnets\n", network.addr());
            out.push_str(&heading);
            group.iter().for_each(|r| route(out, r, 9, &r.prefix.addr().to_string()));
        }
        _ => {
            let masks = masks.len();
            out.push_str(&format!("      {network} is variably subnetted, {count} subnets, {masks} masks\n"));
            group.iter().for_each(|r| route(out, r, 9, &r.prefix.to_string()));
        }
    }
}

/// The lines of a route, with its destination at `column`; further paths stand below the first.
fn route(out: &mut String, route: &IpRoute, column: usize, destination: &str) {
    let (letter, kind) = route.code.split_once(' ').unwrap_or((&route.code, ""));
    let flag = if route.candidate_default { '*' } else { ' ' };
    let code = format!("{letter}{flag}{kind}");
    let start = format!("{code:<column$}{destination} ");
    let indent = " ".repeat(start.len());
    for (number, path) in route.paths.iter().enumerate() {
        let preference = route.preference.map_or_else(String::new, |(distance, metric)| {
            format!("[{distance}/{}]", path.metric().unwrap_or(metric))
        });
        out.push_str(if number == 0 { &start } else { &indent });
        out.push_str(&path_text(path, &preference));
        out.push('\n');
    }
}

fn path_text(path: &Path, preference: &str) -> String {
    match path {
        Path::Connected { age: None, interface } => format!("is directly connected, {interface}"),
        Path::Connected { age: Some(age), interface } => {
            format!("is directly connected, {age}, {interface}")
        }
        Path::Summary { age, interface } => format!("is a summary, {age}, {interface}"),
        Path::Discard { age, interface } => format!("{preference}, {age}, {interface}"),
        Path::Via { address, vrf, age, interface, .. } => {
            let mut text = format!("{preference} via {address}");
            if let Some(vrf) = vrf {
                text.push_str(&format!(" ({vrf})"));
            }
            if let Some(age) = age {
                text.push_str(&format!(", {age}"));
            }
            if let Some(interface) = interface {
                text.push_str(&format!(", {interface}"));
            }
            text
        }
    }
}
