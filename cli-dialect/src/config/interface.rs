//! `interface NAME` and what stands under it, but for `ip ospf`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::config::{Dot1q, InterfaceConfig};
use netconfarena_emu::ids::MacAddress;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, ParseError, Spec, int, interface, ip, kw, line, plain, word};

/// The most interfaces that one `interface range` line names.
const MOST_IN_RANGE: usize = 256;

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![
        kw("interface", "Select an interface to configure").then([
            interface("Interface name").run(enter as Handler),
            kw("range", "interface range command")
                .then([line("names", "Interface range").run(enter_range as Handler)]),
        ]),
    ]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("description", "Interface specific description").negatable(description as Handler).then([line(
            "text",
            "Up to 200 characters describing this interface",
        )
        .run(description as Handler)]),
        plain("shutdown", "Shutdown the selected interface", shutdown as Handler),
        kw("mtu", "Set the interface Maximum Transmission Unit (MTU)").negatable(mtu as Handler).then([int(
            "bytes",
            64,
            9216,
            "MTU size in bytes",
        )
        .run(mtu as Handler)]),
        kw("bandwidth", "Set bandwidth informational parameter").negatable(bandwidth as Handler).then([int(
            "kbps",
            1,
            10_000_000,
            "Bandwidth in kilobits",
        )
        .run(bandwidth as Handler)]),
        kw("delay", "Specify interface throughput delay").negatable(delay as Handler).then([int(
            "tens",
            1,
            16_777_215,
            "Throughput delay (tens of microseconds)",
        )
        .run(delay as Handler)]),
        kw("mac-address", "Manually set interface MAC address")
            .negatable(mac_address as Handler)
            .then([word("mac", "MAC address").run(mac_address as Handler)]),
        kw("encapsulation", "Set encapsulation type for an interface")
            .negatable(encapsulation as Handler)
            .then([
                kw("dot1Q", "IEEE 802.1Q Virtual LAN").then([int("vlan", 1, 4094, "IEEE 802.1Q VLAN ID")
                    .run(encapsulation as Handler)
                    .then([plain("native", "Make this as native vlan", encapsulation as Handler)])]),
                plain("hdlc", "Serial HDLC synchronous", encapsulation_hdlc as Handler),
            ]),
        kw("vrf", "VPN Routing/Forwarding parameters on the interface").then([kw(
            "forwarding",
            "Configure forwarding table",
        )
        .negatable(vrf as Handler)
        .then([word("vrf-name", "VRF name").run(vrf as Handler)])]),
        kw("arp", "Set arp type (arpa, probe, snap), timeout, log options or packet priority").then([kw(
            "timeout",
            "Set ARP cache timeout",
        )
        .negatable(arp_timeout as Handler)
        .then([int("seconds", 0, 2_147_483, "Seconds").run(arp_timeout as Handler)])]),
        kw("ip", "Interface Internet Protocol config commands").then(ip_table()),
    ]
}

fn ip_table() -> Vec<Spec<Handler>> {
    vec![
        kw("address", "Set the IP address of an interface").negatable(address as Handler).then([ip(
            "address",
            "IP address",
        )
        .then([ip("mask", "IP subnet mask").run(address as Handler).then([plain(
            "secondary",
            "Make this IP address a secondary address",
            address as Handler,
        )])])]),
        kw("unnumbered", "Enable IP processing without an explicit address")
            .negatable(unnumbered as Handler)
            .then([interface("Interface whose address is used").run(unnumbered as Handler)]),
        kw("mtu", "Set IP Maximum Transmission Unit").negatable(ip_mtu as Handler).then([int(
            "bytes",
            68,
            9216,
            "MTU in bytes",
        )
        .run(ip_mtu as Handler)]),
        plain("proxy-arp", "Enable proxy ARP", proxy_arp as Handler),
        plain("redirects", "Enable sending ICMP Redirect messages", redirects as Handler),
        plain("unreachables", "Enable sending ICMP Unreachable messages", unreachables as Handler),
        kw("vrf", "VPN Routing/Forwarding parameters on the interface").then([kw(
            "forwarding",
            "Configure forwarding table",
        )
        .negatable(vrf as Handler)
        .then([word("vrf-name", "VRF name").run(vrf as Handler)])]),
    ]
}

