//! The typed tree as canonical text: IOS's order, defaults hidden.
//!
//! Rendering and reading are inverse: applying the lines of a rendered configuration gives the same tree.

mod access;
mod access_list;
mod all;
mod bgp;
mod diff;
mod eigrp;
mod interface;
mod line;
mod ospf;
mod ospf_match;
mod partition;
mod path_lists;
mod prefix_list;
mod rip;
mod route_map;
mod static_route;
mod time_range;
mod tracking;

use netconfarena_emu::config::{CryptographicAlgorithm, Lifetime, RouterConfig};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::policy::Permission;

pub(crate) use access_list::{extended_entry, protocol, standard_source};
pub use all::show_all;
pub(crate) use bgp::policy_lines as bgp_policy_lines;
pub use diff::{differences, missing};
pub(crate) use ospf::source_name;
pub use partition::{PARTITIONS, show_partition};
pub(crate) use path_lists::communities;
pub(crate) use prefix_list::prefix_list_entry;
pub(crate) use route_map::clauses as route_map_clauses;
pub(crate) use tracking::object as tracked_object;

use crate::config::{CONTROL_PLANE, Place, global_lines};

/// The release whose configurations these look like.
pub const VERSION: &str = "15.9";

/// Lines of a configuration; sections are separated by `!`.
#[derive(Debug, Default)]
pub(crate) struct Lines(Vec<String>);

impl Lines {
    pub(crate) fn push(&mut self, line: impl Into<String>) {
        self.0.push(line.into());
    }

    /// A line within a section.
    pub(crate) fn inner(&mut self, line: impl AsRef<str>) {
        self.0.push(format!(" {}", line.as_ref()));
    }

    /// Ends a section.
    pub(crate) fn separator(&mut self) {
        if self.0.last().is_some_and(|last| last != "!") {
            self.0.push("!".to_owned());
        }
    }
}

/// The lines of a configuration, from `version` to `end`, each ended by a newline.
#[must_use]
pub fn render(config: &RouterConfig) -> String {
    let mut lines = Lines::default();
    lines.push("!");
    lines.push(format!("version {VERSION}"));
    place(config, Place::Service, &mut lines);
    lines.separator();
    lines.push(format!("hostname {}", config.hostname));
    lines.separator();
    place(config, Place::Boot, &mut lines);
    lines.separator();
    vrfs(config, &mut lines);
    access::enable(config, &mut lines);
    lines.separator();
    for line in global_lines(config, Place::System) {
        lines.push(line);
        lines.separator();
    }
    if !config.ip_routing {
        lines.push("no ip routing");
    }
    if !config.domain_lookup {
        lines.push("no ip domain lookup");
    }
    lines.separator();
    key_chains(config, &mut lines);
    access::users(config, &mut lines);
    place(config, Place::Users, &mut lines);
    lines.separator();
    archive(config, &mut lines);
    tracking::objects(config, &mut lines);
    interface::render(config, &mut lines);
    eigrp::render(config, &mut lines);
    ospf::render(config, &mut lines);
    rip::render(config, &mut lines);
    bgp::render(config, &mut lines);
    place(config, Place::Transport, &mut lines);
    path_lists::render(config, &mut lines);
    tracking::local_policy(config, &mut lines);
    static_route::render(config, &mut lines);
    lines.separator();
    access_list::named(config, &mut lines);
    prefix_list::render(config, &mut lines);
    tracking::operations(config, &mut lines);
    place(config, Place::Management, &mut lines);
    lines.separator();
    route_map::policy_lists(config, &mut lines);
    route_map::render(config, &mut lines);
    access_list::numbered(config, &mut lines);
    lines.separator();
    control_plane(config, &mut lines);
    line::render(config, &mut lines);
    place(config, Place::Ntp, &mut lines);
    lines.separator();
    time_range::render(config, &mut lines);
    lines.push("end");
    let mut text = lines.0.join("\n");
    text.push('\n');
    text
}

fn place(config: &RouterConfig, place: Place, lines: &mut Lines) {
    global_lines(config, place).into_iter().for_each(|line| lines.push(line));
}

/// `show running-config`: the text behind its header.
#[must_use]
pub fn show(config: &RouterConfig) -> String {
    with_header(&render(config))
}

