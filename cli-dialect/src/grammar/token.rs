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
    /// A decimal number, or a name for one.
    Choice(&'static Choice),
    /// Any word without blanks.
    Word,
    /// The rest of the line.
    Line,
}

/// Names for numbers, as of ports.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// The greatest number that may be written as such; `None` allows names only.
    pub greatest: Option<u64>,
    /// Names, what they stand for, and their help.
    pub names: &'static [(&'static str, u64, &'static str)],
}

/// What a word means in a [`Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// This number; by its full name or as a number.
    Exactly(u64),
    /// This number, by an abbreviated name.
    Abbreviated(u64),
    /// Several names could be meant.
    Ambiguous,
    /// None.
    Nothing,
}

impl Choice {
    pub(super) fn find(&self, word: &str) -> Chosen {
        if word.bytes().all(|b| b.is_ascii_digit()) {
            let number = word.parse().ok().filter(|n| self.greatest.is_some_and(|most| *n <= most));
            return number.map_or(Chosen::Nothing, Chosen::Exactly);
        }
        let mut found = Chosen::Nothing;
        for &(name, number, _) in self.names {
            if name.eq_ignore_ascii_case(word) {
                return Chosen::Exactly(number);
            }
            if abbreviates(word, name) {
                let is_first = found == Chosen::Nothing;
                found = if is_first { Chosen::Abbreviated(number) } else { Chosen::Ambiguous };
            }
        }
        found
    }

    /// The name of a number.
    #[must_use]
    pub fn name_of(&self, number: u64) -> Option<&'static str> {
        self.names.iter().find(|(_, n, _)| *n == number).map(|(name, ..)| *name)
    }
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
            Self::Choice(choice) => {
                let number = choice.greatest.map(|_| (self.display(), help));
                number.into_iter().chain(choice.names.iter().map(|&(n, _, h)| (n.to_owned(), h))).collect()
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
            Self::Choice(choice) => format!("<0-{}>", choice.greatest.unwrap_or(0)),
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
            Self::Choice(choice) => match choice.find(word) {
                Chosen::Exactly(number) | Chosen::Abbreviated(number) => Some(Value::Int(number)),
                Chosen::Ambiguous | Chosen::Nothing => None,
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
        let common = |keyword: &str| {
            word.bytes().zip(keyword.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
        };
        match self {
            Self::Keyword(keyword) => common(keyword),
            Self::Choice(choice) => choice.names.iter().map(|(name, ..)| common(name)).max().unwrap_or(0),
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
