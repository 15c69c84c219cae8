//! `access-class` and `transport`: who may connect to a virtual terminal, and where sessions may connect to.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::SSH;
use crate::config::{Line, LineConfig, RouterConfig, TransportProtocol};
use crate::ids::VrfId;
use crate::policy::{AccessList, PacketFields};
use crate::process::IpProtocol;
use crate::router::Router;
use crate::tcp::Endpoints;
use crate::time::Time;

/// SYN, in TCP's flags octet.
const TCP_SYN: u8 = 0x02;

/// Why a session may not connect to somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallRefusal {
    /// `transport output` of the line does not have the protocol.
    Transport,
    /// `access-class LIST out` of the line denies the address.
    AccessClass,
}

/// What lists see of a connection.
fn fields(source: Ipv4Addr, destination: Ipv4Addr, ports: (u16, u16), tos: u8) -> PacketFields {
    PacketFields {
        source,
        destination,
        protocol: IpProtocol::TCP,
        ports: Some(ports),
        tcp_flags: TCP_SYN,
        icmp: None,
        tos,
        is_later_fragment: false,
    }
}

impl Router {
    /// The virtual terminal that a connection gets: the first free one of its protocol, if that one's access list permits the peer.
    pub(super) fn admit(
        &mut self,
        now: Time,
        endpoints: Endpoints,
        protocol: TransportProtocol,
        tos: u8,
    ) -> Option<u16> {
        if protocol == TransportProtocol::Ssh && self.terminals.host_key.is_none() {
            return None;
        }
        let config = Arc::clone(&self.config);
        let mut numbered = (0_u16..).zip(&config.lines.vty);
        let (number, line) = numbered.find(|(number, line)| {
            let used = self.terminals.visits.contains_key(number) || self.operators.is_used(*number);
            line.takes(protocol) && !used
        })?;
        self.access_class_permits(now, line, endpoints, tos).then_some(number)
    }

    /// What `access-class LIST in` says of a connection. As IOS does, it shows the list no destination address.
    fn access_class_permits(&mut self, now: Time, line: &LineConfig, endpoints: Endpoints, tos: u8) -> bool {
        let Some(class) = &line.access_in else { return true };
        if endpoints.vrf != VrfId::GLOBAL && !class.vrf_also {
            return false;
        }
        let ports = (endpoints.remote.port(), endpoints.local.port());
        let fields = fields(*endpoints.remote.ip(), Ipv4Addr::UNSPECIFIED, ports, tos);
        self.list_permits(now, &class.list, &fields, None)
    }

    /// Whether a session on a line may connect to somewhere. A standard list looks at the address of the destination.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn may_call(
        &mut self,
        now: Time,
        line: Line,
        local: Ipv4Addr,
        remote: SocketAddrV4,
    ) -> Result<(), CallRefusal> {
        let config = Arc::clone(&self.config);
        let settings = config.lines.of(line);
        let protocol = if remote.port() == SSH { TransportProtocol::Ssh } else { TransportProtocol::Telnet };
        if !settings.connects(protocol) {
            return Err(CallRefusal::Transport);
        }
        let Some(name) = &settings.access_out else { return Ok(()) };
        let source = if is_standard(&config, name) { *remote.ip() } else { local };
        let fields = fields(source, *remote.ip(), (0, remote.port()), 0);
        if self.list_permits(now, name, &fields, None) { Ok(()) } else { Err(CallRefusal::AccessClass) }
    }

    /// Makes or removes the RSA key without which there is no SSH server.
    pub fn set_host_key(&mut self, modulus: Option<u16>) {
        self.terminals.host_key = modulus;
    }

    /// The modulus of the RSA key, if there is one.
    #[must_use]
    pub const fn host_key(&self) -> Option<u16> {
        self.terminals.host_key
    }
}

fn is_standard(config: &RouterConfig, list: &str) -> bool {
    matches!(config.policy.access_lists.get(list), Some(AccessList::Standard(_)))
}
