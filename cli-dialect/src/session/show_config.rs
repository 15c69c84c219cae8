//! `show running-config` and `show startup-config`.

use super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, interface, kw, plain};
use crate::running_config;

/// Octets of non-volatile memory.
const NVRAM: usize = 262_144;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let running = Handler::Print(running);
    vec![kw("show", "Show running system information").then([
        kw("running-config", "Current operating configuration").run(running).then(
            [
                kw("partition", "Configuration of one kind").then(
                    running_config::PARTITIONS.iter().map(|(name, help, _)| plain(name, help, running)),
                ),
                plain("all", "Configuration with defaults", running),
                plain("brief", "configuration without certificate data", running),
                plain("full", "full configuration", running),
                kw("interface", "Show interface configuration").then([interface("Interface").run(running)]),
            ],
        ),
        plain("startup-config", "Contents of startup configuration", Handler::Print(startup)),
    ])]
}

/// `write terminal`, an old name of `show running-config`.
pub(super) fn write_terminal() -> Spec<Handler> {
    plain("terminal", "Write to terminal", Handler::Print(running))
}

fn running(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let config = exec.router().config().clone();
    let partition = || args.names().last().and_then(|name| running_config::show_partition(&config, name));
    let text = match args.interface() {
        None if args.has("partition") => partition().unwrap_or_default(),
        None if args.has("all") => running_config::show_all(&config),
        None => running_config::show(&config),
        Some(name) => match running_config::show_interface(&config, name) {
            Some(text) => text,
            None => {
                return Err(Complaint::Syntax(crate::grammar::ParseError::Invalid {
                    at: args.at("interface-name"),
                    understood: 3,
                }));
            }
        },
    };
    exec.out.push_str(&text);
    exec.out.push('\n');
    Ok(())
}

fn startup(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    match exec.router().startup_config().cloned() {
        None => exec.say("startup-config is not present"),
        Some(config) => {
            let text = running_config::render(&config);
            exec.out.push_str(&format!("Using {} out of {NVRAM} bytes\n{text}\n", text.len()));
        }
    }
    Ok(())
}
