//! Finding the first matching line of a long list without looking at each.
//!
//! Tuple-space search (Srinivasan, Suri, Varghese, SIGCOMM 1999): lines that compare the same bits of a packet (the same two wildcard
//! masks, a protocol or none, single ports or not) stand in one table, by the values they compare with. A packet is looked up once in
//! each table; the lines found are asked for the rest of their conditions in order, so that the first matching line wins, as in
//! a search line by line.

use std::collections::{BTreeMap, HashMap};
use std::net::Ipv4Addr;
use std::sync::{Arc, OnceLock};

use super::PacketFields;
use crate::config::Wildcard;
use crate::process::IpProtocol;

/// Shorter lists are searched line by line.
const LEAST_LINES: usize = 32;

/// With fewer lines a table than this, on average, the tables are not worth it.
const LEAST_LINES_A_TABLE: usize = 4;

/// What a line compares for equality.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selector<'e> {
    /// Source address.
    pub source: Wildcard,
    /// Destination address.
    pub destination: Wildcard,
    /// Protocol.
    pub protocol: Option<IpProtocol>,
    /// The source port must be one of these.
    pub source_ports: Option<&'e [u16]>,
    /// The destination port must be one of these.
    pub destination_ports: Option<&'e [u16]>,
}

/// Which bits a table compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    source: Ipv4Addr,
    destination: Ipv4Addr,
    protocol: bool,
    source_port: bool,
    destination_port: bool,
}

/// The values of these bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    source: u32,
    destination: u32,
    protocol: u8,
    ports: (u16, u16),
}

impl Shape {
    /// The values in a packet; `None` if it has no port where one is compared.
    fn key(&self, packet: &PacketFields) -> Option<Key> {
        let port = |wanted: bool, port: Option<u16>| if wanted { port } else { Some(0) };
        Some(Key {
            source: u32::from(packet.source) & !u32::from(self.source),
            destination: u32::from(packet.destination) & !u32::from(self.destination),
            protocol: if self.protocol { packet.protocol.0 } else { 0 },
            ports: (
                port(self.source_port, packet.ports.map(|ports| ports.0))?,
                port(self.destination_port, packet.ports.map(|ports| ports.1))?,
            ),
        })
    }
}

/// The lines of one shape.
#[derive(Debug)]
struct Table {
    shape: Shape,
    /// The sequence number of the first of them.
    first: u32,
    /// Sequence numbers in order, by what the lines compare with.
    lines: HashMap<Key, Vec<u32>>,
}

/// The lines of a list by what they compare.
#[derive(Debug)]
pub(super) struct Index {
    /// By their first lines.
    tables: Vec<Table>,
}

impl Index {
    /// The index of a list, if it is long enough and its lines are alike enough.
    pub fn of<'e>(lines: impl Iterator<Item = (u32, Selector<'e>)>) -> Option<Self> {
        let mut tables: BTreeMap<Shape, Table> = BTreeMap::new();
        let mut count = 0;
        for (sequence, selector) in lines {
            count += 1;
            let shape = Shape {
                source: selector.source.mask,
                destination: selector.destination.mask,
                protocol: selector.protocol.is_some(),
                source_port: selector.source_ports.is_some(),
                destination_port: selector.destination_ports.is_some(),
            };
            let new = || Table { shape, first: sequence, lines: HashMap::new() };
            let table = tables.entry(shape).or_insert_with(new);
            for &source in selector.source_ports.unwrap_or(&[0]) {
                for &destination in selector.destination_ports.unwrap_or(&[0]) {
                    let key = Key {
                        source: selector.source.address.into(),
                        destination: selector.destination.address.into(),
                        protocol: selector.protocol.map_or(0, |protocol| protocol.0),
                        ports: (source, destination),
                    };
                    let of_key = table.lines.entry(key).or_default();
                    // A port may be named twice.
                    if of_key.last() != Some(&sequence) {
                        of_key.push(sequence);
                    }
                }
            }
        }
        if count < LEAST_LINES || count < tables.len() * LEAST_LINES_A_TABLE {
            return None;
        }
        let mut tables: Vec<Table> = tables.into_values().collect();
        tables.sort_by_key(|table| table.first);
        Some(Self { tables })
    }

    /// The first line for which `matches` holds. Lines that compare other values than the packet's are not asked.
    pub fn first_match(&self, packet: &PacketFields, matches: impl Fn(u32) -> bool) -> Option<u32> {
        let mut best: Option<u32> = None;
        for table in &self.tables {
            if best.is_some_and(|best| best < table.first) {
                break;
            }
            let Some(lines) = table.shape.key(packet).and_then(|key| table.lines.get(&key)) else { continue };
            let mut earlier = lines.iter().copied().take_while(|line| best.is_none_or(|best| *line < best));
            best = earlier.find(|&line| matches(line)).or(best);
        }
        best
    }
}

/// An index that is made when it is first wanted. It follows from the list, so that it counts for nothing when lists are compared or
/// stored, and copies of the list share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Cached(OnceLock<Option<Arc<Index>>>);

impl Cached {
    /// The index, made by `make` at the first time.
    pub fn get(&self, make: impl FnOnce() -> Option<Index>) -> Option<&Index> {
        self.0.get_or_init(|| make().map(Arc::new)).as_deref()
    }
}

impl PartialEq for Cached {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cached {}
