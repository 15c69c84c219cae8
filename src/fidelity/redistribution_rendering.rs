//! The two renderings of a network of domains.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::model::Model;
use super::redistribution_model::{Protocol, Redistributed, RedistributionModel};

/// Whose words a configuration is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Ios,
    Frr,
}

impl Dialect {
    /// An interface line `ip address`.
    fn address(self, net: Ipv4Net) -> String {
        match self {
            Self::Ios => format!("{} {}", net.addr(), net.netmask()),
            Self::Frr => net.to_string(),
        }
    }

    /// A prefix in a line of configuration.
    fn prefix(self, net: Ipv4Net) -> String {
        self.address(net.trunc())
    }
}

impl Model for RedistributionModel {
    fn router_count(&self) -> usize {
        self.routers.len()
    }

    fn cables(&self) -> Vec<[usize; 2]> {
        self.links.iter().map(|link| link.routers).collect()
    }

    fn stubs(&self) -> Vec<String> {
        vec!["loop0".to_owned(), "loop1".to_owned()]
    }

    fn ios_config(&self, router: usize) -> String {
        let mut text = self.render(router, Dialect::Ios);
        text.push_str("end\n");
        text
    }

    fn frr_config(&self, router: usize) -> String {
        self.render(router, Dialect::Frr)
    }
}

impl RedistributionModel {
    fn render(&self, router: usize, dialect: Dialect) -> String {
        let mut text = format!("hostname {}\n", Self::name(router));
        if dialect == Dialect::Frr && self.domain_of(router, Protocol::Ospf).is_some() {
            // The router id first: FRR does not change it once it has neighbors.
            let _ = write!(text, "router ospf\n ospf router-id {}\n!\n", Self::router_id(router));
        }
        self.interfaces(router, dialect, &mut text);
        for &domain in &self.routers[router] {
            match self.domains[domain] {
                Protocol::Ospf => self.ospf(router, domain, dialect, &mut text),
                Protocol::Rip => self.rip(router, domain, dialect, &mut text),
                Protocol::Bgp => self.bgp(router, domain, dialect, &mut text),
            }
        }
        for (prefix, tag) in self.statics(router) {
            let _ = writeln!(text, "ip route {} Null0 tag {tag}", dialect.prefix(prefix));
        }
        self.route_maps(router, dialect, &mut text);
        text
    }

    fn router_id(router: usize) -> Ipv4Addr {
        Self::other_loopback(router).addr()
    }

    fn interfaces(&self, router: usize, dialect: Dialect, text: &mut String) {
        let runs_ospf = |domain: usize| self.domains[domain] == Protocol::Ospf;
        let names = if dialect == Dialect::Ios { ["Loopback0", "Loopback1"] } else { ["loop0", "loop1"] };
        let loopbacks =
            [Some(self.loopback(router)), self.own[router].connected.map(|_| Self::other_loopback(router))];
        for (name, net) in names.iter().zip(loopbacks) {
            let Some(net) = net else { continue };
            let _ = write!(text, "interface {name}\n ip address {}\n", dialect.address(net));
            if dialect == Dialect::Frr && *name == "loop0" && runs_ospf(self.routers[router][0]) {
                text.push_str(" ip ospf cost 1\n ip ospf passive\n ip ospf area 0\n");
            }
            text.push_str("!\n");
        }
        for (link, end) in self.ends(router) {
            let model = &self.links[link];
            let name = if dialect == Dialect::Ios {
                Self::ios_interface(link).to_string()
            } else {
                Self::frr_interface(link)
            };
            let net = Ipv4Net::new_assert(self.address_of(link, end), 24);
            let _ = write!(text, "interface {name}\n ip address {}\n", dialect.address(net));
            if dialect == Dialect::Ios {
                text.push_str(" no shutdown\n");
            }
            if runs_ospf(model.domain) {
                let _ = writeln!(text, " ip ospf cost {}\n ip ospf network point-to-point", model.costs[end]);
                if dialect == Dialect::Frr {
                    // The intervals are not to be waited for; the result does not depend on them.
                    text.push_str(" ip ospf hello-interval 1\n ip ospf dead-interval 6\n ip ospf area 0\n");
                }
            }
            text.push_str("!\n");
        }
    }

