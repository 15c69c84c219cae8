//! Show commands typed at a small running network; what they print reads back as the record.

use std::time::Duration;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};
use serde_json::Value;

use super::parse_command;
use crate::config;
use crate::session::{Session, apply_lines};

/// Two routers on an Ethernet and a serial line; R1 is the one that is looked at.
pub(super) struct Lab {
    network: Network,
    nodes: [NodeIndex; 2],
}

impl Lab {
    /// The two with addresses 10.0.12.1 and .2, 10.0.21.1 and .2, loopbacks 1.1.1.1 and 2.2.2.2, and further lines for each.
    pub fn new(lines: [&str; 2]) -> Self {
        let mut network = Network::new(7);
        let [ethernet, serial] = ["GigabitEthernet0/0", "Serial0/0"].map(|name| name.parse().unwrap());
        let spare = "GigabitEthernet0/1".parse().unwrap();
        let nodes = ["R1", "R2"].map(|name| network.add_router(name, &[ethernet, spare, serial]));
        for (properties, port) in [(LinkProperties::ethernet(), ethernet), (LinkProperties::serial(), serial)]
        {
            network.add_link(properties, &nodes.map(|node| (node, port))).unwrap();
        }
        for (index, node) in nodes.into_iter().enumerate() {
            let n = index + 1;
            let text = format!(
                "interface Gi0/0\n description to the other\n ip address 10.0.12.{n} 255.255.255.0\n no shutdown\n\
                 interface Se0/0\n ip address 10.0.21.{n} 255.255.255.252\n no shutdown\n\
                 interface Lo0\n ip address {n}.{n}.{n}.{n} 255.255.255.255\n{}",
                lines[index]
            );
            let mut config = RouterConfig::clone(network.router(node).config());
            assert_eq!(config::load(&mut config, &text).refused, []);
            network.configure(node, config);
        }
        let mut lab = Self { network, nodes };
        lab.run(120);
        lab
    }

    /// Lets time go on.
    pub fn run(&mut self, seconds: u64) {
        self.network.run_for(Duration::from_secs(seconds));
    }

    /// What R1 prints.
    pub fn text(&mut self, line: &str) -> String {
        Session::privileged(self.nodes[0]).execute(&mut self.network, line)
    }

    /// What R1 answers to lines of configuration.
    pub fn apply(&mut self, lines: &str) -> String {
        apply_lines(&mut self.network, self.nodes[0], lines).transcript
    }

    /// What R1 prints, as rows.
    pub fn rows(&mut self, line: &str) -> Vec<Value> {
        let text = self.text(line);
        match parse_command(line, &text) {
            Ok(Value::Array(rows)) => rows,
            other => panic!("{line}: {other:?}\n{text}"),
        }
    }
}

#[test]
fn interfaces_count_and_describe() {
    let mut lab =
        Lab::new(["interface Gi0/0.10\n encapsulation dot1Q 10\n ip address 10.9.0.1 255.255.255.0\n", ""]);
    lab.text("ping 10.0.12.2");
    let rows = lab.rows("show interfaces");
    let of = |name: &str| rows.iter().find(|row| row["interface"] == name).unwrap().clone();
    let ethernet = of("GigabitEthernet0/0");
    assert_eq!(ethernet["description"], "to the other");
    assert_eq!(ethernet["ip_address"], "10.0.12.1/24");
    assert!(ethernet["output_packets"].as_u64().unwrap() > 0, "{ethernet}");
    assert!(ethernet["last_output"].as_u64().is_some(), "{ethernet}");
    assert_eq!(of("GigabitEthernet0/0.10")["encapsulation"], "802.1Q Virtual LAN, Vlan ID  10.");
    assert_eq!(of("GigabitEthernet0/1")["status"], "administratively down");
    assert_eq!(of("Serial0/0")["bandwidth"], 1544);
    assert_eq!(of("Loopback0")["mtu"], 1514);
    assert_eq!(lab.rows("show interfaces Gi0/0").len(), 1);
    let rows = lab.rows("show interfaces description");
    assert_eq!(rows[0]["description"], "to the other");
    assert!(lab.text("show interfaces Lo9").starts_with("% Invalid interface"));
}

