//! `line con 0`, `line aux 0`, `line vty 0 4`.

use netconfarena_emu::config::{LineConfig, LineLogin, RouterConfig, Secret, TerminalLines, Transport};

use super::{Lines, access};
use crate::config::{LINE_PROTOCOLS, LinePlace, inert_line_place};

/// The sections of all lines. Virtual terminals that say the same stand together, but those that are always there apart from those
/// that were added.
pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    let TerminalLines { console, auxiliary, vty } = &config.lines;
    lines.push("line con 0");
    render_one(console, false, lines);
    lines.push("line aux 0");
    render_one(auxiliary, false, lines);
    let (first, added) = vty.split_at(TerminalLines::LEAST_VTY.min(vty.len()));
    let mut number = 0;
    for group in first.chunk_by(PartialEq::eq).chain(added.chunk_by(PartialEq::eq)) {
        let last = number + group.len() - 1;
        let range = if last > number { format!("{number} {last}") } else { number.to_string() };
        lines.push(format!("line vty {range}"));
        group.iter().take(1).for_each(|line| render_one(line, true, lines));
        number = last + 1;
    }
    lines.separator();
}

fn render_one(line: &LineConfig, is_vty: bool, lines: &mut Lines) {
    let inert = |place: LinePlace| line.inert.iter().filter(move |line| inert_line_place(line) == place);
    if let Some(class) = &line.access_in {
        let vrf_also = if class.vrf_also { " vrf-also" } else { "" };
        lines.inner(format!("access-class {} in{vrf_also}", class.list));
    }
    if let Some(list) = &line.access_out {
        lines.inner(format!("access-class {list} out"));
    }
    if let Some(limit) = line.exec_timeout {
        lines.inner(format!("exec-timeout {} {}", limit.as_secs() / 60, limit.as_secs() % 60));
    }
    if let Some(level) = line.privilege {
        lines.inner(format!("privilege level {level}"));
    }
    match &line.password {
        Some(Secret::Clear(text)) if !access::begins_with_type(text) => {
            lines.inner(format!("password {text}"))
        }
        Some(other) => lines.inner(format!("password {}", access::typed(other))),
        None => {}
    }
    inert(LinePlace::Before).for_each(|line| lines.inner(line));
    match &line.login {
        Some(LineLogin::Open) => lines.inner("no login"),
        Some(LineLogin::Password) => lines.inner("login"),
        Some(LineLogin::Local) => lines.inner("login local"),
        Some(LineLogin::Authentication(list)) => lines.inner(format!("login authentication {list}")),
        None if is_vty => lines.inner("login"),
        None => {}
    }
    if let Some(length) = line.length {
        lines.inner(format!("length {length}"));
    }
    if let Some(width) = line.width {
        lines.inner(format!("width {width}"));
    }
    if line.monitor {
        lines.inner("monitor");
    }
    inert(LinePlace::Behind).for_each(|line| lines.inner(line));
    match &line.transport_input {
        Some(given) => lines.inner(format!("transport input {}", transport(given))),
        None if is_vty => lines.inner("transport input none"),
        None => {}
    }
    if let Some(given) = &line.transport_output {
        lines.inner(format!("transport output {}", transport(given)));
    }
}

fn transport(given: &Transport) -> String {
    let named = LINE_PROTOCOLS.iter().filter(|(.., protocol)| given.has(*protocol)).map(|(name, ..)| *name);
    match given {
        Transport::All => "all".to_owned(),
        Transport::Only(protocols) if protocols.is_empty() => "none".to_owned(),
        Transport::Only(_) => named.collect::<Vec<_>>().join(" "),
    }
}
