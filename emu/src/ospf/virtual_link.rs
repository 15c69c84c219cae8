//! Virtual links (RFC 2328 section 15).

use super::interface::{InterfaceEvent, InterfaceState, OspfInterfaceKey};
use super::process::{Env, OspfProcess};
use super::routing::VirtualPath;

impl OspfProcess {
    /// The way to the other end of a virtual link was calculated: cost and addresses of the link follow it.
    pub(super) fn virtual_link_path(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        path: Option<VirtualPath>,
    ) {
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let is_up = interface.state != InterfaceState::Down;
        let Some(path) = path else {
            interface.virtual_peer = None;
            if is_up {
                self.take_down(env, key);
            }
            return;
        };
        let changed = (interface.cost, interface.source) != (path.cost, path.source);
        interface.cost = path.cost;
        interface.source = path.source;
        interface.address = Some(path.source.into());
        interface.virtual_peer = Some(path.peer);
        if !is_up {
            self.interface_event(env, key, InterfaceEvent::InterfaceUp);
        } else if changed {
            self.adjacency_changed(env, key);
        }
    }
}
