//! What an entry of an access list may say. The parts behind the addresses stand once in a tree, however many ways lead there.

use super::names::{DSCPS, ICMP_MESSAGES, PRECEDENCES, PROTOCOLS, TCP_PORTS, TYPES_OF_SERVICE, UDP_PORTS};
use super::{extended_entry, standard_entry};
use crate::config::Handler;
use crate::config::unsupported::refused;
use crate::grammar::{Choice, Spec, choice, int, ip, kw, plain, word};

type Specs = Vec<Spec<Handler>>;

/// `permit` and `deny` of a standard list.
pub(super) fn standard() -> Specs {
    [("deny", "Specify packets to reject"), ("permit", "Specify packets to forward")]
        .map(|(action, help)| kw(action, help).then_shared("acl-standard-source", standard_source))
        .to_vec()
}

fn standard_source() -> Specs {
    let end = |spec: Spec<Handler>| {
        spec.run(standard_entry as Handler).options_shared("acl-standard-options", standard_options)
    };
    vec![
        end(kw("any", "Any source host")),
        kw("host", "A single host address").then([end(ip("source", "Host address"))]),
        end(ip("source", "Address to match").then([end(ip("source-wildcard", "Wildcard bits"))])),
    ]
}

fn standard_options() -> Specs {
    vec![plain("log", "Log matches against this entry", standard_entry as Handler)]
}

/// `permit` and `deny` of an extended list.
pub(super) fn extended() -> Specs {
    [("deny", "Specify packets to reject"), ("permit", "Specify packets to forward")]
        .map(|(action, help)| kw(action, help).then_shared("acl-protocol", protocols))
        .to_vec()
}

fn protocols() -> Specs {
    vec![
        kw("ip", "Any Internet Protocol").then_shared("acl-ip-source", ip_source),
        kw("icmp", "Internet Control Message Protocol").then_shared("acl-icmp-source", icmp_source),
        kw("tcp", "Transmission Control Protocol").then_shared("acl-tcp-source", tcp_source),
        kw("udp", "User Datagram Protocol").then_shared("acl-udp-source", udp_source),
        choice("protocol", &PROTOCOLS, "An IP protocol number").then_shared("acl-ip-source", ip_source),
        refused("object-group", "Service object group"),
    ]
}

