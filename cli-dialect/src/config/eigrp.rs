//! `router eigrp N`, `router eigrp NAME`, and their address families.
//!
//! | file | what |
//! |---|---|
//! | `eigrp.rs` | the modes, and how they are entered and left |
//! | `settings.rs` | lines about the instance as a whole |
//! | `routes.rs` | lines about routes: redistribution, filters, offsets, distances, summaries |
//! | `af_interface.rs` | `af-interface` in named mode |

mod af_interface;
mod routes;
mod settings;
#[cfg(test)]
mod tests;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::eigrp::{ClassicVrf, EigrpConfig, InstanceConfig};
use netconfarena_emu::interface::InterfaceName;
use serde::{Deserialize, Serialize};

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, kw, plain, word};

pub(crate) use settings::classful_wildcard;

/// Names an address family of named mode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EigrpFamily {
    /// NAME of `router eigrp NAME`.
    pub router: String,
    /// VRF; `None` is the global table.
    pub vrf: Option<String>,
    /// AS.
    pub autonomous_system: u16,
}

/// The modes of EIGRP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EigrpMode {
    /// `router eigrp N`.
    Classic(u16),
    /// `address-family ipv4 vrf V` in it.
    ClassicVrf(u16, String),
    /// `router eigrp NAME`.
    Named(String),
    /// `address-family ipv4 ... autonomous-system N` in it.
    Family(EigrpFamily),
    /// `af-interface default` (`None`) or `af-interface I` in that.
    AfInterface(EigrpFamily, Option<InterfaceName>),
    /// `topology base` in it.
    Topology(EigrpFamily),
}

impl EigrpMode {
    /// What stands in the prompt's parentheses.
    pub(super) const fn prompt(&self) -> &'static str {
        match self {
            Self::Classic(_) | Self::Named(_) => "config-router",
            Self::ClassicVrf(..) | Self::Family(_) => "config-router-af",
            Self::AfInterface(..) => "config-router-af-interface",
            Self::Topology(_) => "config-router-af-topology",
        }
    }

    /// The mode that `exit` leads to; `None` is global mode.
    pub(super) fn parent(&self) -> Option<Self> {
        match self {
            Self::Classic(_) | Self::Named(_) => None,
            Self::ClassicVrf(number, _) => Some(Self::Classic(*number)),
            Self::Family(family) => Some(Self::Named(family.router.clone())),
            Self::AfInterface(family, _) | Self::Topology(family) => Some(Self::Family(family.clone())),
        }
    }
}

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![kw("router", "Enable a routing process").then([
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([
            int("eigrp-as", 1, 65535, "Autonomous System").run(enter_classic as Handler),
            word("eigrp-name", "EIGRP Virtual-Instance Name").run(enter_named as Handler),
        ]),
    ])]
}

/// `router eigrp N`.
pub(super) fn classic_table() -> Vec<Spec<Handler>> {
    let autonomous_system = || {
        kw("autonomous-system", "Specify Address-Family Autonomous System Number").then([int(
            "family-as",
            1,
            65535,
            "Autonomous System",
        )
        .run(enter_classic_vrf as Handler)])
    };
    let mut table = vec![kw("address-family", "Enter Address Family command mode").then([
        kw("ipv4", "Address Family IPv4").then([
            vrf_spec(enter_classic_vrf, autonomous_system()),
            kw("unicast", "Address Family Unicast").then([vrf_spec(enter_classic_vrf, autonomous_system())]),
        ]),
    ])];
    table.extend(settings::instance_table());
    table.extend(settings::classic_table());
    table.extend(routes::table());
    table
}

fn vrf_spec(handler: Handler, behind: Spec<Handler>) -> Spec<Handler> {
    kw("vrf", "Specify a specific virtual routing/forwarding instance")
        .then([word("vrf-name", "VRF name").run(handler).then([behind])])
}

/// `address-family ipv4 vrf V` in classic mode.
pub(super) fn classic_vrf_table() -> Vec<Spec<Handler>> {
    let mut table = vec![
        kw("autonomous-system", "Specify Address-Family Autonomous System Number")
            .negatable(autonomous_system as Handler)
            .then([int("family-as", 1, 65535, "Autonomous System").run(autonomous_system as Handler)]),
        plain("exit-address-family", "Exit Address Family configuration mode", leave as Handler),
    ];
    table.extend(settings::instance_table());
    table.extend(settings::classic_table());
    table.extend(routes::table());
    table
}

