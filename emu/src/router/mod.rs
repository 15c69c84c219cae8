//! One router: interfaces, tables, processes, log. It knows virtual time only as a parameter and the network only as frames.
//!
//! | file | what it does |
//! |---|---|
//! | `reconcile.rs` | makes interfaces and processes equal to the configuration |
//! | `line.rs` | carrier, line protocol, and what is logged about them |
//! | `flash.rs` | files, which outlive a restart |
//! | `scheduled.rs` | restarts and ways back that an operator has put off |
//! | `operators.rs` | who is logged in, and who alone may configure |
//! | `terminals/` | connections to virtual terminals, and those opened by operators |
//! | `hardware.rs` | defaults of interface kinds, hardware addresses |
//! | `process_table.rs` | which processes there are: the one place to add a protocol |
//! | `dispatch.rs` | inputs to the processes, their actions to the tables, the log and the data plane |

mod dispatch;
mod flash;
mod hardware;
mod last_resort;
mod line;
mod operators;
mod process_table;
mod reconcile;
mod scheduled;
mod terminals;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use flash::{Flash, FlashError, FlashFile};
pub use process_table::{ProcessKey, RoutingProcess};

use self::dispatch::Notice;
use self::line::LineTimer;
pub use self::operators::LineUser;
use self::operators::Operators;
use self::scheduled::Scheduled;
pub use self::scheduled::{PendingRevert, ScheduledReload};
use self::terminals::Terminals;
pub use self::terminals::{Call, CallRefusal, CallState, SSH, TELNET, Visit};
use crate::bgp::BgpProcess;
use crate::config::{InterfaceConfig, RouterConfig};
use crate::debugging::Debugging;
use crate::eigrp::EigrpProcess;
use crate::forwarding::{ArpTable, Forwarding, Operations};
use crate::ids::{IfIndex, NodeIndex, RouterId, VrfId};
use crate::interface::{Counters, InterfaceName, InterfaceTable};
use crate::log::{LogBuffer, LogEvent};
use crate::ospf::OspfProcess;
use crate::rib::{Fib, Rib, RouteOwner};
use crate::time::{Time, Timers};
use crate::tracking::Tracking;

/// What a router wants of the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouterOutput {
    /// Send a frame by a port.
    Frame {
        /// The port's interface.
        port: IfIndex,
        /// The frame, from its link header on.
        frame: Arc<[u8]>,
    },
    /// A port was shut or opened: its peer's carrier may change.
    PortChanged(IfIndex),
}

/// A router.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Router {
    pub(crate) node: NodeIndex,
    name: String,
    booted: Time,
    ports: Arc<[InterfaceName]>,
    pub(crate) config: Arc<RouterConfig>,
    startup: Option<Arc<RouterConfig>>,
    flash: Flash,
    pub(crate) interfaces: InterfaceTable,
    next_index: u32,
    next_vrf: u32,
    line_timers: Timers<LineTimer>,
    pub(crate) rib: Rib,
    pub(crate) fib: Fib,
    processes: BTreeMap<ProcessKey, Arc<RoutingProcess>>,
    /// The router ids of the OSPF processes, which must differ.
    ospf_router_ids: BTreeMap<u16, RouterId>,
    /// The interfaces of the OSPF processes: each runs one at most.
    ospf_interfaces: BTreeMap<IfIndex, u16>,
    pub(crate) forwarding: Forwarding,
    pub(crate) operations: Operations,
    pub(crate) tracking: Tracking,
    log: LogBuffer,
    debugging: Debugging,
    rng: ChaCha8Rng,
    scheduled: Scheduled,
    operators: Operators,
    terminals: Terminals,
    /// What the processes have still to be told; empty between events.
    notices: VecDeque<Notice>,
    /// What the network has still to do; empty between events.
    output: Vec<RouterOutput>,
    /// Whether a table, an adjacency or a session has changed since the network last asked.
    changed: bool,
}

