//! `ip route` lines.

use std::fmt::Write as _;

use netconfarena_emu::config::{RouterConfig, StaticTarget};

use super::Lines;
use super::interface::address_and_mask;

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for network in &config.default_networks {
        lines.push(format!("ip default-network {}", network.network()));
    }
    for route in &config.static_routes {
        let mut line = "ip route ".to_owned();
        if let Some(vrf) = &route.vrf {
            let _ = write!(line, "vrf {vrf} ");
        }
        line.push_str(&address_and_mask(route.prefix));
        let _ = match route.target {
            StaticTarget::Interface(name) => write!(line, " {name}"),
            StaticTarget::InterfaceNextHop(name, next_hop) => write!(line, " {name} {next_hop}"),
            StaticTarget::NextHop(next_hop) => write!(line, " {next_hop}"),
        };
        if route.distance != 1 {
            let _ = write!(line, " {}", route.distance);
        }
        if route.tag != 0 {
            let _ = write!(line, " tag {}", route.tag);
        }
        if route.permanent {
            line.push_str(" permanent");
        }
        if let Some(name) = &route.name {
            let _ = write!(line, " name {name}");
        }
        if let Some(object) = route.track {
            let _ = write!(line, " track {object}");
        }
        lines.push(line);
    }
}
