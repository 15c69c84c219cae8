//! Names of protocols, ports, ICMP messages, precedences and DSCPs in extended access lists.

use netconfarena_emu::policy::IcmpMatch;
use netconfarena_emu::process::IpProtocol;

use crate::grammar::Choice;

/// Protocols that have no grammar of their own.
pub(crate) const PROTOCOLS: Choice = Choice {
    greatest: Some(255),
    names: &[
        ("ahp", 51, "Authentication Header Protocol"),
        ("eigrp", 88, "Cisco's EIGRP routing protocol"),
        ("esp", 50, "Encapsulation Security Payload"),
        ("gre", 47, "Cisco's GRE tunneling"),
        ("igmp", 2, "Internet Gateway Message Protocol"),
        ("ipinip", 4, "IP in IP tunneling"),
        ("nos", 94, "KA9Q NOS compatible IP over IP tunneling"),
        ("ospf", 89, "OSPF routing protocol"),
        ("pcp", 108, "Payload Compression Protocol"),
        ("pim", 103, "Protocol Independent Multicast"),
    ],
};

/// Ports of TCP.
pub(crate) const TCP_PORTS: Choice = Choice {
    greatest: Some(65535),
    names: &[
        ("bgp", 179, "Border Gateway Protocol (179)"),
        ("chargen", 19, "Character generator (19)"),
        ("cmd", 514, "Remote commands (rcmd, 514)"),
        ("daytime", 13, "Daytime (13)"),
        ("discard", 9, "Discard (9)"),
        ("domain", 53, "Domain Name Service (53)"),
        ("drip", 3949, "Dynamic Routing Information Protocol (3949)"),
        ("echo", 7, "Echo (7)"),
        ("exec", 512, "Exec (rsh, 512)"),
        ("finger", 79, "Finger (79)"),
        ("ftp", 21, "File Transfer Protocol (21)"),
        ("ftp-data", 20, "FTP data connections (20)"),
        ("gopher", 70, "Gopher (70)"),
        ("hostname", 101, "NIC hostname server (101)"),
        ("ident", 113, "Ident Protocol (113)"),
        ("irc", 194, "Internet Relay Chat (194)"),
        ("klogin", 543, "Kerberos login (543)"),
        ("kshell", 544, "Kerberos shell (544)"),
        ("login", 513, "Login (rlogin, 513)"),
        ("lpd", 515, "Printer service (515)"),
        ("msrpc", 135, "MS Remote Procedure Call (135)"),
        ("nntp", 119, "Network News Transport Protocol (119)"),
        ("pim-auto-rp", 496, "PIM Auto-RP (496)"),
        ("pop2", 109, "Post Office Protocol v2 (109)"),
        ("pop3", 110, "Post Office Protocol v3 (110)"),
        ("smtp", 25, "Simple Mail Transport Protocol (25)"),
        ("sunrpc", 111, "Sun Remote Procedure Call (111)"),
        ("tacacs", 49, "TAC Access Control System (49)"),
        ("talk", 517, "Talk (517)"),
        ("telnet", 23, "Telnet (23)"),
        ("time", 37, "Time (37)"),
        ("uucp", 540, "Unix-to-Unix Copy Program (540)"),
        ("whois", 43, "Nicname (43)"),
        ("www", 80, "World Wide Web (HTTP, 80)"),
    ],
};

