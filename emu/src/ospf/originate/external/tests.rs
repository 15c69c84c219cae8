//! Tests of external LSAs.

use super::*;
use crate::ids::{Asn, IfIndex};
use crate::ospf::config::{DefaultInformation, Redistribution};
use crate::ospf::handcrafted::{ip, rid};
use crate::time::Time;

fn route(prefix: &str, owner: RouteOwner, kind: RouteKind) -> Route {
    Route {
        prefix: prefix.parse().unwrap(),
        owner,
        kind,
        distance: 1,
        metric: 7,
        tag: 0,
        next_hops: [NextHop::via(ip("10.0.0.9"), IfIndex(1))].into(),
        installed: Time::ZERO,
    }
}

fn fixed(prefix: &str) -> Route {
    route(prefix, RouteOwner::Static, RouteKind::Static)
}

fn rule(source: RedistributionSource, rule: Redistribution) -> OspfConfig {
    OspfConfig { redistribute: [(source, rule)].into(), ..OspfConfig::default() }
}

fn subnets() -> Redistribution {
    Redistribution { subnets: true, ..Redistribution::default() }
}

/// Route map "DENY" denies, "SET" sets everything, others permit. 10.9.0.0/16 is internal; interface 1 can forward.
fn told(config: &OspfConfig, routes: &[Route]) -> Externals {
    let route_map = |name: &str, _: &Route| match name {
        "DENY" => None,
        "SET" => Some(PolicyResult {
            metric: Some(99),
            metric_type: Some(ExternalMetricType::Type1),
            tag: Some(42),
            forwarding_address: None,
        }),
        _ => Some(PolicyResult::default()),
    };
    let view = RedistributionView {
        process_id: 1,
        config,
        sources: &|route| vec![RedistributionSource::from(route.owner)],
        route_map: &route_map,
        distribute_out: &|_, prefix| prefix != "172.31.0.0/16".parse().unwrap(),
        is_internal: &|prefix| prefix == "10.9.0.0/16".parse().unwrap(),
        can_forward: &|hop| hop.interface == Some(IfIndex(1)),
        max_metric: config.max_metric.and_then(|max| max.external_lsa),
    };
    redistributed(&view, routes.iter())
}

fn prefixes(externals: &Externals) -> Vec<String> {
    externals.keys().map(Ipv4Net::to_string).collect()
}

#[test]
fn rfc12_4_4_only_configured_sources_are_redistributed() {
    let routes = [
        fixed("172.16.0.0/16"),
        route("172.17.0.0/16", RouteOwner::Rip, RouteKind::Rip),
        route("172.18.0.0/16", RouteOwner::Ospf(1), RouteKind::OspfIntraArea),
    ];
    assert_eq!(prefixes(&told(&rule(RedistributionSource::Static, subnets()), &routes)), ["172.16.0.0/16"]);
    assert_eq!(prefixes(&told(&rule(RedistributionSource::Rip, subnets()), &routes)), ["172.17.0.0/16"]);
    let own = rule(RedistributionSource::Ospf(1), subnets());
    assert!(told(&own, &routes).is_empty(), "never its own");
}

#[test]
fn without_subnets_only_classful_networks_pass() {
    let routes = ["10.0.0.0/8", "10.1.0.0/16", "172.16.0.0/16", "192.0.2.0/24", "192.0.2.0/25"].map(fixed);
    let config = rule(RedistributionSource::Static, Redistribution::default());
    assert_eq!(prefixes(&told(&config, &routes)), ["10.0.0.0/8", "172.16.0.0/16", "192.0.2.0/24"]);
    assert_eq!(told(&rule(RedistributionSource::Static, subnets()), &routes).len(), 5);
}

#[test]
fn defaults_of_metric_type_and_tag() {
    let of = |source, route: Route| {
        let prefix = route.prefix;
        told(&rule(source, subnets()), &[route])[&prefix]
    };
    let external = of(RedistributionSource::Static, fixed("172.16.0.0/16"));
    assert_eq!(external.metric, 20);
    assert_eq!(external.metric_type, ExternalMetricType::Type2);
    assert_eq!(external.tag, 0);
    let asn = Asn(65001);
    let bgp = route("172.16.0.0/16", RouteOwner::Bgp(asn), RouteKind::BgpExternal);
    let bgp = Route { tag: 65002, ..bgp };
    assert_eq!(of(RedistributionSource::Bgp(asn), bgp.clone()).metric, 1);
    assert_eq!(of(RedistributionSource::Bgp(asn), bgp).tag, 65002);
    let ospf = route("172.16.0.0/16", RouteOwner::Ospf(2), RouteKind::OspfInterArea);
    assert_eq!(of(RedistributionSource::Ospf(2), ospf).metric, 7);
}

