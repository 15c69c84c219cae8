//! Lines about neighbors, peer groups and templates.

use netconfarena_emu::bgp::{
    AdvertiseCondition, BgpConfig, ConnectionMode, InstanceConfig, MaximumPrefix, MaximumPrefixAction,
    NextHopSelf, OrfDirection, PolicyOptions, RemovePrivateAs, SessionOptions,
};

use super::family::{additional_paths, selection};
use super::{Section, timers_text};

/// Who the neighbors are, and their sessions: groups first.
pub(super) fn sessions(settings: &InstanceConfig, section: &mut Section<'_>) {
    for (name, group) in &settings.groups {
        let head = format!("neighbor {name} ");
        section.put(format!("{head}peer-group"));
        if let Some(asn) = group.session.remote_as {
            let alternates: Vec<String> =
                group.session.alternate_as.iter().map(|asn| format!(" alternate-as {asn}")).collect();
            section.put(format!("{head}remote-as {asn}{}", alternates.concat()));
        }
        section.put_some(&format!("{head}inherit peer-session"), group.inherit_session.as_ref());
        session_options(&head, &group.session, section);
    }
    for (address, neighbor) in &settings.neighbors {
        let head = format!("neighbor {address} ");
        section.put_some(&format!("{head}remote-as"), neighbor.session.remote_as);
        section.put_some(&format!("{head}inherit peer-session"), neighbor.inherit_session.as_ref());
        section.put_some(&format!("{head}peer-group"), neighbor.group.as_ref());
        session_options(&head, &neighbor.session, section);
    }
}

/// What neighbors do in the address family.
pub(super) fn policies(bgp: &BgpConfig, settings: &InstanceConfig, section: &mut Section<'_>) {
    let global = std::ptr::eq(settings, &bgp.global);
    let by_default = if global { bgp.default_ipv4_unicast } else { true };
    let always = !global || bgp.family_sections;
    for (name, group) in &settings.groups {
        let head = format!("neighbor {name} ");
        activation(&head, group.active, group.active != by_default, section);
        policy_options(&head, &group.policy, section);
        section.put_some(&format!("{head}inherit peer-policy"), group.inherit_policy.as_ref());
    }
    for (address, neighbor) in &settings.neighbors {
        let head = format!("neighbor {address} ");
        activation(
            &head,
            neighbor.active,
            if always { neighbor.active || by_default } else { neighbor.active != by_default },
            section,
        );
        policy_options(&head, &neighbor.policy, section);
        section.put_some(&format!("{head}inherit peer-policy"), neighbor.inherit_policy.as_ref());
    }
}

fn activation(head: &str, active: bool, said: bool, section: &mut Section<'_>) {
    let no = if active { "" } else { "no " };
    section.put_if(said, &format!("{no}{head}activate"));
}

/// The options but for the remote AS. `head` is `neighbor A `, or nothing in a template.
pub(super) fn session_options(head: &str, options: &SessionOptions, section: &mut Section<'_>) {
    if let Some(local) = options.local_as {
        let mut line = format!("{head}local-as {}", local.asn);
        for (set, word) in [
            (local.no_prepend, " no-prepend"),
            (local.replace_as, " replace-as"),
            (local.dual_as, " dual-as"),
        ] {
            line.push_str(if set { word } else { "" });
        }
        section.put(line);
    }
    section.put_some(&format!("{head}description"), options.description.as_ref());
    section.put_if(options.shutdown, &format!("{head}shutdown"));
    if let Some(password) = &options.password {
        let kind = if password.encrypted { "7 " } else { "" };
        section.put(format!("{head}password {kind}{}", password.text));
    }
    match options.ebgp_multihop {
        Some(hops) => section.put(format!("{head}ebgp-multihop {hops}")),
        None => section.put_some(&format!("{head}ttl-security hops"), options.ttl_security_hops),
    }
    section.put_if(options.disable_connected_check, &format!("{head}disable-connected-check"));
    section.put_some(&format!("{head}update-source"), options.update_source);
    if let Some(timers) = options.timers {
        section.put(format!("{head}timers {}", timers_text(timers)));
    }
    if let Some(mode) = options.connection_mode {
        let mode = match mode {
            ConnectionMode::Active => "active",
            ConnectionMode::Passive => "passive",
        };
        section.put(format!("{head}transport connection-mode {mode}"));
    }
    section.put_if(options.no_capabilities, &format!("{head}dont-capability-negotiate"));
    if let Some(fall_over) = &options.fall_over {
        let map = fall_over.route_map.as_ref().map_or(String::new(), |map| format!(" route-map {map}"));
        section.put(format!("{head}fall-over{map}"));
    }
}

