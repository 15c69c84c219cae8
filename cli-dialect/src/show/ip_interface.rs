//! `show ip interface [X]`.
//!
//! Row fields: `interface`, `status`, `protocol`, `ip_address` (`10.0.0.1/24`; null without), `unnumbered`, `secondary` (list), `mtu`,
//! `helper_addresses` (list), `access_list_in`, `access_list_out`, `proxy_arp`, `redirects`, `unreachables`, `multicast_groups` (list),
//! `policy_route_map`, `vrf`, `saved` (the address stands in the startup configuration).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::config::InterfaceConfig;
use netconfarena_emu::interface::{Interface, InterfaceName};
use serde::{Deserialize, Serialize};

use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::config::Complaint;
use crate::grammar::{Spec, interface, kw};

/// The record of `show ip interface`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpInterfaces {
    /// The interfaces, in the order of the device.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Full name.
    pub interface: String,
    /// `up`, `down`, `administratively down`.
    pub status: String,
    /// `up` or `down`.
    pub protocol: String,
    /// Primary address. Without one, and without a borrowed one, IP is disabled and nothing more is said.
    pub ip_address: Option<Ipv4Net>,
    /// The interface whose address is borrowed, with the address: `Loopback0 (1.1.1.1)`.
    pub unnumbered: Option<String>,
    /// Secondary addresses.
    pub secondary: Vec<Ipv4Net>,
    /// The address is that of the startup configuration.
    pub saved: bool,
    /// In octets.
    pub mtu: u32,
    /// `ip helper-address`.
    pub helper_addresses: Vec<Ipv4Addr>,
    /// Groups of routing protocols.
    pub multicast_groups: Vec<Ipv4Addr>,
    /// `ip access-group X out`.
    pub access_list_out: Option<String>,
    /// `ip access-group X in`.
    pub access_list_in: Option<String>,
    /// `ip proxy-arp`.
    pub proxy_arp: bool,
    /// `ip redirects`.
    pub redirects: bool,
    /// `ip unreachables`.
    pub unreachables: bool,
    /// `ip policy route-map`.
    pub policy_route_map: Option<String>,
    /// VRF.
    pub vrf: Option<String>,
}

impl IpInterfaces {
    /// From a router; of one interface only, if one is named.
    ///
    /// # Errors
    /// There is no interface of that name.
    pub fn collect(context: &ShowContext<'_>, only: Option<InterfaceName>) -> Result<Self, Complaint> {
        let interfaces = match only {
            Some(name) => vec![context.interface(name)?],
            None => context.interfaces(),
        };
        Ok(Self { interfaces: interfaces.into_iter().map(|interface| entry(context, interface)).collect() })
    }
}

fn entry(context: &ShowContext<'_>, interface: &Interface) -> Entry {
    let router = context.router();
    let absent = InterfaceConfig::default();
    let config = router.config().interfaces.get(&interface.name).unwrap_or(&absent);
    let start = Entry {
        interface: interface.name.to_string(),
        status: context::status(interface).to_owned(),
        protocol: context::protocol(interface).to_owned(),
        ..Entry::default()
    };
    let lender = interface.unnumbered.and_then(|index| router.interfaces().get(index));
    if interface.address.is_none() && lender.is_none() {
        return start;
    }
    let startup = router.startup_config().and_then(|startup| startup.interfaces.get(&interface.name));
    Entry {
        ip_address: interface.address,
        unnumbered: lender.map(|lender| {
            let address = lender.address.map_or(Ipv4Addr::UNSPECIFIED, |net| net.addr());
            format!("{} ({address})", lender.name)
        }),
        secondary: interface.secondary.clone(),
        saved: startup
            .is_some_and(|startup| startup.address.is_some() && startup.address == interface.address),
        mtu: u32::from(interface.ip_mtu),
        helper_addresses: config.helper_addresses.iter().copied().collect(),
        multicast_groups: groups(context, interface),
        access_list_out: config.access_group_out.clone(),
        access_list_in: config.access_group_in.clone(),
        proxy_arp: !config.no_proxy_arp,
        redirects: !config.no_redirects,
        unreachables: !config.no_unreachables,
        policy_route_map: config.policy_route_map.clone(),
        vrf: config.vrf.clone(),
        ..start
    }
}