#[test]
fn metrics_in_order_route_map_rule_default_metric() {
    let prefix: Ipv4Net = "172.16.0.0/16".parse().unwrap();
    let metric = |rule_metric, route_map: Option<&str>| {
        let redistribution =
            Redistribution { metric: rule_metric, route_map: route_map.map(str::to_owned), ..subnets() };
        let mut config = rule(RedistributionSource::Static, redistribution);
        config.default_metric = Some(50);
        told(&config, &[fixed("172.16.0.0/16")])[&prefix]
    };
    assert_eq!(metric(None, None).metric, 50);
    assert_eq!(metric(Some(60), None).metric, 60);
    let set = metric(Some(60), Some("SET"));
    assert_eq!((set.metric, set.metric_type, set.tag), (99, ExternalMetricType::Type1, 42));
}

#[test]
fn route_maps_and_distribute_lists_filter() {
    let denied = Redistribution { route_map: Some("DENY".to_owned()), ..subnets() };
    assert!(told(&rule(RedistributionSource::Static, denied), &[fixed("172.16.0.0/16")]).is_empty());
    let config = rule(RedistributionSource::Static, subnets());
    assert!(told(&config, &[fixed("172.31.0.0/16")]).is_empty());
}

#[test]
fn connected_subnets_of_the_process_and_local_routes_do_not_pass() {
    let connected = rule(RedistributionSource::Connected, subnets());
    let subnet = |prefix| route(prefix, RouteOwner::Connected, RouteKind::Connected);
    let routes = [
        subnet("10.8.0.0/16"),
        subnet("10.9.0.0/16"),
        route("10.8.0.1/32", RouteOwner::Connected, RouteKind::Local),
    ];
    assert_eq!(prefixes(&told(&connected, &routes)), ["10.8.0.0/16"]);
}

#[test]
fn match_selects_types_of_another_ospf_process() {
    let routes = [
        route("10.1.0.0/16", RouteOwner::Ospf(2), RouteKind::OspfIntraArea),
        route("10.2.0.0/16", RouteOwner::Ospf(2), RouteKind::OspfExternal1),
        route("10.3.0.0/16", RouteOwner::Ospf(2), RouteKind::OspfNssa2),
    ];
    let matching = |types: &[OspfRouteType]| {
        let redistribution = Redistribution { match_types: types.iter().copied().collect(), ..subnets() };
        prefixes(&told(&rule(RedistributionSource::Ospf(2), redistribution), &routes))
    };
    assert_eq!(matching(&[]).len(), 3);
    assert_eq!(matching(&[OspfRouteType::Internal]), ["10.1.0.0/16"]);
    assert_eq!(
        matching(&[OspfRouteType::External1, OspfRouteType::NssaExternal2]),
        ["10.2.0.0/16", "10.3.0.0/16"]
    );
}

#[test]
fn the_default_route_needs_default_information_originate() {
    let mut config = rule(RedistributionSource::Static, subnets());
    let default = [fixed("0.0.0.0/0")];
    assert!(told(&config, &default).is_empty());
    config.default_information = Some(DefaultInformation::default());
    let external = told(&config, &default)[&Ipv4Net::default()];
    assert_eq!((external.metric, external.tag), (1, 1));
    assert!(told(&config, &[]).is_empty());
    let own = route("0.0.0.0/0", RouteOwner::Ospf(1), RouteKind::OspfExternal2);
    assert!(told(&config, &[own]).is_empty(), "a default learned by the process itself does not count");
    config.default_information = Some(DefaultInformation { always: true, ..DefaultInformation::default() });
    assert_eq!(told(&config, &[])[&Ipv4Net::default()].metric, 10);
}

#[test]
fn default_information_with_a_route_map_follows_any_route_it_permits() {
    let with = |name: &str| OspfConfig {
        default_information: Some(DefaultInformation {
            always: true,
            route_map: Some(name.to_owned()),
            ..DefaultInformation::default()
        }),
        ..OspfConfig::default()
    };
    assert!(told(&with("DENY"), &[fixed("172.16.0.0/16")]).is_empty());
    assert_eq!(told(&with("SET"), &[fixed("172.16.0.0/16")])[&Ipv4Net::default()].metric, 99);
}

