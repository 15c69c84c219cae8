//! A network: routers, links and one queue of events in virtual time.
//!
//! ```text
//!              +-------------------- Network --------------------+
//!              |  EventQueue (time, sequence)                    |
//!   run_until -+->  Wake(router) ----> Router::wake              |
//!              |    Frame(end)   ----> Router::receive_frame     |
//!              |    Carrier(end) ----> Router::set_carrier       |
//!              |            RouterOutput: frames, port state     |
//!              |  links <---------------------+                  |
//!              +-------------------------------------------------+
//! ```
//!
//! The network is a value: cloning it forks the future. Routers stand behind `Arc` and are copied when first written to, frames
//! are shared, so a fork costs a few pointers a router.

mod capture;
mod convergence;
mod external;
mod link;
mod operation;
mod queue;
mod terminal;
mod transmission;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

pub use capture::Capture;
pub use convergence::Convergence;
pub use external::ExternalFrame;
pub use link::{ExternalPort, LinkMedium, LinkProperties, Plug, TopologyError};

use self::link::{End, EndIndex, EndState, Link, LinkState};
use self::queue::{Event, EventQueue};
use crate::config::RouterConfig;
use crate::ids::{IfIndex, LinkIndex, MacAddress, NodeIndex};
use crate::interface::InterfaceName;
use crate::router::{Router, RouterOutput};
use crate::time::Time;

/// A network of routers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Network {
    now: Time,
    seed: u64,
    rng: ChaCha8Rng,
    queue: EventQueue,
    topology: Arc<Topology>,
    routers: Vec<Arc<Router>>,
    /// For each router, when its earliest `Wake` in the queue comes.
    wakes: Vec<Option<Time>>,
    links: Vec<LinkState>,
    ends: Vec<EndState>,
    /// Which end of a switched link a station was last heard on.
    stations: BTreeMap<(LinkIndex, MacAddress), EndIndex>,
    captures: BTreeMap<LinkIndex, Arc<Capture>>,
    outbox: VecDeque<ExternalFrame>,
    /// When a table, an adjacency or a session last changed anywhere.
    last_change: Time,
    /// How often that was.
    changes: u64,
}

/// What was built: it does not change while the network runs, so forks share it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Topology {
    names: BTreeMap<String, NodeIndex>,
    links: Vec<Link>,
    ends: Vec<End>,
    attachments: BTreeMap<(NodeIndex, IfIndex), EndIndex>,
    external: Vec<EndIndex>,
}

