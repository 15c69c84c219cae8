//! What show commands tell of the process, and what `clear` does.

use netconfarena_cli_dialect::session::{Session, execute_read_only};
use netconfarena_cli_dialect::show::parse_command;
use serde_json::Value;

use super::networks::two_ases;
use super::*;

fn show(lab: &mut Lab, router: &str, command: &str) -> String {
    let node = lab.node(router);
    execute_read_only(&mut lab.network, node, command)
        .unwrap_or_else(|refused| panic!("{command}: {refused}"))
}

fn rows(lab: &mut Lab, router: &str, command: &str) -> Vec<Value> {
    let text = show(lab, router, command);
    match parse_command(command, &text) {
        Ok(Value::Array(rows)) => rows,
        other => panic!("{command}: {other:?}\n{text}"),
    }
}

fn exec(lab: &mut Lab, router: &str, line: &str) -> String {
    let node = lab.node(router);
    Session::privileged(node).execute(&mut lab.network, line)
}

/// R1 (65001), R2 (65001), R3 (65002) with a policy on R2.
fn lab() -> Lab {
    let mut lab = two_ases();
    lab.configure(
        "R2",
        "ip bgp-community new-format\nip as-path access-list 7 permit ^65002$\nip community-list standard CL permit 65002:9\n\
         route-map IN permit 10\n set community 65002:9 additive\n set local-preference 150\n\
         router bgp 65001\n neighbor 10.0.23.3 route-map IN in\n neighbor 10.0.23.3 soft-reconfiguration inbound\n \
         neighbor 1.1.1.1 send-community",
    );
    lab.run(180);
    lab
}

#[test]
fn the_table_is_that_of_the_process() {
    let mut lab = lab();
    let table = rows(&mut lab, "R2", "show ip bgp");
    assert_eq!(table.len(), 2);
    let learned = table.iter().find(|row| row["prefix"] == "172.16.3.0/24").unwrap();
    let path = best(&lab, "R2", "172.16.3.0/24").unwrap();
    assert_eq!(learned["next_hop"], path.attributes.next_hop.to_string());
    assert_eq!(learned["local_preference"], 150);
    assert_eq!(learned["as_path"], path.attributes.as_path.to_string());
    assert_eq!(learned["origin"], "?");
    assert!(learned["best"] == true && learned["valid"] == true && learned["internal"] == false);
}

#[test]
fn selections_of_the_table() {
    let mut lab = lab();
    let count = |lab: &mut Lab, command: &str| rows(lab, "R2", command).len();
    for (command, expected) in [
        ("show ip bgp regexp ^65002$", 1),
        ("show ip bgp regexp ^$", 1),
        ("show ip bgp regexp _9_", 0),
        ("show ip bgp filter-list 7", 1),
        ("show ip bgp community", 1),
        ("show ip bgp community 65002:9", 1),
        ("show ip bgp community no-export", 0),
        ("show ip bgp community-list CL exact-match", 1),
        ("show ip bgp route-map IN", 2),
        ("show ip bgp cidr-only", 2),
        ("show ip bgp 172.16.0.0 255.255.0.0 longer-prefixes", 1),
        ("show ip bgp neighbors 10.0.23.3 routes", 1),
        ("show ip bgp neighbors 10.0.23.3 received-routes", 1),
        ("show ip bgp neighbors 10.0.23.3 advertised-routes", 1),
        ("show ip bgp neighbors 1.1.1.1 advertised-routes", 1),
        ("show ip bgp inconsistent-as", 0),
        ("show ip bgp injected-paths", 0),
        ("show bgp all", 2),
        ("show bgp ipv4 unicast", 2),
        ("show bgp ipv4 unicast neighbors 1.1.1.1 routes", 1),
    ] {
        assert_eq!(count(&mut lab, command), expected, "{command}");
    }
    assert!(exec(&mut lab, "R2", "show ip bgp neighbors 1.1.1.1 received-routes").contains("not enabled"));
    assert!(exec(&mut lab, "R2", "show ip bgp neighbors 9.9.9.9").contains("% No such neighbor"));
}

