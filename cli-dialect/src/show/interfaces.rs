//! `show interfaces [X]`.
//!
//! Row fields: `interface`, `status` (`up`, `down`, `administratively down`), `protocol` (`up`, `down`), `hardware`,
//! `mac_address` and `burned_in_address` (null where there is none), `description` (empty without), `ip_address` (`10.0.0.1/24`), `unnumbered`, `mtu`,
//! `bandwidth` (kbit/s), `delay` (us), `encapsulation`, `duplex`, `speed`, `last_input`, `last_output` (s; null is never), and
//! where the interface counts for itself `input_packets`, `input_bytes`, `broadcasts`, `input_errors`, `output_packets`,
//! `output_bytes`, `output_drops`, `input_rate`, `output_rate` (bit/s), `input_packet_rate`, `output_packet_rate`, `cleared` (s; null is never).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::interface::{Interface, InterfaceKind, InterfaceName, Medium};
use netconfarena_emu::time::Time;
use serde::{Deserialize, Serialize};

use super::age::Age;
use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::config::Complaint;
use crate::grammar::{Spec, interface, kw};

/// The record of `show interfaces`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interfaces {
    /// The interfaces, in the order of the device.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Full name.
    pub interface: String,
    /// `up`, `down`, `administratively down`.
    pub status: String,
    /// `up` or `down`.
    pub protocol: String,
    /// `iGbE`.
    pub hardware: String,
    /// Hardware address in Cisco's notation; an interface with one is an Ethernet.
    pub mac_address: Option<String>,
    /// The hardware address from the factory.
    pub burned_in_address: Option<String>,
    /// Empty without.
    pub description: String,
    /// Primary address.
    pub ip_address: Option<Ipv4Net>,
    /// The interface whose address is borrowed, with the address: `Loopback0 (1.1.1.1)`.
    pub unnumbered: Option<String>,
    /// In octets.
    pub mtu: u32,
    /// In kbit/s.
    pub bandwidth: u32,
    /// In microseconds.
    pub delay: u32,
    /// `ARPA`, `HDLC, crc 16`, `802.1Q Virtual LAN, Vlan ID  10.`.
    pub encapsulation: String,
    /// `Auto`, `Full`, `Half`; Ethernets have it.
    pub duplex: Option<String>,
    /// `Auto Speed`, `1000Mbps`; Ethernets have it.
    pub speed: Option<String>,
    /// Since the last frame in.
    pub last_input: Option<Age>,
    /// Since the last frame out.
    pub last_output: Option<Age>,
    /// What the interface has carried; a subinterface does not count for itself.
    #[serde(flatten)]
    pub traffic: Option<Traffic>,
}

/// The counters of an interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Frames received.
    pub input_packets: u64,
    /// Octets received.
    pub input_bytes: u64,
    /// Of these, sent to all or to a group.
    pub broadcasts: u64,
    /// Frames that could not be used.
    pub input_errors: u64,
    /// Frames sent.
    pub output_packets: u64,
    /// Octets sent.
    pub output_bytes: u64,
    /// Packets that could not be sent.
    pub output_drops: u64,
    /// Received on average, over five minutes, in bits a second.
    pub input_rate: u64,
    /// The same in packets a second.
    pub input_packet_rate: u64,
    /// Sent on average, over five minutes, in bits a second.
    pub output_rate: u64,
    /// The same in packets a second.
    pub output_packet_rate: u64,
    /// Since the counters were cleared.
    pub cleared: Option<Age>,
}

impl Interfaces {
    /// From a router; of one interface only, if one is named.
    ///
    /// # Errors
    /// There is no interface of that name.
    pub fn collect(context: &ShowContext<'_>, only: Option<InterfaceName>) -> Result<Self, Complaint> {
        let interfaces = match only {
            Some(name) => vec![context.interface(name)?],
            None => context.interfaces(),
        };
        Ok(Self { interfaces: interfaces.into_iter().map(|interface| entry(context, interface)).collect() })
    }
}

