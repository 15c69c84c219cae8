//! The `router bgp` section.

mod family;
mod neighbor;

pub(super) use family::dampening_values;

use netconfarena_emu::bgp::{BgpConfig, InstanceConfig, NeighborTimers, PolicyOptions, RouterIdSource};
use netconfarena_emu::config::RouterConfig;

use super::Lines;

/// The lines of the router's mode, or of an address family within it.
struct Section<'l> {
    lines: &'l mut Lines,
    /// Blanks before each line.
    indent: &'static str,
}

impl Section<'_> {
    fn put(&mut self, line: impl AsRef<str>) {
        self.lines.inner(format!("{}{}", self.indent, line.as_ref()));
    }

    /// A line if it is wanted.
    fn put_if(&mut self, wanted: bool, line: &str) {
        if wanted {
            self.put(line);
        }
    }

    /// A line with a value, if there is one.
    fn put_some(&mut self, keyword: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.put(format!("{keyword} {value}"));
        }
    }
}

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    let Some(bgp) = &config.bgp else { return };
    lines.push(format!("router bgp {}", bgp.asn));
    templates(bgp, lines);
    let mut section = Section { lines, indent: "" };
    process(bgp, &mut section);
    if bgp.family_sections {
        neighbor::sessions(&bgp.global, &mut section);
    } else {
        instance(bgp, &bgp.global, true, &mut section);
    }
    if bgp.family_sections {
        family_section(bgp, &bgp.global, None, lines);
    }
    for (vrf, settings) in &bgp.vrfs {
        family_section(bgp, settings, Some(vrf), lines);
    }
    lines.separator();
}

fn family_section(bgp: &BgpConfig, settings: &InstanceConfig, vrf: Option<&str>, lines: &mut Lines) {
    lines.inner("!");
    lines.inner(vrf.map_or("address-family ipv4".to_owned(), |vrf| format!("address-family ipv4 vrf {vrf}")));
    let mut section = Section { lines, indent: " " };
    instance(bgp, settings, vrf.is_some(), &mut section);
    lines.inner("exit-address-family");
}

/// All of an instance; the sessions too, unless they stand elsewhere.
fn instance(bgp: &BgpConfig, settings: &InstanceConfig, sessions: bool, section: &mut Section<'_>) {
    family::before_neighbors(bgp, settings, section);
    if sessions {
        neighbor::sessions(settings, section);
    }
    neighbor::policies(bgp, settings, section);
    family::behind_neighbors(&settings.ipv4, section);
}

fn process(bgp: &BgpConfig, section: &mut Section<'_>) {
    match bgp.router_id {
        Some(RouterIdSource::Address(id)) => section.put(format!("bgp router-id {id}")),
        Some(RouterIdSource::Interface(name)) => section.put(format!("bgp router-id interface {name}")),
        None => {}
    }
    let best = &bgp.best_path;
    section.put_if(best.always_compare_med, "bgp always-compare-med");
    section.put_if(!bgp.client_to_client_reflection, "no bgp client-to-client reflection");
    section.put_some("bgp cluster-id", bgp.cluster_id);
    let log = if bgp.log_neighbor_changes { "" } else { "no " };
    section.put(format!("{log}bgp log-neighbor-changes"));
    let restart = bgp.graceful_restart;
    section.put_some("bgp graceful-restart restart-time", restart.restart_time);
    section.put_some("bgp graceful-restart stalepath-time", restart.stale_path_time);
    section.put_if(restart.enabled, "bgp graceful-restart");
    section.put_some("bgp confederation identifier", bgp.confederation);
    if !bgp.confederation_peers.is_empty() {
        let peers: Vec<String> = bgp.confederation_peers.iter().map(ToString::to_string).collect();
        section.put(format!("bgp confederation peers {}", peers.join(" ")));
    }
    section.put_if(best.deterministic_med, "bgp deterministic-med");
    section.put_if(!bgp.enforce_first_as, "no bgp enforce-first-as");
    section.put_if(!bgp.fast_external_fallover, "no bgp fast-external-fallover");
    section.put_some("bgp listen limit", bgp.listen_limit);
    for (range, listen) in &bgp.listen_ranges {
        section.put(format!("bgp listen range {range} peer-group {}", listen.group));
    }
    section.put_if(!bgp.default_ipv4_unicast, "no bgp default ipv4-unicast");
    section.put_some("bgp default local-preference", bgp.default_local_preference);
    section.put_some("bgp maxas-limit", bgp.maxas_limit);
    for (set, line) in [
        (best.aigp_ignore, "aigp ignore"),
        (best.as_path_ignore, "as-path ignore"),
        (best.multipath_relax, "as-path multipath-relax"),
        (best.compare_router_id, "compare-routerid"),
        (best.cost_community_ignore, "cost-community ignore"),
        (best.igp_metric_ignore, "igp-metric ignore"),
        (best.med_confed, "med confed"),
        (best.med_missing_as_worst, "med missing-as-worst"),
    ] {
        section.put_if(set, &format!("bgp bestpath {line}"));
    }
    if let Some(timers) = bgp.timers {
        section.put(format!("timers bgp {}", timers_text(timers)));
    }
}

/// What is said of a neighbor's routes, without the neighbor's name.
pub(crate) fn policy_lines(options: &PolicyOptions) -> Vec<String> {
    let mut lines = Lines::default();
    neighbor::policy_options("", options, &mut Section { lines: &mut lines, indent: "" });
    lines.0.iter().map(|line| line.trim().to_owned()).collect()
}

fn timers_text(timers: NeighborTimers) -> String {
    let minimum = timers.minimum_hold.map_or(String::new(), |least| format!(" {least}"));
    format!("{} {}{minimum}", timers.keepalive, timers.hold)
}

fn templates(bgp: &BgpConfig, lines: &mut Lines) {
    for (name, template) in &bgp.policy_templates {
        lines.inner(format!("template peer-policy {name}"));
        let mut section = Section { lines, indent: " " };
        neighbor::policy_options("", &template.policy, &mut section);
        for (sequence, parent) in &template.inherit {
            section.put(format!("inherit peer-policy {parent} {sequence}"));
        }
        lines.inner("exit-peer-policy");
        lines.inner("!");
    }
    for (name, template) in &bgp.session_templates {
        lines.inner(format!("template peer-session {name}"));
        let mut section = Section { lines, indent: " " };
        section.put_some("remote-as", template.session.remote_as);
        neighbor::session_options("", &template.session, &mut section);
        section.put_some("inherit peer-session", template.inherit.as_ref());
        lines.inner("exit-peer-session");
        lines.inner("!");
    }
}