#[test]
fn an_entry_has_the_attributes_and_beside_them_what_was_received() {
    let mut lab = lab();
    let paths = rows(&mut lab, "R2", "show ip bgp 172.16.3.0");
    assert_eq!(paths.len(), 2);
    assert_eq!(paths[0]["communities"], serde_json::json!(["65002:9"]));
    assert!(paths[0]["best"] == true && paths[0]["received_only"] == false);
    assert!(paths[1]["received_only"] == true && paths[1]["local_preference"] == 100);
    let inside = rows(&mut lab, "R1", "show ip bgp 172.16.3.0/24");
    assert_eq!(inside[0]["igp_metric"], 2);
    assert_eq!(inside[0]["from_router_id"], "2.2.2.2");
    assert_eq!(show(&mut lab, "R1", "show ip bgp 9.9.9.9"), "% Network not in table\n");
}

#[test]
fn summary_and_neighbors_count_what_the_peers_count() {
    let mut lab = lab();
    let summary = rows(&mut lab, "R2", "show ip bgp summary");
    assert_eq!(summary.len(), 2);
    let outside = summary.iter().find(|row| row["neighbor"] == "10.0.23.3").unwrap();
    assert_eq!(outside["prefixes_received"], 1);
    assert_eq!(outside["messages_received"], peer(&lab, "R2", "10.0.23.3").received.total());
    let neighbors = rows(&mut lab, "R2", "show ip bgp neighbors 10.0.23.3");
    assert_eq!(neighbors[0]["state"], "Established");
    assert_eq!(neighbors[0]["route_map_in"], "IN");
    assert_eq!(neighbors[0]["remote_router_id"], "172.16.3.1");
    let all = show(&mut lab, "R2", "show bgp all summary");
    assert!(all.starts_with("For address family: IPv4 Unicast\nBGP router identifier 2.2.2.2"), "{all}");
    lab.configure("R2", "router bgp 65001\n neighbor 10.0.23.3 shutdown");
    lab.run(1);
    let summary = rows(&mut lab, "R2", "show ip bgp summary");
    assert_eq!(summary[1]["state"], "Idle (Admin)");
}

#[test]
fn groups_and_routes_that_the_routing_table_does_not_use() {
    let mut lab = lab();
    assert_eq!(rows(&mut lab, "R1", "show ip bgp peer-group")[0]["members"], serde_json::json!(["2.2.2.2"]));
    lab.configure("R1", "ip route 172.16.3.0 255.255.255.0 Null0");
    lab.run(1);
    let failed = rows(&mut lab, "R1", "show ip bgp rib-failure");
    assert_eq!(failed[0]["prefix"], "172.16.3.0/24");
    let table = rows(&mut lab, "R1", "show ip bgp");
    assert!(table.iter().any(|row| row["rib_failure"] == true));
}

#[test]
fn paths_that_begin_in_different_ases_are_inconsistent() {
    let mut lab = lab();
    lab.configure("R2", "ip route 172.16.3.0 255.255.255.0 Null0 250\nrouter bgp 65001\n network 172.16.3.0 mask 255.255.255.0");
    lab.run(5);
    lab.configure(
        "R2",
        "no ip route 172.16.3.0 255.255.255.0 Null0 250\nip route 172.16.3.0 255.255.255.0 Null0",
    );
    lab.run(5);
    let inconsistent = rows(&mut lab, "R2", "show ip bgp inconsistent-as");
    let found: Vec<_> =
        inconsistent.iter().map(|row| (row["prefix"].clone(), row["as_path"].clone())).collect();
    let network = Value::from("172.16.3.0/24");
    assert_eq!(found, [(network.clone(), "".into()), (network, "65002".into())]);
}

#[test]
fn as_paths_are_counted() {
    let mut lab = lab();
    let paths = rows(&mut lab, "R2", "show ip bgp paths");
    let of =
        |as_path: &str| paths.iter().find(|row| row["as_path"] == as_path).map(|row| row["refcount"].clone());
    assert_eq!((paths.len(), of("65002"), of("")), (2, Some(1.into()), Some(1.into())), "{paths:?}");
}

#[test]
fn neighbors_that_are_told_the_same_are_a_group() {
    let mut lab = lab();
    let groups = rows(&mut lab, "R2", "show ip bgp update-group");
    assert_eq!(groups.len(), 2);
    assert_eq!(
        (groups[0]["internal"].clone(), groups[0]["members"].clone()),
        (true.into(), serde_json::json!(["1.1.1.1"]))
    );
    assert_eq!((groups[1]["internal"].clone(), groups[1]["interval"].clone()), (false.into(), 30.into()));
    let text = show(&mut lab, "R2", "show ip bgp 172.16.3.0");
    assert!(text.contains("  Advertised to update-groups:\n     1         \n"), "{text}");
}