/// What real hardware of a kind calls itself.
const fn hardware(kind: InterfaceKind) -> &'static str {
    match kind {
        InterfaceKind::Loopback => "Loopback",
        InterfaceKind::Tunnel => "Tunnel",
        InterfaceKind::Ethernet => "AmdP2",
        InterfaceKind::FastEthernet => "Gt96k FE",
        InterfaceKind::GigabitEthernet => "iGbE",
        InterfaceKind::TenGigabitEthernet => "10GbE",
        InterfaceKind::Serial => "GT96K Serial",
        InterfaceKind::Null => "Unknown",
    }
}

fn entry(context: &ShowContext<'_>, interface: &Interface) -> Entry {
    let router = context.router();
    let config = router.config().interfaces.get(&interface.name);
    let counters = &interface.counters;
    let ago = |at: Option<Time>| at.map(|at| Age::from(context.now().since(at)));
    let is_ethernet = interface.medium == Medium::Ethernet;
    let is_port = interface.name.subinterface().is_none();
    let encapsulation = match interface.medium {
        Medium::Ethernet => match config.and_then(|config| config.dot1q) {
            Some(tag) => format!("802.1Q Virtual LAN, Vlan ID  {}.", tag.vlan),
            None => "ARPA".to_owned(),
        },
        Medium::Serial => "HDLC, crc 16".to_owned(),
        Medium::Loopback => "LOOPBACK".to_owned(),
        Medium::Null => "ARPA".to_owned(),
        Medium::Tunnel => "TUNNEL".to_owned(),
    };
    let lender = interface.unnumbered.and_then(|index| router.interfaces().get(index));
    let has_link = is_ethernet && is_port;
    let (received, sent) = (counters.in_load.rate(context.now()), counters.out_load.rate(context.now()));
    Entry {
        interface: interface.name.to_string(),
        status: context::status(interface).to_owned(),
        protocol: context::protocol(interface).to_owned(),
        hardware: hardware(interface.name.kind()).to_owned(),
        mac_address: is_ethernet.then(|| interface.mac.to_string()),
        burned_in_address: is_ethernet.then(|| {
            let port = interface.name.parent().unwrap_or(interface.name);
            router.burned_in_address(port).unwrap_or(interface.mac).to_string()
        }),
        description: config.and_then(|config| config.description.clone()).unwrap_or_default(),
        ip_address: interface.address,
        unnumbered: lender.map(|lender| {
            let address = lender.address.map_or(Ipv4Addr::UNSPECIFIED, |net| net.addr());
            format!("{} ({address})", lender.name)
        }),
        mtu: u32::from(interface.mtu),
        bandwidth: interface.bandwidth_kbps,
        delay: interface.delay_tens_us.saturating_mul(10),
        encapsulation,
        duplex: has_link.then(|| "Auto".to_owned()),
        speed: has_link.then(|| "Auto Speed".to_owned()),
        last_input: ago(counters.last_input).filter(|_| is_port),
        last_output: ago(counters.last_output).filter(|_| is_port),
        traffic: is_port.then_some(Traffic {
            input_packets: counters.in_packets,
            input_bytes: counters.in_octets,
            broadcasts: counters.in_multicasts,
            input_errors: counters.in_errors,
            output_packets: counters.out_packets,
            output_bytes: counters.out_octets,
            output_drops: counters.out_drops,
            // IOS shows whole kilobits.
            input_rate: received.bits / 1000 * 1000,
            input_packet_rate: received.packets,
            output_rate: sent.bits / 1000 * 1000,
            output_packet_rate: sent.packets,
            cleared: ago(counters.cleared),
        }),
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, args| Ok(Interfaces::collect(context, args.interface())?.render());
    vec![
        kw("interfaces", "Interface status and configuration")
            .run(run)
            .then([interface("Interface name").run(run)]),
    ]
}

impl Entry {
    fn render(&self, out: &mut String) {
        out.push_str(&format!(
            "{} is {}, line protocol is {} \n",
            self.interface, self.status, self.protocol
        ));
        out.push_str(&format!("  Hardware is {}", self.hardware));
        if let Some(mac) = &self.mac_address {
            let burned_in = self.burned_in_address.as_ref().unwrap_or(mac);
            out.push_str(&format!(", address is {mac} (bia {burned_in})"));
        }
        out.push('\n');
        if !self.description.is_empty() {
            out.push_str(&format!("  Description: {}\n", self.description));
        }
        match (&self.ip_address, &self.unnumbered) {
            (Some(address), _) => out.push_str(&format!("  Internet address is {address}\n")),
            (None, Some(lender)) => {
                out.push_str(&format!("  Interface is unnumbered. Using address of {lender}\n"));
            }
            (None, None) => {}
        }
        out.push_str(&format!(
            "  MTU {} bytes, BW {} Kbit/sec, DLY {} usec, \n     reliability 255/255, txload {}/255, rxload {}/255\n",
            self.mtu,
            self.bandwidth,
            self.delay,
            self.load(self.traffic.as_ref().map_or(0, |traffic| traffic.output_rate)),
            self.load(self.traffic.as_ref().map_or(0, |traffic| traffic.input_rate)),
        ));
        match &self.traffic {
            Some(traffic) => self.render_whole(traffic, out),
            None => out.push_str(&format!(
                "  Encapsulation {}\n  ARP type: ARPA, ARP Timeout 04:00:00\n  Keepalive set (10 sec)\n  \
                 Last clearing of \"show interface\" counters never\n",
                self.encapsulation
            )),
        }
    }

    /// A rate in parts of 255 of the bandwidth. An idle interface has 1.
    fn load(&self, bits_per_second: u64) -> u64 {
        let bandwidth = u64::from(self.bandwidth).saturating_mul(1000).max(1);
        (bits_per_second.saturating_mul(255) / bandwidth).clamp(1, 255)
    }

    /// What an interface that counts for itself says behind its metrics.
    fn render_whole(&self, traffic: &Traffic, out: &mut String) {
        out.push_str(&format!("  Encapsulation {}, loopback not set\n", self.encapsulation));
        out.push_str("  Keepalive set (10 sec)\n");
        if let (Some(duplex), Some(speed)) = (&self.duplex, &self.speed) {
            out.push_str(&format!(
                "  {duplex} Duplex, {speed}, link type is auto, media type is RJ45\n  \
                 output flow-control is unsupported, input flow-control is unsupported\n  \
                 ARP type: ARPA, ARP Timeout 04:00:00\n"
            ));
        }
        let is_serial = self.encapsulation.starts_with("HDLC");
        if is_serial {
            out.push_str("  Restart-Delay is 0 secs\n");
        }
        let ago = |age: Option<Age>| age.map_or_else(|| "never".to_owned(), |age| age.to_string());
        let Traffic { output_drops, input_rate, input_packet_rate, output_rate, output_packet_rate, .. } =
            traffic;
        let queue = if self.duplex.is_some() || is_serial { 40 } else { 0 };
        out.push_str(&format!(
            "  Last input {}, output {}, output hang never\n  \
             Last clearing of \"show interface\" counters {}\n  \
             Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: {output_drops}\n  \
             Queueing strategy: fifo\n  Output queue: 0/{queue} (size/max)\n  \
             5 minute input rate {input_rate} bits/sec, {input_packet_rate} packets/sec\n  \
             5 minute output rate {output_rate} bits/sec, {output_packet_rate} packets/sec\n",
            ago(self.last_input),
            ago(self.last_output),
            ago(traffic.cleared),
        ));
        render_counters(traffic, self.duplex.is_some(), is_serial, out);
    }

    /// Takes in a line about this interface; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let text = line.text.trim();
        if let Some(rest) = text.strip_prefix("Description: ") {
            self.description = rest.to_owned();
        } else if let Some([hardware, mac, burned_in]) = line.holes("Hardware is {}, address is {} (bia {})")
        {
            self.hardware = hardware.to_owned();
            self.mac_address = Some(mac.to_owned());
            self.burned_in_address = Some(burned_in.to_owned());
        } else if let Some(hardware) = text.strip_prefix("Hardware is ") {
            self.hardware = hardware.to_owned();
        } else if let Some([address]) = line.holes("Internet address is {}") {
            self.ip_address = address.split_whitespace().next().and_then(|address| address.parse().ok());
        } else if let Some([lender]) = line.holes("Interface is unnumbered. Using address of {}") {
            self.unnumbered = Some(lender.to_owned());
        } else if let Some([mtu, bandwidth, rest]) = line.holes("MTU {} bytes, BW {} Kbit{}") {
            self.mtu = line.value(mtu, "an MTU")?;
            self.bandwidth = line.value(bandwidth, "a bandwidth")?;
            let delay = rest.split_once("DLY ").and_then(|(_, delay)| delay.split_once(" usec"));
            self.delay = delay.map_or(Ok(0), |(delay, _)| line.value(delay, "a delay"))?;
        } else if let Some(encapsulation) = text.strip_prefix("Encapsulation ") {
            let encapsulation = encapsulation.strip_suffix(", loopback not set").unwrap_or(encapsulation);
            self.encapsulation = encapsulation.to_owned();
        } else if let Some([duplex, rest]) =
            line.holes("{} Duplex, {}").or_else(|| line.holes("{}-duplex, {}"))
        {
            self.duplex = Some(duplex.to_owned());
            self.speed = rest.split(',').next().map(|speed| speed.trim().to_owned());
        } else if let Some([input, output, _]) = line.holes("Last input {}, output {}, output hang {}") {
            self.last_input = input.parse().ok();
            self.last_output = output.parse().ok();
        } else {
            read_counters(line, &mut self.traffic)?;
        }
        Ok(())
    }
}

