use netconfarena_emu::config::{InterfaceConfig, RouterConfig};

use super::*;

/// Types lines; gives the lines of a section as shown, and what was said to refused lines.
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

    fn shown(&self, head: &str) -> Vec<String> {
        let text = crate::running_config::render(&self.config);
        let section = text.lines().skip_while(|line| *line != head).skip(1);
        section.take_while(|line| line.starts_with(' ')).map(|line| line[1..].to_owned()).collect()
    }
}

#[test]
fn the_section_is_shown_in_ios_s_order_whatever_the_order_of_entry() {
    let desk = Desk::new(
        "router rip\nno auto-summary\ndistance 130 10.0.0.1 0.0.0.0 7\ndistance 110\n\
         distribute-list prefix P gateway G in\ndefault-information originate route-map D\n\
         default-metric 3\nneighbor 10.0.0.9\nnetwork 172.16.5.0\nnetwork 10.1.2.3\noffset-list 0 out 2 Gi0/0\n\
         passive-interface default\nno passive-interface Gi0/0\n\
         redistribute ospf 1 route-map M metric 4 match external internal\nflash-update-threshold 9\n\
         timers basic 10 30 30 40\nno validate-update-source\nversion 2\nmaximum-paths 2",
    );
    assert_eq!(desk.refused, Vec::<String>::new());
    assert_eq!(
        desk.shown("router rip"),
        [
            "version 2",
            "no validate-update-source",
            "timers basic 10 30 30 40",
            "flash-update-threshold 9",
            "redistribute ospf 1 metric 4 match internal external 1 external 2 route-map M",
            "passive-interface default",
            "no passive-interface GigabitEthernet0/0",
            "offset-list 0 out 2 GigabitEthernet0/0",
            "network 10.0.0.0",
            "network 172.16.0.0",
            "neighbor 10.0.0.9",
            "default-metric 3",
            "maximum-paths 2",
            "default-information originate route-map D",
            "distribute-list prefix P gateway G in",
            "distance 110",
            "distance 130 10.0.0.1 0.0.0.0 7",
            "no auto-summary",
        ]
    );
}

#[test]
fn defaults_are_hidden_and_no_takes_lines_back() {
    let mut desk = Desk::new(
        "router rip\ntimers basic 30 180 180 240\nmaximum-paths 4\ndistance 120\nauto-summary\n\
         flash-update-threshold 0\nvalidate-update-source",
    );
    assert_eq!(desk.shown("router rip"), Vec::<String>::new());
    desk.enter(
        "version 1\nnetwork 10.0.0.0\nredistribute static metric transparent\noffset-list 5 in 3\n\
         distribute-list 7 out static\ndistance 99\ndefault-metric 5",
    );
    assert_eq!(desk.shown("router rip").len(), 7);
    desk.enter(
        "no version\nno network 10.255.0.0\nno redistribute static\nno offset-list 5 in\n\
         no distribute-list 7 out static\nno distance\ndefault default-metric",
    );
    assert_eq!(desk.shown("router rip"), Vec::<String>::new());
    assert_eq!(desk.refused, Vec::<String>::new());
    desk.enter("no router rip");
    assert_eq!((desk.config.rip, desk.mode), (None, ConfigMode::Global));
}

#[test]
fn families_of_vrfs_are_instances_of_their_own_and_go_with_their_vrf() {
    let mut desk = Desk::new(
        "router rip\nversion 2\naddress-family ipv4 vrf BLUE\naddress-family ipv4 unicast vrf RED\n\
         network 10.0.0.0\nredistribute connected",
    );
    assert_eq!(desk.refused, ["% VRF BLUE not configured."]);
    assert_eq!(desk.mode.prompt(), "config-router-af");
    assert_eq!(
        desk.shown("router rip"),
        [
            "version 2",
            "!",
            "address-family ipv4 vrf RED",
            " redistribute connected",
            " network 10.0.0.0",
            "exit-address-family"
        ]
    );
    desk.enter("exit-address-family");
    assert_eq!(desk.mode, ConfigMode::Rip(None));
    desk.enter("exit\nno vrf definition RED");
    assert_eq!(desk.shown("router rip"), ["version 2"]);
}

#[test]
fn lines_on_interfaces_are_shown_and_taken_back() {
    let mut desk = Desk::new(
        "interface lo0\nip rip receive version 2 1\nip rip send version 2\nip rip v2-broadcast\n\
         no ip split-horizon\nip rip authentication key-chain K\nip rip authentication mode md5\n\
         ip summary-address rip 10.1.0.0 255.255.0.0",
    );
    assert_eq!(desk.refused, Vec::<String>::new());
    assert_eq!(
        desk.shown("interface Loopback0")[1..],
        [
            "no ip split-horizon",
            "ip rip send version 2",
            "ip rip receive version 1 2",
            "ip rip v2-broadcast",
            "ip rip authentication mode md5",
            "ip rip authentication key-chain K",
            "ip summary-address rip 10.1.0.0 255.255.0.0",
        ]
    );
    desk.enter(
        "no ip rip receive version\nno ip rip send version 2\nno ip rip v2-broadcast\nip split-horizon\n\
         no ip rip authentication key-chain\nno ip rip authentication mode\n\
         no ip summary-address rip 10.1.0.0 255.255.0.0",
    );
    assert_eq!(desk.shown("interface Loopback0"), ["no ip address"]);
}

#[test]
fn impossible_values_are_refused_in_words() {
    let desk = Desk::new(
        "router rip\nnetwork 224.0.0.5\ntimers basic 0 10 10 10\noutput-delay 9\nexit\ninterface gi0/0\n\
         ip summary-address rip 10.0.0.0 254.0.0.0\nip rip triggered",
    );
    assert_eq!(
        desk.refused,
        [
            "% Invalid network number (224.0.0.5)",
            "% An update interval of 0 is not supported by this emulator",
            "`output-delay` is not supported by this emulator",
            " Summary mask must be greater or equal to major net",
            "`ip ... triggered` is not supported by this emulator",
        ]
    );
}
