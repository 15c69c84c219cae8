//! Sessions with a speaker that the test plays.
//!
//! `messages.rs`, `attributes.rs`: what a peer may send wrongly, case by case (RFC 4271 section 6, RFC 7606, RFC 6608, RFC 7313): which
//! NOTIFICATION ends the session, or what happens to the routes of a session that stays. The tables say what the RFCs want; they are
//! made without the codec under test. `random.rs`: whatever else it may send. `restart.rs`: a peer that restarts (RFC 4724). `collision.rs`: two connections at once.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attributes;
mod collision;
mod messages;
#[path = "../bgp_lab/puppet.rs"]
mod puppet;
mod random;
mod restart;

use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::packet::{Capability, Family, MessageType, Open};
use netconfarena_emu::bgp::{BgpConfig, ConnectionMode, Neighbor, Path, Peer, PeerKey};
use netconfarena_emu::config::{InterfaceConfig, RouterConfig};
use netconfarena_emu::ids::{Asn, NodeIndex, RouterId, VrfId};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::{LinkProperties, Network};
use puppet::{Heard, Puppet};

const ROUTER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const ROUTER_ID: Ipv4Addr = Ipv4Addr::new(1, 1, 1, 1);
/// The AS of the router.
const OWN_AS: u32 = 65_001;
/// The AS of a peer in another AS.
const PEER_AS: u32 = 65_002;

/// A router and a speaker that the test plays.
#[derive(Clone)]
struct Stage {
    network: Network,
    node: NodeIndex,
    puppet: Puppet,
    peer_as: u32,
}

impl Stage {
    /// Nobody has connected yet, and the router will not.
    fn new(peer_as: u32) -> Self {
        Self::with_mode(peer_as, Some(ConnectionMode::Passive))
    }

    /// Nobody has connected yet.
    fn with_mode(peer_as: u32, mode: Option<ConnectionMode>) -> Self {
        let mut network = Network::new(3);
        let port: InterfaceName = "GigabitEthernet0/0".parse().unwrap();
        let node = network.add_router("R1", &[port]);
        let link = network.add_link(LinkProperties::ethernet(), &[(node, port)]).unwrap();
        let mut bgp = BgpConfig::new(Asn(OWN_AS));
        bgp.router_id = Some(netconfarena_emu::bgp::RouterIdSource::Address(RouterId(ROUTER_ID)));
        let mut neighbor = Neighbor { active: true, ..Neighbor::default() };
        neighbor.session.remote_as = Some(Asn(peer_as));
        neighbor.session.connection_mode = mode;
        neighbor.policy.aigp = true;
        bgp.global.neighbors.insert(PEER, neighbor);
        let mut config = RouterConfig { bgp: Some(bgp), ..RouterConfig::default() };
        let address = Some("10.0.0.1/24".parse().unwrap());
        config.interfaces.insert(port, InterfaceConfig { address, ..InterfaceConfig::default() });
        network.configure(node, config);
        let mac = network.router(node).interfaces().by_name(port).unwrap().mac;
        let puppet = Puppet::new(&mut network, link, PEER, (ROUTER, mac));
        network.run_for(Duration::from_secs(2));
        Self { network, node, puppet, peer_as }
    }

    /// The session is up.
    fn established(peer_as: u32) -> Self {
        let mut stage = Self::new(peer_as);
        let open = stage.open();
        stage.puppet.establish(&mut stage.network, &open);
        assert_eq!(stage.state(), State::Established);
        stage
    }

    /// A good OPEN.
    fn open(&self) -> Open {
        Open {
            my_as: u16::try_from(self.peer_as).unwrap(),
            hold_time: 180,
            router_id: RouterId(Ipv4Addr::new(2, 2, 2, 2)),
            capabilities: vec![
                Capability::Multiprotocol(Family::IPV4_UNICAST),
                Capability::RouteRefresh,
                Capability::EnhancedRouteRefresh,
                Capability::FourOctetAs(Asn(self.peer_as)),
            ],
        }
    }

    /// The speaker says something; what the router answers within a moment.
    fn say(&mut self, octets: &[u8]) -> Vec<Heard> {
        self.puppet.send(&mut self.network, octets);
        self.puppet.run(&mut self.network, Duration::from_millis(300));
        self.puppet.heard()
    }

    fn peer(&self) -> &Peer {
        let key = PeerKey { vrf: VrfId::GLOBAL, address: PEER };
        self.network.router(self.node).bgp().unwrap().peer(key).unwrap()
    }

    fn state(&self) -> State {
        self.peer().state()
    }

    /// The path of the speaker to a destination.
    fn path(&self, prefix: &str) -> Option<&Path> {
        let instance = self.network.router(self.node).bgp().unwrap().instance(VrfId::GLOBAL).unwrap();
        let prefix: Ipv4Net = prefix.parse().unwrap();
        instance.table.get(prefix)?.paths.first()
    }
}

/// A message with a right header.
fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut octets = vec![0xff; 16];
    octets.extend(u16::try_from(body.len() + 19).unwrap().to_be_bytes());
    octets.push(kind);
    octets.extend(body);
    octets
}

/// An UPDATE of withdrawn routes, attributes and routes as they stand on the wire.
fn update(withdrawn: &[u8], attributes: &[u8], routes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in [withdrawn, attributes] {
        body.extend(u16::try_from(part.len()).unwrap().to_be_bytes());
        body.extend(part);
    }
    body.extend(routes);
    message(2, &body)
}

/// The session has ended, with this NOTIFICATION as the router's last word.
fn assert_falls(stage: &Stage, heard: &[Heard], code: u8, subcode: u8, data: Option<&[u8]>, case: &str) {
    let last = heard.last().unwrap_or_else(|| panic!("{case}: the router says nothing"));
    let (found_code, found_subcode, found_data) =
        last.notification().unwrap_or_else(|| panic!("{case}: {:?}", last.kind));
    assert_eq!((found_code, found_subcode), (code, subcode), "{case}");
    if let Some(data) = data {
        assert_eq!(found_data, data, "{case}");
    }
    assert!(stage.state() < State::OpenSent, "{case}: {:?}", stage.state());
    assert!(!stage.puppet.connected(), "{case}: TCP is closed behind the NOTIFICATION");
}

/// The session is still up, and nobody has complained.
fn assert_stays(stage: &Stage, heard: &[Heard], case: &str) {
    let complaint = heard.iter().find(|message| message.kind == MessageType::Notification);
    assert_eq!(complaint.and_then(Heard::notification), None, "{case}");
    assert_eq!(stage.state(), State::Established, "{case}");
}
