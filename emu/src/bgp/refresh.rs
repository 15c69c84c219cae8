//! Routes that a peer is about to confirm: stale ones (RFC 7313, RFC 4724).

use ipnet::Ipv4Net;

use super::peer::PeerKey;
use super::process::BgpProcess;
use super::table::{Path, PathSource};

impl BgpProcess {
    /// Marks all paths of a peer as stale. They stay in use.
    pub(super) fn mark_stale(&mut self, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let from_peer = |path: &Path| path.source == PathSource::Peer(key.address);
        for prefix in instance.table.with_path(from_peer) {
            if let Some(destination) = instance.table.get_mut(prefix) {
                destination
                    .paths
                    .iter_mut()
                    .filter(|path| from_peer(path))
                    .for_each(|p| p.status.stale = true);
            }
        }
    }

    /// Takes the paths of a peer out that it has not confirmed.
    pub(super) fn forget_stale(&mut self, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let stale = |path: &Path| path.source == PathSource::Peer(key.address) && path.status.stale;
        let prefixes: Vec<Ipv4Net> = instance.table.with_path(stale);
        let mut gone = 0;
        for prefix in prefixes {
            let used = |path: &Path| stale(path) && !path.status.denied;
            let destination = instance.table.get(prefix);
            gone += destination.map_or(0, |d| d.paths.iter().filter(|path| used(path)).count());
            instance.table.remove(prefix, stale);
        }
        if let Some(peer) = instance.peers.get_mut(&key.address) {
            let gone = u32::try_from(gone).unwrap_or(u32::MAX);
            peer.routes_in.current = peer.routes_in.current.saturating_sub(gone);
        }
    }
}
