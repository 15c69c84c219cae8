//! What lines about an address family bring about.

use super::*;

/// R1 of AS 1 and R2 of AS 2 on two cables; R1 tells 172.16.1.0/24.
fn pair(first: &str, second: &str) -> Lab {
    let router = |number: u32, lines: &str| {
        format!(
            "hostname R{number}\ninterface GigabitEthernet0/0\n ip address 10.0.0.{number} 255.255.255.0\n no shutdown\n\
             interface GigabitEthernet0/1\n ip address 10.0.1.{number} 255.255.255.0\n no shutdown\n\
             ip route 172.16.{number}.0 255.255.255.0 Null0\nrouter bgp {number}\n bgp router-id {number}.{number}.{number}.{number}\n \
             network 172.16.{number}.0 mask 255.255.255.0\n neighbor 10.0.0.{other} remote-as {other}\n \
             neighbor 10.0.1.{other} remote-as {other}\n{lines}",
            other = 3 - number
        )
    };
    let (first, second) = (router(1, first), router(2, second));
    let cables: &[&[&str]] = &[&["R1 gi0/0", "R2 gi0/0"], &["R1 gi0/1", "R2 gi0/1"]];
    let mut lab = Lab::new(5, &[("R1", &first), ("R2", &second)], cables);
    lab.run(120);
    lab
}

#[test]
fn maximum_paths_uses_paths_beside_the_best() {
    let lab = pair("", " maximum-paths 2\n");
    let hops = route(&lab, "R2", "172.16.1.0/24").unwrap().1;
    assert_eq!(hops, ["10.0.0.1", "10.0.1.1"]);
    assert_eq!(route(&pair("", ""), "R2", "172.16.1.0/24").unwrap().1.len(), 1);
}

#[test]
fn distances_by_kind_and_by_source() {
    let lab = pair("", " distance bgp 33 44 55\n aggregate-address 172.16.0.0 255.255.0.0\n");
    assert_eq!(route(&lab, "R2", "172.16.1.0/24").unwrap().0, 33);
    assert_eq!(route(&lab, "R2", "172.16.0.0/16").unwrap().0, 55);
    let lab = pair("", " distance 66 10.0.0.1 0.0.1.0\n");
    assert_eq!(route(&lab, "R2", "172.16.1.0/24").unwrap().0, 66);
}

#[test]
fn a_backdoor_network_is_not_told_and_counts_as_local() {
    let lab = pair("", " network 172.16.1.0 mask 255.255.255.0 backdoor\n");
    assert_eq!(route(&lab, "R2", "172.16.1.0/24").unwrap().0, 200);
}

#[test]
fn a_table_map_sets_metrics_and_filters() {
    let map = "\nip prefix-list ONE permit 172.16.1.0/24\nroute-map T permit 10\n match ip address prefix-list ONE\n set metric 9\n set tag 8\n";
    let more = "ip route 172.30.0.0 255.255.0.0 Null0\nrouter bgp 1\n network 172.30.0.0 mask 255.255.0.0\n";
    let lab = pair(more, &format!(" table-map T{map}"));
    let installed = lab.route("R2", "172.16.1.0/24").unwrap();
    assert_eq!((installed.metric, installed.tag), (9, 8));
    assert!(lab.route("R2", "172.30.0.0/16").is_some());
    let lab = pair(more, &format!(" table-map T filter{map}"));
    assert!(lab.route("R2", "172.30.0.0/16").is_none() && lab.route("R2", "172.16.1.0/24").is_some());
}