fn render_counters(traffic: &Traffic, is_ethernet: bool, is_serial: bool, out: &mut String) {
    let Traffic { input_packets, input_bytes, broadcasts, input_errors, .. } = traffic;
    let abort = if is_ethernet { "" } else { ", 0 abort" };
    out.push_str(&format!(
        "     {input_packets} packets input, {input_bytes} bytes, 0 no buffer\n     \
         Received {broadcasts} broadcasts ({broadcasts} IP multicasts)\n     \
         0 runts, 0 giants, 0 throttles \n     \
         {input_errors} input errors, 0 CRC, 0 frame, 0 overrun, 0 ignored{abort}\n"
    ));
    if is_ethernet {
        out.push_str("     0 watchdog, 0 multicast, 0 pause input\n");
    }
    out.push_str(&format!(
        "     {} packets output, {} bytes, 0 underruns\n     \
         0 output errors, 0 collisions, 0 interface resets\n     \
         0 unknown protocol drops\n",
        traffic.output_packets, traffic.output_bytes
    ));
    if is_ethernet {
        out.push_str(
            "     0 babbles, 0 late collision, 0 deferred\n     0 lost carrier, 0 no carrier, 0 pause output\n",
        );
    }
    out.push_str("     0 output buffer failures, 0 output buffers swapped out\n");
    if is_serial {
        out.push_str("     0 carrier transitions     DCD=up  DSR=up  DTR=up  RTS=up  CTS=up\n");
    }
}