/// Enters an interface, which is created if configuration can create it; `no` removes, `default` clears.
fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.interface())?;
    match args.form {
        Form::Set => {
            ensure(editor, name)?;
            *editor.mode = ConfigMode::Interface(vec![name]);
        }
        Form::No => remove(editor, name)?,
        Form::Default => {
            let Some(interface) = editor.config.interfaces.get_mut(&name) else { return absent() };
            let shutdown = interface.shutdown;
            *interface = InterfaceConfig { shutdown, ..InterfaceConfig::default() };
            editor.said = format!("Interface {name} set to default configuration\n");
        }
    }
    Ok(())
}

fn absent<T>() -> Result<T, Complaint> {
    Err(Complaint::Syntax(ParseError::Invalid { at: usize::MAX, understood: 1 }))
}

/// Makes sure that an interface exists: loopbacks and tunnels always can, subinterfaces if their parent does.
fn ensure(editor: &mut Editor<'_>, name: InterfaceName) -> Result<(), Complaint> {
    if editor.config.interfaces.contains_key(&name) {
        return Ok(());
    }
    let creatable = match (name.kind(), name.parent()) {
        (InterfaceKind::Loopback | InterfaceKind::Tunnel, None) => name.slots().len() == 1,
        (InterfaceKind::Null, None) => name == InterfaceName::null0(),
        (kind, Some(parent)) => kind.is_ethernet() && editor.config.interfaces.contains_key(&parent),
        _ => false,
    };
    if !creatable {
        return absent();
    }
    editor.config.interfaces.insert(name, InterfaceConfig::default());
    Ok(())
}

fn remove(editor: &mut Editor<'_>, name: InterfaceName) -> Result<(), Complaint> {
    if !editor.config.interfaces.contains_key(&name) {
        return absent();
    }
    if name.kind().is_physical() && name.subinterface().is_none() {
        return refuse("% Removal of physical interfaces is not permitted");
    }
    editor.config.interfaces.remove(&name);
    if name.subinterface().is_some() {
        editor.said = "Not all config may be removed and may reappear after reactivating the sub-interface\n"
            .to_owned();
    }
    *editor.mode = ConfigMode::Global;
    Ok(())
}

/// `interface range g0/0 - 2 , s0/0`.
fn enter_range(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let Some(names) = range(need(args.text("names"))?) else { return absent() };
    for &name in &names {
        ensure(editor, name)?;
    }
    *editor.mode = ConfigMode::Interface(names);
    Ok(())
}

/// The interfaces of a range; `None` if it is malformed, empty or too long.
fn range(text: &str) -> Option<Vec<InterfaceName>> {
    let mut names = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').map_or((part, None), |(a, b)| (a, Some(b.trim())));
        let first: InterfaceName = first.split_ascii_whitespace().collect::<String>().parse().ok()?;
        let (&from, path) = first.slots().split_last()?;
        let to = match last {
            Some(last) => last.parse().ok()?,
            None => from,
        };
        for number in from..=to {
            let slots: Vec<u32> = path.iter().copied().chain([number]).collect();
            names.push(InterfaceName::new(first.kind(), &slots, first.subinterface())?);
            if names.len() > MOST_IN_RANGE {
                return None;
            }
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Changes each interface of the mode.
fn each(editor: &mut Editor<'_>, change: impl Fn(&mut InterfaceConfig)) -> Result<(), Complaint> {
    for name in editor.interfaces() {
        if let Some(interface) = editor.config.interfaces.get_mut(&name) {
            change(interface);
        }
    }
    Ok(())
}

/// A value of a single-valued line: `None` behind `no` and `default`.
pub(super) fn setting<T>(args: &Args, value: Option<T>) -> Option<T> {
    if args.negated() { None } else { value }
}

fn description(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let text = setting(args, args.text("text"));
    each(editor, |i| i.description = text.map(|t| t.chars().take(240).collect()))
}

fn shutdown(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |i| i.shutdown = !args.negated())
}

fn mtu(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let bytes = setting(args, args.int("bytes"));
    each(editor, |i| i.mtu = bytes)
}

fn ip_mtu(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let bytes = setting(args, args.int("bytes"));
    each(editor, |i| i.ip_mtu = bytes)
}

fn bandwidth(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let kbps = setting(args, args.int("kbps"));
    each(editor, |i| i.bandwidth_kbps = kbps)
}

fn delay(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let tens = setting(args, args.int("tens"));
    each(editor, |i| i.delay_tens_us = tens)
}

fn mac_address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let mac = match setting(args, args.text("mac")) {
        None => None,
        Some(text) => match parse_mac(text) {
            Some(mac) => Some(mac),
            None => return refuse("% Invalid MAC address"),
        },
    };
    each(editor, |i| i.mac_address = mac)
}

