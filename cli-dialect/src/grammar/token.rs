//! Typed tokens of a command line.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::ids::AreaId;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};

/// What may stand at a place of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A fixed word, which may be abbreviated.
    Keyword(&'static str),
    /// A decimal number in a range.
    Int {
        /// Least.
        min: u64,
        /// Greatest.
        max: u64,
    },
    /// `A.B.C.D`: an address, a mask or a wildcard.
    Ipv4,
    /// `A.B.C.D/nn`.
    Prefix,
    /// An area number, or an area id in dotted notation.
    Area,
    /// An interface name, abbreviated or not, perhaps with a blank before its numbers.
    Interface,
    /// Any word without blanks.
    Word,
    /// The rest of the line.
    Line,
}

/// What a token yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A keyword was there.
    Keyword,
    /// A number.
    Int(u64),
    /// An address.
    Ipv4(Ipv4Addr),
    /// A prefix, host bits kept.
    Prefix(Ipv4Net),
    /// An area, and whether it was written in dotted notation.
    Area(AreaId, bool),
    /// An interface.
    Interface(InterfaceName),
    /// A word or the rest of a line.
    Text(String),
}

impl Token {
    /// How help shows the place: what may stand there, each with its help.
    #[must_use]
    pub fn rows(&self, help: &'static str) -> Vec<(String, &'static str)> {
        match self {
            Self::Area => {
                vec![(self.display(), help), ("A.B.C.D".to_owned(), "OSPF area ID in IP address format")]
            }
            Self::Interface => {
                InterfaceKind::ALL.map(|kind| (kind.name().to_owned(), kind_help(kind))).to_vec()
            }
            _ => vec![(self.display(), help)],
        }
    }

    fn display(&self) -> String {
        match self {
            Self::Keyword(word) => (*word).to_owned(),
            Self::Int { min, max } => format!("<{min}-{max}>"),
            Self::Ipv4 => "A.B.C.D".to_owned(),
            Self::Prefix => "A.B.C.D/nn".to_owned(),
            Self::Area => "<0-4294967295>".to_owned(),
            Self::Interface | Self::Word => "WORD".to_owned(),
            Self::Line => "LINE".to_owned(),
        }
    }

    /// The value of a word at this place, if it fits. Keywords, interfaces and lines are matched by the parser.
    #[must_use]
    pub fn value(&self, word: &str) -> Option<Value> {
        match *self {
            Self::Int { min, max } => {
                let digits = word.bytes().all(|b| b.is_ascii_digit());
                let number = word.parse().ok().filter(|n| digits && (min..=max).contains(n))?;
                Some(Value::Int(number))
            }
            Self::Ipv4 => word.parse().ok().map(Value::Ipv4),
            Self::Prefix => word.parse().ok().map(Value::Prefix),
            Self::Area => match word.parse::<u32>() {
                Ok(number) => Some(Value::Area(AreaId(number), false)),
                Err(_) => word.parse::<Ipv4Addr>().ok().map(|a| Value::Area(AreaId(a.into()), true)),
            },
            Self::Word => Some(Value::Text(word.to_owned())),
            Self::Keyword(_) | Self::Interface | Self::Line => None,
        }
    }

    /// How many leading characters of a word that does not fit could still belong to a fitting one.
    ///
    /// IOS puts its caret at the first character that no candidate accepts; within numbers and addresses it points at
    /// the beginning of the word.
    #[must_use]
    pub fn accepted_prefix(&self, word: &str) -> usize {
        match self {
            Self::Keyword(keyword) => {
                word.bytes().zip(keyword.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
            }
            _ => 0,
        }
    }
}

/// Whether `word` abbreviates `keyword`.
#[must_use]
pub fn abbreviates(word: &str, keyword: &str) -> bool {
    keyword.len() >= word.len() && keyword.as_bytes()[..word.len()].eq_ignore_ascii_case(word.as_bytes())
}

/// The help of an interface kind.
const fn kind_help(kind: InterfaceKind) -> &'static str {
    match kind {
        InterfaceKind::Loopback => "Loopback interface",
        InterfaceKind::Tunnel => "Tunnel interface",
        InterfaceKind::Ethernet => "IEEE 802.3",
        InterfaceKind::FastEthernet => "FastEthernet IEEE 802.3",
        InterfaceKind::GigabitEthernet => "GigabitEthernet IEEE 802.3z",
        InterfaceKind::TenGigabitEthernet => "Ten Gigabit Ethernet",
        InterfaceKind::Serial => "Serial",
        InterfaceKind::Null => "Null interface",
    }
}
