//! What `debug ip ospf adj` and `debug ip ospf hello` log.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::config::NetworkType;
use super::election::{Candidate, Elected};
use super::interface::{InterfaceEvent, InterfaceTransition, OspfInterface, OspfInterfaceKey, OspfNetwork};
use super::log::OspfLogEvent;
use super::lsa::{LsAge, Lsa, LsaHeader, Options};
use super::neighbor::{Neighbor, NeighborKey, NeighborState};
use super::packet::{DatabaseDescription, DdFlags, Envelope, HEADER_LEN, Hello, Keys, PacketError};
use super::process::{Env, OspfProcess};
use crate::debugging::DebugTopic;
use crate::ids::{AreaId, RouterId};
use crate::log::LogEvent;
use crate::process::Action;

/// A value of the other side beside one's own (`R 40 C 20`).
pub type ReceivedAndConfigured<T> = (T, T);

/// What is seen of hellos, neighbors and elections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OspfDebugEvent {
    /// A hello goes out.
    HelloSent {
        /// To whom.
        to: Ipv4Addr,
        /// The interface's area.
        area: AreaId,
        /// The interface's address.
        from: Ipv4Addr,
    },
    /// A hello has come.
    HelloReceived {
        /// The sender.
        neighbor: RouterId,
        /// The interface's area.
        area: AreaId,
        /// The sender's address.
        source: Ipv4Addr,
    },
    /// Intervals or masks of a hello disagree.
    HelloMismatch {
        /// The sender's address.
        source: Ipv4Addr,
    },
    /// How they disagree.
    HelloParameters {
        /// RouterDeadInterval.
        dead: ReceivedAndConfigured<u32>,
        /// HelloInterval.
        hello: ReceivedAndConfigured<u16>,
        /// Network masks, where they matter.
        mask: Option<ReceivedAndConfigured<Ipv4Addr>>,
    },
    /// The E or N bits disagree.
    AreaKindMismatch {
        /// The sender's address.
        source: Ipv4Addr,
        /// The N bits do.
        nssa: bool,
    },
    /// A packet of another area.
    AreaMismatch {
        /// The sender's address.
        source: Ipv4Addr,
        /// The interface's area.
        area: AreaId,
        /// The area in the packet.
        received: AreaId,
    },
    /// A packet from another subnet.
    NotOnNetwork {
        /// The sender's address.
        source: Ipv4Addr,
        /// The interface's area.
        area: AreaId,
    },
    /// A packet authenticated in another way.
    AuthenticationType {
        /// The sender's address.
        source: Ipv4Addr,
        /// `AuType`.
        kind: ReceivedAndConfigured<u16>,
    },
    /// A packet with a wrong password or digest.
    AuthenticationKey {
        /// The sender's address.
        source: Ipv4Addr,
        /// The key of the digest.
        key: Option<u8>,
        /// The key is known here.
        known: bool,
    },
    /// The interface comes up or goes down.
    InterfaceGoing {
        /// Up.
        up: bool,
    },
    /// The wait for a standing DR is over.
    EndOfWait,
    /// A DR or backup was seen before that.
    BackupSeen,
    /// The set of neighbors, or what they declare, has changed.
    NeighborChange,
    /// An election begins.
    Election,
    /// Whom it chose as backup.
    ElectedBackup(RouterId),
    /// Whom it chose as DR.
    ElectedDesignated(RouterId),
    /// Who is DR now.
    Designated(Option<RouterId>),
    /// Who is backup now.
    Backup(Option<RouterId>),
    /// Something about a neighbor.
    Neighbor(RouterId, NeighborDebugEvent),
}

/// What is seen of one neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NeighborDebugEvent {
    /// It lists this router.
    TwoWay,
    /// It does not.
    OneWay,
    /// It is down; its address.
    Dead(Ipv4Addr),
    /// The exchange begins.
    PrepareExchange,
    /// Master and slave are agreed.
    NegotiationDone {
        /// This router is the master.
        master: bool,
    },
    /// It claims to be the master, and is not.
    NotSlave,
    /// The database is to be described, with so many LSAs.
    SummaryList(usize),
    /// A database description goes out.
    DescriptionSent(DescriptionSeen),
    /// It goes out again, for the so-manieth time.
    DescriptionRepeated(u32),
    /// A database description has come.
    DescriptionReceived {
        /// It.
        description: DescriptionSeen,
        /// The MTU in it.
        mtu: u16,
        /// The state of the neighbor, in IOS's capitals.
        state: String,
    },
    /// Its MTU is another one.
    OtherMtu {
        /// Larger, else smaller.
        larger: bool,
    },
    /// Both have described their databases.
    ExchangeDone,
    /// So many LSAs are asked for.
    RequestSent(usize),
    /// It asks for so many LSAs.
    RequestReceived(usize),
    /// LSAs have come while the databases were being exchanged.
    UpdateReceived {
        /// Octets of the packet.
        length: usize,
        /// How many.
        count: usize,
    },
    /// The databases are the same.
    Synchronized,
}

