use netconfarena_emu::config::{InterfaceConfig, RouterConfig};

use super::*;

/// Types lines; gives the lines of `router eigrp` sections and interfaces as shown, and what was said to refused lines.
struct Desk {
    config: RouterConfig,
    mode: ConfigMode,
    refused: Vec<String>,
}

impl Desk {
    fn new(lines: &str) -> Self {
        let mut config = RouterConfig::default();
        config.interfaces.insert("GigabitEthernet0/0".parse().unwrap(), InterfaceConfig::default());
        config.vrfs.insert("RED".to_owned(), Default::default());
        let mut desk = Self { config, mode: ConfigMode::Global, refused: Vec::new() };
        desk.enter(lines);
        desk
    }

    fn enter(&mut self, lines: &str) {
        for line in lines.lines() {
            if let Err(complaint) = Editor::new(&mut self.config, &mut self.mode).apply(line) {
                self.refused.push(complaint.to_string());
            }
        }
    }

    fn shown(&self) -> Vec<String> {
        let text = crate::running_config::render(&self.config);
        let sections = text.split("\n!\n");
        let eigrp = sections.filter(|section| section.starts_with("router eigrp"));
        eigrp.flat_map(str::lines).map(|line| line.trim().to_owned()).filter(|line| line != "!").collect()
    }
}

#[test]
fn prompts_and_exits_of_all_modes() {
    let mut desk = Desk::new("router eigrp LAB");
    for (line, prompt) in [
        ("address-family ipv4 unicast autonomous-system 5", "config-router-af"),
        ("af-interface Gi0/0", "config-router-af-interface"),
        ("exit-af-interface", "config-router-af"),
        ("topology base", "config-router-af-topology"),
        ("exit", "config-router-af"),
        ("exit-address-family", "config-router"),
        ("exit", "config"),
        ("router eigrp 7", "config-router"),
        ("address-family ipv4 vrf RED", "config-router-af"),
        ("exit", "config-router"),
    ] {
        desk.enter(line);
        assert_eq!(desk.mode.prompt(), prompt, "after {line}");
    }
    assert_eq!(desk.refused, Vec::<String>::new());
}

#[test]
fn networks_are_classful_or_by_wildcard_and_a_mask_is_taken_for_what_it_means() {
    let desk = Desk::new(
        "router eigrp 1\nnetwork 10.1.2.3\nnetwork 172.16.0.0 0.0.255.255\nnetwork 192.168.1.0 255.255.255.0\n\
         network 172.17.1.0 0.0.0.255\nnetwork 10.9.9.9 0.0.0.0\nnetwork 0.0.0.0 255.255.255.255",
    );
    assert_eq!(desk.refused, Vec::<String>::new());
    assert_eq!(
        desk.shown()[1..],
        [
            "network 0.0.0.0",
            "network 10.0.0.0",
            "network 10.9.9.9 0.0.0.0",
            "network 172.16.0.0",
            "network 172.17.1.0 0.0.0.255",
            "network 192.168.1.0",
        ]
    );
}

#[test]
fn defaults_are_hidden_and_no_takes_lines_back() {
    let mut desk = Desk::new(
        "router eigrp 1\nvariance 1\nmaximum-paths 4\nmetric maximum-hops 100\ndistance eigrp 90 170\n\
         metric weights 0 1 0 1 0 0\ntimers active-time 3\neigrp log-neighbor-changes",
    );
    assert_eq!(desk.shown(), ["router eigrp 1"]);
    desk.enter("variance 4\noffset-list 0 in 5\ndistribute-list 7 out\nredistribute static\nno eigrp log-neighbor-changes");
    assert_eq!(desk.shown().len(), 6);
    desk.enter(
        "no variance\nno offset-list 0 in 5\nno distribute-list 7 out\nno redistribute static\n\
         default eigrp log-neighbor-changes",
    );
    assert_eq!(desk.shown(), ["router eigrp 1"]);
    assert_eq!(desk.refused, Vec::<String>::new());
}

