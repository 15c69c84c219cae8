//! Virtual links (RFC 2328 section 15).

use super::interface::OspfInterfaceKey;
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
        let Some(path) = path else { return };
        if (interface.cost, interface.source) != (path.cost, path.source) {
            interface.cost = path.cost;
            interface.source = path.source;
            interface.address = Some(path.source.into());
            self.adjacency_changed(env, key);
        }
    }
}