#[test]
fn interfaces_tell_their_average_load_and_when_their_counters_were_cleared() {
    let mut lab = Lab::new(["", ""]);
    let ethernet = |lab: &mut Lab| lab.rows("show interfaces Gi0/0")[0].clone();
    let idle = ethernet(&mut lab)["output_rate"].as_u64().unwrap();
    assert!(idle < 10, "an ARP packet or two: {idle}");
    assert_eq!(ethernet(&mut lab)["cleared"], Value::Null);
    lab.text("ping 10.0.12.2 size 1400 repeat 2000");
    lab.run(5);
    let busy = ethernet(&mut lab);
    for direction in ["input", "output"] {
        let field = |name: &str| busy[format!("{direction}_{name}")].as_u64().unwrap();
        let average = 8 * field("bytes") / 300;
        let rate = field("rate");
        assert!(rate > average / 2 && rate <= average, "{direction}: {rate} of {average}");
    }
    let mut session = Session::privileged(lab.nodes[0]);
    session.execute(&mut lab.network, "clear counters");
    session.execute(&mut lab.network, "y");
    lab.run(70);
    let cleared = ethernet(&mut lab);
    assert_eq!((&cleared["output_packets"], &cleared["cleared"]), (&0.into(), &70.into()));
    let rate = |entry: &Value| entry["output_rate"].as_u64().unwrap();
    assert!(rate(&cleared) > 0 && rate(&cleared) < rate(&busy), "{cleared}");
}

#[test]
fn the_summary_of_the_routing_table_counts_routes_by_source() {
    let mut lab = Lab::new([
        "ip route 172.16.0.0 255.255.0.0 Null0\nip route 172.17.1.0 255.255.255.0 Null0\nip route 192.168.0.0 255.255.0.0 Null0\n\
         router ospf 1\n network 10.0.12.0 0.0.0.255 area 0\n",
        "interface Lo1\n ip address 10.2.2.2 255.255.255.255\n\
         router ospf 7\n network 10.0.0.0 0.255.255.255 area 0\n redistribute connected subnets\n",
    ]);
    let rows = lab.rows("show ip route summary");
    let counts: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {} {}",
                row["source"], row["networks"], row["subnets"], row["overhead"], row["memory"]
            )
        })
        .collect();
    assert_eq!(
        counts,
        [
            "\"connected\" 0 5 340 900",
            "\"static\" 2 1 204 540",
            "\"application\" 0 0 0 0",
            "\"ospf 1\" 0 2 136 360",
            "\"internal\" 4 null null 1840",
            "\"Total\" 6 8 680 3640"
        ]
    );
    let text = lab.text("show ip route summary");
    assert!(
        text.starts_with("IP routing table name is default (0x0)\nIP routing table maximum-paths is 32\n"),
        "{text}"
    );
    assert!(text.contains("\n  Intra-area: 1 Inter-area: 0 External-1: 0 External-2: 1\n"), "{text}");
}

#[test]
fn an_ospf_process_that_is_not_there_is_named() {
    let mut lab = Lab::new(["router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n", ""]);
    assert_eq!(lab.text("show ip ospf 9"), "%OSPF: No router process 9\n");
    assert_eq!(lab.rows("show ip ospf 9"), [Value::Null; 0]);
}

/// R1 and R2 in areas 0 (Ethernet) and 1 (serial), R2 redistributing.
fn ospf() -> Lab {
    let both = "router ospf 1\n network 10.0.12.0 0.0.0.255 area 0\n network 10.0.21.0 0.0.0.3 area 1\n";
    let first = format!("{both} network 1.1.1.1 0.0.0.0 area 0\n");
    let second = format!(
        "{both} router-id 2.2.2.2\n redistribute connected subnets\n summary-address 172.16.0.0 255.255.0.0\n\
         interface Lo1\n ip address 172.16.1.1 255.255.255.0\n"
    );
    Lab::new([&first, &second])
}