/// The names of the parts of an address.
struct End {
    any: &'static str,
    address: &'static str,
    wildcard: &'static str,
    help: [&'static str; 4],
}

const SOURCE: End = End {
    any: "source-any",
    address: "source",
    wildcard: "source-wildcard",
    help: ["Any source host", "A single source host", "Source address", "Source wildcard bits"],
};

const DESTINATION: End = End {
    any: "destination-any",
    address: "destination",
    wildcard: "destination-wildcard",
    help: [
        "Any destination host",
        "A single destination host",
        "Destination address",
        "Destination wildcard bits",
    ],
};

fn address(end: &End, behind: fn(Spec<Handler>) -> Spec<Handler>) -> Specs {
    let [any, host, address, wildcard] = end.help;
    vec![
        behind(kw("any", any).named(end.any)),
        kw("host", host).then([behind(ip(end.address, address))]),
        ip(end.address, address).then([behind(ip(end.wildcard, wildcard))]),
        refused("object-group", "Network object group"),
    ]
}

/// The names of the parts of a condition on ports.
struct PortNames {
    operators: [&'static str; 5],
    port: &'static str,
    last: &'static str,
}

const SOURCE_PORTS: PortNames = PortNames {
    operators: ["source-eq", "source-gt", "source-lt", "source-neq", "source-range"],
    port: "source-port",
    last: "source-port-last",
};

const DESTINATION_PORTS: PortNames = PortNames {
    operators: ["destination-eq", "destination-gt", "destination-lt", "destination-neq", "destination-range"],
    port: "destination-port",
    last: "destination-port-last",
};

/// How many ports `eq` and `neq` may name.
const MOST_PORTS: usize = 10;

fn ports(names: &PortNames, ports: &'static Choice, behind: fn(Spec<Handler>) -> Spec<Handler>) -> Specs {
    let [eq, gt, lt, neq, range] = names.operators;
    let port = || choice(names.port, ports, "Port number");
    let several = || {
        let first = (1..MOST_PORTS).fold(behind(port()), |behind_it, _| behind(port()).then([behind_it]));
        [first]
    };
    vec![
        kw("eq", "Match only packets on a given port number").named(eq).then(several()),
        kw("gt", "Match only packets with a greater port number").named(gt).then([behind(port())]),
        kw("lt", "Match only packets with a lower port number").named(lt).then([behind(port())]),
        kw("neq", "Match only packets not on a given port number").named(neq).then(several()),
        kw("range", "Match only packets in the range of port numbers")
            .named(range)
            .then([port().then([behind(choice(names.last, ports, "Port number"))])]),
    ]
}

fn ip_source() -> Specs {
    address(&SOURCE, |spec| spec.then_shared("acl-ip-destination", ip_destination))
}

fn ip_destination() -> Specs {
    address(&DESTINATION, |spec| {
        spec.run(extended_entry as Handler).options_shared("acl-ip-options", ip_options)
    })
}

fn icmp_source() -> Specs {
    address(&SOURCE, |spec| spec.then_shared("acl-icmp-destination", icmp_destination))
}

fn icmp_destination() -> Specs {
    address(&DESTINATION, |spec| icmp_end(spec).then_shared("acl-icmp-message", icmp_message))
}

fn icmp_end(spec: Spec<Handler>) -> Spec<Handler> {
    spec.run(extended_entry as Handler).options_shared("acl-ip-options", ip_options)
}

fn icmp_message() -> Specs {
    let code = icmp_end(int("icmp-code", 0, 255, "ICMP message code"));
    vec![
        icmp_end(int("icmp-type", 0, 255, "ICMP message type").then([code])),
        icmp_end(choice("icmp-message", &ICMP_MESSAGES, "ICMP message")),
    ]
}

fn tcp_source() -> Specs {
    address(&SOURCE, |spec| {
        spec.then_shared("acl-tcp-source-ports", tcp_source_ports)
            .then_shared("acl-tcp-destination", tcp_destination)
    })
}

fn tcp_source_ports() -> Specs {
    ports(&SOURCE_PORTS, &TCP_PORTS, |spec| spec.then_shared("acl-tcp-destination", tcp_destination))
}

fn tcp_destination() -> Specs {
    address(&DESTINATION, |spec| tcp_end(spec).then_shared("acl-tcp-ports", tcp_ports))
}

fn tcp_ports() -> Specs {
    ports(&DESTINATION_PORTS, &TCP_PORTS, tcp_end)
}

fn tcp_end(spec: Spec<Handler>) -> Spec<Handler> {
    spec.run(extended_entry as Handler).options_shared("acl-tcp-options", tcp_options)
}

fn udp_source() -> Specs {
    address(&SOURCE, |spec| {
        spec.then_shared("acl-udp-source-ports", udp_source_ports)
            .then_shared("acl-udp-destination", udp_destination)
    })
}

fn udp_source_ports() -> Specs {
    ports(&SOURCE_PORTS, &UDP_PORTS, |spec| spec.then_shared("acl-udp-destination", udp_destination))
}

fn udp_destination() -> Specs {
    address(&DESTINATION, |spec| udp_end(spec).then_shared("acl-udp-ports", udp_ports))
}

fn udp_ports() -> Specs {
    ports(&DESTINATION_PORTS, &UDP_PORTS, udp_end)
}

fn udp_end(spec: Spec<Handler>) -> Spec<Handler> {
    spec.run(extended_entry as Handler).options_shared("acl-ip-options", ip_options)
}

fn ip_options() -> Specs {
    let run = extended_entry as Handler;
    let value = |name, choices, help| choice(name, choices, help).run(run);
    vec![
        kw("dscp", "Match packets with given dscp value").then([value(
            "dscp-value",
            &DSCPS,
            "Differentiated services codepoint value",
        )]),
        plain("fragments", "Check non-initial fragments", run),
        plain("log", "Log matches against this entry", run),
        plain("log-input", "Log matches against this entry, including input interface", run),
        refused("option", "Match packets with given IP Options value"),
        kw("precedence", "Match packets with given precedence value").then([value(
            "precedence-value",
            &PRECEDENCES,
            "Precedence value",
        )]),
        refused("reflect", "Create reflexive access list entry"),
        kw("time-range", "Specify a time-range")
            .then([word("time-range-name", "Time-range entry name").run(run)]),
        kw("tos", "Match packets with given TOS value").then([value(
            "tos-value",
            &TYPES_OF_SERVICE,
            "Type of service value",
        )]),
        refused("ttl", "Match packets with given TTL value"),
    ]
}

fn tcp_options() -> Specs {
    let mut options = ip_options();
    options.push(plain("established", "Match established connections", extended_entry as Handler));
    let flags = [
        ("ack", "Match on the ACK bit"),
        ("fin", "Match on the FIN bit"),
        ("match-all", "Match on all the specified flags"),
        ("match-any", "Match on any of the specified flags"),
        ("psh", "Match on the PSH bit"),
        ("rst", "Match on the RST bit"),
        ("syn", "Match on the SYN bit"),
        ("urg", "Match on the URG bit"),
    ];
    options.extend(flags.map(|(flag, help)| refused(flag, help)));
    options
}
