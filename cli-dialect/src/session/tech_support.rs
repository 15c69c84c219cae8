//! `show tech-support`: what support asks for first, one command after the other.

use super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, plain};

/// The commands whose output it is made of: those of IOS's list that exist here.
const COMMANDS: [&str; 18] = [
    "show clock",
    "show version",
    "show running-config",
    "show memory statistics",
    "show processes cpu",
    "show inventory",
    "show interfaces",
    "show ip interface",
    "show ip route",
    "show ip protocols",
    "show ip arp",
    "show ip ospf",
    "show ip ospf neighbor",
    "show ip eigrp neighbors",
    "show ip bgp summary",
    "show access-lists",
    "show flash:",
    "show logging",
];

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![kw("show", "Show running system information").then([plain(
        "tech-support",
        "Show system information for Tech-Support",
        Handler::Print(show),
    )])]
}

fn show(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    for command in COMMANDS {
        exec.say(&format!("\n------------------ {command} ------------------\n"));
        // A feature that is not configured says so, and the rest goes on.
        if let Err(Complaint::Refused(text)) = exec.perform(command, 0) {
            exec.say(text.trim_end());
        }
    }
    Ok(())
}