/// Takes in a line of counters; another line is passed over.
fn read_counters(line: Line<'_>, traffic: &mut Option<Traffic>) -> Result<(), ParseError> {
    let count = |word: &str| line.value(word, "a count");
    if let Some([_, drops]) = line.holes("{}(size/max/drops/flushes); Total output drops: {}") {
        traffic.get_or_insert_default().output_drops = count(drops)?;
    } else if let Some([packets, bytes, _]) = line.holes("{} packets input, {} bytes{}") {
        let traffic = traffic.get_or_insert_default();
        (traffic.input_packets, traffic.input_bytes) = (count(packets)?, count(bytes)?);
    } else if let Some([age]) = line.holes("Last clearing of \"show interface\" counters {}") {
        if let Ok(age) = age.parse() {
            traffic.get_or_insert_default().cleared = Some(age);
        }
    } else if let Some([_, bits, packets]) = line.holes("{} input rate {} bits/sec, {} packets/sec") {
        let traffic = traffic.get_or_insert_default();
        (traffic.input_rate, traffic.input_packet_rate) = (count(bits)?, count(packets)?);
    } else if let Some([_, bits, packets]) = line.holes("{} output rate {} bits/sec, {} packets/sec") {
        let traffic = traffic.get_or_insert_default();
        (traffic.output_rate, traffic.output_packet_rate) = (count(bits)?, count(packets)?);
    } else if let Some([broadcasts, _]) = line.holes("Received {} broadcasts{}") {
        traffic.get_or_insert_default().broadcasts = count(broadcasts)?;
    } else if let Some([errors, _]) = line.holes("{} input errors, {}") {
        traffic.get_or_insert_default().input_errors = count(errors)?;
    } else if let Some([packets, bytes, _]) = line.holes("{} packets output, {} bytes{}") {
        let traffic = traffic.get_or_insert_default();
        (traffic.output_packets, traffic.output_bytes) = (count(packets)?, count(bytes)?);
    }
    Ok(())
}