/// A database description in passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescriptionSeen {
    /// DD sequence number.
    pub sequence: u32,
    /// Options.
    pub options: Options,
    /// I, M, MS.
    pub flags: DdFlags,
    /// Octets of the packet.
    pub length: usize,
}

impl OspfDebugEvent {
    /// The topic that it belongs to.
    #[must_use]
    pub const fn topic(&self) -> DebugTopic {
        match self {
            Self::HelloSent { .. }
            | Self::HelloReceived { .. }
            | Self::HelloMismatch { .. }
            | Self::HelloParameters { .. }
            | Self::AreaKindMismatch { .. } => DebugTopic::OspfHello,
            _ => DebugTopic::OspfAdjacency,
        }
    }
}

impl DescriptionSeen {
    /// What is shown of a description.
    pub(super) fn of(description: &DatabaseDescription) -> Self {
        Self {
            sequence: description.sequence,
            options: description.options,
            flags: description.flags,
            length: HEADER_LEN + 8 + LsaHeader::LEN * description.headers.len(),
        }
    }
}

impl OspfProcess {
    /// Logs an event of an interface if its topic is watched; it is made only then.
    pub(super) fn debug(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        topic: DebugTopic,
        event: impl FnOnce(&OspfInterface) -> Option<OspfDebugEvent>,
    ) {
        if !env.context.debugging.shows(topic, self.process_id) {
            return;
        }
        let Some(interface) = self.interfaces.get(&key) else { return };
        env.actions.extend(event(interface).map(|event| {
            Action::Log(LogEvent::Ospf(OspfLogEvent::Debug {
                process: self.process_id,
                interface: interface.name,
                event,
            }))
        }));
    }

    /// The same about a neighbor, whose data the event may need.
    fn debug_adjacency(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        event: impl FnOnce(&OspfInterface, &Neighbor) -> Option<NeighborDebugEvent>,
    ) {
        self.debug(env, key, DebugTopic::OspfAdjacency, |interface| {
            let data = interface.neighbors.get(&neighbor)?;
            Some(OspfDebugEvent::Neighbor(data.router_id, event(interface, data)?))
        });
    }

    /// An event of a neighbor.
    pub(super) fn debug_neighbor(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        event: impl FnOnce() -> NeighborDebugEvent,
    ) {
        self.debug_adjacency(env, key, neighbor, |_, _| Some(event()));
    }