/// `router eigrp NAME`.
pub(super) fn named_table() -> Vec<Spec<Handler>> {
    let autonomous_system = || {
        kw("autonomous-system", "Specify Address-Family Autonomous System Number").then([int(
            "family-as",
            1,
            65535,
            "Autonomous System",
        )
        .run(enter_family as Handler)])
    };
    let with_vrf = || {
        kw("vrf", "Specify a specific virtual routing/forwarding instance")
            .then([word("vrf-name", "VRF name").then([autonomous_system()])])
    };
    vec![
        kw("address-family", "Enter Address Family command mode").then([kw("ipv4", "Address family IPv4")
            .then([
                autonomous_system(),
                with_vrf(),
                kw("unicast", "Address Family Unicast").then([autonomous_system(), with_vrf()]),
            ])]),
        plain("shutdown", "Shutdown this instance of EIGRP", shutdown_named as Handler),
    ]
}

/// `address-family` in named mode.
pub(super) fn family_table() -> Vec<Spec<Handler>> {
    let mut table = af_interface::entry_table();
    table.push(kw("topology", "Topology configuration mode").then([plain(
        "base",
        "Entering into base topology",
        enter_topology as Handler,
    )]));
    table.push(plain("exit-address-family", "Exit Address Family configuration mode", leave as Handler));
    table.extend(settings::instance_table());
    table.extend(settings::family_table());
    table
}

/// `topology base`.
pub(super) fn topology_table() -> Vec<Spec<Handler>> {
    let mut table = vec![plain(
        "exit-af-topology",
        "Exit from Address Family Topology configuration mode",
        leave as Handler,
    )];
    table.extend(settings::topology_table());
    table.extend(routes::table());
    table.extend(routes::topology_table());
    table
}

pub(super) use af_interface::table as af_interface_table;

fn enter_classic(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let number = need(args.int("eigrp-as"))?;
    if args.negated() {
        editor.config.eigrp.classic.remove(&number);
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    let mut families = editor.config.eigrp.named.values().flat_map(|router| router.families.keys());
    if families.any(|family| *family == (None, number)) {
        return refuse(format!("% EIGRP AS {number} is already configured in a named instance"));
    }
    editor.config.eigrp.classic.entry(number).or_default();
    *editor.mode = ConfigMode::Eigrp(EigrpMode::Classic(number));
    Ok(())
}

fn enter_named(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("eigrp-name"))?.to_owned();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        return refuse("% Virtual-Instance name must not begin with a digit");
    }
    if args.negated() {
        editor.config.eigrp.named.remove(&name);
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    editor.config.eigrp.named.entry(name.clone()).or_default();
    *editor.mode = ConfigMode::Eigrp(EigrpMode::Named(name));
    Ok(())
}

fn known_vrf(editor: &Editor<'_>, args: &Args) -> Result<Option<String>, Complaint> {
    let vrf = args.text("vrf-name").map(str::to_owned);
    match vrf.as_ref().filter(|name| !editor.config.vrfs.contains_key(*name)) {
        Some(name) => refuse(format!("% VRF {name} not configured.")),
        None => Ok(vrf),
    }
}

fn enter_classic_vrf(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let vrf = need(known_vrf(editor, args)?)?;
    let number = match &*editor.mode {
        ConfigMode::Eigrp(EigrpMode::Classic(number) | EigrpMode::ClassicVrf(number, _)) => *number,
        _ => return need(None),
    };
    let vrfs = &mut need(editor.config.eigrp.classic.get_mut(&number))?.vrfs;
    if args.negated() {
        vrfs.remove(&vrf);
        *editor.mode = ConfigMode::Eigrp(EigrpMode::Classic(number));
        return Ok(());
    }
    let family: &mut ClassicVrf = vrfs.entry(vrf.clone()).or_default();
    family.autonomous_system = args.int("family-as").or(family.autonomous_system);
    *editor.mode = ConfigMode::Eigrp(EigrpMode::ClassicVrf(number, vrf));
    Ok(())
}