impl Router {
    /// A router as it comes from the factory: every port is shut down.
    pub(crate) fn new(
        node: NodeIndex,
        name: &str,
        ports: &[InterfaceName],
        rng: ChaCha8Rng,
        now: Time,
    ) -> Self {
        let mut router = Self {
            node,
            name: name.to_owned(),
            booted: now,
            ports: ports.into(),
            config: Arc::default(),
            startup: None,
            flash: Flash::default(),
            interfaces: InterfaceTable::default(),
            next_index: 1,
            next_vrf: 1,
            line_timers: Timers::default(),
            rib: Rib::default(),
            fib: Fib::default(),
            processes: BTreeMap::new(),
            ospf_router_ids: BTreeMap::new(),
            ospf_interfaces: BTreeMap::new(),
            forwarding: Forwarding::default(),
            operations: Operations::default(),
            tracking: Tracking::default(),
            log: LogBuffer::default(),
            debugging: Debugging::default(),
            rng,
            scheduled: Scheduled::default(),
            operators: Operators::default(),
            terminals: Terminals::default(),
            notices: VecDeque::new(),
            output: Vec::new(),
            changed: false,
        };
        router.create_hardware();
        router.configure(now, RouterConfig { hostname: name.to_owned(), ..RouterConfig::default() });
        router
    }

    /// The router's number in its network.
    #[must_use]
    pub const fn node(&self) -> NodeIndex {
        self.node
    }

    /// The name that the network knows the router by; its `hostname` may differ.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When the router started.
    #[must_use]
    pub const fn booted(&self) -> Time {
        self.booted
    }

    /// The hardware ports.
    #[must_use]
    pub fn ports(&self) -> &[InterfaceName] {
        &self.ports
    }

    /// The running configuration.
    #[must_use]
    pub const fn config(&self) -> &Arc<RouterConfig> {
        &self.config
    }

    /// The startup configuration; `None` until the first save.
    #[must_use]
    pub const fn startup_config(&self) -> Option<&Arc<RouterConfig>> {
        self.startup.as_ref()
    }

    /// `copy running-config startup-config`.
    pub fn save_config(&mut self) {
        self.startup = Some(Arc::clone(&self.config));
    }

    /// What the router will start with the next time.
    pub fn set_startup_config(&mut self, config: RouterConfig) {
        self.startup = Some(Arc::new(config));
    }

    /// The configuration as it comes from the factory: every port shut down, and nothing else.
    #[must_use]
    pub fn factory_config(&self) -> RouterConfig {
        let shut = || InterfaceConfig { shutdown: true, ..InterfaceConfig::default() };
        let interfaces = self.ports.iter().map(|&port| (port, shut())).collect();
        RouterConfig { interfaces, ..RouterConfig::default() }
    }

    /// `erase startup-config`.
    pub fn erase_startup_config(&mut self) {
        self.startup = None;
    }

    /// The files.
    #[must_use]
    pub const fn flash(&self) -> &Flash {
        &self.flash
    }

    /// The files, to change them.
    pub const fn flash_mut(&mut self) -> &mut Flash {
        &mut self.flash
    }

    /// The interfaces.
    #[must_use]
    pub const fn interfaces(&self) -> &InterfaceTable {
        &self.interfaces
    }

    /// The routing tables.
    #[must_use]
    pub const fn rib(&self) -> &Rib {
        &self.rib
    }

    /// The forwarding tables.
    #[must_use]
    pub const fn fib(&self) -> &Fib {
        &self.fib
    }

    /// The ARP table.
    #[must_use]
    pub const fn arp(&self) -> &ArpTable {
        self.forwarding.arp()
    }

    /// The log.
    #[must_use]
    pub const fn log(&self) -> &LogBuffer {
        &self.log
    }

    /// The log, to clear it.
    pub const fn log_mut(&mut self) -> &mut LogBuffer {
        &mut self.log
    }

    /// What is watched by `debug`; nothing at first, and after a restart.
    #[must_use]
    pub const fn debugging(&self) -> &Debugging {
        &self.debugging
    }

    /// What is watched, to change it.
    pub const fn debugging_mut(&mut self) -> &mut Debugging {
        &mut self.debugging
    }

    /// `clear counters [INTERFACE]`. When the last frames came and went, and the average load, stay known.
    pub fn clear_counters(&mut self, now: Time, only: Option<InterfaceName>) {
        let wanted =
            self.interfaces.iter().filter(|interface| only.is_none_or(|name| name == interface.name));
        let all: Vec<IfIndex> = wanted.map(|interface| interface.index).collect();
        for index in all {
            if let Some(interface) = self.interfaces.get_mut(index) {
                let Counters { last_input, last_output, in_load, out_load, .. } = interface.counters;
                let cleared = Some(now);
                interface.counters =
                    Counters { last_input, last_output, in_load, out_load, cleared, ..Counters::default() };
            }
        }
    }

