//! The command tree of each mode.

use std::sync::LazyLock;

use super::eigrp::EigrpMode;
use super::{
    ConfigMode, Handler, access, access_list, archive, banner, bgp, eigrp, extended_lists, global, host_key,
    inert, interface, ip_eigrp, ip_ospf, ip_rip, key_chain, line, navigation, ospf, path_lists, prefix_list,
    rip, route_map, static_route, time_range, tracking, unsupported, vrf,
};
use crate::grammar::{Spec, Tree};

/// The compiled tables.
struct Trees {
    global: Tree<Handler>,
    interface: Tree<Handler>,
    ospf: Tree<Handler>,
    eigrp: EigrpTrees,
    rip: Tree<Handler>,
    rip_family: Tree<Handler>,
    bgp: Tree<Handler>,
    bgp_family: Tree<Handler>,
    bgp_session_template: Tree<Handler>,
    bgp_policy_template: Tree<Handler>,
    vrf: Tree<Handler>,
    vrf_address_family: Tree<Handler>,
    key_chain: Tree<Handler>,
    key: Tree<Handler>,
    standard_access_list: Tree<Handler>,
    extended_access_list: Tree<Handler>,
    route_map: Tree<Handler>,
    policy_list: Tree<Handler>,
    time_range: Tree<Handler>,
    track: Tree<Handler>,
    sla: Tree<Handler>,
    echo: Tree<Handler>,
    archive: Tree<Handler>,
    line: Tree<Handler>,
    none: Tree<Handler>,
}

/// The compiled tables of EIGRP's modes.
struct EigrpTrees {
    classic: Tree<Handler>,
    classic_vrf: Tree<Handler>,
    named: Tree<Handler>,
    family: Tree<Handler>,
    af_interface: Tree<Handler>,
    topology: Tree<Handler>,
}

static TREES: LazyLock<Trees> = LazyLock::new(|| {
    let tree =
        |tables: Vec<Vec<Spec<Handler>>>| Tree::new(tables.into_iter().flatten().chain(navigation::table()));
    Trees {
        global: tree(vec![
            global::table(),
            line::global_table(),
            host_key::table(),
            access::table(),
            archive::global_table(),
            interface::global_table(),
            static_route::table(),
            access_list::global_table(),
            prefix_list::table(),
            path_lists::table(),
            extended_lists::table(),
            route_map::global_table(),
            time_range::global_table(),
            tracking::global_table(),
            bgp::global_table(),
            ospf::global_table(),
            eigrp::global_table(),
            rip::global_table(),
            vrf::global_table(),
            key_chain::global_table(),
            inert::global_table(),
            banner::table(),
            unsupported::global_table(),
        ]),
        interface: tree(vec![
            interface::table(),
            access_list::interface_table(),
            ip_ospf::table(),
            ip_eigrp::table(),
            ip_rip::table(),
            tracking::interface_table(),
            inert::interface_table(),
            unsupported::interface_table(),
        ]),
        ospf: tree(vec![ospf::table(), unsupported::ospf_table()]),
        eigrp: EigrpTrees {
            classic: tree(vec![eigrp::classic_table(), unsupported::eigrp_table()]),
            classic_vrf: tree(vec![eigrp::classic_vrf_table(), unsupported::eigrp_table()]),
            named: tree(vec![eigrp::named_table(), unsupported::eigrp_named_table()]),
            family: tree(vec![eigrp::family_table(), unsupported::eigrp_table()]),
            af_interface: tree(vec![eigrp::af_interface_table(), unsupported::eigrp_interface_table()]),
            topology: tree(vec![eigrp::topology_table(), unsupported::eigrp_topology_table()]),
        },
        rip: tree(vec![rip::table(), unsupported::rip_table()]),
        rip_family: tree(vec![rip::family_table(), unsupported::rip_table()]),
        bgp: tree(vec![bgp::table(), unsupported::bgp_table()]),
        bgp_family: tree(vec![bgp::family_table(), unsupported::bgp_table()]),
        bgp_session_template: tree(vec![bgp::session_template_table()]),
        bgp_policy_template: tree(vec![bgp::policy_template_table()]),
        vrf: tree(vec![vrf::table(), unsupported::vrf_table()]),
        vrf_address_family: tree(vec![vrf::address_family_table(), unsupported::vrf_table()]),
        key_chain: tree(vec![key_chain::table()]),
        key: tree(vec![key_chain::key_table()]),
        standard_access_list: tree(vec![access_list::standard_table()]),
        extended_access_list: tree(vec![access_list::extended_table()]),
        route_map: tree(vec![route_map::table()]),
        policy_list: tree(vec![route_map::policy_list_table()]),
        time_range: tree(vec![time_range::table()]),
        track: tree(vec![tracking::track_table(), unsupported::track_table()]),
        sla: tree(vec![tracking::sla_table()]),
        echo: tree(vec![tracking::echo_table()]),
        archive: tree(vec![archive::table(), unsupported::archive_table()]),
        line: tree(vec![line::table()]),
        none: tree(Vec::new()),
    }
});

/// The commands of a mode.
pub(super) fn tree_of(mode: &ConfigMode) -> &'static Tree<Handler> {
    match mode {
        ConfigMode::Global => &TREES.global,
        ConfigMode::Interface(_) => &TREES.interface,
        ConfigMode::RouterOspf(_) => &TREES.ospf,
        ConfigMode::Eigrp(EigrpMode::Classic(_)) => &TREES.eigrp.classic,
        ConfigMode::Eigrp(EigrpMode::ClassicVrf(..)) => &TREES.eigrp.classic_vrf,
        ConfigMode::Eigrp(EigrpMode::Named(_)) => &TREES.eigrp.named,
        ConfigMode::Eigrp(EigrpMode::Family(_)) => &TREES.eigrp.family,
        ConfigMode::Eigrp(EigrpMode::AfInterface(..)) => &TREES.eigrp.af_interface,
        ConfigMode::Eigrp(EigrpMode::Topology(_)) => &TREES.eigrp.topology,
        ConfigMode::Rip(None) => &TREES.rip,
        ConfigMode::Rip(Some(_)) => &TREES.rip_family,
        ConfigMode::RouterBgp => &TREES.bgp,
        ConfigMode::BgpFamily(_) => &TREES.bgp_family,
        ConfigMode::BgpSessionTemplate(_) => &TREES.bgp_session_template,
        ConfigMode::BgpPolicyTemplate(_) => &TREES.bgp_policy_template,
        ConfigMode::Vrf(_) => &TREES.vrf,
        ConfigMode::KeyChain(_) => &TREES.key_chain,
        ConfigMode::Key(..) => &TREES.key,
        ConfigMode::VrfAddressFamily(_) => &TREES.vrf_address_family,
        ConfigMode::StandardAccessList(_) => &TREES.standard_access_list,
        ConfigMode::ExtendedAccessList(_) => &TREES.extended_access_list,
        ConfigMode::RouteMap(..) => &TREES.route_map,
        ConfigMode::PolicyList(_) => &TREES.policy_list,
        ConfigMode::TimeRange(_) => &TREES.time_range,
        ConfigMode::Track(_) => &TREES.track,
        ConfigMode::Sla { is_echo: true, .. } => &TREES.echo,
        ConfigMode::Sla { .. } => &TREES.sla,
        ConfigMode::Archive => &TREES.archive,
        ConfigMode::Line(_) => &TREES.line,
        ConfigMode::Inert(_) | ConfigMode::Banner { .. } => &TREES.none,
    }
}