impl Network {
    /// An empty network. All randomness in it comes from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            now: Time::ZERO,
            seed,
            rng: ChaCha8Rng::seed_from_u64(seed),
            queue: EventQueue::default(),
            topology: Arc::default(),
            routers: Vec::new(),
            wakes: Vec::new(),
            links: Vec::new(),
            ends: Vec::new(),
            stations: BTreeMap::new(),
            captures: BTreeMap::new(),
            outbox: VecDeque::new(),
            last_change: Time::ZERO,
            changes: 0,
        }
    }

    /// Adds a router with these hardware ports, with the factory's configuration: every port shut down.
    ///
    /// A name that is taken already stays with the router that had it first.
    pub fn add_router(&mut self, name: &str, ports: &[InterfaceName]) -> NodeIndex {
        let node = NodeIndex(u32::try_from(self.routers.len()).unwrap_or(u32::MAX));
        Arc::make_mut(&mut self.topology).names.entry(name.to_owned()).or_insert(node);
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(u64::from(node.0) + 1);
        self.routers.push(Arc::new(Router::new(node, name, ports, rng, self.now)));
        self.wakes.push(None);
        self.settle(node);
        node
    }

    /// Joins ports by a link. Two ends make a cable, at which a port that is shut takes the carrier from its peer; more make a switch.
    ///
    /// # Errors
    /// A port that does not exist, has a link, or is of the wrong kind.
    pub fn add_link(
        &mut self,
        properties: LinkProperties,
        ports: &[(NodeIndex, InterfaceName)],
    ) -> Result<LinkIndex, TopologyError> {
        let fits = match properties.medium {
            LinkMedium::Serial => ports.len() == 2,
            LinkMedium::Ethernet => !ports.is_empty(),
        };
        if !fits {
            return Err(TopologyError::WrongNumberOfEnds(ports.len()));
        }
        let mut plugs: Vec<(NodeIndex, IfIndex)> = Vec::with_capacity(ports.len());
        for &(node, name) in ports {
            let interface = self.free_port(properties.medium, node, name)?;
            if plugs.contains(&(node, interface)) {
                return Err(TopologyError::PortInUse(node, name));
            }
            plugs.push((node, interface));
        }
        let link = LinkIndex(u32::try_from(self.links.len()).unwrap_or(u32::MAX));
        self.links.push(LinkState { properties, up: true });
        Arc::make_mut(&mut self.topology).links.push(Link { ends: Vec::new() });
        for (node, interface) in plugs {
            self.add_end(link, Plug::Port { node, interface });
        }
        self.schedule_carrier(link);
        Ok(link)
    }

    /// The interface number of a port that can take an end of such a link.
    fn free_port(
        &self,
        medium: LinkMedium,
        node: NodeIndex,
        name: InterfaceName,
    ) -> Result<IfIndex, TopologyError> {
        let router = self.get(node).ok_or(TopologyError::UnknownNode(node))?;
        let port = router
            .interfaces()
            .by_name(name)
            .filter(|_| name.kind().is_physical() && name.subinterface().is_none())
            .ok_or(TopologyError::UnknownPort(node, name))?
            .index;
        if name.kind().is_ethernet() != (medium == LinkMedium::Ethernet) {
            return Err(TopologyError::WrongMedium(node, name));
        }
        if self.topology.attachments.contains_key(&(node, port)) {
            return Err(TopologyError::PortInUse(node, name));
        }
        Ok(port)
    }

    fn add_end(&mut self, link: LinkIndex, plug: Plug) -> EndIndex {
        let end = EndIndex(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.ends.push(EndState::default());
        let topology = Arc::make_mut(&mut self.topology);
        topology.ends.push(End { link, plug });
        if let Some(link) = topology.links.get_mut(link.0 as usize) {
            link.ends.push(end);
        }
        match plug {
            Plug::Port { node, interface } => {
                topology.attachments.insert((node, interface), end);
            }
            Plug::External(_) => topology.external.push(end),
        }
        end
    }

    /// Replaces the running configuration of a router; interfaces, tables and processes follow at once.
    pub fn configure(&mut self, node: NodeIndex, config: RouterConfig) {
        self.with_router(node, |router, now| router.configure(now, config));
    }

    /// Restarts a routing process (`clear ip ospf process`); tells whether there is such a process.
    pub fn restart_process(&mut self, node: NodeIndex, owner: crate::rib::RouteOwner) -> bool {
        let mut found = false;
        self.with_router(node, |router, now| found = router.restart_process(now, owner));
        found
    }

    /// Restarts the routing process of one VRF (`clear ip eigrp vrf V neighbors`); tells whether there is such a process.
    pub fn restart_process_in(
        &mut self,
        node: NodeIndex,
        owner: crate::rib::RouteOwner,
        vrf: crate::ids::VrfId,
    ) -> bool {
        let mut found = false;
        self.with_router(node, |router, now| found = router.restart_process_in(now, owner, vrf));
        found
    }

    /// Gives an operator's command to a routing process (`clear ip bgp`); tells whether there is such a process.
    pub fn command_process(
        &mut self,
        node: NodeIndex,
        owner: crate::rib::RouteOwner,
        command: &crate::process::ProcessCommand,
    ) -> bool {
        let mut found = false;
        self.with_router(node, |router, now| found = router.command_process(now, owner, command));
        found
    }

    /// Restarts a router with its startup configuration, or the factory's if it has none.
    pub fn reload(&mut self, node: NodeIndex) {
        self.with_router(node, Router::reload);
        if let Some(link) = self.links_of(node) {
            link.into_iter().for_each(|link| self.schedule_carrier(link));
        }
    }

    fn links_of(&self, node: NodeIndex) -> Option<Vec<LinkIndex>> {
        let range = (node, IfIndex(0))..=(node, IfIndex(u32::MAX));
        self.topology
            .attachments
            .range(range)
            .map(|(_, end)| self.topology.ends.get(end.0 as usize).map(|end| end.link))
            .collect()
    }

    /// Virtual time.
    #[must_use]
    pub const fn now(&self) -> Time {
        self.now
    }

    /// The router of this name.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<NodeIndex> {
        self.topology.names.get(name).copied()
    }

    /// All routers, in the order in which they were added.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIndex> + use<> {
        (0..u32::try_from(self.routers.len()).unwrap_or(u32::MAX)).map(NodeIndex)
    }

    /// All links, in the order in which they were added.
    pub fn links(&self) -> impl Iterator<Item = LinkIndex> + use<> {
        (0..u32::try_from(self.links.len()).unwrap_or(u32::MAX)).map(LinkIndex)
    }

    /// What is plugged into the ends of a link.
    pub fn plugs(&self, link: LinkIndex) -> impl Iterator<Item = Plug> + '_ {
        let ends = self.topology.links.get(link.0 as usize).map_or(&[][..], |link| &link.ends);
        ends.iter().filter_map(|end| self.topology.ends.get(end.0 as usize)).map(|end| end.plug)
    }

    /// The link that ends at a port.
    #[must_use]
    pub fn link_at(&self, node: NodeIndex, interface: IfIndex) -> Option<LinkIndex> {
        let end = self.topology.attachments.get(&(node, interface))?;
        self.topology.ends.get(end.0 as usize).map(|end| end.link)
    }

    /// A router.
    ///
    /// # Panics
    /// If `node` is not of this network, as with a slice.
    #[must_use]
    pub fn router(&self, node: NodeIndex) -> &Router {
        &self.routers[node.0 as usize]
    }

    fn get(&self, node: NodeIndex) -> Option<&Router> {
        self.routers.get(node.0 as usize).map(Arc::as_ref)
    }

    /// A router, to change it. What it wants to send as a consequence leaves when the network next runs.
    ///
    /// # Panics
    /// If `node` is not of this network, as with a slice.
    pub fn router_mut(&mut self, node: NodeIndex) -> &mut Router {
        self.schedule_wake(node, self.now);
        Arc::make_mut(&mut self.routers[node.0 as usize])
    }

    /// Runs all events up to `until`, and puts the clock there.
    pub fn run_until(&mut self, until: Time) {
        while self.step(until) {}
        self.now = self.now.max(until);
    }

    /// Runs for a span of virtual time.
    pub fn run_for(&mut self, span: Duration) {
        self.run_until(self.now + span);
    }

    /// Runs the next event, if it happens no later than `until`.
    fn step(&mut self, until: Time) -> bool {
        let Some((at, event)) = self.queue.pop_until(until) else {
            return false;
        };
        self.now = at;
        match event {
            Event::Wake(node) => self.wake(node),
            Event::Frame { end, frame } => self.deliver(end, frame),
            Event::Carrier(end) => self.update_carrier(end),
        }
        true
    }

    fn wake(&mut self, node: NodeIndex) {
        if let Some(wake) = self.wakes.get_mut(node.0 as usize).filter(|wake| **wake == Some(self.now)) {
            *wake = None;
            self.with_router(node, Router::wake);
        }
    }

    /// Lets a router do something, then carries out what it wants.
    fn with_router(&mut self, node: NodeIndex, act: impl FnOnce(&mut Router, Time)) {
        if let Some(router) = self.routers.get_mut(node.0 as usize) {
            act(Arc::make_mut(router), self.now);
            self.settle(node);
        }
    }

    /// Carries out what a router wants after it has acted, and schedules its next deadline.
    fn settle(&mut self, node: NodeIndex) {
        let Some(router) = self.routers.get_mut(node.0 as usize) else {
            return;
        };
        let deadline = router.next_deadline();
        if router.has_output() {
            let router = Arc::make_mut(router);
            let (outputs, changed) = router.take_output();
            if changed {
                self.last_change = self.now;
                self.changes += 1;
            }
            for output in outputs {
                self.carry_out(node, output);
            }
        }
        if let Some(at) = deadline {
            self.schedule_wake(node, at);
        }
    }

    fn carry_out(&mut self, node: NodeIndex, output: RouterOutput) {
        match output {
            RouterOutput::Frame { port, frame } => {
                if let Some(&end) = self.topology.attachments.get(&(node, port)) {
                    self.transmit(end, frame);
                }
            }
            RouterOutput::PortChanged(port) => {
                if let Some(link) = self.link_at(node, port) {
                    self.schedule_carrier(link);
                }
            }
        }
    }

    /// Makes sure that a `Wake` comes no later than `at`.
    fn schedule_wake(&mut self, node: NodeIndex, at: Time) {
        let at = at.max(self.now);
        if let Some(wake) = self.wakes.get_mut(node.0 as usize).filter(|wake| wake.is_none_or(|t| t > at)) {
            *wake = Some(at);
            self.queue.schedule(at, Event::Wake(node));
        }
    }

    /// Pulls or plugs a link: both ends lose or gain the carrier.
    pub fn set_link_up(&mut self, link: LinkIndex, up: bool) {
        if let Some(state) = self.links.get_mut(link.0 as usize) {
            state.up = up;
            self.stations.retain(|&(on, _), _| on != link);
            self.schedule_carrier(link);
        }
    }

    /// Whether a link is plugged.
    #[must_use]
    pub fn is_link_up(&self, link: LinkIndex) -> bool {
        self.links.get(link.0 as usize).is_some_and(|state| state.up)
    }

    /// How a link carries frames.
    #[must_use]
    pub fn link_properties(&self, link: LinkIndex) -> Option<&LinkProperties> {
        self.links.get(link.0 as usize).map(|state| &state.properties)
    }

    /// Changes how a link carries frames; its medium stays.
    pub fn set_link_properties(&mut self, link: LinkIndex, properties: LinkProperties) {
        if let Some(state) = self.links.get_mut(link.0 as usize) {
            state.properties = LinkProperties { medium: state.properties.medium, ..properties };
        }
    }

    fn schedule_carrier(&mut self, link: LinkIndex) {
        let ends = self.topology.links.get(link.0 as usize).map_or(&[][..], |link| &link.ends);
        for &end in ends {
            self.queue.schedule(self.now, Event::Carrier(end));
        }
    }

    fn update_carrier(&mut self, end: EndIndex) {
        let Some(&End { link, plug: Plug::Port { node, interface } }) =
            self.topology.ends.get(end.0 as usize)
        else {
            return;
        };
        let carrier = self.is_link_up(link) && self.peer_sends_carrier(link, end);
        let known = self.get(node).and_then(|router| router.interfaces().get(interface)).map(|i| i.carrier);
        if known != Some(carrier) {
            self.with_router(node, |router, now| router.set_carrier(now, interface, carrier));
        }
    }

    /// On a cable the port at the other end makes the carrier; a switch always does.
    fn peer_sends_carrier(&self, link: LinkIndex, end: EndIndex) -> bool {
        let ends = self.topology.links.get(link.0 as usize).map_or(&[][..], |link| &link.ends);
        let peer = match *ends {
            [first, second] => {
                if first == end {
                    second
                } else {
                    first
                }
            }
            _ => return true,
        };
        match self.topology.ends.get(peer.0 as usize).map(|end| end.plug) {
            Some(Plug::Port { node, interface }) => self
                .get(node)
                .and_then(|router| router.interfaces().get(interface))
                .is_some_and(|interface| interface.admin_up),
            _ => true,
        }
    }
}
