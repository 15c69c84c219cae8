//! The two renderings of a random network of ASes: IOS lines for the emulator, frr.conf for FRR.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::bgp_model::{BgpModel, Inside};
use super::model::Model;

impl Model for BgpModel {
    fn router_count(&self) -> usize {
        self.ases.iter().map(|model| model.routers.len()).sum()
    }

    fn cables(&self) -> Vec<[usize; 2]> {
        self.links.iter().map(|link| link.routers).collect()
    }

    fn ios_config(&self, router: usize) -> String {
        let own = &self.ases[self.as_of(router)];
        let id = Self::router_id(router);
        let mut text = format!("hostname {}\ninterface Loopback0\n", Self::name(router));
        let _ = writeln!(text, " ip address {id} 255.255.255.255");
        let mut ospf = String::new();
        for (link, end) in self.ends(router) {
            let _ = writeln!(text, "interface {}", Self::ios_interface(link));
            let _ = writeln!(text, " ip address {} 255.255.255.0", Self::address(link, end));
            let _ = write!(text, " ip ospf cost {}\n no shutdown\n", self.links[link].cost);
            if !self.is_inside(link) {
                let _ = writeln!(ospf, " passive-interface {}", Self::ios_interface(link));
            }
            if self.is_inside(link) || !own.next_hop_self {
                let _ = writeln!(ospf, " network {} 0.0.0.0 area 0", Self::address(link, end));
            }
        }
        if own.routers.len() > 1 {
            let _ = writeln!(text, "router ospf 1\n router-id {id}\n network {id} 0.0.0.0 area 0\n{ospf}");
        }
        self.shared_lines(router, &mut text, &Dialect::Ios);
        let _ = writeln!(text, "ip route {} 255.255.255.0 Null0", Self::prefix(router));
        if self.redistributors.contains(&router) {
            let _ = writeln!(text, "ip route {} 255.255.255.0 Null0", Self::redistributed(router));
        }
        text.push_str("end\n");
        text
    }

    fn frr_config(&self, router: usize) -> String {
        let own = &self.ases[self.as_of(router)];
        let id = Self::router_id(router);
        let ospf = own.routers.len() > 1;
        let mut text = format!("hostname {}\n", Self::name(router));
        if ospf {
            let _ = writeln!(text, "router ospf\n ospf router-id {id}\n!");
        }
        let _ = writeln!(text, "interface loop0\n ip address {id}/32");
        if ospf {
            text.push_str(" ip ospf area 0\n ip ospf passive\n");
        }
        text.push_str("!\n");
        for (link, end) in self.ends(router) {
            let _ = writeln!(text, "interface {}", Self::frr_interface(link));
            let _ = writeln!(text, " ip address {}/24", Self::address(link, end));
            if ospf && (self.is_inside(link) || !own.next_hop_self) {
                let _ = writeln!(text, " ip ospf cost {}", self.links[link].cost);
                text.push_str(" ip ospf hello-interval 1\n ip ospf dead-interval 6\n");
                text.push_str(if self.is_inside(link) { "" } else { " ip ospf passive\n" });
                text.push_str(" ip ospf network point-to-point\n ip ospf area 0\n");
            }
            text.push_str("!\n");
        }
        self.shared_lines(router, &mut text, &Dialect::Frr);
        let _ = writeln!(text, "ip route {}/24 Null0", Self::prefix(router));
        if self.redistributors.contains(&router) {
            let _ = writeln!(text, "ip route {}/24 Null0", Self::redistributed(router));
        }
        text
    }
}

impl BgpModel {
    /// `router bgp` and the policies, in which the dialects hardly differ.
    fn shared_lines(&self, router: usize, text: &mut String, dialect: &Dialect) {
        let own = &self.ases[self.as_of(router)];
        let id = Self::router_id(router);
        let _ = writeln!(text, "router bgp {}\n bgp router-id {id}", self.process_as(router));
        text.push_str(" bgp deterministic-med\n bgp bestpath compare-routerid\n");
        if own.inside == Inside::Confederation {
            let _ = writeln!(text, " bgp confederation identifier {}", own.asn);
            let peers = own.routers.iter().filter(|&&other| other != router);
            let peers: Vec<String> = peers.map(|&other| self.process_as(other).to_string()).collect();
            let _ = writeln!(text, " bgp confederation peers {}", peers.join(" "));
        }
        text.push_str(dialect.process());
        let mut families = String::new();
        for session in self.sessions(router) {
            let head = format!(" neighbor {} ", session.address);
            let _ = writeln!(text, "{head}remote-as {}", session.remote_as);
            if session.loopback {
                let _ = writeln!(text, "{head}update-source {}", dialect.loopback());
            }
            text.push_str(&dialect.session(&head));
            let mut policy = |line: &str| {
                let _ = writeln!(families, "{head}{line}");
            };
            policy(dialect.send_community());
            if session.inside && own.next_hop_self {
                policy("next-hop-self");
            }
            if session.client {
                policy("route-reflector-client");
            }
            if session.outside.is_some() {
                policy(&format!("route-map IN-{} in", session.address));
                policy(&format!("route-map OUT-{} out", session.address));
            }
        }
        text.push_str(" address-family ipv4 unicast\n");
        let _ = writeln!(text, "  {}", dialect.network(Self::prefix(router)));
        if self.redistributors.contains(&router) {
            text.push_str("  redistribute static route-map STATIC\n");
        }
        if let Some((_, summary_only)) = self.aggregate.filter(|(aggregator, _)| *aggregator == router) {
            let only = if summary_only { " summary-only" } else { "" };
            let _ = writeln!(text, "  {}{only}", dialect.aggregate());
        }
        let _ = writeln!(text, "{families} exit-address-family\n!");
        self.policy_lines(router, text, dialect);
    }

