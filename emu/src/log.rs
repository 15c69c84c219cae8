//! Log events. Each is typed; the CLI dialect gives them their text (`%OSPF-5-ADJCHG: ...`).

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::forwarding::AclFlow;
use crate::ids::MacAddress;
use crate::interface::InterfaceName;
use crate::time::Time;
use crate::tracking::TrackObject;
use crate::{bgp, eigrp, ospf};

/// Everything a router logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogEvent {
    /// `%LINK-3-UPDOWN`: the carrier came or went.
    LinkUpDown {
        /// Which interface.
        interface: InterfaceName,
        /// Came.
        up: bool,
    },
    /// `%LINK-5-CHANGED`: shut down by configuration.
    LinkAdminDown {
        /// Which interface.
        interface: InterfaceName,
    },
    /// `%LINEPROTO-5-UPDOWN`: the line protocol came or went.
    LineProtocolUpDown {
        /// Which interface.
        interface: InterfaceName,
        /// Came.
        up: bool,
    },
    /// `%IP-4-DUPADDR`: another station has an address of this router.
    DuplicateAddress {
        /// Which address.
        address: Ipv4Addr,
        /// On which interface.
        interface: InterfaceName,
        /// Whose hardware address it was announced with.
        station: MacAddress,
    },
    /// `%SYS-5-CONFIG_I`: configuration mode was left.
    Configured {
        /// From where, as IOS words it: `console by console`, `console by admin on vty0 (10.0.0.1)`.
        source: String,
    },
    /// `%SYS-5-RESTART`.
    Restarted,
    /// `%SYS-5-SCHEDULED_RELOAD`: a restart was put off.
    ReloadScheduled {
        /// To when.
        at: Time,
        /// By whom, as the log calls the session.
        by: String,
        /// Why.
        reason: String,
    },
    /// `%SYS-5-SCHEDULED_RELOAD_CANCELLED`: a restart that was put off was given up.
    ReloadCancelled,
    /// `%ARCHIVE_DIFF-5-ROLLBK_CNFMD_CHG_START_ABSTIMER`: changes begin that are taken back unless somebody confirms them.
    RevertScheduled {
        /// By whom.
        user: String,
        /// To which file.
        file: String,
        /// In how many minutes.
        minutes: u64,
    },
    /// `%ARCHIVE_DIFF-5-ROLLBK_CNFMD_CHG_ROLLBACK_START`: nobody has confirmed, and the configuration goes back.
    RevertBegun {
        /// To which file.
        file: String,
    },
    /// `%ARCHIVE_DIFF-5-ROLLBK_CNFMD_CHG_CONFIRM`: somebody has confirmed.
    ChangeConfirmed {
        /// Who.
        user: String,
    },
    /// `%SEC-6-IPACCESSLOG...`: an entry of an access list with `log` has matched.
    AccessList {
        /// Which packets.
        flow: AclFlow,
        /// How many of them.
        packets: u64,
    },
    /// `%SEC-6-IPACCESSLOGRL`: matches that were not logged, because there were too many.
    AccessListMissed {
        /// How many.
        packets: u64,
    },
    /// `%TRACK-6-STATE`: a tracked object has changed.
    Tracked {
        /// Its number.
        number: u16,
        /// What it is.
        object: TrackObject,
        /// Its new state.
        up: bool,
    },
    /// EIGRP.
    Eigrp(eigrp::EigrpLogEvent),
    /// BGP.
    Bgp(bgp::BgpLogEvent),
    /// OSPF.
    Ospf(ospf::OspfLogEvent),
}

/// A log event with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// When.
    pub time: Time,
    /// What.
    pub event: LogEvent,
}

/// The log of a router: the latest entries, and how many there were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogBuffer {
    entries: VecDeque<LogEntry>,
    written: u64,
}

impl LogBuffer {
    /// How many entries are kept.
    pub const CAPACITY: usize = 512;

    /// Appends an entry; the oldest goes if the buffer is full.
    pub fn push(&mut self, time: Time, event: LogEvent) {
        if self.entries.len() == Self::CAPACITY {
            self.entries.pop_front();
        }
        self.entries.push_back(LogEntry { time, event });
        self.written += 1;
    }

    /// The entries kept, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &LogEntry> {
        self.entries.iter()
    }

    /// How many entries were ever written.
    #[must_use]
    pub const fn written(&self) -> u64 {
        self.written
    }

    /// The entries written since `count` had been written, as far as they are kept.
    pub fn since(&self, count: u64) -> impl Iterator<Item = &LogEntry> {
        let fresh = usize::try_from(self.written.saturating_sub(count)).unwrap_or(usize::MAX);
        self.entries.iter().skip(self.entries.len().saturating_sub(fresh))
    }

    /// Forgets all entries (`clear logging`).
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}
