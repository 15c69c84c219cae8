//! Our routers and other BGP speakers on one cable, a TAP device: BIRD, which is a router of its own, and ExaBGP, which says whatever it
//! is told to.
//!
//! Needs root and Debian's packages `bird2 exabgp iproute2`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bird;
mod exabgp;
mod namespace;
#[path = "../routers/mod.rs"]
mod routers;

use std::time::Duration;

use namespace::Namespace;
use netconfarena::host::{Paced, TapDevice};
use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::{Path, Peer, PeerKey};
use netconfarena_emu::ids::{NodeIndex, VrfId};
use netconfarena_emu::network::{LinkProperties, Network};

/// How long anything may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A router R1, 10.0.0.1, whose cable leads into a namespace.
struct Stage {
    paced: Paced<TapDevice>,
    node: NodeIndex,
    peer: &'static str,
}

impl Stage {
    /// R1 of AS 65001 with these lines under `router bgp` and behind it. `peer` is the speaker's address.
    fn new(namespace: &Namespace, peer: &'static str, bgp: &str, more: &str) -> Self {
        let mut network = Network::new(1);
        let node = routers::add_router(&mut network, "R1", "");
        let link = network.add_link(LinkProperties::ethernet(), &[(node, routers::port("gi0/0"))]).unwrap();
        let device = namespace.plug("10.0.0.0/24", peer);
        let outside = network.add_external_port(link).unwrap();
        let mut stage = Self { paced: Paced::new(network, vec![(outside, device)]), node, peer };
        stage.configure(&format!(
            "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n!\nrouter bgp 65001\n bgp router-id 1.1.1.1\n{bgp}!\n{more}"
        ));
        stage
    }

    /// Adds lines to R1's configuration.
    fn configure(&mut self, lines: &str) {
        routers::configure(&mut self.paced.network, self.node, lines);
    }

    /// What R1 answers in privileged mode.
    fn ask(&mut self, line: &str) -> String {
        Session::privileged(self.node).execute(&mut self.paced.network, line)
    }

    fn peer(&self) -> &Peer {
        peer(&self.paced.network, self.node, self.peer)
    }

    /// The speaker's path to a destination.
    fn path(&self, prefix: &str) -> Option<&Path> {
        path(&self.paced.network, self.node, prefix)
    }

    /// Runs until R1's state is as wanted.
    #[track_caller]
    fn wait(&mut self, what: &str, mut done: impl FnMut(&Network) -> bool) {
        let done = self.paced.run_until(LIMIT, |network| done(network)).unwrap();
        let (reset, table) = (self.peer().last_reset.clone(), self.ask("show ip bgp"));
        assert!(done, "{what}: {reset:?}\n{table}");
    }

    /// Runs until the speaker says what is wanted; gives what it has said last.
    #[track_caller]
    fn wait_for_words(
        &mut self,
        what: &str,
        mut ask: impl FnMut() -> String,
        wanted: impl Fn(&str) -> bool,
    ) -> String {
        let mut said = String::new();
        for _ in 0..60 {
            self.run(500);
            said = ask();
            if wanted(&said) {
                return said;
            }
        }
        panic!("{what}: {said}\n{}", self.ask("show ip bgp neighbors"));
    }

    fn wait_for_session(&mut self) {
        let (node, address) = (self.node, self.peer);
        self.wait("no session", |network| peer(network, node, address).state() == State::Established);
    }

    fn wait_for_path(&mut self, prefix: &str) {
        let node = self.node;
        self.wait(&format!("no route to {prefix}"), |network| path(network, node, prefix).is_some());
    }

    fn wait_for_no_path(&mut self, prefix: &str) {
        let node = self.node;
        self.wait(&format!("still a route to {prefix}"), |network| path(network, node, prefix).is_none());
    }

    fn run(&mut self, milliseconds: u64) {
        self.paced.run_until(Duration::from_millis(milliseconds), |_| false).unwrap();
    }
}

fn peer<'n>(network: &'n Network, node: NodeIndex, address: &str) -> &'n Peer {
    let key = PeerKey { vrf: VrfId::GLOBAL, address: address.parse().unwrap() };
    network.router(node).bgp().unwrap().peer(key).unwrap()
}

fn path<'n>(network: &'n Network, node: NodeIndex, prefix: &str) -> Option<&'n Path> {
    let table = &network.router(node).bgp()?.instance(VrfId::GLOBAL)?.table;
    table.get(prefix.parse().unwrap())?.paths.iter().find(|path| path.source.peer().is_some())
}

/// Communities and the like as text.
fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}
