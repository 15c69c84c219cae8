//! Graceful restart of a neighbor relation: both tell their tables anew while routes stay in use (RFC 7868 section 6.2, flags RS and
//! EOT; `resync` in IOS's log).
//!
//! ```text
//! who begins   --- update, INIT and RS, empty --->   other: `resync: peer graceful-restart`
//!              <-- its table, RS; the last packet EOT --
//!              --- the table, RS; the last packet EOT -->
//! ```
//!
//! What the other one had told before, and has not told again when its last packet is there, is gone.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::diffusing::Cause;
use super::log::{DownReason, NeighborChange, ResyncReason};
use super::neighbor::TableDownload;
use super::packet::{Flags, Opcode, Packet};
use super::process::{EigrpProcess, Env};
use super::topology::{NeighborKey, PathSource};
use crate::ids::{IfIndex, VrfId};
use crate::process::Action;

/// `clear ip eigrp [vrf V] neighbors ...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClearEigrp {
    /// In which VRF.
    pub vrf: VrfId,
    /// Whom it is about.
    pub neighbors: ClearedNeighbors,
    /// `soft`: they stay neighbors, and tell each other everything anew.
    pub soft: bool,
}

/// Whom `clear ip eigrp neighbors` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClearedNeighbors {
    /// All.
    All,
    /// The one with this address.
    Address(Ipv4Addr),
    /// Those on an interface.
    Interface(IfIndex),
}

impl ClearedNeighbors {
    fn include(self, key: NeighborKey) -> bool {
        match self {
            Self::All => true,
            Self::Address(address) => key.address == address,
            Self::Interface(index) => key.interface == index,
        }
    }
}

impl EigrpProcess {
    /// `clear ip eigrp neighbors`.
    pub(super) fn clear_neighbors(&mut self, env: &mut Env<'_, '_>, which: ClearedNeighbors, soft: bool) {
        let keys: Vec<NeighborKey> =
            self.neighbors().map(|(key, _)| key).filter(|key| which.include(*key)).collect();
        for key in keys {
            if soft {
                self.resync(env, key, ResyncReason::ManuallyCleared);
            } else {
                self.drop_neighbor(env, key, DownReason::ManuallyCleared);
            }
        }
    }

    /// Begins a graceful restart with a neighbor that is up.
    pub(super) fn resync(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, reason: ResyncReason) {
        if self.begin_resync(env, key, reason) {
            let packet = self.number(Opcode::Update, Flags::INIT | Flags::RESTART, Vec::new());
            self.send_reliably(env, key, packet);
        }
    }

    /// With all on an interface.
    pub(super) fn resync_on(&mut self, env: &mut Env<'_, '_>, index: IfIndex, reason: ResyncReason) {
        let keys: Vec<NeighborKey> =
            self.neighbors().map(|(key, _)| key).filter(|key| key.interface == index).collect();
        for key in keys {
            self.resync(env, key, reason);
        }
    }

    /// With all.
    pub(super) fn resync_all(&mut self, env: &mut Env<'_, '_>, reason: ResyncReason) {
        for key in self.neighbors().map(|(key, _)| key).collect::<Vec<_>>() {
            self.resync(env, key, reason);
        }
    }

    /// A neighbor that is up has begun a graceful restart.
    pub(super) fn peer_resyncs(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        self.begin_resync(env, key, ResyncReason::PeerGracefulRestart);
    }

    /// What the neighbor has told is in question from now on, and it is sent the whole table; tells whether it is up.
    fn begin_resync(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, reason: ResyncReason) -> bool {
        if !self.neighbor(key).is_some_and(super::neighbor::Neighbor::is_up) {
            return false;
        }
        let by_it = PathSource::Neighbor(key);
        let told: BTreeSet<Ipv4Net> = self
            .topology
            .iter()
            .filter(|(_, destination)| destination.path(by_it).is_some())
            .map(|(&prefix, _)| prefix)
            .collect();
        self.log_neighbor(env, key, NeighborChange::Resync(reason));
        env.actions.push(Action::Unsettled);
        if let Some(neighbor) = self.neighbor_mut(key) {
            neighbor.stale = told;
            neighbor.restarts = true;
            neighbor.table_download = Some(TableDownload::Start);
        }
        self.schedule_transmit(env, key.interface);
        true
    }

    /// A packet with routes of a neighbor has been taken in: what it tells of is not in question any more, and behind the end of its table
    /// what is left is gone.
    pub(super) fn settle_stale(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, packet: &Packet) {
        let Some(neighbor) = self.neighbor_mut(key) else { return };
        if neighbor.stale.is_empty() {
            return;
        }
        for prefix in packet.routes().flat_map(|route| route.destinations.iter()) {
            neighbor.stale.remove(prefix);
        }
        let flags = packet.header.flags;
        if flags.contains(Flags::RESTART) && flags.contains(Flags::END_OF_TABLE) {
            for prefix in std::mem::take(&mut neighbor.stale) {
                self.path_changed(env, prefix, PathSource::Neighbor(key), None, Cause::Change);
            }
        }
    }
}