/// Ports of UDP.
pub(crate) const UDP_PORTS: Choice = Choice {
    greatest: Some(65535),
    names: &[
        ("biff", 512, "Biff (mail notification, comsat, 512)"),
        ("bootpc", 68, "Bootstrap Protocol (BOOTP) client (68)"),
        ("bootps", 67, "Bootstrap Protocol (BOOTP) server (67)"),
        ("discard", 9, "Discard (9)"),
        ("dnsix", 195, "DNSIX security protocol auditing (195)"),
        ("domain", 53, "Domain Name Service (DNS, 53)"),
        ("echo", 7, "Echo (7)"),
        ("isakmp", 500, "Internet Security Association and Key Management Protocol (500)"),
        ("mobile-ip", 434, "Mobile IP registration (434)"),
        ("nameserver", 42, "IEN116 name service (obsolete, 42)"),
        ("netbios-dgm", 138, "NetBios datagram service (138)"),
        ("netbios-ns", 137, "NetBios name service (137)"),
        ("netbios-ss", 139, "NetBios session service (139)"),
        ("non500-isakmp", 4500, "Internet Security Association and Key Management Protocol (4500)"),
        ("ntp", 123, "Network Time Protocol (123)"),
        ("pim-auto-rp", 496, "PIM Auto-RP (496)"),
        ("rip", 520, "Routing Information Protocol (router, in.routed, 520)"),
        ("snmp", 161, "Simple Network Management Protocol (161)"),
        ("snmptrap", 162, "SNMP Traps (162)"),
        ("sunrpc", 111, "Sun Remote Procedure Call (111)"),
        ("syslog", 514, "System Logger (514)"),
        ("tacacs", 49, "TAC Access Control System (49)"),
        ("talk", 517, "Talk (517)"),
        ("tftp", 69, "Trivial File Transfer Protocol (69)"),
        ("time", 37, "Time (37)"),
        ("who", 513, "Who service (rwho, 513)"),
        ("xdmcp", 177, "X Display Manager Control Protocol (177)"),
    ],
};

/// Precedences.
pub(crate) const PRECEDENCES: Choice = Choice {
    greatest: Some(7),
    names: &[
        ("critical", 5, "Match packets with critical precedence (5)"),
        ("flash", 3, "Match packets with flash precedence (3)"),
        ("flash-override", 4, "Match packets with flash override precedence (4)"),
        ("immediate", 2, "Match packets with immediate precedence (2)"),
        ("internet", 6, "Match packets with internetwork control precedence (6)"),
        ("network", 7, "Match packets with network control precedence (7)"),
        ("priority", 1, "Match packets with priority precedence (1)"),
        ("routine", 0, "Match packets with routine precedence (0)"),
    ],
};

/// Types of service.
pub(crate) const TYPES_OF_SERVICE: Choice = Choice {
    greatest: Some(15),
    names: &[
        ("max-reliability", 2, "Match packets with max reliable TOS (2)"),
        ("max-throughput", 4, "Match packets with max throughput TOS (4)"),
        ("min-delay", 8, "Match packets with min delay TOS (8)"),
        ("min-monetary-cost", 1, "Match packets with min monetary cost TOS (1)"),
        ("normal", 0, "Match packets with normal TOS (0)"),
    ],
};

/// Differentiated services codepoints.
pub(crate) const DSCPS: Choice = Choice {
    greatest: Some(63),
    names: &[
        ("af11", 10, "Match packets with AF11 dscp (001010)"),
        ("af12", 12, "Match packets with AF12 dscp (001100)"),
        ("af13", 14, "Match packets with AF13 dscp (001110)"),
        ("af21", 18, "Match packets with AF21 dscp (010010)"),
        ("af22", 20, "Match packets with AF22 dscp (010100)"),
        ("af23", 22, "Match packets with AF23 dscp (010110)"),
        ("af31", 26, "Match packets with AF31 dscp (011010)"),
        ("af32", 28, "Match packets with AF32 dscp (011100)"),
        ("af33", 30, "Match packets with AF33 dscp (011110)"),
        ("af41", 34, "Match packets with AF41 dscp (100010)"),
        ("af42", 36, "Match packets with AF42 dscp (100100)"),
        ("af43", 38, "Match packets with AF43 dscp (100110)"),
        ("cs1", 8, "Match packets with CS1(precedence 1) dscp (001000)"),
        ("cs2", 16, "Match packets with CS2(precedence 2) dscp (010000)"),
        ("cs3", 24, "Match packets with CS3(precedence 3) dscp (011000)"),
        ("cs4", 32, "Match packets with CS4(precedence 4) dscp (100000)"),
        ("cs5", 40, "Match packets with CS5(precedence 5) dscp (101000)"),
        ("cs6", 48, "Match packets with CS6(precedence 6) dscp (110000)"),
        ("cs7", 56, "Match packets with CS7(precedence 7) dscp (111000)"),
        ("default", 0, "Match packets with default dscp (000000)"),
        ("ef", 46, "Match packets with EF dscp (101110)"),
    ],
};

/// Set in the number of an ICMP message's name that means one code only.
const HAS_CODE: u64 = 1 << 16;

/// A type of ICMP as a number of [`ICMP_MESSAGES`].
const fn any_code(kind: u64) -> u64 {
    kind << 8
}