    fn policy_lines(&self, router: usize, text: &mut String, dialect: &Dialect) {
        let _ = writeln!(text, "ip prefix-list STATIC seq 5 permit {}/24", Self::redistributed(router));
        text.push_str("route-map STATIC permit 10\n match ip address prefix-list STATIC\n!\n");
        // Communities say from whom an AS has a route: 1 of customers, 2 of others.
        let _ = writeln!(text, "{} standard BOUGHT permit 65000:2", dialect.community_list());
        let own = self.as_of(router);
        for session in self.sessions(router) {
            let Some((other, policy)) = session.outside else { continue };
            let address = session.address;
            if let Some(denied) = policy.deny {
                let _ =
                    writeln!(text, "ip prefix-list DENY-{address} seq 5 permit {}/24", Self::prefix(denied));
                let _ = writeln!(text, "route-map IN-{address} deny 5");
                let _ = writeln!(text, " match ip address prefix-list DENY-{address}\n!");
            }
            let _ = writeln!(text, "route-map IN-{address} permit 10");
            let customer = other > own;
            if self.commercial {
                let (preference, community) = if customer { (200, 1) } else { (100, 2) };
                let _ =
                    write!(text, " set local-preference {preference}\n set community 65000:{community}\n");
            }
            text.push_str(if policy.worsen_origin { " set origin incomplete\n" } else { "" });
            text.push_str("!\n");
            if self.commercial && !customer {
                let _ = writeln!(text, "route-map OUT-{address} deny 5\n match community BOUGHT\n!");
            }
            let _ = writeln!(text, "route-map OUT-{address} permit 10");
            if policy.prepend > 0 {
                let asn = format!(" {}", self.ases[own].asn).repeat(policy.prepend.into());
                let _ = writeln!(text, " set as-path prepend{asn}");
            }
            if let Some(med) = policy.med {
                let _ = writeln!(text, " set metric {med}");
            }
            if let Some(community) = policy.community.filter(|_| !self.commercial) {
                let _ = writeln!(text, " set community 65001:{community} additive");
            }
            text.push_str("!\n");
        }
    }
}

/// Whose words a configuration is written in.
enum Dialect {
    Ios,
    Frr,
}

impl Dialect {
    const fn loopback(&self) -> &'static str {
        match self {
            Self::Ios => "Loopback0",
            Self::Frr => "loop0",
        }
    }

    /// What makes FRR begin as IOS does.
    const fn process(&self) -> &'static str {
        match self {
            Self::Ios => "",
            Self::Frr => " no bgp ebgp-requires-policy\n bgp network import-check\n timers bgp 3 9\n",
        }
    }

    fn session(&self, head: &str) -> String {
        match self {
            Self::Ios => String::new(),
            Self::Frr => format!("{head}timers connect 1\n{head}advertisement-interval 0\n"),
        }
    }

    const fn send_community(&self) -> &'static str {
        match self {
            Self::Ios => "send-community both",
            Self::Frr => "send-community all",
        }
    }

    fn network(&self, prefix: Ipv4Addr) -> String {
        match self {
            Self::Ios => format!("network {prefix} mask 255.255.255.0"),
            Self::Frr => format!("network {prefix}/24"),
        }
    }

    const fn aggregate(&self) -> &'static str {
        match self {
            Self::Ios => "aggregate-address 172.16.0.0 255.255.192.0",
            Self::Frr => "aggregate-address 172.16.0.0/18",
        }
    }

    const fn community_list(&self) -> &'static str {
        match self {
            Self::Ios => "ip community-list",
            Self::Frr => "bgp community-list",
        }
    }
}
