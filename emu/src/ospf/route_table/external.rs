//! AS-external routes (RFC 2328 section 16.4) and NSSA routes (RFC 3101 section 2.5).

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;

use super::{
    OspfPath, OspfRoute, PathType, RouteTable, RoutingView, is_preferred_intra_area, paths_from, with_paths,
};
use crate::ids::{AreaId, RouterId};
use crate::ospf::ExternalMetricType;
use crate::ospf::config::AreaKind;
use crate::ospf::lsa::{LS_INFINITY, LsType, Lsa, Options};
use crate::ospf::spf::{NextHops, OspfNextHop};

/// The way to where an external LSA says packets shall be sent.
struct Exit {
    area: AreaId,
    cost: u32,
    next_hops: NextHops,
    /// Section 16.4.1.
    preferred: bool,
}

/// The best external route to a destination so far, with what is needed to compare it.
struct Candidate {
    route: OspfRoute,
    preferred: bool,
    forwarding: Ipv4Addr,
    /// RFC 3101 section 2.5 step 6(e): of LSAs that say the same, type 7 with the P bit, then type 5, then the greater
    /// router id.
    rank: (u8, RouterId),
}

impl Candidate {
    /// Steps 6(a) to (d): which is better; `Greater` if `self` is.
    fn compare(&self, other: &Self, rfc1583_compatible: bool) -> Ordering {
        let (a, b) = (&self.route, &other.route);
        b.path_type
            .cmp(&a.path_type)
            .then(b.type2_cost.cmp(&a.type2_cost))
            .then_with(|| {
                if rfc1583_compatible { Ordering::Equal } else { self.preferred.cmp(&other.preferred) }
            })
            .then(b.cost.cmp(&a.cost))
    }
}

impl RouteTable {
    /// Section 16.4, and RFC 3101 section 2.5 for each NSSA.
    pub(super) fn add_external(&mut self, view: &RoutingView<'_>) {
        let mut best: BTreeMap<Ipv4Net, Candidate> = BTreeMap::new();
        for area in view.areas.iter().filter(|area| matches!(area.kind, AreaKind::Nssa(_))) {
            for entry in area.database.of_type(LsType::Nssa).filter(|entry| !entry.age(view.now).is_max()) {
                self.consider(view, &entry.lsa, Some(area.id), area.kind, &mut best);
            }
        }
        if view.areas.iter().any(|area| area.kind == AreaKind::Normal)
            && let Some(external) = view.external
        {
            let live = external.of_type(LsType::AsExternal).filter(|entry| !entry.age(view.now).is_max());
            for entry in live {
                self.consider(view, &entry.lsa, None, AreaKind::Normal, &mut best);
            }
        }
        for (prefix, candidate) in best {
            self.networks.entry(prefix).or_insert(candidate.route);
        }
    }

    /// Steps 1 to 6 for one LSA; `nssa` is the area of a type 7 LSA.
    fn consider(
        &self,
        view: &RoutingView<'_>,
        lsa: &Lsa,
        nssa: Option<AreaId>,
        kind: AreaKind,
        best: &mut BTreeMap<Ipv4Net, Candidate>,
    ) {
        let Some(body) = lsa.as_external() else { return };
        let maker = lsa.advertising_router();
        if body.metric >= LS_INFINITY || maker == view.router_id {
            return;
        }
        let Ok(prefix) = Ipv4Net::with_netmask(lsa.link_state_id(), body.mask) else { return };
        let prefix = prefix.trunc();
        let propagate = nssa.is_some() && lsa.options().contains(Options::NP);
        // RFC 3101 section 2.5 step 3: a border router does not follow another's type 7 default.
        if let AreaKind::Nssa(options) = kind
            && prefix.prefix_len() == 0
            && view.area_border
            && (!propagate || options.no_summary)
        {
            return;
        }
        let Some(exit) = self.exit(view, maker, body.forwarding_address, nssa) else { return };
        let (path_type, cost, type2_cost) = match body.metric_type {
            ExternalMetricType::Type1 => (PathType::External1, exit.cost.saturating_add(body.metric), 0),
            ExternalMetricType::Type2 => (PathType::External2, exit.cost, body.metric),
        };
        let candidate = Candidate {
            route: OspfRoute {
                path_type,
                nssa: nssa.is_some(),
                area: exit.area,
                cost,
                type2_cost,
                tag: body.tag,
                paths: paths_from(&exit.next_hops, maker),
            },
            preferred: exit.preferred,
            forwarding: body.forwarding_address,
            rank: (if propagate { 2 } else { u8::from(nssa.is_none()) }, maker),
        };
        match best.get_mut(&prefix) {
            None => {
                best.insert(prefix, candidate);
            }
            Some(old) => match candidate.compare(old, view.rfc1583_compatible) {
                Ordering::Greater => *old = candidate,
                Ordering::Less => {}
                Ordering::Equal => add_equal(old, candidate, &exit.next_hops),
            },
        }
    }

    /// Step 3: the way to the forwarding address, or to the AS boundary router if that is 0.0.0.0. What a type 7 LSA names
    /// must be reached inside its NSSA.
    fn exit(
        &self,
        view: &RoutingView<'_>,
        maker: RouterId,
        forwarding: Ipv4Addr,
        nssa: Option<AreaId>,
    ) -> Option<Exit> {
        let (area, boundary) = match nssa {
            Some(area) => {
                let route = self.routers.get(&(maker, area))?;
                (area, Some(route).filter(|route| route.as_boundary && !route.inter_area)?)
            }
            None => self.as_boundary_router(maker, view.rfc1583_compatible)?,
        };
        if forwarding.is_unspecified() {
            return Some(Exit {
                area,
                cost: boundary.cost,
                next_hops: Arc::clone(&boundary.next_hops),
                preferred: is_preferred_intra_area(area, boundary.inter_area),
            });
        }
        let (_, route) = self.internal_match(forwarding)?;
        let inter_area = route.path_type == PathType::InterArea;
        if nssa.is_some_and(|nssa| inter_area || route.area != nssa) {
            return None;
        }
        let next_hops = route.paths.iter().map(|path| behind(path, forwarding)).collect();
        Some(Exit {
            area: route.area,
            cost: route.cost,
            next_hops,
            preferred: is_preferred_intra_area(route.area, inter_area),
        })
    }
}

/// The next hop of a path to the network of a forwarding address: on an attached network, that address itself.
fn behind(path: &OspfPath, forwarding: Ipv4Addr) -> OspfNextHop {
    OspfNextHop { address: path.next_hop.address.or(Some(forwarding)), ..path.next_hop }
}

/// Two LSAs that are as good as each other: if they say the same, one of them counts (RFC 3101 section 2.5 step 6(e)),
/// else both do.
fn add_equal(old: &mut Candidate, new: Candidate, next_hops: &NextHops) {
    let same = !new.forwarding.is_unspecified() && new.forwarding == old.forwarding;
    if !same {
        let from = new.rank.1;
        old.route.paths = with_paths(&old.route.paths, next_hops, from);
    } else if new.rank > old.rank {
        *old = new;
    }
}