#[test]
fn aggregates_with_their_maps() {
    let maps = "ip route 172.16.7.0 255.255.255.0 Null0\nip prefix-list SEVEN permit 172.16.7.0/24\n\
                route-map SEVEN permit 10\n match ip address prefix-list SEVEN\nroute-map MED permit 10\n set metric 77\n\
                router bgp 1\n network 172.16.7.0 mask 255.255.255.0\n aggregate-address 172.16.0.0 255.255.0.0 ";
    let lab = pair(&format!("{maps}suppress-map SEVEN attribute-map MED\n"), "");
    assert!(best(&lab, "R2", "172.16.7.0/24").is_none() && best(&lab, "R2", "172.16.1.0/24").is_some());
    let aggregate = best(&lab, "R2", "172.16.0.0/16").unwrap();
    assert_eq!(aggregate.attributes.med, Some(77));
    assert!(aggregate.attributes.aggregator.is_some());
    assert_eq!(lab.route("R1", "172.16.0.0/16").unwrap().distance, 200, "the discard route");
}

#[test]
fn as_set_names_the_ases_of_the_parts() {
    let lab = pair("", " aggregate-address 172.16.0.0 255.255.0.0 as-set\n");
    assert_eq!(as_path(&lab, "R2", "172.16.0.0/16").as_deref(), Some("{1}"));
    let lab = pair("", " aggregate-address 172.16.0.0 255.255.0.0\n");
    assert!(best(&lab, "R1", "172.16.0.0/16").unwrap().attributes.atomic_aggregate);
}

#[test]
fn redistribution_with_metric_and_the_default_route_by_its_own_line() {
    let lines = "ip route 0.0.0.0 0.0.0.0 Null0\nip route 172.40.0.0 255.255.0.0 Null0\nrouter bgp 1\n redistribute static\n default-metric 44\n";
    let mut lab = pair(lines, "");
    assert_eq!(best(&lab, "R2", "172.40.0.0/16").unwrap().attributes.med, Some(44));
    assert!(best(&lab, "R2", "0.0.0.0/0").is_none());
    lab.configure("R1", "router bgp 1\n default-information originate");
    lab.run(60);
    assert!(best(&lab, "R2", "0.0.0.0/0").is_some());
}

#[test]
fn auto_summary_tells_the_classful_network() {
    let lab = pair(
        "ip route 172.40.3.0 255.255.255.0 Null0\nrouter bgp 1\n redistribute static\n auto-summary\n",
        "",
    );
    assert!(best(&lab, "R2", "172.40.0.0/16").is_some() && best(&lab, "R2", "172.40.3.0/24").is_none());
}

#[test]
fn limits_and_preferences_of_the_process() {
    let prepend = " neighbor 10.0.0.2 route-map P out\n neighbor 10.0.1.2 route-map P out\nroute-map P permit 10\n set as-path prepend 1 1 1\n";
    let lab = pair(prepend, " bgp maxas-limit 3\n");
    assert!(best(&lab, "R2", "172.16.1.0/24").is_none());
    let lab = pair(prepend, " bgp maxas-limit 4\n");
    assert!(best(&lab, "R2", "172.16.1.0/24").is_some());
}

#[test]
fn a_route_that_flaps_is_not_used_until_it_is_quiet() {
    let mut lab = pair("", " no neighbor 10.0.1.1\n bgp dampening\n");
    let flap = |lab: &mut Lab| {
        for no in ["no ", ""] {
            lab.configure("R1", &format!("router bgp 1\n {no}network 172.16.1.0 mask 255.255.255.0"));
            lab.run(40);
        }
    };
    flap(&mut lab);
    assert!(best(&lab, "R2", "172.16.1.0/24").is_some(), "once is allowed");
    flap(&mut lab);
    flap(&mut lab);
    assert!(best(&lab, "R2", "172.16.1.0/24").is_none());
    assert!(destination(&lab, "R2", "172.16.1.0/24").unwrap().paths[0].status.damped);
    lab.run(3600);
    assert!(best(&lab, "R2", "172.16.1.0/24").is_some());
    (0..3).for_each(|_| flap(&mut lab));
    assert!(best(&lab, "R2", "172.16.1.0/24").is_none());
    let node = lab.node("R2");
    netconfarena_cli_dialect::session::Session::privileged(node)
        .execute(&mut lab.network, "clear ip bgp dampening");
    assert!(best(&lab, "R2", "172.16.1.0/24").is_some());
}
