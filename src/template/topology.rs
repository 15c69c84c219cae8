//! Link media and interface names: what an instance's hardware is called.

use std::collections::BTreeMap;

use ipnet::Ipv4Net;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::subnet::Subnet;

/// A link before its interfaces have names.
#[derive(Clone, Debug)]
pub struct LinkPlan {
    /// Name of the link: that of its network parameter.
    pub name: String,
    /// Its network.
    pub subnet: Subnet,
    /// Roles of the routers on it.
    pub nodes: Vec<String>,
    /// Kinds of interface to choose from.
    pub media: Vec<InterfaceKind>,
}

/// One end of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedEnd {
    /// Role of the router.
    pub node: String,
    /// Its interface.
    pub interface: InterfaceName,
    /// Its address, with the network's length.
    pub address: Ipv4Net,
}

/// A link whose medium, interfaces and addresses are chosen.
pub type LaidLink = (InterfaceKind, Vec<PlannedEnd>);

/// How the numbers of a kind of interface look on one router.
#[derive(Clone, Copy, Debug)]
struct Numbering {
    prefix: &'static [u32],
    suffix: &'static [u32],
    first: u32,
}

impl Numbering {
    fn name(self, kind: InterfaceKind, position: u32) -> Option<InterfaceName> {
        let mut slots = self.prefix.to_vec();
        slots.push(self.first + position);
        slots.extend_from_slice(self.suffix);
        InterfaceName::new(kind, &slots, None)
    }
}

const fn numbering(prefix: &'static [u32], suffix: &'static [u32], first: u32) -> Numbering {
    Numbering { prefix, suffix, first }
}

const GIGABIT: &[Numbering] = &[
    numbering(&[0], &[], 0),
    numbering(&[0], &[], 1),
    numbering(&[0, 0], &[], 0),
    numbering(&[0, 1], &[], 0),
    numbering(&[], &[0], 1),
];
const SERIAL: &[Numbering] = &[
    numbering(&[0, 0], &[], 0),
    numbering(&[0, 1], &[], 0),
    numbering(&[1], &[], 0),
    numbering(&[2], &[], 0),
    numbering(&[], &[0], 1),
];
const OTHERS: &[Numbering] =
    &[numbering(&[0], &[], 0), numbering(&[0], &[], 1), numbering(&[1], &[], 0), numbering(&[2], &[], 0)];

/// How routers that exist number their ports.
const fn numberings(kind: InterfaceKind) -> &'static [Numbering] {
    match kind {
        InterfaceKind::GigabitEthernet => GIGABIT,
        InterfaceKind::Serial => SERIAL,
        _ => OTHERS,
    }
}

/// Chooses the medium of each link, the interface names of each router, and the address of each end.
///
/// # Errors
/// The link that cannot be laid out, and why.
pub fn lay_out(links: &[LinkPlan], rng: &mut ChaCha8Rng) -> Result<Vec<LaidLink>, (String, String)> {
    let mut media = Vec::new();
    for link in links {
        let fail = |reason: &str| (link.name.clone(), reason.to_owned());
        let kind = *link.media.choose(rng).ok_or_else(|| fail("`media` is empty"))?;
        media.push(kind);
    }
    // Ports are numbered in the order in which a shuffled pass over the links meets them, so that the order of
    // the links in the file does not show in the names.
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.shuffle(rng);
    let mut styles: BTreeMap<(&str, InterfaceKind), (Numbering, u32)> = BTreeMap::new();
    let mut names: BTreeMap<(usize, usize), InterfaceName> = BTreeMap::new();
    for position in order {
        let (Some(link), Some(&kind)) = (links.get(position), media.get(position)) else { continue };
        for (end, node) in link.nodes.iter().enumerate() {
            let fresh = *numberings(kind).choose(rng).unwrap_or(&numbering(&[0], &[], 0));
            let (style, used) = styles.entry((node, kind)).or_insert((fresh, 0));
            let fail = || (link.name.clone(), "interface number out of range".to_owned());
            names.insert((position, end), style.name(kind, *used).ok_or_else(fail)?);
            *used += 1;
        }
    }
    let mut laid = Vec::new();
    for (position, (link, kind)) in links.iter().zip(media).enumerate() {
        let addresses = addresses(link, rng)
            .ok_or_else(|| (link.name.clone(), format!("{} has too few addresses", link.subnet.0)))?;
        let ends = link.nodes.iter().enumerate().zip(addresses).filter_map(|((end, node), address)| {
            let interface = *names.get(&(position, end))?;
            Some(PlannedEnd { node: node.clone(), interface, address })
        });
        laid.push((kind, ends.collect()));
    }
    Ok(laid)
}

/// The addresses of a link's ends: from the start or the end of the network, in random order.
fn addresses(link: &LinkPlan, rng: &mut ChaCha8Rng) -> Option<Vec<Ipv4Net>> {
    let count = i64::try_from(link.nodes.len()).ok()?;
    let mut indices: Vec<i64> = match rng.random_range(0..3) {
        0 => (1..=count).map(|i| -i).collect(),
        1 if link.subnet.capacity() > count + 10 => (10..10 + count).collect(),
        _ => (1..=count).collect(),
    };
    indices.shuffle(rng);
    let length = link.subnet.0.prefix_len();
    indices.into_iter().map(|i| Ipv4Net::new(link.subnet.host(i)?, length).ok()).collect()
}