    fn ospf(&self, router: usize, domain: usize, dialect: Dialect, text: &mut String) {
        match dialect {
            Dialect::Ios => {
                let network = Self::network(domain);
                let _ = write!(
                    text,
                    "router ospf 1\n router-id {}\n no compatible rfc1583\n network {network} 0.0.255.255 area 0\n",
                    Self::router_id(router)
                );
            }
            Dialect::Frr => text.push_str("router ospf\n maximum-paths 4\n"),
        }
        self.redistribute_lines(router, domain, dialect, text);
        text.push_str("!\n");
    }

    fn rip(&self, router: usize, domain: usize, dialect: Dialect, text: &mut String) {
        let network = Self::network(domain);
        let _ = match dialect {
            Dialect::Ios => {
                writeln!(
                    text,
                    "router rip\n version 2\n no auto-summary\n maximum-paths 16\n network {network}"
                )
            }
            Dialect::Frr => {
                writeln!(
                    text,
                    "router rip\n version 2\n allow-ecmp\n timers basic 5 15 10\n network {network}/16"
                )
            }
        };
        self.redistribute_lines(router, domain, dialect, text);
        text.push_str("!\n");
    }

    fn bgp(&self, router: usize, domain: usize, dialect: Dialect, text: &mut String) {
        let _ =
            writeln!(text, "router bgp {}\n bgp router-id {}", Self::asn(router), Self::router_id(router));
        if dialect == Dialect::Frr {
            text.push_str(" no bgp ebgp-requires-policy\n timers bgp 3 9\n");
        }
        let mut families = String::new();
        for (link, end) in
            self.ends(router).into_iter().filter(|&(link, _)| self.links[link].domain == domain)
        {
            let (other, address) = (self.links[link].routers[1 - end], self.address_of(link, 1 - end));
            let _ = writeln!(text, " neighbor {address} remote-as {}", Self::asn(other));
            if dialect == Dialect::Frr {
                let _ = writeln!(
                    text,
                    " neighbor {address} timers connect 1\n neighbor {address} advertisement-interval 0"
                );
            }
        }
        if self.routers[router][0] == domain {
            let loopback = self.loopback(router);
            let _ = match dialect {
                Dialect::Ios => writeln!(families, "network {} mask {}", loopback.addr(), loopback.netmask()),
                Dialect::Frr => writeln!(families, "network {loopback}"),
            };
        }
        self.redistribute_lines(router, domain, dialect, &mut families);
        let _ = write!(text, " address-family ipv4 unicast\n{families} exit-address-family\n!\n");
    }

    /// `redistribute` lines of one protocol.
    fn redistribute_lines(&self, router: usize, domain: usize, dialect: Dialect, text: &mut String) {
        let ospf = self.domains[domain] == Protocol::Ospf;
        let subnets = if ospf && dialect == Dialect::Ios { " subnets" } else { "" };
        let own = &self.own[router];
        if self.routers[router][0] == domain {
            if let Some((_, _, metric)) = own.statics {
                let _ = writeln!(text, " redistribute static metric {metric}{subnets}");
            }
            if let Some(metric) = own.connected {
                let metric = self.connected_metric(domain, dialect, metric);
                let _ = writeln!(text, " redistribute connected{metric}{subnets} route-map OWN");
            }
        }
        for (at, entry) in self.entries(router).filter(|(_, entry)| entry.into == domain) {
            let source = match (self.domains[entry.from], dialect) {
                (Protocol::Rip, _) => "rip".to_owned(),
                (Protocol::Ospf, Dialect::Ios) => "ospf 1".to_owned(),
                (Protocol::Ospf, Dialect::Frr) => "ospf".to_owned(),
                (Protocol::Bgp, Dialect::Ios) => format!("bgp {}", Self::asn(router)),
                (Protocol::Bgp, Dialect::Frr) => "bgp".to_owned(),
            };
            let mut options = String::new();
            match entry.metric {
                Some(metric) if entry.by_default_metric => {
                    let _ = writeln!(text, " default-metric {metric}");
                }
                Some(metric) => {
                    let _ = write!(options, " metric {metric}");
                }
                None => {}
            }
            if entry.type1 {
                options.push_str(" metric-type 1");
            }
            // Into BGP, IOS takes internal routes only unless told otherwise.
            let all = match (self.domains[entry.from], self.domains[domain], dialect) {
                (Protocol::Ospf, Protocol::Bgp, Dialect::Ios) => " match internal external 1 external 2",
                _ => "",
            };
            let _ = writeln!(text, " redistribute {source}{options}{subnets}{all} route-map M{at}");
            if dialect == Dialect::Frr && self.domains[entry.from] != Protocol::Bgp {
                // IOS takes the subnets that the protocol runs on along.
                let options = if self.domains[domain] == Protocol::Rip { "" } else { options.as_str() };
                let _ = writeln!(text, " redistribute connected{options} route-map C{at}");
            }
        }
    }

