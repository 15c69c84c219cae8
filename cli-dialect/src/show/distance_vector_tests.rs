//! What the show commands of EIGRP and RIP print is the state of the processes.

use super::collect_tests::Lab;

const CLASSIC: &str = "router eigrp 7\n network 0.0.0.0\n";
const NAMED: &str = "router eigrp LAB\n address-family ipv4 unicast autonomous-system 7\n  network 0.0.0.0\n";

#[test]
fn eigrp_neighbors_interfaces_and_traffic() {
    let second = format!("{CLASSIC} eigrp stub\n passive-interface Loopback0\n");
    let mut lab = Lab::new([CLASSIC, &second]);
    let neighbors = lab.rows("show ip eigrp neighbors");
    let addresses: Vec<&str> = neighbors.iter().map(|row| row["address"].as_str().unwrap()).collect();
    assert_eq!(addresses.len(), 2);
    assert!(addresses.contains(&"10.0.12.2") && addresses.contains(&"10.0.21.2"), "{addresses:?}");
    assert_eq!(neighbors[0]["as_number"], 7);
    let hold = neighbors[0]["hold"].as_u64().unwrap();
    assert!((10..=15).contains(&hold), "{hold}");
    assert_eq!(neighbors[0]["queue"], 0);
    let details = lab.rows("show ip eigrp neighbors detail");
    assert!(details.iter().all(|row| row["stub"] == "CONNECTED SUMMARY"), "{details:?}");
    assert_eq!(details[0]["version"], "23.0/2.0");
    assert!(details[0]["prefixes"].as_u64().unwrap() >= 2);
    assert_eq!(lab.rows("show ip eigrp 7 neighbors gi0/0").len(), 1);
    assert_eq!(lab.rows("show ip eigrp 8 neighbors").len(), 0);

    let interfaces = lab.rows("show ip eigrp interfaces detail");
    let of = |name: &str| interfaces.iter().find(|row| row["interface"] == name).unwrap();
    assert_eq!((of("Gi0/0")["peers"].as_u64(), of("Lo0")["peers"].as_u64()), (Some(1), Some(0)));
    assert_eq!(of("Se0/0")["pacing"], 15, "1500 octets at half of 1544 kbit/s");
    assert_eq!(of("Gi0/0")["hello_interval"], 5);
    assert!(of("Gi0/0")["reliable_multicasts"].as_u64().unwrap() > 0);
    let traffic = lab.rows("show ip eigrp traffic");
    assert!(traffic[0]["hellos_sent"].as_u64().unwrap() >= of("Gi0/0")["hellos_sent"].as_u64().unwrap());
    assert!(traffic[0]["updates_received"].as_u64().unwrap() > 0);
}

#[test]
fn eigrp_topology_has_successors_feasible_successors_and_all_links() {
    let second = format!(
        "{NAMED}  topology base\n   redistribute static\n   exit\nip route 192.168.9.0 255.255.255.0 Null0 tag 5\n"
    );
    let mut lab = Lab::new([NAMED, &second]);
    let rows = lab.rows("show ip eigrp topology");
    let of = |prefix: &str| rows.iter().filter(|row| row["prefix"] == prefix).collect::<Vec<_>>();
    assert_eq!(rows[0]["name"], "LAB");
    assert_eq!(rows[0]["router_id"], "1.1.1.1");
    assert_eq!(of("10.0.12.0/24").len(), 1);
    assert_eq!(of("10.0.12.0/24")[0]["via"], "Connected");
    let loopback = of("2.2.2.2/32");
    assert_eq!(loopback.len(), 2, "the serial line is a feasible successor");
    assert_eq!(
        (loopback[0]["via"].as_str(), loopback[1]["via"].as_str()),
        (Some("10.0.12.2"), Some("10.0.21.2"))
    );
    assert_eq!(loopback[0]["distance"], loopback[0]["feasible_distance"]);
    assert_eq!(of("192.168.9.0/24")[0]["tag"], 5);
    let all = lab.rows("show ip eigrp topology all-links");
    let serial = all.iter().filter(|row| row["prefix"] == "10.0.12.0/24").count();
    assert_eq!(serial, 2, "10.0.12.0/24 by the serial line is not feasible");

    let entry = lab.rows("show eigrp address-family ipv4 7 topology 192.168.9.0 255.255.255.0");
    assert_eq!(entry.len(), 2);
    assert_eq!(entry[0]["external_protocol"], "Static");
    assert_eq!(entry[0]["originating_router"], "2.2.2.2");
    assert_eq!((entry[0]["from"].as_str(), entry[0]["hops"].as_u64()), (Some("10.0.12.2"), Some(1)));
    assert_eq!(entry[0]["tag"], 5);
    assert!(lab.text("show ip eigrp topology 192.168.9.0/24").contains(" picoseconds\n"));
    assert_eq!(lab.rows("show ip eigrp topology 2.2.2.2").len(), 2);
    let missing = lab.text("show ip eigrp topology 9.0.0.0/8");
    assert_eq!(
        missing,
        "EIGRP-IPv4 VR(LAB) Topology Entry for AS(7)/ID(1.1.1.1) for 9.0.0.0/8\n%Entry 9.0.0.0/8 not in topology table\n"
    );
}

