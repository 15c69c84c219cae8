use proptest::prelude::*;

use super::*;
use crate::show::arbitrary;

prop_compose! {
    fn family()(numbers in any::<[u32; 5]>(), flags in any::<[bool; 5]>(), names in prop::collection::vec(prop::option::of(arbitrary::name()), 8), most in prop::option::of(any::<u32>())) -> Family {
        let [table_version, prefixes_sent, prefixes_received, bestpaths, multipaths] = numbers;
        let [reflector_client, next_hop_self, soft_reconfiguration, send_community, default_originate] = flags;
        let name = |at: usize| names[at].clone();
        Family {
            table_version, reflector_client, next_hop_self, soft_reconfiguration, send_community, default_originate, route_map_in: name(0),
            route_map_out: name(1), prefix_list_in: name(2), prefix_list_out: name(3), distribute_list_in: name(4), distribute_list_out: name(5),
            filter_list_in: name(6), filter_list_out: name(7), maximum_prefix: most, prefixes_sent, prefixes_received, bestpaths, multipaths,
        }
    }
}

prop_compose! {
    fn messages()(counts in any::<[[u64; 2]; 5]>()) -> Messages {
        let [opens, notifications, updates, keepalives, route_refreshes] = counts;
        Messages { opens, notifications, updates, keepalives, route_refreshes }
    }
}

prop_compose! {
    fn neighbor()(
        address in arbitrary::address(), numbers in any::<[u32; 5]>(), local_as in prop::option::of(any::<u32>()), flags in any::<[bool; 3]>(),
        names in (prop::option::of(arbitrary::name()), prop::option::of(arbitrary::name()), "([!-~]([ -~]{0,20}[!-~])?)?"),
        remote_router_id in arbitrary::address(), uptime in prop::option::of(arbitrary::age()), family in family(), messages in messages(),
        last_reset in prop::option::of(arbitrary::age()), multihop in prop::option::of(any::<u8>()), restart in prop::option::of((any::<[u32; 3]>(), any::<bool>())), ports in any::<[u16; 2]>(),
    ) -> Neighbor {
        let [remote_as, hold_time, keepalive, established, dropped] = numbers;
        let [internal, shutdown, directly_connected] = flags;
        let (vrf, peer_group, description) = names;
        Neighbor {
            vrf, local_as, description, peer_group, remote_router_id, state: if uptime.is_some() { "Established" } else { "Idle" }.to_owned(),
            shutdown, uptime, hold_time, keepalive, capabilities: vec![
                "Route refresh: advertised and received(new)".to_owned(), "Graceful Restart Capability: advertised and received".to_owned(),
            ],
            remote_restart_time: restart.map(|([time, ..], _)| time), forwarding_preserved: restart.is_some_and(|(_, kept)| kept),
            restart_time: restart.map(|([_, time, _], _)| time), stale_path_time: restart.map(|([.., time], _)| time), messages, family,
            established, dropped, last_reset, reset_reason: last_reset.map(|_| "Peer closed the session".to_owned()), multihop, directly_connected,
            connection: uptime.map(|_| Connection { local_address: remote_router_id, local_port: ports[0], remote_address: address, remote_port: ports[1] }),
            ..Neighbor::named(address, remote_as, internal)
        }
    }
}

proptest! {
    #[test]
    fn round_trip(neighbors in prop::collection::vec(neighbor(), 0..3)) {
        let record = IpBgpNeighbors { neighbors };
        prop_assert_eq!(IpBgpNeighbors::parse(&record.render()), Ok(record));
    }
}