#[test]
fn an_ospf_process_shows_itself() {
    let mut lab = ospf();
    let rows = lab.rows("show ip ospf");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["router_id"], "1.1.1.1");
    assert_eq!(rows[0]["area_border"], true);
    assert_eq!(rows[0]["as_boundary"], false);
    assert_eq!(rows[0]["interfaces"], 2);
    assert_eq!(rows[0]["loopbacks"], 1);
    assert!(rows[1]["spf_runs"].as_u64().unwrap() > 0);
    let borders = lab.rows("show ip ospf border-routers");
    assert_eq!(borders[0]["border_router"], "2.2.2.2");
    assert_eq!(borders[0]["as_boundary"], true);
    let rib = lab.rows("show ip ospf rib");
    let external = rib.iter().find(|row| row["prefix"] == "2.2.2.2/32").unwrap();
    assert_eq!(external["type"], "Ext2");
    assert_eq!(external["installed"], true);
    assert_eq!(external["paths"][0]["next_hop"], "10.0.12.2");
    let runs = lab.rows("show ip ospf statistics");
    assert!(runs.iter().any(|row| row["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty())));
}

#[test]
fn ospf_interfaces_and_neighbors_are_those_of_the_network() {
    let mut lab = ospf();
    let brief = lab.rows("show ip ospf interface brief");
    assert_eq!(
        brief.iter().map(|row| row["interface"].as_str().unwrap()).collect::<Vec<_>>(),
        ["Lo0", "Se0/0", "Gi0/0"]
    );
    assert_eq!(brief[1]["state"], "P2P");
    assert_eq!(brief[2]["neighbors_full"], 1);
    let full = lab.rows("show ip ospf interface Gi0/0");
    assert_eq!(full[0]["network_type"], "BROADCAST");
    assert_eq!(full[0]["adjacent"][0], "2.2.2.2");
    assert!(full[0]["dr_address"].is_string());
    assert_eq!(lab.text("show ip ospf interface Gi0/1"), "%OSPF: OSPF not enabled on GigabitEthernet0/1\n");
    let neighbors = lab.rows("show ip ospf neighbor");
    assert_eq!(neighbors.len(), 2);
    assert!(
        neighbors.iter().all(|row| row["neighbor_id"] == "2.2.2.2" && row["state"] == "FULL"),
        "{neighbors:?}"
    );
    assert_eq!(neighbors[0]["role"], "-");
    let detail = lab.rows("show ip ospf neighbor Se0/0 detail");
    assert_eq!(detail[0]["area"], "1");
    assert_eq!(lab.rows("show ip ospf neighbor 2.2.2.2")[1]["interface"], "GigabitEthernet0/0");
    assert_eq!(lab.rows("show ip ospf neighbor 9.9.9.9"), [Value::Null; 0]);
    for list in ["request-list", "retransmission-list", "flood-list"] {
        assert!(!lab.rows(&format!("show ip ospf {list}")).is_empty(), "{list}");
    }
}

#[test]
fn the_ospf_database_is_shown_in_lists_and_in_full() {
    let mut lab = ospf();
    let list = lab.rows("show ip ospf database");
    assert!(list.iter().any(|row| row["type"] == "router" && row["area"] == "0" && row["links"] == 2));
    assert!(list.iter().any(|row| row["type"] == "external" && row["link_id"] == "172.16.0.0"), "{list:?}");
    let own = lab.rows("show ip ospf database self-originate");
    assert!(!own.is_empty() && own.iter().all(|row| row["advertising_router"] == "1.1.1.1"));
    let router = lab.rows("show ip ospf 1 1 database router 2.2.2.2");
    assert!(router.iter().all(|row| row["as_boundary"] == true && row["area"] == "1"), "{router:?}");
    assert!(router.iter().any(|row| row["link_kind"] == "point-to-point" && row["neighbor"] == "1.1.1.1"));
    let summary = lab.rows("show ip ospf database summary adv-router 2.2.2.2");
    assert!(summary.iter().any(|row| row["link_id"] == "10.0.21.0" && row["metric"] == 64), "{summary:?}");
    let external = lab.rows("show ip ospf database external 172.16.0.0");
    assert_eq!(external[0]["metric_type"], 2);
    let totals = lab.rows("show ip ospf database database-summary");
    assert!(
        totals
            .iter()
            .any(|row| row["type"] == "Total" && row["count"].as_u64().unwrap() == list.len() as u64)
    );
    let summaries = lab.text("show ip ospf summary-address");
    assert!(summaries.contains("Base Topology (MTID 0)"), "{summaries}");
}

#[test]
fn protocols_forwarding_and_log_are_those_of_the_network() {
    let mut lab = ospf();
    let protocols = lab.rows("show ip protocols");
    assert_eq!(protocols[0]["protocol"], "ospf 1");
    assert!(protocols[0]["networks"].as_array().unwrap().contains(&Value::from("1.1.1.1 0.0.0.0 area 0")));
    assert_eq!(protocols[0]["sources"][0]["gateway"], "2.2.2.2");
    let cef = lab.rows("show ip cef");
    let of = |prefix: &str| cef.iter().find(|row| row["prefix"] == prefix).cloned().unwrap_or_default();
    assert_eq!(of("0.0.0.0/0")["next_hop"], "no route");
    assert_eq!(of("10.0.12.0/24")["next_hop"], "attached");
    assert_eq!(of("10.0.12.255/32")["next_hop"], "receive");
    assert_eq!(of("10.0.12.2/32")["next_hop"], "attached");
    assert_eq!(of("2.2.2.2/32")["next_hop"], "10.0.12.2");
    assert_eq!(lab.rows("show ip cef 2.2.2.2")[0]["interface"], "GigabitEthernet0/0");
    assert_eq!(lab.rows("show ip cef 10.0.12.0 255.255.255.0")[0]["prefix"], "10.0.12.0/24");
    let log = lab.rows("show logging");
    assert!(log.iter().any(|row| row["mnemonic"] == "ADJCHG" && row["facility"] == "OSPF"), "{log:?}");
    let interface = lab.rows("show ip interface Gi0/0");
    assert_eq!(interface[0]["multicast_groups"][0], "224.0.0.5");
    assert_eq!(lab.rows("show ip interface Gi0/1")[0]["ip_address"], Value::Null);
}

#[test]
fn lists_and_maps_are_shown_as_they_work() {
    let lines = "ip access-list standard NETS\n permit 10.0.0.0 0.0.255.255\n deny any\n\
                 ip access-list extended WEB\n permit tcp any host 10.0.12.2 eq www\n permit icmp any any\n\
                 ip prefix-list PL seq 5 permit 10.0.0.0/8 le 24\n\
                 route-map RM permit 10\n match ip address prefix-list PL\n set metric 50\n continue\nroute-map RM deny 20\n\
                 key chain KC\n key 1\n  key-string abc\n\
                 vrf definition BLUE\n rd 100:1\n address-family ipv4\n\
                 interface Gi0/1\n vrf forwarding BLUE\n ip address 10.99.0.1 255.255.255.0\n\
                 interface Gi0/0\n ip access-group WEB in\n\
                 ip domain name example.com\nip name-server 10.0.12.2\n";
    let mut lab = Lab::new([lines, ""]);
    lab.text("ping 10.0.12.2");
    let lists = lab.rows("show access-lists");
    assert_eq!(lists[0]["rule"], "10.0.0.0, wildcard bits 0.0.255.255");
    assert_eq!(lists[2]["rule"], "tcp any host 10.0.12.2 eq www");
    assert!(lists[3]["matches"].as_u64().unwrap() > 0, "{lists:?}");
    assert_eq!(lab.rows("show ip access-lists NETS").len(), 2);
    assert_eq!(lab.rows("show ip prefix-list")[0]["le"], 24);
    assert_eq!(lab.rows("show ip prefix-list detail PL")[0]["prefix"], "10.0.0.0/8");
    let map = lab.rows("show route-map RM");
    assert_eq!(map[0]["matches"][0], "ip address prefix-lists: PL ");
    assert_eq!(map[0]["sets"][0], "metric 50");
    assert_eq!(map[0]["continues"], "to next entry 20");
    assert_eq!(lab.rows("show key chain")[0]["accept_valid"], true);
    let vrf = lab.rows("show vrf");
    assert_eq!(vrf[0]["route_distinguisher"], "100:1");
    assert_eq!(vrf[0]["interfaces"][0], "Gi0/1");
    assert_eq!(lab.rows("show hosts")[0]["default_domain"], "example.com");
    assert_eq!(lab.rows("show users")[0]["line"], "0 con 0");
    assert_eq!(lab.rows("show inventory").len(), 1);
    assert!(lab.text("show ip prefix-list NO").starts_with("%Can't find prefix-list NO"));
}

#[test]
fn a_router_that_does_not_help_those_that_restart_says_so() {
    let mut lab = ospf();
    let helpers = |lab: &mut Lab| {
        ["show ip ospf", "show ip ospf interface Gi0/0"].map(|line| {
            let row = &lab.rows(line)[0];
            (row["ietf_helper"] == true, row["cisco_helper"] == true)
        })
    };
    assert_eq!(helpers(&mut lab), [(true, true); 2]);
    let told = lab.apply("router ospf 1\nnsf ietf helper disable\nnsf cisco enforce global\nnsf ietf restart-interval 9\nnsf\n");
    assert_eq!(helpers(&mut lab), [(false, true); 2]);
    assert_eq!(told.matches("% Not supported by this emulator: nsf").count(), 3, "{told}");
    lab.apply("router ospf 1\nno nsf ietf helper disable\nnsf cisco helper disable\n");
    assert_eq!(helpers(&mut lab), [(true, false); 2]);
    let text = lab.text("show ip ospf");
    assert!(
        text.contains(" IETF NSF helper support enabled\n Cisco NSF helper support disabled\n"),
        "{text}"
    );
}

#[test]
fn a_demand_circuit_shows_that_it_is_one() {
    let demand = "router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n";
    let mut lab = Lab::new([&format!("{demand}interface Se0/0\n ip ospf demand-circuit\n"), demand]);
    let row = lab.rows("show ip ospf interface Se0/0").remove(0);
    assert_eq!((&row["demand_configured"], &row["demand_circuit"]), (&Value::Bool(true), &Value::from(0)));
    assert_eq!(row["suppressed"][0], "2.2.2.2");
    let text = lab.text("show ip ospf interface Se0/0");
    for line in [
        "  Configured as demand circuit\n  Run as demand circuit\n  DoNotAge LSA allowed\n",
        "    Adjacent with neighbor 2.2.2.2  (Hello suppressed)\n  Suppress hello for 1 neighbor(s)\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let neighbors = lab.rows("show ip ospf neighbor");
    let serial = neighbors.iter().find(|row| row["interface"] == "Serial0/0").unwrap();
    assert_eq!(serial["dead_time"], Value::Null);
    let ethernet = lab.rows("show ip ospf interface Gi0/0").remove(0);
    assert_eq!(
        (&ethernet["demand_configured"], &ethernet["demand_circuit"]),
        (&Value::Bool(false), &Value::Null)
    );
    // The other side asks no more.
    lab.apply("interface Se0/0\nip ospf demand-circuit ignore\n");
    lab.run(60);
    let row = lab.rows("show ip ospf interface Se0/0").remove(0);
    assert_eq!((&row["demand_circuit"], &row["adjacent"][0]), (&Value::Null, &Value::from("2.2.2.2")));
}
