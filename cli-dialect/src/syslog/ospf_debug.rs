//! What `debug ip ospf` prints, in the words of IOS 15: `OSPF-1 ADJ   Gi0/0: 2 Way Communication to 2.2.2.2, state 2WAY`.

use std::fmt;

use netconfarena_emu::debugging::DebugTopic;
use netconfarena_emu::ids::RouterId;
use netconfarena_emu::ospf::lsa::Options;
use netconfarena_emu::ospf::packet::DdFlags;
use netconfarena_emu::ospf::{DescriptionSeen, NeighborDebugEvent, OspfDebugEvent, OspfInterfaceName};

/// A line without its time.
pub(super) fn message(process: u16, interface: OspfInterfaceName, event: &OspfDebugEvent) -> String {
    let topic = match event.topic() {
        DebugTopic::OspfHello => "HELLO",
        DebugTopic::OspfAdjacency => "ADJ",
    };
    let interface = match interface {
        OspfInterfaceName::Physical(name) => name.short(),
        OspfInterfaceName::VirtualLink(_) => interface.to_string(),
    };
    format!("OSPF-{process} {topic:<5} {interface}: {}", text(event))
}

fn text(event: &OspfDebugEvent) -> String {
    use OspfDebugEvent as E;
    match event {
        E::HelloSent { to, area, from } => format!("Send hello to {to} area {area} from {from}"),
        E::HelloReceived { neighbor, area, source } => {
            format!("Rcv hello from {neighbor} area {area} {source}")
        }
        E::HelloMismatch { source } => format!("Mismatched hello parameters from {source}"),
        E::HelloParameters { dead, hello, mask } => {
            let mask = mask.map_or_else(String::new, |mask| format!(" Mask {}", pair(mask)));
            format!("Dead {}, Hello {}{mask}", pair(*dead), pair(*hello))
        }
        E::AreaKindMismatch { source, nssa } => {
            let bit = if *nssa { "NSSA" } else { "Stub/Transit area" };
            format!("Hello from {source} with mismatched {bit} option bit")
        }
        E::AreaMismatch { source, area, received } => {
            let (area, received) = (area.as_ipv4(), received.as_ipv4());
            format!("Rcv pkt from {source}, area {area}, mismatched area {received} in the header")
        }
        E::NotOnNetwork { source, area } => {
            format!("Rcv pkt from {source}, area {} : src not on the same network", area.as_ipv4())
        }
        E::AuthenticationType { source, kind: (received, own) } => format!(
            "Rcv pkt from {source} : Mismatched Authentication type. Input packet specified type {received}, we use type {own}"
        ),
        E::AuthenticationKey { source, key, known } => {
            let what = match (key, known) {
                (None, _) => "Key - Clear Text".to_owned(),
                (Some(id), true) => format!("key - ID {id}"),
                (Some(id), false) => {
                    format!("Key - Invalid cryptographic authentication Key ID {id} on interface")
                }
            };
            format!("Rcv pkt from {source} : Mismatched Authentication {what}")
        }
        E::InterfaceGoing { up } => format!("Interface going {}", if *up { "Up" } else { "Down" }),
        E::EndOfWait => "end of Wait on interface".to_owned(),
        E::BackupSeen => "Backup seen event before WAIT timer".to_owned(),
        E::NeighborChange => "Neighbor change event".to_owned(),
        E::Election => "DR/BDR election".to_owned(),
        E::ElectedBackup(id) => format!("Elect BDR {id}"),
        E::ElectedDesignated(id) => format!("Elect DR {id}"),
        E::Designated(id) => format!("DR: {}", elected(*id)),
        E::Backup(id) => format!("   BDR: {}", elected(*id)),
        E::Neighbor(id, event) => neighbor(*id, event),
    }
}

/// `R 40 C 20`.
fn pair<T: fmt::Display>((received, configured): (T, T)) -> String {
    format!("R {received} C {configured}")
}

fn elected(id: Option<RouterId>) -> String {
    id.map_or_else(|| "none ".to_owned(), |id| format!("{id} (Id)"))
}

/// A database description without whose it is.
fn description(seen: &DescriptionSeen) -> String {
    let DescriptionSeen { sequence, options: Options(options), flags, length } = *seen;
    let DdFlags { init, more, master } = flags;
    let flags = u8::from(init) << 2 | u8::from(more) << 1 | u8::from(master);
    format!("seq 0x{sequence:X} opt 0x{options:X} flag 0x{flags:X} len {length}")
}

/// Octets of a request for so many LSAs.
const fn request_length(count: usize) -> usize {
    24 + 12 * count
}

fn neighbor(id: RouterId, event: &NeighborDebugEvent) -> String {
    use NeighborDebugEvent as E;
    match event {
        E::TwoWay => format!("2 Way Communication to {id}, state 2WAY"),
        E::OneWay => format!("Cannot see ourself in hello from {id}, state INIT"),
        E::Dead(address) => format!("{id} address {address} is dead, state DOWN"),
        E::PrepareExchange => format!("Nbr {id}: Prepare dbase exchange"),
        E::NegotiationDone { master } => {
            format!("NBR Negotiation Done. We are the {}", if *master { "MASTER" } else { "SLAVE" })
        }
        E::NotSlave => "First DBD and we are not SLAVE".to_owned(),
        E::SummaryList(size) => format!("Nbr {id}: Summary list built, size {size}"),
        E::DescriptionSent(seen) => format!("Send DBD to {id} {}", description(seen)),
        E::DescriptionRepeated(times) => format!("Retransmitting DBD to {id} [{times}]"),
        E::DescriptionReceived { description: seen, mtu, state } => {
            format!("Rcv DBD from {id} {}  mtu {mtu} state {state}", description(seen))
        }
        E::OtherMtu { larger } => {
            format!("Nbr {id} has {} interface MTU", if *larger { "larger" } else { "smaller" })
        }
        E::ExchangeDone => format!("Exchange Done with {id}"),
        E::RequestSent(count) => {
            format!("Send LS REQ to {id} length {} LSA count {count}", request_length(*count))
        }
        E::RequestReceived(count) => {
            format!("Rcv LS REQ from {id} length {} LSA count {count}", request_length(*count))
        }
        E::UpdateReceived { length, count } => {
            format!("Rcv LS UPD from Nbr ID {id} length {length} LSA count {count}")
        }
        E::Synchronized => format!("Synchronized with {id}, state FULL"),
    }
}
