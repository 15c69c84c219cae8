//! OSPFv2 (RFC 2328).
//!
//! | file | RFC 2328 | what |
//! |---|---|---|
//! | `config.rs` | appendix C | the configuration tree |
//! | `process.rs` | 5 | [`OspfProcess`]: data structure, inputs, timers; `Env`, what a step of the process works with |
//! | `router_id.rs` | C.1 | choice of the router id |
//! | `reconcile.rs` | C.3 | interfaces and areas made equal to configuration and hardware |
//! | `area.rs` | 6 | the area data structure |
//! | `packet/` | A.3, D | packet codec and authentication |
//! | `interface.rs` | 9 | interface data structure, state machine |
//! | `election.rs` | 9.4 | DR and backup DR election |
//! | `neighbor.rs` | 10 | neighbor data structure, state machine |
//! | `interface_events.rs`, `neighbor_events.rs` | 9.3, 10.3 | the two state machines at work |
//! | `static_neighbor.rs` | C.5, C.6 | `neighbor` statements |
//! | `send.rs`, `receive.rs` | 8 | packets to and from the wire, keys |
//! | `hello.rs` | 9.5, 10.5 | sending and receiving hellos |
//! | `exchange.rs` | 10.6-10.9 | database description, link state requests |
//! | `flood.rs`, `update.rs` | 13 | flooding, acknowledgements, retransmission; taking in what others flood |
//! | `graceful_restart.rs` | RFC 3623 | standing by while a neighbor restarts |
//! | `demand_circuit.rs` | RFC 1793 | hellos and refreshes that are not sent, LSAs that do not age |
//! | `lsa/` | A.4, 12.1 | LSA codec |
//! | `lsdb.rs` | 12.2, 14 | link state database, ageing |
//! | `originate/` | 12.4 | LSAs made here |
//! | `throttle.rs` | | back-off of LSA generation and SPF runs |
//! | `spf/`, `route_table/` | 16 | routes |
//! | `virtual_link.rs` | 15 | virtual links follow the way through their transit area |
//! | `routing/` | 12.4, 15, 16 | the database half at work: scheduling, offers to the RIB, telling others |
//! | `log.rs`, `debug.rs` | | what is logged, and what more with `debug ip ospf` |
//!
//! Where the two halves meet. The protocol half (hello, exchange, flood) tells the database half, `routing/`:
//! `routing_reconfigured(env)` when configuration, areas or router id are new; `adjacency_changed(env, key)` when a state of an
//! interface, DR or Full neighbor changes what router and network LSAs say; `lsa_changed(env, scope, lsa)` when a received LSA with
//! other contents, or at MaxAge, has been installed, the router's own included. The database half tells the protocol half:
//! `flood(env, scope, lsa)` for each LSA made or flushed here, which then stands in the database; `virtual_link_path(env, key, path)`
//! when the way to the other end of a virtual link is calculated.

mod area;
mod config;
mod debug;
mod demand_circuit;
pub mod election;
mod exchange;
mod flood;
mod giving_up;
mod graceful_restart;
#[cfg(test)]
mod handcrafted;
mod hello;
mod interface;
mod interface_events;
mod log;
pub mod lsa;
pub mod lsdb;
mod neighbor;
mod neighbor_events;
pub mod originate;
pub mod packet;
mod process;
mod receive;
mod reconcile;
pub mod retransmission;
pub mod route_table;
mod router_id;
mod routing;
mod send;
pub mod spf;
mod static_neighbor;
pub mod throttle;
mod update;
mod virtual_link;

pub use area::Area;
pub use config::*;
pub use debug::{DescriptionSeen, NeighborDebugEvent, OspfDebugEvent, ReceivedAndConfigured};
pub use graceful_restart::{Help, RestartKind};
pub use interface::{
    InterfaceEvent, InterfaceKeys, InterfaceSettings, InterfaceState, InterfaceTransition, OspfInterface,
    OspfInterfaceKey, OspfInterfaceName, OspfNetwork, interface_transition,
};
pub use log::OspfLogEvent;
pub use neighbor::{
    Exchange, Neighbor, NeighborConditions, NeighborEvent, NeighborKey, NeighborState, neighbor_transition,
};
pub use process::{OspfProcess, TimerKey};
pub use routing::{CalculationKind, Routing, SpfReason, SpfRun, SpfSchedule, VirtualPath};
pub use send::{ALL_D_ROUTERS, ALL_SPF_ROUTERS, rolls_over};