/// The multicast groups that routing processes have joined.
fn groups(context: &ShowContext<'_>, interface: &Interface) -> Vec<Ipv4Addr> {
    let key = netconfarena_emu::ospf::OspfInterfaceKey::Physical(interface.index);
    let processes = context.router().processes().filter_map(|(_, process)| process.as_ospf());
    let speaks = |ospf: &netconfarena_emu::ospf::OspfInterface| {
        !ospf.settings.passive
            && ospf.multicasts()
            && ospf.state > netconfarena_emu::ospf::InterfaceState::Loopback
    };
    let mut found: Vec<Ipv4Addr> = Vec::new();
    for ospf in processes.filter_map(|process| process.interfaces.get(&key)).filter(|ospf| speaks(ospf)) {
        use netconfarena_emu::ospf::InterfaceState::{Backup, Dr};
        found.push(netconfarena_emu::ospf::ALL_SPF_ROUTERS);
        found.extend(matches!(ospf.state, Backup | Dr).then_some(netconfarena_emu::ospf::ALL_D_ROUTERS));
    }
    found.sort_unstable();
    found.dedup();
    found
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, args| Ok(IpInterfaces::collect(context, args.interface())?.render());
    vec![
        kw("ip", "IP information").then([kw("interface", "IP interface status and configuration")
            .run(run)
            .then([interface("Interface name").run(run)])]),
    ]
}

/// What is said of every interface that routes, behind its split horizon.
const SWITCHING: &str = "  ICMP mask replies are never sent\n  IP fast switching is enabled\n  IP Flow switching is disabled\n  \
    IP CEF switching is enabled\n  IP CEF switching turbo vector\n  IP Null turbo vector\n";
const FEATURES: &str = "  IP multicast fast switching is enabled\n  IP multicast distributed fast switching is disabled\n  \
    IP route-cache flags are Fast, CEF\n  Router Discovery is disabled\n  IP output packet accounting is disabled\n  \
    IP access violation accounting is disabled\n  TCP/IP header compression is disabled\n  \
    RTP/IP header compression is disabled\n  Probe proxy name replies are disabled\n";
const TRANSLATION: &str = "  Network address translation is disabled\n  BGP Policy Mapping is disabled\n";
const REST: &str = "  IPv4 WCCP Redirect outbound is disabled\n  IPv4 WCCP Redirect inbound is disabled\n  \
    IPv4 WCCP Redirect exclude is disabled\n";

impl Entry {
    fn render(&self, out: &mut String) {
        out.push_str(&format!("{} is {}, line protocol is {}\n", self.interface, self.status, self.protocol));
        match (self.ip_address, &self.unnumbered) {
            (Some(address), _) => out.push_str(&format!("  Internet address is {address}\n")),
            (None, Some(lender)) => {
                out.push_str(&format!("  Interface is unnumbered. Using address of {lender}\n"));
            }
            (None, None) => {
                out.push_str("  Internet protocol processing disabled\n");
                return;
            }
        }
        let by = if self.saved { "non-volatile memory" } else { "setup command" };
        out.push_str(&format!(
            "  Broadcast address is 255.255.255.255\n  Address determined by {by}\n  MTU is {} bytes\n",
            self.mtu
        ));
        match self.helper_addresses.as_slice() {
            [] => out.push_str("  Helper address is not set\n"),
            [one] => out.push_str(&format!("  Helper address is {one}\n")),
            [first, rest @ ..] => {
                out.push_str(&format!("  Helper addresses are {first}\n"));
                rest.iter().for_each(|address| out.push_str(&format!("                       {address}\n")));
            }
        }
        out.push_str("  Directed broadcast forwarding is disabled\n");
        self.secondary.iter().for_each(|address| out.push_str(&format!("  Secondary address {address}\n")));
        if !self.multicast_groups.is_empty() {
            let groups: String = self.multicast_groups.iter().map(|group| format!(" {group}")).collect();
            out.push_str(&format!("  Multicast reserved groups joined:{groups}\n"));
        }
        let list = |name: &Option<String>| name.clone().unwrap_or_else(|| "not set".to_owned());
        let on = |on: bool| if on { "enabled" } else { "disabled" };
        let sent = |sent: bool| if sent { "always" } else { "never" };
        out.push_str(&format!(
            "  Outgoing Common access list is not set \n  Outgoing access list is {}\n  \
             Inbound Common access list is not set \n  Inbound  access list is {}\n  Proxy ARP is {}\n  Local Proxy ARP is disabled\n  \
             Security level is default\n  Split horizon is enabled\n  ICMP redirects are {} sent\n  \
             ICMP unreachables are {} sent\n{SWITCHING}",
            list(&self.access_list_out),
            list(&self.access_list_in),
            on(self.proxy_arp),
            sent(self.redirects),
            sent(self.unreachables)
        ));
        if let Some(vrf) = &self.vrf {
            out.push_str(&format!("  VPN Routing/Forwarding \"{vrf}\"\n"));
        }
        let state = self.protocol.to_ascii_uppercase();
        out.push_str(&format!(
            "  Associated unicast routing topologies:\n        Topology \"base\", operation state is {state}\n{FEATURES}"
        ));
        match &self.policy_route_map {
            Some(map) => out.push_str(&format!("  Policy routing is enabled, using route map {map}\n")),
            None => out.push_str("  Policy routing is disabled\n"),
        }
        let input = [
            self.access_list_in.is_some().then_some("Access List"),
            self.policy_route_map.is_some().then_some("Policy Routing"),
            Some("MCI Check"),
        ];
        let input: Vec<&str> = input.into_iter().flatten().collect();
        let output = if self.access_list_out.is_some() { "  Output features: Access List\n" } else { "" };
        out.push_str(&format!("{TRANSLATION}  Input features: {}\n{output}{REST}", input.join(", ")));
    }

