//! Translation of type 7 LSAs into type 5 (RFC 3101 section 3).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::external::{External, Externals};
use crate::ids::{AreaId, RouterId};
use crate::ospf::config::NssaOptions;
use crate::ospf::lsa::{LsType, Options};
use crate::ospf::lsdb::Database;
use crate::ospf::route_table::RouteTable;
use crate::time::Time;

/// Whether this border router translates for an NSSA (section 3.1): always, or by election: no other border router that is
/// reached inside the area says that it translates always, and none has a greater router id.
#[must_use]
pub fn is_translator(router_id: RouterId, area: AreaId, options: NssaOptions, table: &RouteTable) -> bool {
    let mut others = table
        .routers
        .iter()
        .filter(|((_, through), route)| *through == area && route.area_border && !route.inter_area)
        .map(|(&(router, _), route)| (router, route));
    options.translate_always || others.all(|(router, route)| !route.nssa_translator && router < router_id)
}

/// The destinations of an NSSA that are to be told outside (section 3.2): those of type 7 LSAs of other routers with the P bit and a
/// forwarding address, that are the routes in use. Of several the one of the greatest router id is taken.
#[must_use]
pub fn translations(
    router_id: RouterId,
    area: AreaId,
    options: NssaOptions,
    database: &Database,
    table: &RouteTable,
    now: Time,
) -> Externals {
    let mut externals = Externals::new();
    for entry in database.of_type(LsType::Nssa).filter(|entry| !entry.age(now).is_max()) {
        let maker = entry.lsa.advertising_router();
        let Some(body) = entry.lsa.as_external() else { continue };
        let Ok(prefix) = Ipv4Net::with_netmask(entry.lsa.link_state_id(), body.mask) else { continue };
        let prefix = prefix.trunc();
        if maker == router_id
            || !entry.lsa.options().contains(Options::NP)
            || body.forwarding_address.is_unspecified()
            || !is_in_use(table, area, prefix, maker)
        {
            continue;
        }
        let forwarding_address =
            if options.suppress_forwarding_address { Ipv4Addr::UNSPECIFIED } else { body.forwarding_address };
        let external = External {
            metric_type: body.metric_type,
            metric: body.metric,
            tag: body.tag,
            forwarding_address,
            nssa_only: false,
        };
        // The database is in the order of router ids: the last is the greatest.
        externals.insert(prefix, external);
    }
    externals
}

fn is_in_use(table: &RouteTable, area: AreaId, prefix: Ipv4Net, maker: RouterId) -> bool {
    table.networks.get(&prefix).is_some_and(|route| {
        route.nssa && route.area == area && route.paths.iter().any(|path| path.from == maker)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ospf::ExternalMetricType::Type2;
    use crate::ospf::handcrafted::{Db, hop, rid};
    use crate::ospf::route_table::{OspfPath, OspfRoute, PathType, RouterRoute};

    const AREA: AreaId = AreaId(1);

    fn border_router(translates: bool) -> RouterRoute {
        RouterRoute {
            inter_area: false,
            cost: 1,
            next_hops: Arc::new([]),
            area_border: true,
            as_boundary: true,
            nssa_translator: translates,
        }
    }

    fn elected(others: &[(u8, bool)], always: bool) -> bool {
        let mut table = RouteTable::default();
        for &(other, translates) in others {
            table.routers.insert((rid(other), AREA), border_router(translates));
        }
        let options = NssaOptions { translate_always: always, ..NssaOptions::default() };
        is_translator(rid(5), AREA, options, &table)
    }

    #[test]
    fn rfc3101_3_1_the_border_router_of_the_greatest_id_translates() {
        assert!(elected(&[], false));
        assert!(elected(&[(4, false)], false));
        assert!(!elected(&[(4, false), (6, false)], false));
    }

    #[test]
    fn rfc3101_3_1_who_translates_always_disables_the_election() {
        assert!(!elected(&[(4, true)], false));
        assert!(elected(&[(6, true)], true));
    }

    fn table(prefix: &str, nssa: bool, from: u8) -> RouteTable {
        let mut table = RouteTable::default();
        let route = OspfRoute {
            path_type: PathType::External2,
            nssa,
            area: AREA,
            cost: 10,
            type2_cost: 20,
            tag: 0,
            paths: Arc::new([OspfPath { next_hop: hop(1, "10.0.0.2"), from: rid(from) }]),
        };
        table.networks.insert(prefix.parse().unwrap(), route);
        table
    }

    fn translated(db: Db, table: &RouteTable, options: NssaOptions) -> Externals {
        translations(rid(5), AREA, options, &db.0, table, Time::ZERO)
    }

    const PREFIX: &str = "192.0.2.0/24";

    fn type7(n: u8, forwarding: &str, propagate: bool) -> Db {
        Db::default().nssa(n, PREFIX, Type2, 20, forwarding, propagate)
    }

    #[test]
    fn rfc3101_3_2_translated_are_lsas_with_p_bit_and_forwarding_address_that_are_in_use() {
        let options = NssaOptions::default();
        let in_use = table(PREFIX, true, 2);
        let made = translated(type7(2, "10.0.0.9", true), &in_use, options);
        let external = made[&PREFIX.parse().unwrap()];
        assert_eq!(external.metric, 20);
        assert_eq!(external.forwarding_address, "10.0.0.9".parse::<Ipv4Addr>().unwrap());
        assert!(translated(type7(2, "10.0.0.9", false), &in_use, options).is_empty());
        assert!(translated(type7(2, "", true), &in_use, options).is_empty());
        assert!(translated(type7(5, "10.0.0.9", true), &table(PREFIX, true, 5), options).is_empty());
        assert!(translated(type7(2, "10.0.0.9", true), &table(PREFIX, false, 2), options).is_empty());
        assert!(translated(type7(2, "10.0.0.9", true), &table(PREFIX, true, 3), options).is_empty());
    }

    #[test]
    fn translate_type7_suppress_fa_leaves_the_forwarding_address_out() {
        let options = NssaOptions { suppress_forwarding_address: true, ..NssaOptions::default() };
        let made = translated(type7(2, "10.0.0.9", true), &table(PREFIX, true, 2), options);
        assert!(made[&PREFIX.parse().unwrap()].forwarding_address.is_unspecified());
    }
}