#[test]
fn rfc12_4_4_the_next_hop_is_told_where_others_reach_it() {
    let config = rule(RedistributionSource::Static, subnets());
    let near = fixed("172.16.0.0/16");
    let far =
        Route { next_hops: [NextHop::via(ip("10.0.0.9"), IfIndex(2))].into(), ..fixed("172.17.0.0/16") };
    let externals = told(&config, &[near, far]);
    let forwarding: Vec<_> = externals.values().map(|e| e.forwarding_address.to_string()).collect();
    assert_eq!(forwarding, ["10.0.0.9", "0.0.0.0"]);
}

#[test]
fn max_metric_external_lsa_overrides_the_metric() {
    let mut config = rule(RedistributionSource::Static, subnets());
    config.max_metric = Some(crate::ospf::config::MaxMetric {
        external_lsa: Some(16_711_680),
        ..crate::ospf::config::MaxMetric::default()
    });
    assert_eq!(
        told(&config, &[fixed("172.16.0.0/16")])[&"172.16.0.0/16".parse().unwrap()].metric,
        16_711_680
    );
}

fn external(metric: u32) -> External {
    External {
        metric_type: ExternalMetricType::Type2,
        metric,
        tag: 5,
        forwarding_address: ip("10.0.0.9"),
        nssa_only: false,
    }
}

fn externals(list: &[(&str, u32)]) -> Externals {
    list.iter().map(|&(prefix, metric)| (prefix.parse().unwrap(), external(metric))).collect()
}

#[test]
fn summary_address_takes_the_place_of_its_components() {
    let all = externals(&[("172.16.1.0/24", 30), ("172.16.2.0/24", 20), ("172.17.0.0/16", 1)]);
    let options = SummaryAddress { tag: Some(7), ..SummaryAddress::default() };
    let summaries = [("172.16.0.0/16".parse().unwrap(), options)].into();
    let told = summarised(all.clone(), &summaries);
    assert_eq!(prefixes(&told), ["172.16.0.0/16", "172.17.0.0/16"]);
    let summary = told[&"172.16.0.0/16".parse().unwrap()];
    assert_eq!((summary.metric, summary.tag), (20, 7));
    assert!(summary.forwarding_address.is_unspecified());
    let hidden = SummaryAddress { not_advertise: true, ..SummaryAddress::default() };
    let told = summarised(all, &[("172.16.0.0/16".parse().unwrap(), hidden)].into());
    assert_eq!(prefixes(&told), ["172.17.0.0/16"]);
}

#[test]
fn of_nested_summary_addresses_the_longest_counts() {
    let summaries =
        ["172.16.0.0/12", "172.16.0.0/16"].map(|p| (p.parse().unwrap(), SummaryAddress::default()));
    let told = summarised(externals(&[("172.16.1.0/24", 1), ("172.18.0.0/24", 1)]), &summaries.into());
    assert_eq!(prefixes(&told), ["172.16.0.0/12", "172.16.0.0/16"]);
}

#[test]
fn rfc12_4_4_type_5_lsas_say_what_was_decided() {
    let wanted = external_lsas(rid(1), &externals(&[("172.16.1.0/24", 30)]));
    let (key, content) = wanted.first_key_value().unwrap();
    assert_eq!(*key, LsaKey::new(LsType::AsExternal, ip("172.16.1.0"), rid(1)));
    let LsaBody::AsExternal(body) = &content.body else { panic!() };
    assert_eq!((body.metric, body.tag, body.forwarding_address), (30, 5, ip("10.0.0.9")));
    assert_eq!(body.mask, ip("255.255.255.0"));
}

#[test]
fn rfc3101_2_4_type_7_lsas_have_the_p_bit_and_a_forwarding_address_except_on_border_routers() {
    let all =
        [("172.16.0.0/16".parse().unwrap(), External { forwarding_address: ip("0.0.0.0"), ..external(1) })];
    let of = |address| {
        let wanted = nssa_lsas(rid(1), &all.into(), address);
        let content = wanted.values().next().unwrap().clone();
        let LsaBody::Nssa(body) = content.body else { panic!() };
        (content.options.contains(Options::NP), body.forwarding_address)
    };
    assert_eq!(of(Some(ip("1.1.1.1"))), (true, ip("1.1.1.1")));
    assert_eq!(of(None), (false, ip("0.0.0.0")));
}

#[test]
fn nssa_only_destinations_are_not_told_by_type_5() {
    let all: Externals =
        [("172.16.0.0/16".parse().unwrap(), External { nssa_only: true, ..external(1) })].into();
    assert!(external_lsas(rid(1), &all).is_empty());
    assert_eq!(nssa_lsas(rid(1), &all, None).len(), 1);
}