#[test]
fn clear_ip_eigrp_neighbors_lets_them_come_anew() {
    let mut lab = Lab::new([CLASSIC, CLASSIC]);
    let age = |lab: &mut Lab| lab.rows("show ip eigrp neighbors")[0]["uptime"].as_u64().unwrap();
    assert!(age(&mut lab) > 100);
    lab.text("clear ip eigrp 8 neighbors");
    lab.run(10);
    assert!(age(&mut lab) > 100);
    lab.text("clear ip eigrp neighbors");
    lab.run(10);
    assert!(age(&mut lab) < 20);
}

/// R1 and R2 run RIP version 2; R2 redistributes a static route.
fn rip() -> Lab {
    let both =
        "router rip\n version 2\n network 10.0.0.0\n network 1.0.0.0\n network 2.0.0.0\n no auto-summary\n";
    let second = format!(
        "{both} redistribute static metric 4\n distance 99\n passive-interface Loopback0\n\
         ip route 192.168.9.0 255.255.255.0 Null0\ninterface Lo1\n ip address 10.7.1.1 255.255.255.0\n\
         interface Se0/0\n ip summary-address rip 10.7.0.0 255.255.0.0\n"
    );
    let first = format!(
        "{both} timers basic 10 30 30 40\n offset-list 5 in 2 Serial0/0\n distribute-list 6 in GigabitEthernet0/0\n"
    );
    Lab::new([&first, &second])
}

#[test]
fn rip_database() {
    let mut lab = rip();
    let rows = lab.rows("show ip rip database");
    let of = |prefix: &str| rows.iter().filter(|row| row["prefix"] == prefix).collect::<Vec<_>>();
    assert_eq!(of("10.0.0.0/8")[0]["kind"], "auto-summary");
    assert_eq!(of("10.0.12.0/24")[0]["interface"], "GigabitEthernet0/0");
    let learned = of("192.168.9.0/24");
    assert_eq!(learned.len(), 2, "the classful line and one path, for the other has an offset: {learned:?}");
    assert_eq!((learned[1]["kind"].as_str(), learned[1]["metric"].as_u64()), (Some("learned"), Some(4)));
    assert_eq!(learned[1]["next_hop"], "10.0.12.2");
    assert!(learned[1]["age"].as_u64().unwrap() <= 30);
    assert_eq!(of("10.7.0.0/16").len(), 1);
    assert_eq!(lab.rows("show ip rip database 10.7.1.0 255.255.255.0").len(), 1);
    assert_eq!(lab.text("show ip rip database 9.0.0.0 255.0.0.0"), "%Route not in database\n");
    lab.text("clear ip route *");
    assert_eq!(lab.rows("show ip route rip").len(), 0);
    lab.run(1);
    assert!(!lab.rows("show ip route rip").is_empty(), "asked again");
}

#[test]
fn protocols_of_rip_and_eigrp() {
    let mut lab = rip();
    let rip = &lab.rows("show ip protocols")[0];
    let has = |line: &str| rip["settings"].as_array().unwrap().iter().any(|setting| setting == line);
    assert_eq!(rip["protocol"], "rip");
    assert!(has("Invalid after 30 seconds, hold down 30, flushed after 40"), "{rip}");
    assert!(has("Default version control: send version 2, receive version 2"), "{rip}");
    assert!(has("Incoming routes in Serial0/0 will have 2 added to metric if on list 5"), "{rip}");
    assert!(has("  GigabitEthernet0/0 filtered by 6 (per-user), default is not set"), "{rip}");
    assert!(has("Redistributing: rip") && has("Automatic network summarization is not in effect"), "{rip}");
    assert_eq!(rip["networks"], serde_json::json!(["1.0.0.0", "2.0.0.0", "10.0.0.0"]));
    assert_eq!(rip["sources"].as_array().unwrap().len(), 2);
    assert_eq!(rip["sources"][0]["distance"], 120);

    let named = format!(
        "{NAMED}  topology base\n   variance 3\n   redistribute connected\n   exit\n  af-interface gi0/0\n   summary-address 1.0.0.0 255.0.0.0\n"
    );
    let mut lab = Lab::new([&named, NAMED]);
    let eigrp = &lab.rows("show ip protocols")[0];
    let has = |line: &str| eigrp["settings"].as_array().unwrap().iter().any(|setting| setting == line);
    assert_eq!(eigrp["protocol"], "eigrp 7");
    assert!(has("EIGRP-IPv4 VR(LAB) Address-Family Protocol for AS(7)"), "{eigrp}");
    assert!(has("  Router-ID: 1.1.1.1") && has("    Maximum metric variance 3"), "{eigrp}");
    assert!(has("Redistributing: connected") && has("  1.0.0.0/8 for Gi0/0"), "{eigrp}");
    assert_eq!(eigrp["networks"], serde_json::json!(["0.0.0.0"]));
    assert_eq!(eigrp["distance"], "internal 90 external 170");
    assert_eq!(eigrp["sources"][0]["gateway"], "10.0.12.2");
}