/// `aabb.cc00.0100`; a group address is none.
fn parse_mac(text: &str) -> Option<MacAddress> {
    let groups: Vec<u16> = text
        .split('.')
        .map(|g| if g.len() == 4 { u16::from_str_radix(g, 16).ok() } else { None })
        .collect::<Option<_>>()?;
    let &[a, b, c] = groups.as_slice() else { return None };
    let octets = [a.to_be_bytes(), b.to_be_bytes(), c.to_be_bytes()].concat();
    let mac = <[u8; 6]>::try_from(octets).ok()?;
    (mac[0] & 1 == 0).then_some(MacAddress(mac))
}

fn encapsulation(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if editor.interfaces().iter().any(|name| name.subinterface().is_none()) {
        return absent();
    }
    let tag = setting(args, args.int("vlan")).map(|vlan| Dot1q { vlan, native: args.has("native") });
    each(editor, |i| i.dot1q = tag)
}

/// HDLC is what serial lines do by themselves.
fn encapsulation_hdlc(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    let serial = editor.interfaces().iter().all(|name| name.kind() == InterfaceKind::Serial);
    if serial { Ok(()) } else { absent() }
}

fn vrf(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = setting(args, args.text("vrf-name")).map(str::to_owned);
    if let Some(name) = name.as_ref().filter(|name| !editor.config.vrfs.contains_key(*name)) {
        return refuse(format!("% VRF {name} not configured."));
    }
    for interface in editor.interfaces() {
        let Some(config) = editor.config.interfaces.get_mut(&interface) else { continue };
        if config.vrf != name {
            if config.address.is_some() {
                let what =
                    name.as_ref().map_or("disabling".to_owned(), |name| format!("enabling VRF {name}"));
                editor.said.push_str(&format!(
                    "% Interface {interface} IPv4 disabled and address(es) removed due to {what}\n"
                ));
            }
            config.address = None;
            config.secondary.clear();
            config.vrf.clone_from(&name);
        }
    }
    Ok(())
}

fn redirects(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |i| i.no_redirects = args.form == Form::No)
}

fn unreachables(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |i| i.no_unreachables = args.form == Form::No)
}

fn proxy_arp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |i| i.no_proxy_arp = args.form == Form::No)
}

/// Four hours are the default, and not shown.
fn arp_timeout(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    const DEFAULT: u32 = 14_400;
    let seconds = setting(args, args.int("seconds")).filter(|seconds| *seconds != DEFAULT);
    each(editor, |i| i.arp_timeout_s = seconds)
}

fn unnumbered(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let lender = setting(args, args.interface());
    if let Some(lender) = lender {
        if !editor.config.interfaces.contains_key(&lender) {
            return absent();
        }
        if editor.interfaces().iter().any(|n| n.kind().is_ethernet() || *n == lender) {
            return refuse("Point-to-point (non-multi-access) interfaces only");
        }
    }
    each(editor, |i| {
        i.unnumbered = lender;
        if lender.is_some() {
            i.address = None;
            i.secondary.clear();
        }
    })
}

