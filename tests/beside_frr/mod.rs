//! Our routers joined to FRR's by TAP devices.

use std::process::Command;

use netconfarena::fidelity::frr::{self, FrrNetwork};
use netconfarena::host::TapDevice;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{ExternalPort, LinkProperties, Network};

use crate::routers::port;

/// Whether FRR can run; says so if not.
pub fn has_frr() -> bool {
    let missing = frr::require().map_err(|error| error.to_string()).err();
    let missing = missing.or_else(|| {
        let device = TapDevice::create("ncaprobe").err();
        device.map(|error| format!("no TAP device can be made (CAP_NET_ADMIN and /dev/net/tun): {error}"))
    });
    if let Some(reason) = &missing {
        eprintln!("SKIPPED: {reason}");
    }
    missing.is_none()
}

/// A TAP device in the namespace of an FRR router, called `tap` there, and the end of it in the emulator.
pub fn tap_to(
    frr: &FrrNetwork,
    (router, tap): (&str, &str),
    network: &mut Network,
    (node, name): (NodeIndex, &str),
) -> (ExternalPort, TapDevice) {
    let device = TapDevice::create("ncatap").unwrap();
    let namespace = frr.namespace(router).unwrap();
    let ip = |arguments: &[&str]| {
        let output = Command::new("ip").args(arguments).output().unwrap();
        assert!(output.status.success(), "ip {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    ip(&["link", "set", device.name(), "netns", namespace, "name", tap]);
    ip(&["-n", namespace, "link", "set", tap, "up"]);
    let link = network.add_link(LinkProperties::ethernet(), &[(node, port(name))]).unwrap();
    (network.add_external_port(link).unwrap(), device)
}
