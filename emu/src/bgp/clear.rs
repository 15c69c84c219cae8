//! `clear ip bgp`, and the end of the process.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::log::DownReason;
use super::packet::{Notification, PeerKind};
use super::peer::PeerKey;
use super::process::{BgpProcess, Env};
use crate::ids::{Asn, VrfId};

/// `clear ip bgp ...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClearBgp {
    /// In which VRF.
    pub vrf: VrfId,
    /// Which peers.
    pub peers: ClearedPeers,
    /// How.
    pub how: ClearMode,
}

/// The peers that a `clear` is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClearedPeers {
    /// `*`.
    All,
    /// An address.
    Address(Ipv4Addr),
    /// An AS.
    As(Asn),
    /// `peer-group G`.
    Group(String),
    /// `external`.
    External,
}

/// How peers are cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClearMode {
    /// The sessions are reset.
    Hard,
    /// `soft`.
    Soft,
    /// `soft in`, and `in`.
    SoftIn,
    /// `soft out`, and `out`.
    SoftOut,
}

impl BgpProcess {
    /// The peers that a `clear` is about.
    #[must_use]
    pub fn cleared_peers(&self, clear: &ClearBgp) -> Vec<PeerKey> {
        let Some(instance) = self.instances.get(&clear.vrf) else { return Vec::new() };
        let concerned = instance.peers.values().filter(|peer| match &clear.peers {
            ClearedPeers::All => true,
            ClearedPeers::Address(address) => peer.key.address == *address,
            ClearedPeers::As(asn) => peer.remote_as == *asn,
            ClearedPeers::Group(group) => peer.settings.group.as_ref() == Some(group),
            ClearedPeers::External => peer.kind == PeerKind::External,
        });
        concerned.map(|peer| peer.key).collect()
    }

    pub(super) fn clear(&mut self, env: &mut Env<'_, '_>, clear: &ClearBgp) {
        for key in self.cleared_peers(clear) {
            match clear.how {
                ClearMode::Hard => self.clear_peer(env, key),
                ClearMode::Soft => self.soft_reset_both(env, key),
                ClearMode::SoftIn => {
                    self.soft_reset_in(env, key);
                }
                ClearMode::SoftOut => self.soft_reset_out(env, key),
            }
        }
    }

    fn clear_peer(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        if let Some(peer) = self.peer_mut(key)
            && peer.halt == Some(super::peer::Halt::PrefixLimit)
        {
            return self.resume(env, key);
        }
        self.reset(env, key, Notification::ADMINISTRATIVE_RESET, DownReason::UserReset);
    }

    /// `clear ip bgp *`.
    pub(super) fn clear_all(&mut self, env: &mut Env<'_, '_>) {
        let vrfs: Vec<VrfId> = self.instances.keys().copied().collect();
        for vrf in vrfs {
            let (peers, how) = (ClearedPeers::All, ClearMode::Hard);
            self.clear(env, &ClearBgp { vrf, peers, how });
        }
    }

    pub(super) fn soft_reset_both(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        self.soft_reset_in(env, key);
        self.soft_reset_out(env, key);
    }

    /// The process is about to be removed.
    pub(super) fn stop_all(&mut self, env: &mut Env<'_, '_>) {
        let vrfs: Vec<VrfId> = self.instances.keys().copied().collect();
        for vrf in vrfs {
            self.remove_instance(env, vrf);
        }
    }
}