/// A type and code of ICMP as a number of [`ICMP_MESSAGES`].
const fn message(kind: u64, code: u64) -> u64 {
    HAS_CODE | kind << 8 | code
}

/// Messages of ICMP.
pub(crate) const ICMP_MESSAGES: Choice = Choice {
    greatest: None,
    names: &[
        ("administratively-prohibited", message(3, 13), "Administratively prohibited"),
        ("alternate-address", any_code(6), "Alternate address"),
        ("conversion-error", any_code(31), "Datagram conversion"),
        ("dod-host-prohibited", message(3, 10), "Host prohibited"),
        ("dod-net-prohibited", message(3, 9), "Net prohibited"),
        ("echo", any_code(8), "Echo (ping)"),
        ("echo-reply", any_code(0), "Echo reply"),
        ("general-parameter-problem", message(12, 0), "Parameter problem"),
        ("host-isolated", message(3, 8), "Host isolated"),
        ("host-precedence-unreachable", message(3, 14), "Host unreachable for precedence"),
        ("host-redirect", message(5, 1), "Host redirect"),
        ("host-tos-redirect", message(5, 3), "Host redirect for TOS"),
        ("host-tos-unreachable", message(3, 12), "Host unreachable for TOS"),
        ("host-unknown", message(3, 7), "Host unknown"),
        ("host-unreachable", message(3, 1), "Host unreachable"),
        ("information-reply", any_code(16), "Information replies"),
        ("information-request", any_code(15), "Information requests"),
        ("mask-reply", any_code(18), "Mask replies"),
        ("mask-request", any_code(17), "Mask requests"),
        ("mobile-redirect", any_code(32), "Mobile host redirect"),
        ("net-redirect", message(5, 0), "Network redirect"),
        ("net-tos-redirect", message(5, 2), "Net redirect for TOS"),
        ("net-tos-unreachable", message(3, 11), "Network unreachable for TOS"),
        ("net-unreachable", message(3, 0), "Net unreachable"),
        ("network-unknown", message(3, 6), "Network unknown"),
        ("no-room-for-option", message(12, 2), "Parameter required but no room"),
        ("option-missing", message(12, 1), "Parameter required but not present"),
        ("packet-too-big", message(3, 4), "Fragmentation needed and DF set"),
        ("parameter-problem", any_code(12), "All parameter problems"),
        ("port-unreachable", message(3, 3), "Port unreachable"),
        ("precedence-unreachable", message(3, 15), "Precedence cutoff"),
        ("protocol-unreachable", message(3, 2), "Protocol unreachable"),
        ("reassembly-timeout", message(11, 1), "Reassembly timeout"),
        ("redirect", any_code(5), "All redirects"),
        ("router-advertisement", any_code(9), "Router discovery advertisements"),
        ("router-solicitation", any_code(10), "Router discovery solicitations"),
        ("source-quench", any_code(4), "Source quenches"),
        ("source-route-failed", message(3, 5), "Source route failed"),
        ("time-exceeded", any_code(11), "All time exceededs"),
        ("timestamp-reply", any_code(14), "Timestamp replies"),
        ("timestamp-request", any_code(13), "Timestamp requests"),
        ("traceroute", any_code(30), "Traceroute"),
        ("ttl-exceeded", message(11, 0), "TTL exceeded"),
        ("unreachable", any_code(3), "All unreachables"),
    ],
};

/// The message that a number of [`ICMP_MESSAGES`] stands for.
pub(super) fn icmp_match(number: u64) -> IcmpMatch {
    let octet = |value: u64| u8::try_from(value & 0xFF).unwrap_or(0);
    IcmpMatch { kind: octet(number >> 8), code: (number & HAS_CODE != 0).then(|| octet(number)) }
}

/// The name of a message, if it has one.
pub(crate) fn icmp_name(icmp: IcmpMatch) -> Option<&'static str> {
    let kind = u64::from(icmp.kind);
    ICMP_MESSAGES.name_of(icmp.code.map_or(any_code(kind), |code| message(kind, u64::from(code))))
}

/// The ports of a protocol, if it has any.
pub(crate) const fn ports_of(protocol: IpProtocol) -> Option<&'static Choice> {
    match protocol {
        IpProtocol::TCP => Some(&TCP_PORTS),
        IpProtocol::UDP => Some(&UDP_PORTS),
        _ => None,
    }
}