/// `ip address A M [secondary]`, `no ip address [A M [secondary]]`.
fn address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let given = match (args.ip("address"), args.ip("mask")) {
        (Some(address), Some(mask)) => Some(checked(address, mask)?),
        _ => None,
    };
    let names = editor.interfaces();
    let &[name] = names.as_slice() else {
        return refuse("% Command cannot be used in interface range mode");
    };
    if !args.negated() {
        let net = need(given)?;
        check_length(editor, name, net)?;
        check_overlap(editor, name, net, args.has("secondary"))?;
        return set_address(editor, name, net, args.has("secondary"));
    }
    let Some(interface) = editor.config.interfaces.get_mut(&name) else { return absent() };
    match given {
        None => {
            interface.address = None;
            interface.secondary.clear();
        }
        Some(net) if args.has("secondary") => {
            if !interface.secondary.remove(&net) {
                return refuse("% Cannot delete: address not found");
            }
        }
        Some(net) if interface.address == Some(net) && !interface.secondary.is_empty() => {
            return refuse("Must delete secondary before deleting primary");
        }
        Some(net) if interface.address == Some(net) => interface.address = None,
        Some(_) => return refuse("Invalid address"),
    }
    Ok(())
}

fn set_address(
    editor: &mut Editor<'_>,
    name: InterfaceName,
    net: Ipv4Net,
    secondary: bool,
) -> Result<(), Complaint> {
    let Some(interface) = editor.config.interfaces.get_mut(&name) else { return absent() };
    match interface.address {
        None if secondary => return refuse("Primary IP address must be configured first"),
        Some(primary) if secondary && primary.addr() == net.addr() => {
            return refuse("Secondary can't be same as primary");
        }
        _ if secondary => {
            interface.secondary.insert(net);
        }
        _ => {
            interface.unnumbered = None;
            interface.secondary.remove(&net);
            interface.address = Some(net);
        }
    }
    Ok(())
}

/// An address that a host may have, with its mask as a length.
fn checked(address: Ipv4Addr, mask: Ipv4Addr) -> Result<Ipv4Net, Complaint> {
    let Ok(net) = Ipv4Net::with_netmask(address, mask) else {
        return refuse(format!("Bad mask 0x{:X} for address {address}", u32::from(mask)));
    };
    let length = net.prefix_len();
    let edge = length < 31 && (net.network() == address || net.broadcast() == address);
    if edge || length == 0 {
        return refuse(format!("Bad mask /{length} for address {address}"));
    }
    if address.is_unspecified()
        || address.is_loopback()
        || address.octets()[0] >= 224
        || address.octets()[0] == 0
    {
        return refuse("Not a valid host address - ".to_owned() + &address.to_string());
    }
    Ok(net)
}

/// An Ethernet segment has room for two hosts at least; with room for just two (RFC 3021) the device warns.
fn check_length(editor: &mut Editor<'_>, name: InterfaceName, net: Ipv4Net) -> Result<(), Complaint> {
    match net.prefix_len() {
        32 if name.kind().is_ethernet() => refuse(format!("Bad mask /32 for address {}", net.addr())),
        31 if name.kind().is_ethernet() => {
            editor.said.push_str("% Warning: use /31 mask on non point-to-point interface cautiously\n");
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Two interfaces of one VRF may not share a subnet. IOS names the network of the new address and the other interface.
fn check_overlap(
    editor: &Editor<'_>,
    name: InterfaceName,
    net: Ipv4Net,
    secondary: bool,
) -> Result<(), Complaint> {
    let vrf = editor.config.interfaces.get(&name).and_then(|i| i.vrf.clone());
    for (&other, interface) in &editor.config.interfaces {
        let same = other == name;
        if interface.vrf != vrf {
            continue;
        }
        let primary = interface.address.filter(|_| !same || secondary);
        let rest = interface.secondary.iter().copied().filter(|&s| !same || s.addr() != net.addr());
        for theirs in primary.into_iter().chain(rest) {
            let overlap = theirs.contains(&net.network()) || net.contains(&theirs.network());
            let repeated = same && theirs == net;
            if overlap && !repeated && !(same && theirs.trunc() == net.trunc()) {
                return refuse(format!("% {} overlaps with {other}", net.network()));
            }
        }
    }
    Ok(())
}
