//! The records from a router's BGP process.
//!
//! | file | what |
//! |---|---|
//! | `collect.rs` | [`Running`]: the table that a command is about |
//! | `selection.rs` | which paths of it |
//! | `groups.rs` | neighbors that are told the same |
//! | `table.rs`, `entry.rs`, `summary.rs`, `neighbor.rs` | the records |

mod entry;
mod groups;
mod neighbor;
mod selection;
mod summary;
mod table;

use netconfarena_emu::bgp::{BgpConfig, Instance, InstanceConfig};
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::policy::PolicyConfig;

pub use selection::Selection;

use crate::config::Complaint;
use crate::show::ShowContext;

/// A table of the process that runs on a router.
#[derive(Clone, Copy)]
pub struct Running<'a> {
    context: ShowContext<'a>,
    config: &'a BgpConfig,
    instance: &'a Instance,
    settings: &'a InstanceConfig,
}

impl<'a> Running<'a> {
    /// The table of a VRF.
    ///
    /// # Errors
    /// BGP does not run there.
    pub fn new(context: &ShowContext<'a>, vrf: VrfId) -> Result<Self, Complaint> {
        Self::find(context, vrf).ok_or_else(|| Complaint::Refused("% BGP not active".to_owned()))
    }

    fn find(context: &ShowContext<'a>, vrf: VrfId) -> Option<Self> {
        let router = context.router();
        let (process, config) = (router.bgp()?, router.config().bgp.as_ref()?);
        let instance = process.instance(vrf)?;
        let settings = config.instance(instance.name.as_deref())?;
        Some(Self { context: *context, config, instance, settings })
    }

    fn policy(&self) -> &'a PolicyConfig {
        &self.context.router().config().policy
    }

    /// Our router id; unspecified while there is none.
    fn router_id(&self) -> std::net::Ipv4Addr {
        self.instance.router_id.map_or(std::net::Ipv4Addr::UNSPECIFIED, |id| id.0)
    }

    /// Version of the table. That of an empty table is 1.
    fn version(&self) -> u32 {
        self.instance.table.version().saturating_add(1)
    }

    /// `default`, or the VRF.
    fn table_name(&self) -> String {
        self.instance.name.clone().unwrap_or_else(|| "default".to_owned())
    }

    /// The route distinguisher of the VRF, if the table is that of a VRF which has one.
    fn route_distinguisher(&self) -> Option<&'a str> {
        let vrf = self.context.router().config().vrfs.get(self.instance.name.as_deref()?)?;
        vrf.route_distinguisher.as_deref()
    }

    /// The LOCAL_PREF of a path that carries none.
    fn default_local_preference(&self) -> u32 {
        let default = netconfarena_emu::bgp::attributes::PathAttributes::DEFAULT_LOCAL_PREFERENCE;
        self.config.default_local_preference.unwrap_or(default)
    }
}
