//! TCP under the sessions: who may connect, from where we connect, octets in and out.

use std::net::{Ipv4Addr, SocketAddrV4};

use ipnet::Ipv4Net;

use super::config::ConnectionMode;
use super::fsm::{Event, State};
use super::log::{BgpLogEvent, DownReason};
use super::peer::{Direction, Halt, Link, Peer, PeerKey};
use super::process::{BgpProcess, Env};
use crate::ids::VrfId;
use crate::interface::Interface;
use crate::process::{Action, Context, Datagram};
use crate::rib::TableId;
use crate::tcp::{self, Command, Endpoints, EventKind, Options, Output, Owner, Stack};

/// The port of BGP.
pub const PORT: u16 = 179;

/// IP and TCP header: what a segment's payload is shorter than a packet by.
const HEADERS: u16 = 40;

/// The payload of segments where the way is not known.
const DEFAULT_MSS: u16 = 1460;

impl BgpProcess {
    /// A TCP segment has come.
    pub(super) fn received(&mut self, env: &mut Env<'_, '_>, datagram: &Datagram) {
        let interface = datagram.interface.and_then(|index| env.context.interfaces.get(index));
        let vrf = interface.map_or(VrfId::GLOBAL, |interface| interface.vrf);
        let mut output = Output::default();
        self.tcp.receive(env.now(), env.context.rng, vrf, datagram, &mut output);
        self.take(env, output);
    }

    pub(super) fn run_tcp_timers(&mut self, env: &mut Env<'_, '_>) {
        let mut output = Output::default();
        self.tcp.run_timers(env.now(), &mut output);
        self.take(env, output);
    }

    fn take(&mut self, env: &mut Env<'_, '_>, output: Output) {
        for (vrf, datagram) in output.datagrams {
            env.act(vrf, Action::Send(datagram));
        }
        for event in output.log {
            env.log(BgpLogEvent::Tcp(event));
        }
        self.tcp_events.extend(output.events.into_iter().map(|(_, event)| event));
    }

    pub(super) fn command(&mut self, env: &mut Env<'_, '_>, command: Command) {
        let mut output = Output::default();
        self.tcp.command(env.now(), env.context.rng, Owner::Bgp, command, &mut output);
        self.take(env, output);
    }

    pub(super) fn send_octets(&mut self, env: &mut Env<'_, '_>, endpoints: Endpoints, octets: Vec<u8>) {
        self.command(env, Command::Send(endpoints, octets.into()));
    }

    /// Says who may connect in a VRF.
    pub(super) fn admit(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let Some(instance) = self.instances.get(&vrf) else { return };
        let configured = instance
            .peers
            .values()
            .filter(|peer| peer.admits())
            .map(|peer| (Ipv4Net::from(peer.key.address), peer.tcp_options(env.context)));
        let mut peers: Vec<(Ipv4Net, Options)> = configured.collect();
        if let Some(config) = env.config().filter(|_| vrf == VrfId::GLOBAL) {
            for (&range, listen) in &config.listen_ranges {
                if let Some(peer) = self.dynamic_peer(config, range.addr(), listen) {
                    peers.push((range, peer.tcp_options(env.context)));
                }
            }
        }
        let anyone = !peers.is_empty();
        self.command(env, Command::Admit { vrf, port: PORT, peers });
        let listen =
            if anyone { Command::Listen { vrf, port: PORT } } else { Command::Unlisten { vrf, port: PORT } };
        self.command(env, listen);
    }

    /// What TCP has told of a connection.
    pub(super) fn tcp_event(&mut self, env: &mut Env<'_, '_>, event: tcp::Event) {
        let endpoints = event.endpoints;
        let key = PeerKey { vrf: endpoints.vrf, address: *endpoints.remote.ip() };
        if event.kind == EventKind::Accepted {
            return self.accepted(env, key, endpoints);
        }
        let Some(direction) = self.peer(key).and_then(|peer| peer.direction_of(endpoints)) else { return };
        match event.kind {
            EventKind::Accepted => {}
            EventKind::Connected => self.event(env, key, direction, Event::TcpEstablished),
            EventKind::Received(octets) => self.octets_received(env, key, direction, &octets),
            EventKind::Writable => self.advertise_to(env, key),
            EventKind::PeerClosed | EventKind::Closed(_) => {
                let closed = matches!(event.kind, EventKind::Closed(_));
                if let Some(link) = self.peer_mut(key).and_then(|peer| peer.link_mut(direction))
                    && closed
                {
                    link.endpoints = None;
                }
                self.event_because(env, key, direction, Event::TcpFails, None, DownReason::PeerClosed);
            }
        }
    }