#[test]
fn a_neighbors_policy_is_its_own_and_that_of_its_group() {
    let mut lab = lab();
    lab.configure("R2", "router bgp 65001\n neighbor OUT peer-group\n neighbor OUT weight 7\n neighbor 10.0.23.3 peer-group OUT");
    let policy = rows(&mut lab, "R2", "show ip bgp neighbors 10.0.23.3 policy");
    let of = |inherited: bool| -> Vec<String> {
        let lines = policy.iter().filter(|row| row["inherited"] == inherited);
        lines.map(|row| row["line"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of(false), ["soft-reconfiguration inbound", "route-map IN in"]);
    assert_eq!(of(true), ["weight 7"]);
}

#[test]
fn without_bgp_it_is_not_active() {
    let mut lab = Lab::new(1, &[("R1", "hostname R1\n")], &[]);
    for command in ["show ip bgp", "show ip bgp summary", "show ip bgp neighbors"] {
        assert_eq!(exec(&mut lab, "R1", command), "% BGP not active\n", "{command}");
    }
}

#[test]
fn clear_soft_in_judges_again_and_keeps_the_session() {
    let mut lab = lab();
    lab.configure("R2", "route-map IN permit 10\n set local-preference 77");
    lab.run(120);
    assert_eq!(best(&lab, "R2", "172.16.3.0/24").unwrap().attributes.local_preference, Some(150));
    let (before, refreshes) =
        (peer(&lab, "R2", "10.0.23.3").established, peer(&lab, "R2", "10.0.23.3").sent.refreshes);
    assert_eq!(exec(&mut lab, "R2", "clear ip bgp 10.0.23.3 soft in"), "");
    lab.run(1);
    assert_eq!(best(&lab, "R2", "172.16.3.0/24").unwrap().attributes.local_preference, Some(77));
    // What is stored is judged again; without storage the peer is asked.
    assert_eq!(peer(&lab, "R2", "10.0.23.3").sent.refreshes, refreshes);
    lab.configure("R2", "router bgp 65001\n no neighbor 10.0.23.3 soft-reconfiguration inbound");
    exec(&mut lab, "R2", "clear ip bgp 65002 in");
    lab.run(2);
    assert_eq!(peer(&lab, "R2", "10.0.23.3").sent.refreshes, refreshes + 1);
    assert_eq!(peer(&lab, "R2", "10.0.23.3").established, before);
}

#[test]
fn clear_resets_sessions_and_says_so() {
    let mut lab = lab();
    exec(&mut lab, "R2", "clear ip bgp *");
    lab.run(1);
    assert!(lab.log("R2").iter().any(|line| line.contains("neighbor 10.0.23.3 Down User reset")));
    assert!(!established(&lab, "R2", "10.0.23.3"));
    lab.run(60);
    assert!(established(&lab, "R2", "10.0.23.3"));
    assert_eq!(peer(&lab, "R2", "10.0.23.3").established, 2);
    assert!(exec(&mut lab, "R2", "clear ip bgp 9.9.9.9").contains("Unknown neighbor"));
}

#[test]
fn protocols_and_lists() {
    let mut lab = lab();
    let protocols = rows(&mut lab, "R2", "show ip protocols");
    let bgp = protocols.iter().find(|row| row["protocol"] == "bgp 65001").unwrap();
    assert_eq!(bgp["distance"], "external 20 internal 200 local 200");
    assert!(bgp["sources"].as_array().unwrap().iter().any(|source| source["gateway"] == "10.0.23.3"));
    let routes = rows(&mut lab, "R2", "show ip route bgp");
    assert!(routes.iter().any(|row| row["code"] == "B"), "{routes:?}");
    let lists = rows(&mut lab, "R2", "show ip as-path-access-list");
    assert_eq!((lists[0]["list"].clone(), lists[0]["rule"].clone()), ("7".into(), "^65002$".into()));
    let lists = rows(&mut lab, "R2", "show ip community-list CL");
    assert_eq!((lists[0]["kind"].clone(), lists[0]["rule"].clone()), ("standard".into(), "65002:9".into()));
}