    /// Writes a log entry.
    pub fn write_log(&mut self, now: Time, event: LogEvent) {
        self.log.push(now, event);
    }

    /// The running processes.
    pub fn processes(&self) -> impl Iterator<Item = (ProcessKey, &RoutingProcess)> {
        self.processes.iter().map(|(&key, process)| (key, process.as_ref()))
    }

    /// The process of this owner, in whichever VRF it runs.
    #[must_use]
    pub fn process(&self, owner: RouteOwner) -> Option<&RoutingProcess> {
        self.processes().find(|(key, _)| key.owner == owner).map(|(_, process)| process)
    }

    /// The process of this owner in a VRF.
    #[must_use]
    pub fn process_in(&self, owner: RouteOwner, vrf: VrfId) -> Option<&RoutingProcess> {
        self.processes.get(&ProcessKey { owner, vrf }).map(AsRef::as_ref)
    }

    /// The OSPF process of this number.
    #[must_use]
    pub fn ospf(&self, process_id: u16) -> Option<&OspfProcess> {
        self.process(RouteOwner::Ospf(process_id)).and_then(RoutingProcess::as_ospf)
    }

    /// The EIGRP instance of this AS in a VRF.
    #[must_use]
    pub fn eigrp(&self, autonomous_system: u16, vrf: VrfId) -> Option<&EigrpProcess> {
        let key = ProcessKey { owner: RouteOwner::Eigrp(autonomous_system), vrf };
        self.processes.get(&key).and_then(|process| process.as_eigrp())
    }

    /// The BGP process.
    #[must_use]
    pub fn bgp(&self) -> Option<&BgpProcess> {
        self.processes().find_map(|(_, process)| process.as_bgp())
    }

    /// The longest hold, dead, invalid or wait interval of the processes and the operations.
    pub(crate) fn quiet_interval(&self) -> Duration {
        let processes = self.processes.values().map(|p| p.as_process().quiet_interval());
        processes.chain([self.tracking_interval()]).max().unwrap_or_default()
    }

    /// When the router next wants to be woken.
    pub(crate) fn next_deadline(&self) -> Option<Time> {
        self.processes
            .values()
            .filter_map(|process| process.as_process().next_deadline())
            .chain(self.line_timers.next_deadline())
            .chain(self.forwarding.next_deadline())
            .chain(self.tracking.next_deadline())
            .chain(self.scheduled.next_deadline())
            .chain(self.terminals_deadline())
            .min()
    }

    /// Whether [`Self::take_output`] would return anything.
    pub(crate) const fn has_output(&self) -> bool {
        self.changed || !self.output.is_empty()
    }

    /// Takes what the network has to do, and whether a table, an adjacency or a session has changed.
    pub(crate) fn take_output(&mut self) -> (Vec<RouterOutput>, bool) {
        (std::mem::take(&mut self.output), std::mem::take(&mut self.changed))
    }

    /// Gives a frame to the link of a port.
    pub(crate) fn send_frame(&mut self, port: IfIndex, frame: Vec<u8>) {
        self.output.push(RouterOutput::Frame { port, frame: frame.into() });
    }

    /// A deadline may have come.
    pub(crate) fn wake(&mut self, now: Time) {
        self.run_line_timers(now);
        self.run_arp_timers(now);
        self.run_filter_timers(now);
        self.run_tracking_timers(now);
        self.run_scheduled(now);
        self.run_terminal_timers(now);
        self.run_process_deadlines(now);
        self.tell_processes(now);
    }

    /// Starts again with the startup configuration, or the factory's.
    pub(crate) fn reload(&mut self, now: Time) {
        let startup = self.startup.take();
        let mut fresh = Self::new(self.node, &self.name, &self.ports, self.rng.clone(), now);
        fresh.log.clear();
        fresh.write_log(now, LogEvent::Restarted);
        if let Some(config) = &startup {
            fresh.configure(now, RouterConfig::clone(config));
        }
        fresh.startup = startup;
        fresh.flash = std::mem::take(&mut self.flash);
        fresh.terminals.host_key = self.terminals.host_key;
        *self = fresh;
    }
}
