//! `show ip ospf [N] request-list`, `retransmission-list` and `flood-list`: LSAs that wait.
//!
//! Row fields: `router_id`, `process_id`, and for each queue `neighbor`, `interface`, `address`, or in the flood list `interface`,
//! `queue_length`; then where it has a timer `due` (ms), `queue_length`; then for each LSA `type` (number), `link_id`,
//! `advertising_router`, `sequence`, `age`, `checksum`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::by_process::{ByProcess, Entry};
use crate::show::ParseError;
use crate::show::text::Line;

/// The record of the three commands.
pub type OspfLsaQueues = ByProcess<Waiting>;

/// A line about a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Waiting {
    /// The LSAs below wait for, or are owed to, a neighbor.
    Neighbor {
        /// Its router id.
        neighbor: Ipv4Addr,
        /// Full name of the interface.
        interface: String,
        /// Its address.
        address: Ipv4Addr,
    },
    /// The LSAs below wait to be flooded on an interface.
    Interface {
        /// Full name.
        interface: String,
        /// How many.
        queue_length: u32,
    },
    /// When the retransmission timer, or the pacing of floods, expires.
    Due {
        /// In ms.
        due: u64,
        /// How many LSAs are to be sent again; `None` in the flood list.
        queue_length: Option<u32>,
    },
    /// The titles above LSAs.
    Columns {},
    /// An LSA.
    Lsa(QueuedLsa),
}

/// An LSA that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedLsa {
    /// LS type.
    #[serde(rename = "type")]
    pub ls_type: u8,
    /// Link state id.
    pub link_id: Ipv4Addr,
    /// Who made it.
    pub advertising_router: Ipv4Addr,
    /// Sequence number.
    pub sequence: u32,
    /// LS age in s.
    pub age: u16,
    /// Checksum.
    pub checksum: u16,
}

const COLUMNS: &str = "\n Type  LS ID           ADV RTR         Seq NO      Age    Checksum\n";

impl Entry for Waiting {
    const INTRO: &'static str = "";

    fn render(&self, out: &mut String) {
        match self {
            Self::Neighbor { neighbor, interface, address } => {
                out.push_str(&format!(" Neighbor {neighbor}, interface {interface} address {address}\n"));
            }
            Self::Interface { interface, queue_length } => {
                out.push_str(&format!(" Interface {interface}, Queue length {queue_length}\n"));
            }
            Self::Due { due, queue_length: Some(length) } => {
                out.push_str(&format!(
                    " Link state retransmission due in {due} msec, Queue length {length}\n"
                ));
            }
            Self::Due { due, queue_length: None } => {
                out.push_str(&format!(" Link state flooding due in {due} msec\n"));
            }
            Self::Columns {} => out.push_str(COLUMNS),
            Self::Lsa(lsa) => {
                let QueuedLsa { ls_type, link_id, advertising_router, sequence, age, checksum } = lsa;
                out.push_str(&format!(
                    "{ls_type:>5}  {link_id:<15} {advertising_router:<15} 0x{sequence:08X}  {age:<6} 0x{checksum:04X}\n"
                ));
            }
        }
    }

    fn read(entries: &mut Vec<Self>, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([neighbor, interface, address]) = line.holes("Neighbor {}, interface {} address {}") {
            entries.push(Self::Neighbor {
                neighbor: line.value(neighbor, "a router id")?,
                interface: interface.to_owned(),
                address: line.value(address, "an address")?,
            });
        } else if let Some([interface, length]) = line.holes("Interface {}, Queue length {}") {
            let queue_length = line.value(length, "a count")?;
            entries.push(Self::Interface { interface: interface.to_owned(), queue_length });
        } else if let Some([due, length]) =
            line.holes("Link state retransmission due in {} msec, Queue length {}")
        {
            let queue_length = Some(line.value(length, "a count")?);
            entries.push(Self::Due { due: line.value(due, "a time")?, queue_length });
        } else if let Some([due]) = line.holes("Link state flooding due in {} msec") {
            entries.push(Self::Due { due: line.value(due, "a time")?, queue_length: None });
        } else if line.text.trim_start().starts_with("Type ") {
            entries.push(Self::Columns {});
        } else {
            entries.push(Self::Lsa(lsa(line)?));
        }
        Ok(())
    }
}

fn lsa(line: Line<'_>) -> Result<QueuedLsa, ParseError> {
    let words = line.words();
    let &[ls_type, link_id, router, sequence, age, checksum] = words.as_slice() else {
        return Err(line.error("type, link state id, advertising router, sequence, age, checksum"));
    };
    let hex = |text: &str| {
        let digits = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        digits.ok_or_else(|| line.error("a number in hexadecimal"))
    };
    Ok(QueuedLsa {
        ls_type: line.value(ls_type, "a type")?,
        link_id: line.value(link_id, "a link state id")?,
        advertising_router: line.value(router, "a router id")?,
        sequence: hex(sequence)?,
        age: line.value(age, "an age")?,
        checksum: u16::try_from(hex(checksum)?).map_err(|_| line.error("a checksum"))?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::by_process::assert_round_trip;
    use super::*;
    use crate::show::arbitrary;

    fn entry() -> impl Strategy<Value = Waiting> {
        let address = arbitrary::address;
        prop_oneof![
            (address(), arbitrary::interface(), address()).prop_map(|(neighbor, interface, address)| {
                Waiting::Neighbor { neighbor, interface, address }
            }),
            (arbitrary::interface(), any::<u32>())
                .prop_map(|(interface, queue_length)| Waiting::Interface { interface, queue_length }),
            (any::<u64>(), prop::option::of(any::<u32>()))
                .prop_map(|(due, queue_length)| Waiting::Due { due, queue_length }),
            Just(Waiting::Columns {}),
            (any::<u8>(), address(), address(), any::<u32>(), 0u16..=3600, any::<u16>()).prop_map(
                |(ls_type, link_id, advertising_router, sequence, age, checksum)| Waiting::Lsa(QueuedLsa {
                    ls_type,
                    link_id,
                    advertising_router,
                    sequence,
                    age,
                    checksum
                })
            ),
        ]
    }

    proptest! {
        #[test]
        fn round_trip(entries in prop::collection::vec(entry(), 0..6)) {
            assert_round_trip(entries)?;
        }
    }
}
