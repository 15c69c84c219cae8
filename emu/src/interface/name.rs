//! Interface names: a kind, up to four slot numbers and an optional subinterface.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What an interface is, in IOS's terms. The order is that of `show running-config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InterfaceKind {
    /// A software interface that is always up.
    Loopback,
    /// A tunnel.
    Tunnel,
    /// 10 Mbit/s Ethernet.
    Ethernet,
    /// 100 Mbit/s Ethernet.
    FastEthernet,
    /// 1 Gbit/s Ethernet.
    GigabitEthernet,
    /// 10 Gbit/s Ethernet.
    TenGigabitEthernet,
    /// A synchronous serial line.
    Serial,
    /// The interface that discards what is routed to it.
    Null,
}

impl InterfaceKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Loopback,
        Self::Tunnel,
        Self::Ethernet,
        Self::FastEthernet,
        Self::GigabitEthernet,
        Self::TenGigabitEthernet,
        Self::Serial,
        Self::Null,
    ];

    /// The full name, as in `show running-config`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loopback => "Loopback",
            Self::Tunnel => "Tunnel",
            Self::Ethernet => "Ethernet",
            Self::FastEthernet => "FastEthernet",
            Self::GigabitEthernet => "GigabitEthernet",
            Self::TenGigabitEthernet => "TenGigabitEthernet",
            Self::Serial => "Serial",
            Self::Null => "Null",
        }
    }

    /// The two-letter name, as in `show ip ospf interface brief`.
    #[must_use]
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::Loopback => "Lo",
            Self::Tunnel => "Tu",
            Self::Ethernet => "Et",
            Self::FastEthernet => "Fa",
            Self::GigabitEthernet => "Gi",
            Self::TenGigabitEthernet => "Te",
            Self::Serial => "Se",
            Self::Null => "Nu",
        }
    }

    /// Whether the interface carries Ethernet frames.
    #[must_use]
    pub const fn is_ethernet(self) -> bool {
        matches!(self, Self::Ethernet | Self::FastEthernet | Self::GigabitEthernet | Self::TenGigabitEthernet)
    }

    /// Whether the interface is hardware, which configuration can neither create nor remove.
    #[must_use]
    pub const fn is_physical(self) -> bool {
        self.is_ethernet() || matches!(self, Self::Serial)
    }
}

/// The name of an interface, e.g. `GigabitEthernet0/1`, `Serial0/0/0.100`, `Loopback0`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct InterfaceName {
    kind: InterfaceKind,
    slots: [u32; 4],
    depth: u8,
    subinterface: Option<u32>,
}

impl InterfaceName {
    /// A name with one to four numbers (`slots`); `None` with none or more.
    #[must_use]
    pub fn new(kind: InterfaceKind, slots: &[u32], subinterface: Option<u32>) -> Option<Self> {
        let mut all = [0; 4];
        all.get_mut(..slots.len())?.copy_from_slice(slots);
        let depth = u8::try_from(slots.len()).ok().filter(|&d| d > 0)?;
        Some(Self { kind, slots: all, depth, subinterface })
    }

    /// `Loopback<number>`.
    #[must_use]
    pub const fn loopback(number: u32) -> Self {
        Self { kind: InterfaceKind::Loopback, slots: [number, 0, 0, 0], depth: 1, subinterface: None }
    }

    /// `Null0`.
    #[must_use]
    pub const fn null0() -> Self {
        Self { kind: InterfaceKind::Null, slots: [0; 4], depth: 1, subinterface: None }
    }

    /// What the interface is.
    #[must_use]
    pub const fn kind(self) -> InterfaceKind {
        self.kind
    }

    /// The numbers between slashes.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots[..usize::from(self.depth)]
    }

    /// The number behind the dot.
    #[must_use]
    pub const fn subinterface(self) -> Option<u32> {
        self.subinterface
    }

    /// The interface that a subinterface belongs to.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.subinterface.map(|_| Self { subinterface: None, ..self })
    }

    /// The name with a two-letter kind, e.g. `Gi0/1`.
    #[must_use]
    pub fn short(self) -> String {
        format!("{}{}", self.kind.short_name(), self.unit())
    }

    /// The numbers alone, e.g. `0/0/0.100`.
    #[must_use]
    pub fn unit(self) -> String {
        let mut text = self.slots().iter().map(u32::to_string).collect::<Vec<_>>().join("/");
        if let Some(sub) = self.subinterface {
            text.push_str(&format!(".{sub}"));
        }
        text
    }
}

impl fmt::Display for InterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.kind.name(), self.unit()))
    }
}

impl fmt::Debug for InterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not an interface name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadInterfaceName(pub String);

impl fmt::Display for BadInterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an interface name like GigabitEthernet0/1", self.0)
    }
}

impl std::error::Error for BadInterfaceName {}

impl FromStr for InterfaceName {
    type Err = BadInterfaceName;

    /// Reads a full name, an abbreviation of its kind that is not ambiguous (`gi`, `fa`, `lo`, `s`), in any case,
    /// with or without a blank before the numbers.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadInterfaceName(text.chars().take(64).collect());
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or_else(bad)?;
        let (word, unit) = text.split_at(digits);
        let word = word.trim().to_ascii_lowercase();
        let mut kinds = InterfaceKind::ALL
            .into_iter()
            .filter(|k| !word.is_empty() && k.name().to_ascii_lowercase().starts_with(&word));
        let kind = match (kinds.next(), kinds.next()) {
            (Some(kind), None) => kind,
            _ => return Err(bad()),
        };
        let (path, sub) = match unit.split_once('.') {
            Some((path, sub)) => (path, Some(sub.parse().map_err(|_| bad())?)),
            None => (unit, None),
        };
        let slots: Vec<u32> = path.split('/').map(str::parse).collect::<Result<_, _>>().map_err(|_| bad())?;
        Self::new(kind, &slots, sub).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_full_short_and_spaced_names() {
        for (text, full, short) in [
            ("gi0/1", "GigabitEthernet0/1", "Gi0/1"),
            ("Serial0/0/0.100", "Serial0/0/0.100", "Se0/0/0.100"),
            ("loopback 0", "Loopback0", "Lo0"),
            ("e0/0", "Ethernet0/0", "Et0/0"),
        ] {
            let name: InterfaceName = text.parse().unwrap();
            assert_eq!(name.to_string(), full);
            assert_eq!(name.short(), short);
        }
    }

    #[test]
    fn refuses_what_is_not_a_name() {
        for text in ["", "0/1", "gi", "gi0/", "xy0", "gi0/1/2/3/4", "t0", "gi99999999999"] {
            assert!(text.parse::<InterfaceName>().is_err(), "{text}");
        }
    }
}
