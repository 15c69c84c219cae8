//! The typed tree as canonical text: IOS's order, defaults hidden.
//!
//! Rendering and reading are inverse: applying the lines of a rendered configuration gives the same tree.

mod interface;
mod ospf;
mod static_route;

use netconfarena_emu::config::{CryptographicAlgorithm, RouterConfig};

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
    ranked(config, 0, BEFORE_HOSTNAME).for_each(|line| lines.push(line.clone()));
    lines.separator();
    lines.push(format!("hostname {}", config.hostname));
    lines.separator();
    vrfs(config, &mut lines);
    inert_between(config, &mut lines);
    if !config.ip_routing {
        lines.push("no ip routing");
    }
    if !config.domain_lookup {
        lines.push("no ip domain lookup");
    }
    lines.separator();
    key_chains(config, &mut lines);
    interface::render(config, &mut lines);
    ospf::render(config, &mut lines);
    inert_tail(config, &mut lines);
    static_route::render(config, &mut lines);
    lines.separator();
    sections(config, &mut lines);
    lines.push("end");
    let mut text = lines.0.join("\n");
    text.push('\n');
    text
}

/// `show running-config`: the text behind its header.
#[must_use]
pub fn show(config: &RouterConfig) -> String {
    let text = render(config);
    format!("Building configuration...\n\nCurrent configuration : {} bytes\n{text}", text.len())
}

/// Places of lines without effect, as ranks of [`crate::config::inert_rank`]: before the host name, before the interfaces,
/// before the static routes.
const BEFORE_HOSTNAME: usize = 2;
const BEFORE_INTERFACES: usize = 28;

fn ranked(config: &RouterConfig, from: usize, to: usize) -> impl Iterator<Item = &String> {
    config.inert.global.iter().filter(move |line| {
        let rank = crate::config::inert_rank(line).unwrap_or(usize::MAX);
        (from..to).contains(&rank)
    })
}

fn inert_between(config: &RouterConfig, lines: &mut Lines) {
    for line in ranked(config, BEFORE_HOSTNAME, BEFORE_INTERFACES) {
        lines.push(line.clone());
        lines.separator();
    }
}

fn inert_tail(config: &RouterConfig, lines: &mut Lines) {
    ranked(config, BEFORE_INTERFACES, usize::MAX).for_each(|line| lines.push(line.clone()));
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

/// `control-plane`, `line con 0`, `line vty 0 4`: in IOS's order, which is that of their names here.
fn sections(config: &RouterConfig, lines: &mut Lines) {
    let order = |section: &str| {
        ["control-plane", "line con", "line aux", "line vty"]
            .iter()
            .position(|head| section.starts_with(head))
    };
    let mut sections: Vec<_> = config.inert.sections.iter().collect();
    sections.sort_by_key(|(name, _)| order(name));
    for (name, inner) in sections {
        lines.push(name.clone());
        inner.iter().for_each(|line| lines.inner(line));
        if !name.starts_with("line ") {
            lines.separator();
        }
    }
    lines.separator();
}

#[cfg(test)]
mod tests;