impl Record for Interfaces {
    fn render(&self) -> String {
        let mut out = String::new();
        self.interfaces.iter().for_each(|entry| entry.render(&mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([interface, status, protocol]) = line.interface_head() {
                record.interfaces.push(Entry {
                    interface: interface.to_owned(),
                    status: status.to_owned(),
                    protocol: protocol.to_owned(),
                    ..Entry::default()
                });
            } else if let Some(entry) = record.interfaces.last_mut() {
                entry.read(line)?;
            } else {
                return Err(line.error("`X is up, line protocol is up`"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    prop_compose! {
        fn traffic()(counts in any::<[u64; 7]>(), rates in any::<[u64; 4]>(), cleared in prop::option::of(arbitrary::age())) -> Traffic {
            let [input_packets, input_bytes, broadcasts, input_errors, output_packets, output_bytes, output_drops] = counts;
            let [input_rate, input_packet_rate, output_rate, output_packet_rate] = rates;
            Traffic {
                input_packets, input_bytes, broadcasts, input_errors, output_packets, output_bytes, output_drops, input_rate,
                input_packet_rate, output_rate, output_packet_rate, cleared,
            }
        }
    }

    prop_compose! {
        fn entry()(
            interface in arbitrary::interface(), status in arbitrary::word(&["up", "down", "administratively down"]),
            protocol in arbitrary::word(&["up", "down"]), mac in any::<[u8; 6]>(), description in "([!-~]([ -~]{0,20}[!-~])?)?",
            ip_address in prop::option::of(arbitrary::network()), metrics in any::<[u32; 3]>(), kind in 0usize..4,
            last in prop::option::of(arbitrary::age()), traffic in traffic(),
        ) -> Entry {
            let [mtu, bandwidth, delay] = metrics;
            let is_ethernet = kind < 2;
            let mac_address = is_ethernet.then(|| netconfarena_emu::ids::MacAddress(mac).to_string());
            let burned_in_address = mac_address.as_ref().map(|_| "aabb.cc00.0100".to_owned());
            let encapsulation = ["ARPA", "802.1Q Virtual LAN, Vlan ID  10.", "HDLC, crc 16", "LOOPBACK"][kind].to_owned();
            let whole = kind != 1;
            Entry {
                interface, status, protocol, hardware: "iGbE".to_owned(), mac_address, burned_in_address, description, ip_address, unnumbered: None, mtu, bandwidth,
                delay, encapsulation, duplex: (kind == 0).then(|| "Full".to_owned()), speed: (kind == 0).then(|| "1000Mbps".to_owned()),
                last_input: last.filter(|_| whole), last_output: None, traffic: whole.then_some(traffic),
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(interfaces in prop::collection::vec(entry(), 0..4)) {
            let record = Interfaces { interfaces };
            prop_assert_eq!(Interfaces::parse(&record.render()), Ok(record));
        }
    }
}