    /// A peer has connected.
    fn accepted(&mut self, env: &mut Env<'_, '_>, key: PeerKey, endpoints: Endpoints) {
        // RFC 4724 section 5: a peer that connects again has restarted, though its old connection has not been missed yet.
        let session = self.peer(key).and_then(|peer| peer.session.as_ref());
        if let Some(session) = session.filter(|session| session.restart_time().is_some()) {
            let (direction, reason) = (session.direction, DownReason::PeerClosed);
            self.event_because(env, key, direction, Event::TcpFails, None, reason);
        }
        if self.peer(key).is_none() {
            self.create_dynamic(env, key);
        }
        let welcome = self.peer(key).is_some_and(|peer| {
            peer.incoming.is_none() && peer.admits() && peer.takes(env.context, *endpoints.local.ip())
        });
        let Some(peer) = self.peer_mut(key).filter(|_| welcome) else {
            return self.command(env, Command::Abort(endpoints));
        };
        // As Active, which a connection that TCP has accepted comes from.
        let link = Link { state: State::Active, endpoints: Some(endpoints), ..Link::default() };
        peer.incoming = Some(link);
        self.event(env, key, Direction::Incoming, Event::TcpEstablished);
    }

    /// Opens the connection to a peer.
    pub(super) fn connect(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(peer) = self.peer(key) else { return };
        if peer.settings.session.connection_mode == Some(ConnectionMode::Passive) {
            return self.event(env, key, Direction::Outgoing, Event::TcpFails);
        }
        let Ok(local) = peer.local_address(env.context) else {
            return self.event(env, key, Direction::Outgoing, Event::TcpFails);
        };
        let options = peer.tcp_options(env.context);
        let port = Stack::ephemeral_port(env.context.rng);
        let endpoints = Endpoints {
            vrf: key.vrf,
            local: SocketAddrV4::new(local, port),
            remote: SocketAddrV4::new(key.address, PORT),
        };
        if let Some(peer) = self.peer_mut(key) {
            peer.outgoing.endpoints = Some(endpoints);
        }
        self.command(env, Command::Connect(endpoints, options));
    }

    /// Gives a connection up; what was written is still sent.
    pub(super) fn disconnect(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction) {
        let Some(link) = self.peer_mut(key).and_then(|peer| peer.link_mut(direction)) else { return };
        let Some(endpoints) = link.endpoints.take() else { return };
        self.command(env, Command::Close(endpoints));
    }
}

/// The interface on whose subnet an address lies, if it is up.
fn connected<'c>(context: &Context<'c>, vrf: VrfId, address: Ipv4Addr) -> Option<&'c Interface> {
    let mut interfaces = context.interfaces.iter();
    interfaces.find(|i| i.vrf == vrf && i.is_up() && i.is_connected_to(address) && !i.has_address(address))
}

impl Peer {
    /// Whether it may connect to us at all.
    fn admits(&self) -> bool {
        let active_only = self.settings.session.connection_mode == Some(ConnectionMode::Active);
        let halted = matches!(self.halt, Some(Halt::AdminShutdown | Halt::PrefixLimit | Halt::NoFamily));
        !active_only && !halted
    }

    /// Whether a connection of it to this address of ours is taken.
    fn takes(&self, context: &Context<'_>, local: Ipv4Addr) -> bool {
        let far = self.must_be_connected() && connected(context, self.key.vrf, self.key.address).is_none();
        let source = self.settings.session.update_source;
        let other_source = source.is_some() && self.local_address(context) != Ok(local);
        !far && !other_source
    }

    /// The address that we connect from.
    ///
    /// # Errors
    /// Why we cannot connect.
    pub(super) fn local_address(&self, context: &Context<'_>) -> Result<Ipv4Addr, Halt> {
        let PeerKey { vrf, address } = self.key;
        let interface = connected(context, vrf, address);
        let table = TableId::ipv4(vrf);
        if self.must_be_connected() && interface.is_none() {
            return Err(Halt::NotConnected);
        }
        // IOS does not connect by the default route.
        let route = context.rib.lookup(table, address).filter(|route| route.prefix.prefix_len() > 0);
        let resolution = context.rib.resolve(table, address).filter(|_| route.is_some());
        let way = resolution.as_ref().and_then(|resolution| resolution.paths.first()).ok_or(Halt::NoRoute)?;
        if let Some(source) = self.settings.session.update_source {
            let interface = context.interfaces.by_name(source).filter(|i| i.vrf == vrf && i.is_up());
            let address = interface.and_then(|i| context.interfaces.source_address(i.index));
            return address.ok_or(Halt::NoSource);
        }
        let shared = interface.and_then(|i| i.addresses().find(|net| net.contains(&address)));
        let own = shared.map(|net| net.addr()).or_else(|| context.interfaces.source_address(way.interface));
        own.ok_or(Halt::NoSource)
    }

    fn tcp_options(&self, context: &Context<'_>) -> Options {
        let (ttl, minimum_ttl) = self.ttl();
        let resolution = context.rib.resolve(TableId::ipv4(self.key.vrf), self.key.address);
        let way = resolution.as_ref().and_then(|r| r.paths.first());
        let mtu = way.and_then(|path| context.interfaces.get(path.interface)).map(|i| i.ip_mtu);
        Options {
            ttl,
            minimum_ttl,
            tos: Datagram::TOS_INTERNETWORK_CONTROL,
            md5: self.settings.session.password.as_ref().map(|password| password.plain().into()),
            mss: mtu.map_or(DEFAULT_MSS, |mtu| mtu.saturating_sub(HEADERS).max(64)),
            keepalive: None,
        }
    }
}
