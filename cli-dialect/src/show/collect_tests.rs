//! Show commands typed at a small running network; what they print reads back as the record.

use std::time::Duration;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};
use serde_json::Value;

use super::parse_command;
use crate::config;
use crate::session::Session;

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
fn an_ospf_process_that_is_not_there_is_named() {
    let mut lab = Lab::new(["router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n", ""]);
    assert_eq!(lab.text("show ip ospf 9"), "%OSPF: No router process 9\n");
    assert_eq!(lab.rows("show ip ospf 9"), [Value::Null; 0]);
}
