//! For unit tests of processes: a router's surroundings without a router.

use std::collections::BTreeMap;

use ipnet::Ipv4Net;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::config::RouterConfig;
use crate::debugging::Debugging;
use crate::ids::{IfIndex, MacAddress, RouterId, VrfId};
use crate::interface::{Counters, Interface, InterfaceKind, InterfaceName, InterfaceTable, Medium};
use crate::process::{Action, Context, Input, Process};
use crate::rib::{Rib, TableId};
use crate::time::Time;
use crate::tracking::Tracking;

/// Reads a prefix.
pub(crate) fn net(text: &str) -> Ipv4Net {
    text.parse().unwrap()
}

/// `GigabitEthernet0/<index>`, up, with an address.
pub(crate) fn interface(index: u32, address: &str) -> Interface {
    Interface {
        index: IfIndex(index),
        name: InterfaceName::new(InterfaceKind::GigabitEthernet, &[0, index], None).unwrap(),
        vrf: VrfId::GLOBAL,
        medium: Medium::Ethernet,
        mac: MacAddress([0, 0, 0, 0, 0, 1]),
        admin_up: true,
        carrier: true,
        line_protocol: true,
        address: Some(net(address)),
        secondary: Vec::new(),
        unnumbered: None,
        mtu: 1500,
        ip_mtu: 1500,
        bandwidth_kbps: 1_000_000,
        delay_tens_us: 1,
        counters: Counters::default(),
        last_change: Time::ZERO,
    }
}

/// What a process sees, and a RIB that takes what it offers.
pub(crate) struct Bench {
    /// Virtual time.
    pub now: Time,
    /// The configuration.
    pub config: RouterConfig,
    /// The interfaces.
    pub interfaces: InterfaceTable,
    /// The tables.
    pub rib: Rib,
    /// The VRF whose table the process offers to.
    pub vrf: VrfId,
    /// The tracked objects.
    pub tracking: Tracking,
    /// What is watched.
    pub debugging: Debugging,
    /// The router ids of OSPF processes.
    pub ospf_router_ids: BTreeMap<u16, RouterId>,
    /// The interfaces of OSPF processes.
    pub ospf_interfaces: BTreeMap<IfIndex, u16>,
    /// The generator.
    pub rng: ChaCha8Rng,
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            now: Time::ZERO,
            config: RouterConfig::default(),
            interfaces: InterfaceTable::default(),
            rib: Rib::default(),
            vrf: VrfId::GLOBAL,
            tracking: Tracking::default(),
            debugging: Debugging::default(),
            ospf_router_ids: BTreeMap::new(),
            ospf_interfaces: BTreeMap::new(),
            rng: ChaCha8Rng::seed_from_u64(1),
        }
    }
}

impl Bench {
    /// The table of the process.
    pub(crate) fn table(&self) -> TableId {
        TableId::ipv4(self.vrf)
    }

    /// Brings an interface up or down.
    pub(crate) fn set_up(&mut self, index: u32, up: bool) {
        self.interfaces.get_mut(IfIndex(index)).unwrap().line_protocol = up;
    }

    /// Feeds one input, puts routes into the RIB, then lets expired deadlines run; gives all actions.
    pub(crate) fn feed(&mut self, process: &mut impl OwnedProcess, input: Input<'_>) -> Vec<Action> {
        let mut all = self.step(process, input);
        while process.next_deadline().is_some_and(|at| at <= self.now) {
            all.extend(self.step(process, Input::Deadline));
        }
        all
    }

    fn step(&mut self, process: &mut impl OwnedProcess, input: Input<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        if matches!(&input, Input::RouteChanged(change) if !process.concerns(change)) {
            return actions;
        }
        let mut context = Context {
            now: self.now,
            rng: &mut self.rng,
            config: &self.config,
            interfaces: &self.interfaces,
            rib: &self.rib,
            tracking: &self.tracking,
            debugging: &self.debugging,
            ospf_router_ids: &self.ospf_router_ids,
            ospf_interfaces: &self.ospf_interfaces,
        };
        process.handle(&mut context, input, &mut actions);
        let table = self.table();
        for action in &actions {
            match action {
                Action::Install(route) => {
                    self.rib.install(table, route.clone());
                }
                Action::Withdraw(prefix) => {
                    self.rib.withdraw(table, process.owner(), *prefix);
                }
                Action::Send(_) | Action::Log(_) | Action::Unsettled | Action::InVrf(..) => {}
            }
        }
        actions
    }
}

/// A process whose routes have one owner.
pub(crate) trait OwnedProcess: Process {
    /// The owner.
    fn owner(&self) -> crate::rib::RouteOwner;
}

impl OwnedProcess for crate::connected::ConnectedProcess {
    fn owner(&self) -> crate::rib::RouteOwner {
        crate::rib::RouteOwner::Connected
    }
}

impl OwnedProcess for crate::static_routes::StaticProcess {
    fn owner(&self) -> crate::rib::RouteOwner {
        crate::rib::RouteOwner::Static
    }
}

impl OwnedProcess for crate::ospf::OspfProcess {
    fn owner(&self) -> crate::rib::RouteOwner {
        crate::rib::RouteOwner::Ospf(self.process_id)
    }
}