/// `show running-config interface NAME`; `None` if there is no such interface.
#[must_use]
pub fn show_interface(config: &RouterConfig, name: InterfaceName) -> Option<String> {
    let mut lines = Lines::default();
    lines.push("!");
    interface::render_one(config, name, config.interfaces.get(&name)?, &mut lines);
    lines.push("end");
    Some(with_header(&(lines.0.join("\n") + "\n")))
}

fn with_header(text: &str) -> String {
    format!("Building configuration...\n\nCurrent configuration : {} bytes\n{text}", text.len())
}

/// `permit` or `deny`.
const fn permission(action: Permission) -> &'static str {
    match action {
        Permission::Permit => "permit",
        Permission::Deny => "deny",
    }
}

fn archive(config: &RouterConfig, lines: &mut Lines) {
    let Some(archive) = &config.archive else { return };
    lines.push("archive");
    if let Some(path) = &archive.path {
        lines.inner(format!("path {path}"));
    }
    if let Some(copies) = archive.maximum {
        lines.inner(format!("maximum {copies}"));
    }
    if archive.write_memory {
        lines.inner("write-memory");
    }
    lines.separator();
}

fn vrfs(config: &RouterConfig, lines: &mut Lines) {
    for (name, vrf) in &config.vrfs {
        lines.push(format!("vrf definition {name}"));
        if let Some(text) = &vrf.description {
            lines.inner(format!("description {text}"));
        }
        if let Some(rd) = &vrf.route_distinguisher {
            lines.inner(format!("rd {rd}"));
        }
        if vrf.ipv4 {
            lines.inner("!");
            lines.inner("address-family ipv4");
            lines.inner("exit-address-family");
        }
        lines.separator();
    }
}

fn key_chains(config: &RouterConfig, lines: &mut Lines) {
    for (name, chain) in &config.key_chains {
        lines.push(format!("key chain {name}"));
        for (id, key) in &chain.keys {
            lines.inner(format!("key {id}"));
            if let Some(string) = &key.key_string {
                lines.inner(format!(" key-string {string}"));
            }
            for (name, lifetime) in [("accept", key.accept_lifetime), ("send", key.send_lifetime)] {
                if let Some(Lifetime { from, until }) = lifetime {
                    let until = until.map_or("infinite".to_owned(), time_range::instant);
                    lines.inner(format!(" {name}-lifetime {} {until}", time_range::instant(from)));
                }
            }
            if let Some(algorithm) = key.algorithm {
                let name = match algorithm {
                    CryptographicAlgorithm::Md5 => "md5",
                    CryptographicAlgorithm::HmacSha1 => "hmac-sha-1",
                    CryptographicAlgorithm::HmacSha256 => "hmac-sha-256",
                    CryptographicAlgorithm::HmacSha384 => "hmac-sha-384",
                    CryptographicAlgorithm::HmacSha512 => "hmac-sha-512",
                };
                lines.inner(format!(" cryptographic-algorithm {name}"));
            }
        }
        lines.separator();
    }
}

/// `control-plane`, banners and aliases.
fn control_plane(config: &RouterConfig, lines: &mut Lines) {
    lines.push(CONTROL_PLANE);
    config.inert.sections.get(CONTROL_PLANE).into_iter().flatten().for_each(|line| lines.inner(line));
    lines.separator();
    place(config, Place::Banner, lines);
    banners(config, lines);
    lines.separator();
}

fn banners(config: &RouterConfig, lines: &mut Lines) {
    for kind in ["exec", "incoming", "login", "motd"] {
        let head = format!("banner {kind} ");
        let stored = config.inert.global.iter().filter(|line| line.starts_with(&head));
        stored.for_each(|line| lines.push(line.clone()));
    }
}

/// The text of a banner (`motd`, `login`, `exec`), if it is configured.
#[must_use]
pub fn banner<'c>(config: &'c RouterConfig, kind: &str) -> Option<&'c str> {
    let head = format!("banner {kind} ^C");
    config.inert.global.iter().find_map(|line| line.strip_prefix(&head)?.strip_suffix("^C"))
}

#[cfg(test)]
mod random_lines;
#[cfg(test)]
mod tests;
