//! Consoles over telnet and SSH.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use miette::{IntoDiagnostic, Result, WrapErr, miette};
use netconfarena_cli_dialect::session::{Line, LineSettings, Login};
use netconfarena_emu::ids::NodeIndex;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;

use super::console;
use crate::cli::terminal::printable;
use crate::console::server::{Owner, Protocol, Routers, Wanted, listen};
use crate::console::terminal::Credentials;
use crate::lab::Lab;

/// Options of the consoles.
#[derive(Debug, Args)]
pub(super) struct Consoles {
    /// A telnet console for each router, from this port upwards in the order of their names (0: any free ports)
    #[arg(long, value_name = "PORT")]
    telnet: Option<u16>,
    /// An SSH console for each router, from this port upwards (needs a build with `--features ssh`)
    #[arg(long, value_name = "PORT")]
    ssh: Option<u16>,
    /// The folder of SSH's host keys: they are made there once, and read from then on (without it they are new at each start)
    #[arg(long, value_name = "FOLDER", requires = "ssh")]
    host_keys: Option<PathBuf>,
    /// The address to listen at; any but a loopback address lets others in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// How many connections there may be at once
    #[arg(long, value_name = "COUNT", default_value_t = 128)]
    connections: u16,
    /// The user who may always log in, with privilege level 15
    #[arg(long, value_name = "NAME", default_value = "admin")]
    user: String,
    /// That user's password
    #[arg(long, value_name = "PASSWORD", default_value = "cisco")]
    password: String,
}

impl Consoles {
    /// Whether there are to be any.
    pub const fn are_wanted(&self) -> bool {
        self.telnet.is_some() || self.ssh.is_some()
    }

    /// Lets the network run in real time, with a person here and others at the consoles, until the person leaves or the
    /// program is interrupted. Returns the laboratory as it is then.
    pub fn open(&self, lab: Lab) -> Result<Lab> {
        let credentials = Credentials { user: self.user.clone(), password: self.password.clone() };
        let routers: Routers = lab.nodes.iter().map(|(name, node)| (name.clone(), *node)).collect();
        let logins: Vec<String> = routers.iter().map(|(_, node)| self.login(&lab, *node)).collect();
        let owner = Owner::start(lab, credentials).into_diagnostic()?;
        if !self.are_wanted() {
            console::run(&owner)?;
            return finish(&owner);
        }
        let runtime = Builder::new_current_thread().enable_all().build().into_diagnostic()?;
        let connections = Arc::new(Semaphore::new(self.connections.into()));
        let open = |protocol, first: Option<u16>| -> Result<Vec<SocketAddr>> {
            let Some(first) = first else { return Ok(Vec::new()) };
            let wanted = Wanted { address: self.listen, protocol, first, host_keys: self.host_keys.clone() };
            Ok(runtime.block_on(listen(&owner, &routers, &wanted, &connections))?)
        };
        let telnet = open(Protocol::Telnet, self.telnet)?;
        let ssh = open(Protocol::Ssh, self.ssh)?;
        if !self.listen.is_loopback() {
            eprintln!("Listening at {}: whoever reaches this address can log in.", self.listen);
        }
        show(&routers, &telnet, &ssh, &logins)?;
        if std::io::stdin().is_terminal() {
            let serve = move || runtime.block_on(std::future::pending::<()>());
            thread::Builder::new().name("consoles".to_owned()).spawn(serve).into_diagnostic()?;
            console::run(&owner)?;
        } else {
            runtime.block_on(tokio::signal::ctrl_c()).into_diagnostic()?;
        }
        finish(&owner)
    }

    /// Who may log in at a router.
    fn login(&self, lab: &Lab, node: NodeIndex) -> String {
        let own = format!("{} / {}", self.user, self.password);
        match LineSettings::of(lab.network.router(node).config(), Line::Vty(0)).login {
            Login::Open => format!("{own}; telnet: none"),
            Login::LinePassword(Some(_)) => format!("{own}; telnet: that of line vty 0"),
            Login::LinePassword(None) => own,
            Login::Local => format!("{own}, users of the configuration"),
        }
    }
}

/// Takes the laboratory back from its owner.
fn finish(owner: &Owner) -> Result<Lab> {
    owner.with(|lab| lab.clone()).ok_or_else(|| miette!("the network has stopped"))
}

/// The table of consoles, for people and programs: one line a router.
fn show(routers: &Routers, telnet: &[SocketAddr], ssh: &[SocketAddr], logins: &[String]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["Router", "Telnet", "SSH", "User / password"]);
    let of = |addresses: &[SocketAddr], place: usize| {
        addresses.get(place).map_or_else(|| "-".to_owned(), ToString::to_string)
    };
    for (place, ((name, _), login)) in routers.iter().zip(logins).enumerate() {
        table.add_row([printable(name), of(telnet, place), of(ssh, place), printable(login)]);
    }
    let mut out = std::io::stdout();
    writeln!(out, "{table}").and_then(|()| out.flush()).into_diagnostic().wrap_err("the table of consoles")
}