    /// Takes in a line about this interface; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let text = line.text.trim();
        let named =
            |start: &str| text.strip_prefix(start).filter(|name| *name != "not set").map(str::to_owned);
        if let Some([address]) = line.holes("Internet address is {}") {
            self.ip_address = Some(line.value(address, "an address with its length")?);
        } else if let Some(lender) = text.strip_prefix("Interface is unnumbered. Using address of ") {
            self.unnumbered = Some(lender.to_owned());
        } else if let Some(address) = text.strip_prefix("Secondary address ") {
            self.secondary.push(line.value(address, "an address with its length")?);
        } else if let Some(by) = text.strip_prefix("Address determined by ") {
            self.saved = by == "non-volatile memory";
        } else if let Some([mtu]) = line.holes("MTU is {} bytes") {
            self.mtu = line.value(mtu, "an MTU")?;
        } else if let Some(address) =
            text.strip_prefix("Helper address is ").or_else(|| text.strip_prefix("Helper addresses are "))
        {
            self.helper_addresses.extend(address.parse::<Ipv4Addr>());
        } else if let Ok(address) = text.parse::<Ipv4Addr>() {
            // A further helper address; a line of groups holds several.
            self.helper_addresses.push(address);
        } else if let Some(groups) = text.strip_prefix("Multicast reserved groups joined: ") {
            self.multicast_groups =
                groups.split_whitespace().filter_map(|group| group.parse().ok()).collect();
        } else if text.starts_with("Outgoing access list is ") {
            self.access_list_out = named("Outgoing access list is ");
        } else if text.starts_with("Inbound  access list is ") {
            self.access_list_in = named("Inbound  access list is ");
        } else if text.starts_with("Proxy ARP is ") {
            self.proxy_arp = text.ends_with("enabled");
        } else if text.starts_with("ICMP redirects are ") {
            self.redirects = text.ends_with("always sent");
        } else if text.starts_with("ICMP unreachables are ") {
            self.unreachables = text.ends_with("always sent");
        } else if let Some([vrf]) = line.holes("VPN Routing/Forwarding \"{}\"") {
            self.vrf = Some(vrf.to_owned());
        } else if let Some(map) = text.strip_prefix("Policy routing is enabled, using route map ") {
            self.policy_route_map = Some(map.to_owned());
        }
        Ok(())
    }
}

impl Record for IpInterfaces {
    fn render(&self) -> String {
        let mut out = String::new();
        self.interfaces.iter().for_each(|entry| entry.render(&mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([interface, status, protocol]) = line.interface_head() {
                record.interfaces.push(Entry {
                    interface: interface.to_owned(),
                    status: status.to_owned(),
                    protocol: protocol.to_owned(),
                    ..Entry::default()
                });
            } else if let Some(entry) = record.interfaces.last_mut() {
                entry.read(line)?;
            } else {
                return Err(line.error("`X is up, line protocol is up`"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    prop_compose! {
        fn routed()(
            ip_address in prop::option::of(arbitrary::network()), secondary in prop::collection::vec(arbitrary::network(), 0..3), flags in any::<[bool; 4]>(), mtu in any::<u32>(),
            helper_addresses in prop::collection::vec(arbitrary::address(), 0..4), multicast_groups in prop::collection::vec(arbitrary::address(), 0..3),
            names in prop::collection::vec(prop::option::of(arbitrary::name()), 4),
        ) -> Entry {
            let [saved, proxy_arp, redirects, unreachables] = flags;
            let name = |at: usize| names[at].clone();
            Entry {
                unnumbered: ip_address.is_none().then(|| "Loopback0 (1.1.1.1)".to_owned()), ip_address, secondary, saved, mtu, helper_addresses,
                multicast_groups, access_list_out: name(0), access_list_in: name(1), proxy_arp, redirects, unreachables, policy_route_map: name(2),
                vrf: name(3), ..Entry::default()
            }
        }
    }

    prop_compose! {
        fn entry()(interface in arbitrary::interface(), status in arbitrary::word(&["up", "administratively down"]), routed in prop_oneof![routed(), Just(Entry::default())]) -> Entry {
            Entry { interface, status, protocol: "up".to_owned(), ..routed }
        }
    }

    proptest! {
        #[test]
        fn round_trip(interfaces in prop::collection::vec(entry(), 0..4)) {
            let record = IpInterfaces { interfaces };
            prop_assert_eq!(IpInterfaces::parse(&record.render()), Ok(record));
        }
    }
}
