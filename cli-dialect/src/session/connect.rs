//! `telnet`: to a virtual terminal of another router, or to see whether another TCP port of it answers; a connection to such a port is
//! over as soon as it is open.

use std::net::Ipv4Addr;

use netconfarena_emu::forwarding::{TcpProbeRequest, TcpProbeResult};
use netconfarena_emu::router::{CallRefusal, SSH, TELNET};

use super::Line;
use super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, interface, ip, kw, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let run = Handler::Act(telnet);
    let options = || {
        [
            kw("/source-interface", "Specify source interface")
                .then([interface("Source interface").run(run)]),
            kw("/vrf", "Specify vrf table").then([word("vrf-name", "VRF name").run(run)]),
        ]
    };
    let port = || int("port", 0, 65535, "Port number").run(run).options(options());
    vec![kw("telnet", "Open a telnet connection").then([
        ip("destination", "IP address of a remote system").run(run).options(options()).then([port()]),
        word("host", "Hostname of a remote system").run(run).options(options()).then([port()]),
    ])]
}

fn telnet(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let destination = match args.ip("destination") {
        Some(address) => address,
        None => exec.resolve(args.text("host").unwrap_or_default())?,
    };
    let request = TcpProbeRequest {
        vrf: exec.vrf(args)?,
        source: exec.source(args)?,
        ..TcpProbeRequest::new(destination, args.int("port").unwrap_or(TELNET))
    };
    exec.connect_to(&request)
}

impl Exec<'_> {
    /// Connects to a telnet server, as an address alone does.
    ///
    /// # Errors
    /// It does not answer.
    pub fn connect_to_address(&mut self, address: Ipv4Addr) -> Result<(), Complaint> {
        self.connect_to(&TcpProbeRequest::new(address, TELNET))
    }

    fn connect_to(&mut self, request: &TcpProbeRequest) -> Result<(), Complaint> {
        let address = request.destination;
        let line = self.session.vty().map_or(Line::Console, Line::Vty);
        self.network.may_call(self.session.node(), line, request).map_err(|refusal| {
            Complaint::Refused(
                match refusal {
                    CallRefusal::AccessClass => "% Connections to that host not permitted from this terminal",
                    CallRefusal::Transport => "% telnet connections not permitted from this terminal",
                }
                .to_owned(),
            )
        })?;
        self.may_attach()?;
        let port = if request.port == TELNET { String::new() } else { format!(", {}", request.port) };
        self.out.push_str(&format!("Trying {address}{port} ... "));
        let node = self.session.node();
        let refusal = match request.port {
            // Terminals have something to say.
            TELNET | SSH => match self.network.open_call(node, request) {
                Ok(endpoints) => {
                    self.say("Open");
                    self.attach(address.to_string(), endpoints);
                    return Ok(());
                }
                Err(refusal) => refusal,
            },
            _ => self.network.tcp_probe(node, request),
        };
        let refusal = match refusal {
            TcpProbeResult::Open => {
                self.say(&format!("Open\n\n[Connection to {address} closed by foreign host]"));
                return Ok(());
            }
            TcpProbeResult::Refused => "% Connection refused by remote host\n",
            TcpProbeResult::Unreachable(_) => "% Destination unreachable; gateway or host down\n",
            TcpProbeResult::Timeout => "% Connection timed out; remote host not responding\n",
        };
        self.out.push('\n');
        Err(Complaint::Refused(refusal.to_owned()))
    }
}
