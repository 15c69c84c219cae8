//! What every routing process has in common: what it may read, what it is told, what it may ask for.
//!
//! A process is a pure state machine. The router calls [`Process::handle`] with one [`Input`] at a time and carries out the
//! [`Action`]s afterwards. A process keeps its running timers as data ([`crate::time::Timers`]) and tells the earliest
//! deadline; there are no callbacks, threads or clocks, so a process can be cloned, saved and replayed.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::Ipv4Net;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::bgp::ClearBgp;
use crate::config::RouterConfig;
use crate::debugging::Debugging;
use crate::eigrp::ClearEigrp;
use crate::ids::{IfIndex, RouterId, VrfId};
use crate::interface::InterfaceTable;
use crate::log::LogEvent;
use crate::rib::{Rib, Route, RouteChange};
use crate::time::Time;
use crate::tracking::Tracking;

/// What a process may read while it handles an input.
#[derive(Debug)]
pub struct Context<'a> {
    /// Virtual time.
    pub now: Time,
    /// The router's own generator, the only source of randomness.
    pub rng: &'a mut ChaCha8Rng,
    /// The whole configuration of the router; a process finds its part by its own key.
    pub config: &'a RouterConfig,
    /// The router's interfaces.
    pub interfaces: &'a InterfaceTable,
    /// The router's routing tables.
    pub rib: &'a Rib,
    /// The state of the router's tracked objects.
    pub tracking: &'a Tracking,
    /// What an operator watches.
    pub debugging: &'a Debugging,
    /// The router ids that OSPF processes of the router have taken, by process number.
    pub ospf_router_ids: &'a BTreeMap<u16, RouterId>,
    /// The interfaces on which OSPF processes of the router run, with their numbers.
    pub ospf_interfaces: &'a BTreeMap<IfIndex, u16>,
}

/// IP protocol numbers in use here (IANA's registry).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IpProtocol(pub u8);

impl IpProtocol {
    /// ICMP.
    pub const ICMP: Self = Self(1);
    /// TCP.
    pub const TCP: Self = Self(6);
    /// UDP.
    pub const UDP: Self = Self(17);
    /// GRE.
    pub const GRE: Self = Self(47);
    /// EIGRP.
    pub const EIGRP: Self = Self(88);
    /// OSPF.
    pub const OSPF: Self = Self(89);
}

/// An IPv4 packet without its header: what the router received for a process, or shall send for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datagram {
    /// Received: the interface it came in by. To send: the interface to use, or `None` to look up the route.
    pub interface: Option<IfIndex>,
    /// Source address; to send, unspecified means the address of the outgoing interface.
    pub source: Ipv4Addr,
    /// Destination address, unicast or multicast.
    pub destination: Ipv4Addr,
    /// The payload's protocol.
    pub protocol: IpProtocol,
    /// Time to live.
    pub ttl: u8,
    /// Type of service octet; routing protocols send 0xC0 (CS6).
    pub tos: u8,
    /// Fragmentation forbidden.
    pub dont_fragment: bool,
    /// Payload.
    pub payload: Arc<[u8]>,
}

impl Datagram {
    /// The type-of-service octet of routing protocols: DSCP CS6, "internetwork control".
    pub const TOS_INTERNETWORK_CONTROL: u8 = 0xC0;

    /// A routing protocol's packet out of one interface, from its own address, with TTL 1.
    #[must_use]
    pub fn on_link(
        interface: IfIndex,
        destination: Ipv4Addr,
        protocol: IpProtocol,
        payload: Vec<u8>,
    ) -> Self {
        Self {
            interface: Some(interface),
            source: Ipv4Addr::UNSPECIFIED,
            destination,
            protocol,
            ttl: 1,
            tos: Self::TOS_INTERNETWORK_CONTROL,
            dont_fragment: false,
            payload: payload.into(),
        }
    }
}

impl Datagram {
    /// Whether this is a UDP packet to a port.
    #[must_use]
    pub fn is_udp_to(&self, port: u16) -> bool {
        self.protocol == IpProtocol::UDP && self.payload.get(2..4) == Some(&port.to_be_bytes())
    }
}

/// What a process is told.
#[derive(Debug)]
pub enum Input<'a> {
    /// The configuration in the context is new. Also the first input of every process, and the last one of a process that the
    /// configuration no longer asks for.
    Configured,
    /// An interface came, went, or changed state, address, or metric-relevant values.
    InterfaceChanged(IfIndex),
    /// A packet of the process's protocol has arrived on an interface that is up.
    Received(&'a Datagram),
    /// A deadline told by [`Process::next_deadline`] has come.
    Deadline,
    /// The best route to a prefix has changed (redistribution, next-hop tracking).
    RouteChanged(&'a RouteChange),
    /// A tracked object has changed its state.
    TrackChanged(u16),
    /// An operator asks for a restart (`clear ip ospf process` and the like).
    Restart,
    /// An operator asks for something else.
    Command(&'a ProcessCommand),
}

/// What an operator may ask of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProcessCommand {
    /// `clear ip bgp ...`.
    ClearBgp(ClearBgp),
    /// `clear ip bgp dampening [A M]`: in a VRF, of one destination or all.
    ClearBgpDampening(VrfId, Option<Ipv4Net>),
    /// `clear ip eigrp neighbors ...`.
    ClearEigrp(ClearEigrp),
}

/// What a process asks the router to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send a packet.
    Send(Datagram),
    /// Offer a route, in place of what this process offered before for the same prefix.
    Install(Route),
    /// Take back the offer for a prefix.
    Withdraw(Ipv4Net),
    /// Write a log line.
    Log(LogEvent),
    /// An adjacency or session has changed: the network is not quiet.
    Unsettled,
    /// One of the other actions, but in the tables of this VRF, for processes that serve several.
    InVrf(VrfId, Box<Action>),
}

/// A routing process.
pub trait Process {
    /// Handles one input, appending what is to be done to `actions` in order.
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>);

    /// Whether the process may care about a changed route at all. Those that it does not care about it is not told, since there are many.
    fn concerns(&self, change: &RouteChange) -> bool {
        let _ = change;
        true
    }

    /// When [`Input::Deadline`] is wanted next.
    fn next_deadline(&self) -> Option<Time>;

    /// The longest hold, dead, invalid or wait interval in use: the network counts as converged only after as long without change.
    fn quiet_interval(&self) -> Duration;
}
