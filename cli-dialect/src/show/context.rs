//! What show commands read, and how they are run.

use netconfarena_emu::ids::{IfIndex, NodeIndex, VrfId};
use netconfarena_emu::interface::{Interface, InterfaceKind, InterfaceName};
use netconfarena_emu::network::Network;
use netconfarena_emu::router::Router;
use netconfarena_emu::time::Time;

use super::Record;
use crate::config::Complaint;
use crate::grammar::Args;

/// The router that a show command is typed at.
#[derive(Clone, Copy, Debug)]
pub struct ShowContext<'a> {
    /// Its network.
    pub network: &'a Network,
    /// The router.
    pub node: NodeIndex,
}

/// Runs a show command: the text that it prints.
///
/// # Errors
/// What the device says instead.
pub type ShowHandler = fn(&ShowContext<'_>, &Args) -> Result<String, Complaint>;

impl<'a> ShowContext<'a> {
    /// The router.
    #[must_use]
    pub fn router(&self) -> &'a Router {
        self.network.router(self.node)
    }

    /// Virtual time.
    #[must_use]
    pub const fn now(&self) -> Time {
        self.network.now()
    }

    /// The full name of an interface; that of an interface which is gone is its number.
    #[must_use]
    pub fn interface_name(&self, index: IfIndex) -> String {
        let interface = self.router().interfaces().get(index);
        interface.map_or_else(|| format!("interface {}", index.0), |interface| interface.name.to_string())
    }

    /// The interfaces in the order in which IOS lists them: ports as they sit in the chassis, each followed by its
    /// subinterfaces, then what configuration has made. Null0 is left out.
    #[must_use]
    pub fn interfaces(&self) -> Vec<&'a Interface> {
        let router = self.router();
        let place = |interface: &Interface| {
            let port = interface.name.parent().unwrap_or(interface.name);
            router.ports().iter().position(|&p| p == port).unwrap_or(usize::MAX)
        };
        let mut all: Vec<&Interface> =
            router.interfaces().iter().filter(|i| i.name.kind() != InterfaceKind::Null).collect();
        all.sort_by_key(|interface| (place(interface), interface.name));
        all
    }

    /// The interface of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn interface(&self, name: InterfaceName) -> Result<&'a Interface, Complaint> {
        let found = self.router().interfaces().by_name(name);
        found.ok_or_else(|| Complaint::Refused("% Invalid interface".to_owned()))
    }

    /// The VRF that the command names; without one, the global table.
    ///
    /// # Errors
    /// There is no VRF of this name.
    pub fn vrf(&self, args: &Args) -> Result<VrfId, Complaint> {
        let name = args.text("vrf-name");
        self.router().interfaces().vrf_id(name).ok_or_else(|| {
            Complaint::Refused(format!("% IP routing table {} does not exist", name.unwrap_or_default()))
        })
    }
}

/// The state of an interface in the words of `show interfaces`: `up`, `down`, `administratively down`.
pub(super) const fn status(interface: &Interface) -> &'static str {
    match (interface.admin_up, interface.carrier) {
        (false, _) => "administratively down",
        (true, true) => "up",
        (true, false) => "down",
    }
}

/// Its line protocol: `up` or `down`.
pub(super) const fn protocol(interface: &Interface) -> &'static str {
    if interface.is_up() { "up" } else { "down" }
}

/// The text of a record that collecting cannot refuse.
pub(super) fn text(record: &impl Record) -> Result<String, Complaint> {
    Ok(record.render())
}
