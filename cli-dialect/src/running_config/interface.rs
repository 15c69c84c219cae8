//! `interface NAME` sections.

use ipnet::Ipv4Net;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::ospf::{
    AuthenticationMode, DeadInterval, DemandCircuit, InterfaceAuthentication, NetworkType,
    OspfInterfaceConfig,
};

use super::Lines;

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for (&name, interface) in &config.interfaces {
        if name == InterfaceName::null0() && *interface == InterfaceConfig::default() {
            continue;
        }
        render_one(config, name, interface, lines);
        lines.separator();
    }
}

/// `interface NAME` and the lines under it.
pub(super) fn render_one(
    config: &RouterConfig,
    name: InterfaceName,
    interface: &InterfaceConfig,
    lines: &mut Lines,
) {
    lines.push(format!("interface {name}"));
    section(config, name, interface, lines);
}

/// An address and its mask.
pub(super) fn address_and_mask(net: Ipv4Net) -> String {
    format!("{} {}", net.addr(), net.netmask())
}

fn section(config: &RouterConfig, name: InterfaceName, interface: &InterfaceConfig, lines: &mut Lines) {
    if let Some(text) = &interface.description {
        lines.inner(format!("description {text}"));
    }
    if let Some(mac) = interface.mac_address {
        lines.inner(format!("mac-address {mac}"));
    }
    if let Some(mtu) = interface.mtu {
        lines.inner(format!("mtu {mtu}"));
    }
    if let Some(kbps) = interface.bandwidth_kbps {
        lines.inner(format!("bandwidth {kbps}"));
    }
    if let Some(tag) = interface.dot1q {
        lines.inner(format!("encapsulation dot1Q {}{}", tag.vlan, if tag.native { " native" } else { "" }));
    }
    if let Some(vrf) = &interface.vrf {
        lines.inner(format!("vrf forwarding {vrf}"));
    }
    addresses(interface, lines);
    for (list, direction) in [(&interface.access_group_in, "in"), (&interface.access_group_out, "out")] {
        if let Some(list) = list {
            lines.inner(format!("ip access-group {list} {direction}"));
        }
    }
    if let Some(map) = &interface.policy_route_map {
        lines.inner(format!("ip policy route-map {map}"));
    }
    if interface.no_redirects {
        lines.inner("no ip redirects");
    }
    if interface.no_unreachables {
        lines.inner("no ip unreachables");
    }
    if interface.no_proxy_arp {
        lines.inner("no ip proxy-arp");
    }
    if let Some(mtu) = interface.ip_mtu {
        lines.inner(format!("ip mtu {mtu}"));
    }
    for (&number, settings) in &interface.eigrp {
        super::eigrp::interface(number, settings, lines);
    }
    super::rip::interface(&interface.rip, lines);
    ospf(config, &interface.ospf, lines);
    if let Some(tens) = interface.delay_tens_us {
        lines.inner(format!("delay {tens}"));
    }
    if let Some(seconds) = interface.arp_timeout_s {
        lines.inner(format!("arp timeout {seconds}"));
    }
    if interface.shutdown {
        lines.inner("shutdown");
    }
    crate::config::interface_lines(name, &interface.inert).iter().for_each(|line| lines.inner(line));
}

fn addresses(interface: &InterfaceConfig, lines: &mut Lines) {
    for net in &interface.secondary {
        lines.inner(format!("ip address {} secondary", address_and_mask(*net)));
    }
    match (interface.address, interface.unnumbered) {
        (Some(net), _) => {
            // IOS wants the primary address before the secondary ones.
            let at = lines.0.len() - interface.secondary.len();
            lines.0.insert(at, format!(" ip address {}", address_and_mask(net)));
        }
        (None, Some(lender)) => lines.inner(format!("ip unnumbered {lender}")),
        (None, None) => lines.inner("no ip address"),
    }
}

fn ospf(config: &RouterConfig, ospf: &OspfInterfaceConfig, lines: &mut Lines) {
    let mut put = |text: String| lines.inner(format!("ip ospf {text}"));
    authentication(&ospf.authentication, &mut put);
    if let Some(kind) = ospf.network_type {
        put(format!("network {}", network_type(kind)));
    }
    match ospf.dead_interval {
        Some(DeadInterval::Seconds(seconds)) => put(format!("dead-interval {seconds}")),
        Some(DeadInterval::Minimal { hello_multiplier }) => {
            put(format!("dead-interval minimal hello-multiplier {hello_multiplier}"));
        }
        None => {}
    }
    let numbers = [
        ("hello-interval", ospf.hello_interval.map(u32::from)),
        ("retransmit-interval", ospf.retransmit_interval.map(u32::from)),
        ("transmit-delay", ospf.transmit_delay.map(u32::from)),
        ("priority", ospf.priority.map(u32::from)),
        ("cost", ospf.cost.map(u32::from)),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            put(format!("{name} {value}"));
        }
    }
    let switches = [
        ("demand-circuit", ospf.demand_circuit == Some(DemandCircuit::Run)),
        ("demand-circuit ignore", ospf.demand_circuit == Some(DemandCircuit::Ignore)),
        ("flood-reduction", ospf.flood_reduction),
        ("mtu-ignore", ospf.mtu_ignore),
        ("database-filter all out", ospf.database_filter),
        ("shutdown", ospf.shutdown),
    ];
    for (name, on) in switches {
        if on {
            put(name.to_owned());
        }
    }
    match ospf.prefix_suppression {
        Some(true) => put("prefix-suppression".to_owned()),
        Some(false) => put("prefix-suppression disable".to_owned()),
        None => {}
    }
    match ospf.ttl_security {
        Some(Some(1)) => put("ttl-security".to_owned()),
        Some(Some(hops)) => put(format!("ttl-security hops {hops}")),
        Some(None) => put("ttl-security disable".to_owned()),
        None => {}
    }
    if let Some(area) = ospf.area {
        let dotted =
            config.ospf.get(&area.process).is_some_and(|o| o.areas.get(&area.area).is_some_and(|a| a.dotted));
        let shown = super::ospf::area(area.area, dotted);
        let tail = if area.no_secondaries { " secondaries none" } else { "" };
        put(format!("{} area {shown}{tail}", area.process));
    }
}

/// The authentication lines, on interfaces and virtual links.
pub(super) fn authentication(authentication: &InterfaceAuthentication, put: &mut impl FnMut(String)) {
    match (&authentication.key_chain, authentication.mode) {
        (Some(chain), _) => put(format!("authentication key-chain {chain}")),
        (None, Some(AuthenticationMode::Simple)) => put("authentication".to_owned()),
        (None, Some(AuthenticationMode::MessageDigest)) => put("authentication message-digest".to_owned()),
        (None, Some(AuthenticationMode::Null)) => put("authentication null".to_owned()),
        (None, None) => {}
    }
    if let Some(key) = &authentication.simple_key {
        put(format!("authentication-key {key}"));
    }
    for (id, key) in &authentication.digest_keys {
        put(format!("message-digest-key {id} md5 {key}"));
    }
}

fn network_type(kind: NetworkType) -> &'static str {
    match kind {
        NetworkType::Broadcast => "broadcast",
        NetworkType::NonBroadcast => "non-broadcast",
        NetworkType::PointToPoint => "point-to-point",
        NetworkType::PointToMultipoint => "point-to-multipoint",
        NetworkType::PointToMultipointNonBroadcast => "point-to-multipoint non-broadcast",
    }
}
