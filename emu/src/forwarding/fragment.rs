//! Fragmentation and reassembly (RFC 791 section 3.2).

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process::IpProtocol;
use crate::time::Time;
use crate::wire::Ipv4Header;

/// How long fragments wait for the rest.
const REASSEMBLY_TIMEOUT: Duration = Duration::from_secs(30);
/// How many packets can be incomplete at a time.
const PACKETS: usize = 64;
/// Largest payload that a packet can have.
const LARGEST: usize = u16::MAX as usize;

/// Splits a payload so that each packet is at most `mtu` octets long.
pub(super) fn fragment<'a>(header: &Ipv4Header, payload: &'a [u8], mtu: u16) -> Vec<(Ipv4Header, &'a [u8])> {
    let room = usize::from(mtu).saturating_sub(header.header_len());
    if payload.len() <= room {
        return vec![(header.clone(), payload)];
    }
    let step = (room / 8 * 8).max(8);
    let count = payload.len().div_ceil(step);
    payload
        .chunks(step)
        .enumerate()
        .map(|(number, piece)| {
            let offset = u16::try_from(number * step).unwrap_or(u16::MAX);
            let fragment = Ipv4Header {
                fragment_offset: header.fragment_offset.saturating_add(offset),
                more_fragments: header.more_fragments || number + 1 < count,
                // RFC 791: most options belong to the first fragment only.
                options: if number == 0 { header.options.clone() } else { Vec::new() },
                ..header.clone()
            };
            (fragment, piece)
        })
        .collect()
}

type Key = (Ipv4Addr, Ipv4Addr, IpProtocol, u16);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Incomplete {
    since: Time,
    /// Payloads by offset.
    pieces: BTreeMap<usize, Vec<u8>>,
    /// The whole payload's length, once the last fragment is there.
    total: Option<usize>,
}

/// Packets for this router of which fragments are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reassembly {
    packets: BTreeMap<Key, Incomplete>,
}

impl Reassembly {
    /// Takes in a fragment; returns the whole payload when it is complete.
    pub fn add(&mut self, header: &Ipv4Header, payload: &[u8], now: Time) -> Option<Vec<u8>> {
        self.packets.retain(|_, packet| now.since(packet.since) < REASSEMBLY_TIMEOUT);
        let key = (header.source, header.destination, header.protocol, header.ident);
        if self.packets.len() >= PACKETS && !self.packets.contains_key(&key) {
            let oldest = self.packets.iter().min_by_key(|(_, packet)| packet.since).map(|(&key, _)| key)?;
            self.packets.remove(&oldest);
        }
        let offset = usize::from(header.fragment_offset);
        let end = offset + payload.len();
        if end > LARGEST || payload.is_empty() {
            return None;
        }
        let packet = self.packets.entry(key).or_insert_with(|| Incomplete {
            since: now,
            pieces: BTreeMap::new(),
            total: None,
        });
        if !header.more_fragments {
            packet.total = Some(end);
        }
        packet.pieces.insert(offset, payload.to_vec());
        let whole = packet.whole()?;
        self.packets.remove(&key);
        Some(whole)
    }
}

impl Incomplete {
    fn whole(&self) -> Option<Vec<u8>> {
        let total = self.total?;
        let mut whole = Vec::new();
        for (&offset, piece) in &self.pieces {
            let known = whole.len().checked_sub(offset)?;
            whole.extend_from_slice(piece.get(known..).unwrap_or_default());
        }
        (whole.len() >= total).then(|| {
            whole.truncate(total);
            whole
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header() -> Ipv4Header {
        Ipv4Header {
            source: Ipv4Addr::new(10, 0, 0, 1),
            destination: Ipv4Addr::new(10, 0, 0, 2),
            protocol: IpProtocol::UDP,
            ttl: 64,
            tos: 0,
            ident: 7,
            dont_fragment: false,
            more_fragments: false,
            fragment_offset: 0,
            options: Vec::new(),
        }
    }

    proptest! {
        #[test]
        fn rfc791_fragments_in_any_order_make_the_packet(
            payload in proptest::collection::vec(any::<u8>(), 1..4000),
            mtu in 68u16..1500,
            second_mtu in 68u16..1500,
            order in any::<u64>(),
        ) {
            let mut pieces = Vec::new();
            for (first, piece) in fragment(&header(), &payload, mtu) {
                prop_assert!(first.header_len() + piece.len() <= usize::from(mtu));
                pieces.extend(fragment(&first, piece, second_mtu));
            }
            let turn = usize::try_from(order).unwrap_or(0) % pieces.len();
            pieces.rotate_left(turn);
            let mut reassembly = Reassembly::default();
            let mut whole = None;
            for (header, piece) in pieces {
                prop_assert_eq!(whole, None);
                whole = if header.is_fragment() {
                    reassembly.add(&header, piece, Time::ZERO)
                } else {
                    Some(piece.to_vec())
                };
            }
            prop_assert_eq!(whole, Some(payload));
        }
    }

    #[test]
    fn fragments_that_stay_alone_are_forgotten() {
        let mut reassembly = Reassembly::default();
        let first = Ipv4Header { more_fragments: true, ..header() };
        let last = Ipv4Header { fragment_offset: 8, ..header() };
        assert_eq!(reassembly.add(&first, &[0; 8], Time::ZERO), None);
        assert_eq!(reassembly.add(&last, &[1; 3], Time::from_secs(31)), None);
        for ident in 10_000..11_000 {
            assert_eq!(
                reassembly.add(&Ipv4Header { ident, ..first.clone() }, &[0; 8], Time::from_secs(31)),
                None
            );
        }
        assert!(reassembly.packets.len() <= PACKETS);
    }
}