fn autonomous_system(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = super::interface::setting(args, args.int("family-as"));
    let ConfigMode::Eigrp(EigrpMode::ClassicVrf(number, vrf)) = &*editor.mode else { return need(None) };
    let router = need(editor.config.eigrp.classic.get_mut(number))?;
    need(router.vrfs.get_mut(vrf))?.autonomous_system = value;
    Ok(())
}

fn enter_family(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let vrf = known_vrf(editor, args)?;
    let autonomous_system = need(args.int("family-as"))?;
    let router = match &*editor.mode {
        ConfigMode::Eigrp(EigrpMode::Named(name)) => name.clone(),
        _ => return need(None),
    };
    let key = (vrf.clone(), autonomous_system);
    let eigrp = &mut editor.config.eigrp;
    if args.negated() {
        need(eigrp.named.get_mut(&router))?.families.remove(&key);
        return Ok(());
    }
    let elsewhere =
        eigrp.named.iter().any(|(name, other)| *name != router && other.families.contains_key(&key));
    if elsewhere || (vrf.is_none() && eigrp.classic.contains_key(&autonomous_system)) {
        return refuse(format!("% EIGRP AS {autonomous_system} is already configured in another instance"));
    }
    need(eigrp.named.get_mut(&router))?.families.entry(key).or_default();
    *editor.mode = ConfigMode::Eigrp(EigrpMode::Family(EigrpFamily { router, vrf, autonomous_system }));
    Ok(())
}

fn enter_topology(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let ConfigMode::Eigrp(EigrpMode::Family(family)) = &*editor.mode else { return need(None) };
    if args.negated() {
        return refuse("% The base topology cannot be removed");
    }
    *editor.mode = ConfigMode::Eigrp(EigrpMode::Topology(family.clone()));
    Ok(())
}

fn shutdown_named(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let ConfigMode::Eigrp(EigrpMode::Named(name)) = &*editor.mode else { return need(None) };
    need(editor.config.eigrp.named.get_mut(name))?.shutdown = !args.negated();
    Ok(())
}

/// `exit-address-family` and the like.
fn leave(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    if let Some(parent) = editor.mode.parent() {
        *editor.mode = parent;
    }
    Ok(())
}

/// Removes the address families of a VRF, as when it is deleted.
pub(super) fn forget_vrf(eigrp: &mut EigrpConfig, vrf: &str) {
    for router in eigrp.classic.values_mut() {
        router.vrfs.remove(vrf);
    }
    for router in eigrp.named.values_mut() {
        router.families.retain(|(of, _), _| of.as_deref() != Some(vrf));
    }
}

/// The instance that the lines of a mode are about.
fn instance_of<'c>(config: &'c mut RouterConfig, mode: &EigrpMode) -> Option<&'c mut InstanceConfig> {
    match mode {
        EigrpMode::Classic(number) => Some(&mut config.eigrp.classic.get_mut(number)?.global),
        EigrpMode::ClassicVrf(number, vrf) => {
            Some(&mut config.eigrp.classic.get_mut(number)?.vrfs.get_mut(vrf)?.instance)
        }
        EigrpMode::Named(_) => None,
        EigrpMode::Family(family) | EigrpMode::AfInterface(family, _) | EigrpMode::Topology(family) => {
            let router = config.eigrp.named.get_mut(&family.router)?;
            router.families.get_mut(&(family.vrf.clone(), family.autonomous_system))
        }
    }
}

/// The instance of the mode.
fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut InstanceConfig, Complaint> {
    match &*editor.mode {
        ConfigMode::Eigrp(mode) => need(instance_of(editor.config, mode)),
        _ => need(None),
    }
}

/// The AS of the instance of the mode.
fn autonomous_system_of(editor: &Editor<'_>) -> Option<u16> {
    match &*editor.mode {
        ConfigMode::Eigrp(EigrpMode::Classic(number)) => Some(*number),
        ConfigMode::Eigrp(EigrpMode::ClassicVrf(number, vrf)) => {
            editor.config.eigrp.classic.get(number)?.vrfs.get(vrf)?.autonomous_system
        }
        ConfigMode::Eigrp(
            EigrpMode::Family(family) | EigrpMode::AfInterface(family, _) | EigrpMode::Topology(family),
        ) => Some(family.autonomous_system),
        _ => None,
    }
}
