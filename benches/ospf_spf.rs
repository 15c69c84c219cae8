//! Time of one shortest-path calculation (RFC 2328 section 16.1) over networks of 100, 1000 and 5000 routers, each with four
//! point-to-point links and a loopback, and of the routing table that follows from it.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use criterion::{Criterion, criterion_group, criterion_main};
use netconfarena_emu::ids::{AreaId, IfIndex, RouterId};
use netconfarena_emu::ospf::AreaKind;
use netconfarena_emu::ospf::lsa::{
    LinkKind, LsAge, Lsa, LsaBody, Options, RouterFlags, RouterLink, RouterLsa, SequenceNumber,
};
use netconfarena_emu::ospf::lsdb::Database;
use netconfarena_emu::ospf::route_table::{AreaView, RouteTable, RoutingView};
use netconfarena_emu::ospf::spf::{Attachment, OspfNextHop, shortest_paths};
use netconfarena_emu::time::Time;

/// Networks allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn router_id(n: u32) -> RouterId {
    RouterId(Ipv4Addr::from(0x0100_0000 + n))
}

/// The number of the link from `a` to `b`, the same in both directions.
fn link_subnet(a: u32, b: u32) -> u32 {
    0x0a00_0000 + ((a.min(b) * 3 + a.max(b) * 65_599) % 0x003f_ffff) * 4
}

/// Routers on two rings laid over each other: each has the next and the one a long stride away as neighbors.
fn network(count: u32) -> (Database, Vec<Attachment>) {
    let stride = count / 7 + 2;
    let mut database = Database::default();
    let mut attachments = Vec::new();
    for n in 0..count {
        let neighbors =
            [(n + 1) % count, (n + count - 1) % count, (n + stride) % count, (n + count - stride) % count];
        let mut links = Vec::new();
        for (interface, &to) in (0..).zip(&neighbors) {
            let subnet = link_subnet(n, to);
            let address = Ipv4Addr::from(subnet + 1 + u32::from(n > to));
            let metric = u16::try_from((n ^ to) % 20 + 1).unwrap_or(1);
            links.push(RouterLink {
                kind: LinkKind::PointToPoint,
                id: router_id(to).0,
                data: address,
                metric,
            });
            links.push(RouterLink {
                kind: LinkKind::Stub,
                id: subnet.into(),
                data: Ipv4Addr::new(255, 255, 255, 252),
                metric,
            });
            if n == 0 {
                let next_hop = OspfNextHop {
                    interface: IfIndex(interface),
                    address: Some(Ipv4Addr::from(subnet + 1 + u32::from(to > n))),
                };
                attachments.push(Attachment::Router { neighbor: router_id(to), data: address, next_hop });
            }
        }
        let loopback = router_id(n).0;
        links.push(RouterLink { kind: LinkKind::Stub, id: loopback, data: Ipv4Addr::BROADCAST, metric: 1 });
        let body = LsaBody::Router(RouterLsa { flags: RouterFlags::default(), links });
        let lsa = Lsa::new(loopback, router_id(n), Options::E, SequenceNumber::INITIAL, body);
        database.install(lsa, LsAge::ZERO, Time::ZERO);
    }
    (database, attachments)
}

fn spf(criterion: &mut Criterion) {
    let ranges = BTreeMap::new();
    for count in [100, 1000, 5000] {
        let (database, attachments) = network(count);
        criterion.bench_function(&format!("ospf_spf/{count}"), |bench| {
            bench.iter(|| shortest_paths(&database, router_id(0), &attachments, Time::ZERO));
        });
        let area = AreaView {
            id: AreaId::BACKBONE,
            kind: AreaKind::Normal,
            database: &database,
            ranges: &ranges,
            transit: false,
        };
        let view = RoutingView {
            router_id: router_id(0),
            now: Time::ZERO,
            areas: vec![area],
            external: None,
            area_border: false,
            backbone_only: false,
            rfc1583_compatible: true,
        };
        let tree = shortest_paths(&database, router_id(0), &attachments, Time::ZERO);
        assert_eq!(tree.routers.len(), count as usize, "every router is reached");
        let trees = BTreeMap::from([(AreaId::BACKBONE, tree)]);
        criterion.bench_function(&format!("ospf_route_table/{count}"), |bench| {
            bench.iter(|| RouteTable::calculate(&view, &trees));
        });
    }
}

criterion_group!(benches, spf);
criterion_main!(benches);