    /// `metric` of `redistribute connected`. FRR's ripd gives it to the subnets that RIP runs on, too; there the route map sets it.
    fn connected_metric(&self, domain: usize, dialect: Dialect, metric: u32) -> String {
        let by_map = dialect == Dialect::Frr && self.domains[domain] == Protocol::Rip;
        if by_map { String::new() } else { format!(" metric {metric}") }
    }

    /// The entries of a router, numbered.
    fn entries(&self, router: usize) -> impl Iterator<Item = (usize, &Redistributed)> {
        self.redistributed.iter().filter(move |entry| entry.router == router).enumerate()
    }

    fn route_maps(&self, router: usize, dialect: Dialect, text: &mut String) {
        if let Some(metric) = self.own[router].connected {
            let list = Self::other_loopback(router);
            let _ = write!(
                text,
                "ip prefix-list OWN seq 5 permit {list}\nroute-map OWN permit 10\n match ip address prefix-list OWN\n set metric {metric}\n!\n"
            );
        }
        for (at, entry) in self.entries(router) {
            if let Some(prefix) = entry.deny {
                let _ = writeln!(text, "ip prefix-list DENY{at} seq 5 permit {prefix}");
            }
            if let Some((prefix, _)) = entry.by_prefix {
                let _ = writeln!(text, "ip prefix-list IN{at} seq 5 permit {prefix}");
            }
            Self::route_map(&format!("M{at}"), at, entry, None, text);
            if dialect == Dialect::Frr && self.domains[entry.from] != Protocol::Bgp {
                let network = Self::network(entry.from);
                let _ = write!(
                    text,
                    "ip prefix-list NOT{at} seq 5 deny {network}/16 le 32\nip prefix-list NOT{at} seq 10 permit any\n\
                     route-map C{at} deny 5\n match ip address prefix-list NOT{at}\n!\n"
                );
                // As above. Neither IOS nor FRR gives connected subnets RIP's default metric.
                let by_map = self.domains[entry.into] == Protocol::Rip && !entry.by_default_metric;
                let metric = entry.metric.filter(|_| by_map);
                Self::route_map(&format!("C{at}"), at, entry, metric, text);
            }
        }
    }

    /// `metric` is set where nothing else says one.
    fn route_map(name: &str, at: usize, entry: &Redistributed, metric: Option<u32>, text: &mut String) {
        let tag = entry.tag.map_or_else(String::new, |tag| format!(" set tag {tag}\n"));
        if entry.deny.is_some() {
            let _ = write!(text, "route-map {name} deny 10\n match ip address prefix-list DENY{at}\n!\n");
        }
        if let Some((old, metric)) = entry.by_tag {
            let _ = write!(text, "route-map {name} permit 20\n match tag {old}\n set metric {metric}\n!\n");
        }
        if let Some((_, metric)) = entry.by_prefix {
            let _ = write!(
                text,
                "route-map {name} permit 30\n match ip address prefix-list IN{at}\n set metric {metric}\n{tag}!\n"
            );
        }
        let metric = metric.map_or_else(String::new, |metric| format!(" set metric {metric}\n"));
        let _ = write!(text, "route-map {name} permit 40\n{metric}{tag}!\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fidelity::model::is_connected;

    #[test]
    fn models_are_repeatable_connected_and_their_lines_are_taken() {
        for seed in 0..100 {
            let model = RedistributionModel::random(seed);
            assert!(is_connected(&model), "seed {seed}");
            for router in 0..model.router_count() {
                assert_eq!(model.ios_config(router), RedistributionModel::random(seed).ios_config(router));
            }
            if let Err(refused) = model.emulate(seed) {
                panic!("seed {seed}: {refused}");
            }
        }
    }

    #[test]
    fn each_pair_of_protocols_is_redistributed_in_each_direction() {
        let mut pairs = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let model = RedistributionModel::random(seed);
            let pair = |entry: &Redistributed| {
                format!("{:?} {:?}", model.domains[entry.from], model.domains[entry.into])
            };
            pairs.extend(model.redistributed.iter().map(pair));
        }
        assert_eq!(pairs.len(), 6, "{pairs:?}");
    }
}