/// The options of an address family.
pub(super) fn policy_options(head: &str, options: &PolicyOptions, section: &mut Section<'_>) {
    let send = options.send_community;
    let communities = match (send.standard, send.extended) {
        (true, true) => Some(" both"),
        (true, false) => Some(""),
        (false, true) => Some(" extended"),
        (false, false) => None,
    };
    if let Some(kind) = communities {
        section.put(format!("{head}send-community{kind}"));
    }
    section.put_some(&format!("{head}advertisement-interval"), options.advertisement_interval);
    section.put_if(options.route_reflector_client, &format!("{head}route-reflector-client"));
    match options.next_hop_self {
        Some(NextHopSelf::External) => section.put(format!("{head}next-hop-self")),
        Some(NextHopSelf::All) => section.put(format!("{head}next-hop-self all")),
        None => {}
    }
    section.put_if(options.next_hop_unchanged, &format!("{head}next-hop-unchanged"));
    if let Some(default) = &options.default_originate {
        let map = default.route_map.as_ref().map_or(String::new(), |map| format!(" route-map {map}"));
        section.put(format!("{head}default-originate{map}"));
    }
    if let Some(how) = options.remove_private_as {
        section.put(format!(
            "{head}remove-private-as{}",
            match how {
                RemovePrivateAs::Plain => "",
                RemovePrivateAs::All => " all",
                RemovePrivateAs::Replace => " all replace-as",
            }
        ));
    }
    section.put_if(options.dmz_link_bandwidth, &format!("{head}dmzlink-bw"));
    section.put_if(options.soft_reconfiguration, &format!("{head}soft-reconfiguration inbound"));
    section.put_some(&format!("{head}weight"), options.weight);
    if let Some(direction) = options.orf_prefix_list {
        let direction = match direction {
            OrfDirection::Send => "send",
            OrfDirection::Receive => "receive",
            OrfDirection::Both => "both",
        };
        section.put(format!("{head}capability orf prefix-list {direction}"));
    }
    if let Some(paths) = options.additional_paths {
        section.put(format!("{head}additional-paths {}", additional_paths(paths).unwrap_or("disable")));
    }
    if !options.advertise_paths.is_empty() {
        section.put(format!("{head}advertise additional-paths{}", selection(options.advertise_paths)));
    }
    section.put_if(options.aigp, &format!("{head}aigp"));
    filters(head, options, section);
    section.put_some(&format!("{head}allowas-in"), options.allowas_in);
    section.put_if(options.as_override, &format!("{head}as-override"));
    if let Some(limit) = options.maximum_prefix {
        section.put(maximum_prefix(head, limit));
    }
}

fn filters(head: &str, options: &PolicyOptions, section: &mut Section<'_>) {
    let mut directed = |keyword: &str, inbound: Option<String>, outbound: Option<String>| {
        for (value, direction) in [(inbound, "in"), (outbound, "out")] {
            if let Some(value) = value {
                section.put(format!("{head}{keyword} {value} {direction}"));
            }
        }
    };
    let number = |list: Option<u16>| list.map(|number| number.to_string());
    let name = Option::<String>::clone;
    directed("distribute-list", name(&options.distribute_list_in), name(&options.distribute_list_out));
    directed("prefix-list", name(&options.prefix_list_in), name(&options.prefix_list_out));
    directed("route-map", name(&options.route_map_in), name(&options.route_map_out));
    directed("filter-list", number(options.filter_list_in), number(options.filter_list_out));
    section.put_some(&format!("{head}unsuppress-map"), options.unsuppress_map.as_ref());
    if let Some(advertise) = &options.advertise_map {
        let condition = match advertise.condition {
            AdvertiseCondition::Exist => "exist-map",
            AdvertiseCondition::NonExist => "non-exist-map",
        };
        section.put(format!("{head}advertise-map {} {condition} {}", advertise.map, advertise.condition_map));
    }
}

fn maximum_prefix(head: &str, limit: MaximumPrefix) -> String {
    let threshold = limit.threshold.map_or(String::new(), |percent| format!(" {percent}"));
    let action = match limit.action {
        MaximumPrefixAction::Stop => String::new(),
        MaximumPrefixAction::Restart(minutes) => format!(" restart {minutes}"),
        MaximumPrefixAction::WarningOnly => " warning-only".to_owned(),
    };
    format!("{head}maximum-prefix {}{threshold}{action}", limit.limit)
}
