//! Terminal lines: `line con 0`, `line aux 0`, `line vty 0 4`.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Secret;

/// A terminal line of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Line {
    /// The console.
    Console,
    /// The auxiliary port.
    Auxiliary,
    /// A virtual terminal by its number.
    Vty(u16),
}

/// What `login` says: who may begin a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineLogin {
    /// `no login`: anybody.
    Open,
    /// `login`: who knows the password of the line.
    Password,
    /// `login local`: the users of the configuration.
    Local,
    /// `login authentication LIST`.
    Authentication(String),
}

/// A protocol that a terminal may be reached by, or reach others by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TransportProtocol {
    /// LAPB terminal adapter.
    LapbTa,
    /// DEC's maintenance protocol.
    Mop,
    /// X.3 PAD.
    Pad,
    /// Unix rlogin.
    Rlogin,
    /// SSH, TCP port 22.
    Ssh,
    /// Telnet, TCP port 23.
    Telnet,
    /// UDPTN.
    Udptn,
}

/// What `transport input` or `transport output` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transport {
    /// `all`.
    All,
    /// The protocols named; of `none` none.
    Only(BTreeSet<TransportProtocol>),
}

impl Transport {
    /// Whether a protocol may be used.
    #[must_use]
    pub fn has(&self, protocol: TransportProtocol) -> bool {
        match self {
            Self::All => true,
            Self::Only(protocols) => protocols.contains(&protocol),
        }
    }
}

/// `access-class LIST in [vrf-also]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessClassIn {
    /// The access list that a peer's address must pass.
    pub list: String,
    /// The list is asked about connections by interfaces of VRFs too, which are refused otherwise.
    pub vrf_also: bool,
}

/// The configuration of a terminal line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineConfig {
    /// `access-class LIST in`: who may connect to the line.
    pub access_in: Option<AccessClassIn>,
    /// `access-class LIST out`: where sessions on the line may connect to.
    pub access_out: Option<String>,
    /// `exec-timeout`: after how long without a key a session ends; zero for never.
    pub exec_timeout: Option<Duration>,
    /// `privilege level`.
    pub privilege: Option<u8>,
    /// `password`.
    pub password: Option<Secret>,
    /// `login`.
    pub login: Option<LineLogin>,
    /// `length`.
    pub length: Option<u16>,
    /// `width`.
    pub width: Option<u16>,
    /// `monitor`.
    pub monitor: bool,
    /// `transport input`.
    pub transport_input: Option<Transport>,
    /// `transport output`.
    pub transport_output: Option<Transport>,
    /// Lines without effect here.
    pub inert: Vec<String>,
}

impl LineConfig {
    /// How long a session may be without a key, unless configured otherwise.
    pub const EXEC_TIMEOUT: Duration = Duration::from_secs(600);

    /// After how long without a key a session ends; `None` for never.
    #[must_use]
    pub fn idle_limit(&self) -> Option<Duration> {
        Some(self.exec_timeout.unwrap_or(Self::EXEC_TIMEOUT)).filter(|limit| !limit.is_zero())
    }

    /// Whether the line takes connections of a protocol; by itself it takes none.
    #[must_use]
    pub fn takes(&self, protocol: TransportProtocol) -> bool {
        self.transport_input.as_ref().is_some_and(|transport| transport.has(protocol))
    }

    /// Whether sessions on the line may connect by a protocol; by themselves they may.
    #[must_use]
    pub fn connects(&self, protocol: TransportProtocol) -> bool {
        self.transport_output.as_ref().is_none_or(|transport| transport.has(protocol))
    }
}

/// The terminal lines of a router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalLines {
    /// `line con 0`.
    pub console: LineConfig,
    /// `line aux 0`.
    pub auxiliary: LineConfig,
    /// `line vty`, from 0 on.
    pub vty: Vec<LineConfig>,
}

impl TerminalLines {
    /// How many virtual terminals there always are.
    pub const LEAST_VTY: usize = 5;
    /// The greatest number of a virtual terminal.
    pub const GREATEST_VTY: u16 = 924;

    /// The configuration of a line. A virtual terminal beyond the configured ones, as an out-of-band console may be, is like the
    /// first.
    #[must_use]
    pub fn of(&self, line: Line) -> &LineConfig {
        match line {
            Line::Console => &self.console,
            Line::Auxiliary => &self.auxiliary,
            Line::Vty(number) => {
                let own = self.vty.get(usize::from(number));
                own.or_else(|| self.vty.first()).unwrap_or(&self.console)
            }
        }
    }
}

impl Default for TerminalLines {
    fn default() -> Self {
        Self {
            console: LineConfig::default(),
            auxiliary: LineConfig::default(),
            vty: vec![LineConfig::default(); Self::LEAST_VTY],
        }
    }
}