#[test]
fn stub_means_connected_and_summary_unless_told_otherwise() {
    let mut desk = Desk::new("router eigrp 1\neigrp stub");
    assert_eq!(desk.shown()[1..], ["eigrp stub connected summary"]);
    desk.enter("eigrp stub redistributed static");
    assert_eq!(desk.shown()[1..], ["eigrp stub static redistributed"]);
    desk.enter("eigrp stub receive-only connected");
    assert_eq!(desk.refused.len(), 1);
    desk.enter("no eigrp stub");
    assert_eq!(desk.shown().len(), 1);
}

#[test]
fn an_as_belongs_to_one_instance() {
    let desk = Desk::new(
        "router eigrp 1\nexit\nrouter eigrp LAB\naddress-family ipv4 autonomous-system 1\n\
         address-family ipv4 autonomous-system 2\nexit\nexit\nrouter eigrp 2\nrouter eigrp OTHER\n\
         address-family ipv4 autonomous-system 2\nrouter eigrp 9LIVES",
    );
    assert_eq!(desk.refused.len(), 4, "{:?}", desk.refused);
}

#[test]
fn redistribution_into_itself_is_refused_and_further_lines_add() {
    let desk = Desk::new(
        "router eigrp 1\nredistribute eigrp 1\nredistribute ospf 3 match internal\n\
         redistribute ospf 3 metric 10000 10 255 1 1500 match external 1",
    );
    assert_eq!(desk.refused, ["% Redistribution of EIGRP into itself is not allowed"]);
    assert_eq!(
        desk.shown()[1..],
        ["redistribute ospf 3 metric 10000 10 255 1 1500 match internal external 1"]
    );
    let both = "router eigrp 1\nredistribute ospf 3 match external 1 external 2 nssa-external 2";
    assert_eq!(
        Desk::new(both).shown()[1..],
        ["redistribute ospf 3 match external 1 external 2 nssa-external 2"]
    );
}

#[test]
fn lines_on_interfaces_are_kept_by_as_and_vanish_with_their_last_setting() {
    let mut desk = Desk::new(
        "interface gi0/0\nip hello-interval eigrp 1 5\nip hello-interval eigrp 2 7\nno ip split-horizon eigrp 2\n\
         ip summary-address eigrp 2 10.0.0.0 255.0.0.0 5",
    );
    let settings = |desk: &Desk| desk.config.interfaces.values().next().unwrap().eigrp.clone();
    assert_eq!(settings(&desk).keys().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(settings(&desk)[&2].hello_interval, Some(7));
    assert_eq!(settings(&desk)[&2].summaries.values().next().unwrap().distance, None, "5 is the default");
    desk.enter("no ip hello-interval eigrp 2\nip split-horizon eigrp 2\nno ip summary-address eigrp 2 10.0.0.0 255.0.0.0");
    assert!(settings(&desk).is_empty());
    assert_eq!(desk.refused, Vec::<String>::new());
}

#[test]
fn what_is_missing_is_refused_by_name() {
    let desk = Desk::new("router eigrp 1\nnsf\neigrp log-neighbor-warnings 10\nbfd all-interfaces");
    assert_eq!(desk.refused.len(), 3);
    assert!(desk.refused.iter().all(|text| text.contains("not supported")), "{:?}", desk.refused);
}

#[test]
fn a_vrf_that_is_deleted_takes_its_instances_along() {
    let mut desk = Desk::new(
        "router eigrp 1\naddress-family ipv4 vrf RED autonomous-system 7\nexit\nexit\nrouter eigrp LAB\n\
         address-family ipv4 vrf RED autonomous-system 8\nexit\nexit\nno vrf definition RED",
    );
    assert_eq!(desk.refused, Vec::<String>::new());
    assert_eq!(desk.shown(), ["router eigrp 1", "router eigrp LAB"]);
    desk.enter("router eigrp 1\naddress-family ipv4 vrf BLUE");
    assert_eq!(desk.refused, ["% VRF BLUE not configured."]);
}