    /// What is worth a line of a neighbor's new state.
    pub(super) fn debug_state(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        (before, state): (NeighborState, NeighborState),
    ) {
        use NeighborState as S;
        if before < S::TwoWay && state >= S::TwoWay {
            self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::TwoWay);
        }
        if before == S::Exchange && state >= S::Loading {
            self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::ExchangeDone);
        }
        if before < S::Full && state == S::Full {
            self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::Synchronized);
        }
        if before > S::Down && state == S::Down {
            let dead = |_: &OspfInterface, data: &Neighbor| Some(NeighborDebugEvent::Dead(data.address));
            self.debug_adjacency(env, key, neighbor, dead);
        }
    }

    /// A description that goes out.
    pub(super) fn debug_description(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        let sent = || NeighborDebugEvent::DescriptionSent(DescriptionSeen::of(description));
        self.debug_neighbor(env, key, neighbor, sent);
    }

    /// A description that has come.
    pub(super) fn debug_received_description(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        self.debug_adjacency(env, key, neighbor, |_, data| {
            Some(NeighborDebugEvent::DescriptionReceived {
                description: DescriptionSeen::of(description),
                mtu: description.mtu,
                state: data.state.name().to_owned(),
            })
        });
        self.debug_adjacency(env, key, neighbor, |interface, _| {
            let own = interface.settings.mtu;
            let differs = interface.network != OspfNetwork::VirtualLink && description.mtu != own;
            differs.then_some(NeighborDebugEvent::OtherMtu { larger: description.mtu > own })
        });
    }

    /// LSAs that have come during the exchange.
    pub(super) fn debug_update(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        lsas: &[(LsAge, Lsa)],
    ) {
        self.debug_adjacency(env, key, neighbor, |_, data| {
            let exchanging = matches!(data.state, NeighborState::Exchange | NeighborState::Loading);
            let octets: usize = lsas.iter().map(|(_, lsa)| usize::from(lsa.length())).sum();
            let length = HEADER_LEN + 4 + octets;
            exchanging.then_some(NeighborDebugEvent::UpdateReceived { length, count: lsas.len() })
        });
    }

    /// What happens to an interface.
    pub(super) fn debug_interface(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        event: InterfaceEvent,
        transition: InterfaceTransition,
    ) {
        let seen = match (event, transition) {
            (InterfaceEvent::InterfaceUp, InterfaceTransition::To(_)) => {
                OspfDebugEvent::InterfaceGoing { up: true }
            }
            (InterfaceEvent::InterfaceDown, _) => OspfDebugEvent::InterfaceGoing { up: false },
            (InterfaceEvent::WaitTimer, InterfaceTransition::Elect) => OspfDebugEvent::EndOfWait,
            (InterfaceEvent::BackupSeen, InterfaceTransition::Elect) => OspfDebugEvent::BackupSeen,
            (InterfaceEvent::NeighborChange, InterfaceTransition::Elect) => OspfDebugEvent::NeighborChange,
            _ => return,
        };
        self.debug(env, key, DebugTopic::OspfAdjacency, |_| Some(seen));
    }

    /// An election with its outcome.
    pub(super) fn debug_election(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        own: Candidate,
        neighbors: &[Candidate],
        elected: Elected,
    ) {
        let topic = DebugTopic::OspfAdjacency;
        if !env.context.debugging.shows(topic, self.process_id) {
            return;
        }
        let id = |address: Ipv4Addr| {
            let all = std::iter::once(&own).chain(neighbors);
            all.filter(|_| !address.is_unspecified())
                .find(|one| one.address == address)
                .map(|one| one.router_id)
        };
        let (designated, backup) = (id(elected.designated_router), id(elected.backup_designated_router));
        let none = RouterId(Ipv4Addr::UNSPECIFIED);
        for event in [
            OspfDebugEvent::Election,
            OspfDebugEvent::ElectedBackup(backup.unwrap_or(none)),
            OspfDebugEvent::ElectedDesignated(designated.unwrap_or(none)),
            OspfDebugEvent::Designated(designated),
            OspfDebugEvent::Backup(backup),
        ] {
            self.debug(env, key, topic, |_| Some(event));
        }
    }

    /// Why a hello is not taken; `own` is what this router says itself.
    pub(super) fn debug_disagreement(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        source: Ipv4Addr,
        (received, own): ReceivedAndConfigured<&Hello>,
    ) {
        let topic = DebugTopic::OspfHello;
        let bit = |bit| received.options.contains(bit) == own.options.contains(bit);
        let parameters = |interface: &OspfInterface| {
            let masks = (received.network_mask, own.network_mask);
            let mask = (!interface.ignores_masks()).then_some(masks);
            let dead = (received.dead_interval, own.dead_interval);
            let hello = (received.hello_interval, own.hello_interval);
            let same = dead.0 == dead.1 && hello.0 == hello.1 && mask.is_none_or(|(r, c)| r == c);
            (!same).then_some(OspfDebugEvent::HelloParameters { dead, hello, mask })
        };
        self.debug(env, key, topic, |interface| {
            parameters(interface).map(|_| OspfDebugEvent::HelloMismatch { source })
        });
        self.debug(env, key, topic, parameters);
        for (same, nssa) in [(bit(Options::E), false), (bit(Options::NP), true)] {
            self.debug(env, key, topic, |interface| {
                let first = parameters(interface).is_none() && !same;
                first.then_some(OspfDebugEvent::AreaKindMismatch { source, nssa })
            });
        }
    }

    /// Why a packet's signature is not taken.
    pub(super) fn debug_authentication(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        source: Ipv4Addr,
        (envelope, keys): (&Envelope<'_>, &Keys),
        error: PacketError,
    ) {
        self.debug(env, key, DebugTopic::OspfAdjacency, |_| match error {
            PacketError::AuthenticationTypeMismatch => {
                let kind = (envelope.authentication_type(), keys.authentication_type());
                Some(OspfDebugEvent::AuthenticationType { source, kind })
            }
            PacketError::AuthenticationFailed => {
                let key = envelope.key_id();
                let known = key.is_some_and(|id| keys.has(id));
                Some(OspfDebugEvent::AuthenticationKey { source, key, known })
            }
            _ => None,
        });
    }
}

impl OspfInterface {
    /// Whether the masks of the two ends may differ (RFC 2328 section 10.5).
    pub(super) const fn ignores_masks(&self) -> bool {
        matches!(self.network, OspfNetwork::VirtualLink | OspfNetwork::Network(NetworkType::PointToPoint))
    }
}
