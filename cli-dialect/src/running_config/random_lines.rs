//! Random configuration texts, for properties over every configuration that lines can make.
//!
//! A template is a line with places in braces; a choice of words chooses templates and fills places, so that a failing text
//! shrinks to few and simple lines.

mod bgp;

use bgp::BGP;
use proptest::prelude::*;

/// Lines of global mode that open no section.
const GLOBAL: &[&str] = &[
    "hostname {w}",
    "ip domain lookup",
    "ip routing",
    "ip route {net} {ip}",
    "ip default-network 172.{16-31}.0.0",
    "ip route {net} {ip} {1-255} tag {1-4294967295} name {w}",
    "ip route {net} {if} {ip} permanent",
    "ip route {net} Null0 {1-255}",
    "ip route vrf {vrf} {net} {ip}",
    "ip route {net} {ip} {1-255} track {1-9}",
    "ip local policy route-map {w}",
    "ip sla schedule {1-3} life forever start-time now",
    "access-list {1-3} {acl}",
    "access-list {1-3} remark {w} {w}",
    "access-list {100-102} {ext}",
    "access-list {100-102} remark {w}",
    "ip access-list resequence {w} {1-100} {1-20}",
    "ip access-list resequence {100-102} {1-100} {1-20}",
    "ip prefix-list {w} permit {prefix}",
    "ip prefix-list {w} seq {1-20} deny {prefix} le {1-32}",
    "ip prefix-list {w} permit {prefix} ge {1-32} le {20-32}",
    "ip prefix-list {w} description {w}  {w}",
    "ip bgp-community new-format",
    "ip as-path access-list {1-5} permit {regex}",
    "ip as-path access-list {1-5} deny {regex}",
    "ip community-list {1-3} permit {community} {community}",
    "ip community-list {100-102} deny {regex}",
    "ip community-list standard {w} permit {community}",
    "ip community-list expanded {w} permit {regex}",
    "ip extcommunity-list {1-3} permit rt {1-65535}:{1-9}",
    "ip extcommunity-list {1-3} deny rt {1-65535}:{1-9} soo 10.0.0.1:{1-9}",
    "ip extcommunity-list {100-102} permit {regex}",
    "ip extcommunity-list standard {w} permit soo {65536-4294967295}:{1-9}",
    "ip extcommunity-list expanded {w} deny {regex}",
    "service timestamps log datetime msec",
    "service timestamps debug uptime",
    "service password-encryption",
    "service tcp-keepalives-in",
    "enable secret {w}",
    "enable secret level {1-15} 9 {w}",
    "enable password {w}",
    "enable password level {1-15} 0 {0-9} {w}",
    "username {w} password {0-9} {w}",
    "username {w} nopassword",
    "username {w} secret 5 {w}",
    "username {w} privilege {0-15} secret {w}",
    "ip domain name {w}.net",
    "ip host {w} {ip}",
    "ip name-server {ip}",
    "ip cef",
    "ip http server",
    "ip http secure-server",
    "ip ssh version 2",
    "logging host {ip}",
    "logging buffered {4096-9999}",
    "logging console",
    "ntp server {ip}",
    "snmp-server community {w} RO",
    "alias exec {w} show {w}",
    "alias configure {w} interface {w}",
    "alias subinterface {w} shutdown",
    "alias keychain-key {w} key-string {w}",
    "banner motd # {w}  {w} #",
    "cdp run",
    "aaa new-model",
];

const INTERFACE: &[&str] = &[
    "description {w}  {w}!",
    "ip address {host}",
    "ip address {host} secondary",
    "ip address",
    "shutdown",
    "mtu {64-9216}",
    "ip mtu {68-9216}",
    "bandwidth {1-10000000}",
    "delay {1-16777215}",
    "mac-address 0011.2233.44{10-99}",
    "vrf forwarding {vrf}",
    "encapsulation dot1Q {1-4094}",
    "ip unnumbered Loopback{0-2}",
    "ip access-group {w} in",
    "ip access-group {1-199} out",
    "ip redirects",
    "ip unreachables",
    "ip proxy-arp",
    "arp timeout {0-99999}",
    "duplex full",
    "duplex auto",
    "speed {10-100}",
    "keepalive {1-30}",
    "cdp enable",
    "ip ospf {1-2} area {area}",
    "ip ospf network point-to-point",
    "ip ospf network broadcast",
    "ip ospf network non-broadcast",
    "ip ospf network point-to-multipoint non-broadcast",
    "ip ospf cost {1-65535}",
    "ip ospf priority {0-255}",
    "ip ospf hello-interval {1-65535}",
    "ip ospf dead-interval {1-65535}",
    "ip ospf dead-interval minimal hello-multiplier {3-20}",
    "ip ospf retransmit-interval {1-65535}",
    "ip ospf transmit-delay {1-65535}",
    "ip ospf mtu-ignore",
    "ip ospf database-filter all out",
    "ip ospf demand-circuit",
    "ip ospf demand-circuit ignore",
    "ip ospf flood-reduction",
    "ip ospf prefix-suppression",
    "ip ospf prefix-suppression disable",
    "ip ospf ttl-security hops {1-254}",
    "ip ospf shutdown",
    "ip hello-interval eigrp {1-2} {1-20}",
    "ip hold-time eigrp {1-2} {1-20}",
    "ip authentication mode eigrp {1-2} md5",
    "ip authentication key-chain eigrp {1-2} {w}",
    "ip bandwidth-percent eigrp {1-2} {1-100}",
    "ip split-horizon eigrp {1-2}",
    "ip next-hop-self eigrp {1-2}",
    "ip summary-address eigrp {1-2} {net}",
    "ip summary-address eigrp {1-2} {net} {1-255} leak-map {w}",
    "ip policy route-map {w}",
    "ip rip send version {1-2}",
    "ip rip send version 1 2",
    "ip rip receive version {1-2}",
    "ip rip receive version 2 1",
    "ip rip authentication mode md5",
    "ip rip authentication mode text",
    "ip rip authentication key-chain {w}",
    "ip rip v2-broadcast",
    "ip summary-address rip {net}",
    "ip split-horizon",
    "ip ospf authentication",
    "ip ospf authentication message-digest",
    "ip ospf authentication null",
    "ip ospf authentication key-chain {w}",
    "ip ospf authentication-key {w}",
    "ip ospf message-digest-key {1-255} md5 {w}",
];

const OSPF: &[&str] = &[
    "router-id {ip}",
    "network {ip} 0.0.0.255 area {area}",
    "network {ip} 0.0.0.0 area {area}",
    "area {area} stub",
    "area {area} stub no-summary",
    "area {area} nssa",
    "area {area} nssa no-redistribution default-information-originate metric {1-100} metric-type 1 no-summary",
    "area {area} nssa translate type7 always",
    "area {area} default-cost {1-65535}",
    "area {area} range {net}",
    "area {area} range {net} not-advertise",
    "area {area} range {net} cost {1-65535}",
    "area {area} filter-list prefix {w} in",
    "area {area} filter-list prefix {w} out",
    "area {area} authentication",
    "area {area} authentication message-digest",
    "area {area} virtual-link {ip}",
    "area {area} virtual-link {ip} hello-interval {1-100} dead-interval {101-1000}",
    "area {area} virtual-link {ip} authentication message-digest",
    "area {area} virtual-link {ip} message-digest-key {1-255} md5 {w}",
    "passive-interface default",
    "passive-interface {if}",
    "neighbor {ip} cost {1-65535} priority {0-255}",
    "auto-cost reference-bandwidth {1-4294967}",
    "maximum-paths {1-32}",
    "default-information originate",
    "default-information originate always metric {1-1000} metric-type {1-2} route-map {w}",
    "default-metric {1-16777214}",
    "redistribute connected subnets",
    "redistribute static metric {1-1000} metric-type {1-2} subnets tag {0-100} route-map {w}",
    "redistribute ospf {3-9} match internal external 1 nssa-external 2 subnets",
    "redistribute eigrp {1-65535} subnets",
    "redistribute bgp {1-4294967295} nssa-only",
    "redistribute rip",
    "summary-address {net}",
    "summary-address {net} not-advertise",
    "summary-address {net} tag {0-100}",
    "distribute-list {w} in",
    "distribute-list prefix {w} gateway {w} in",
    "distribute-list {1-99} out static",
    "distribute-list route-map {w} in",
    "distance {1-255}",
    "distance ospf external {1-255} inter-area {1-255} intra-area {1-255}",
    "distance {1-255} {ip} 0.0.0.0",
    "distance {1-255} {ip} 0.0.0.255 {1-99}",
    "max-metric router-lsa",
    "max-metric router-lsa include-stub summary-lsa external-lsa {1-16777215} on-startup {5-86400}",
    "max-metric router-lsa on-startup wait-for-bgp",
    "timers throttle spf {1-100} {100-1000} {1000-9000}",
    "timers throttle lsa {1-100} {100-1000} {1000-9000}",
    "timers lsa arrival {0-600000}",
    "timers pacing flood {5-100}",
    "timers pacing lsa-group {10-1800}",
    "timers pacing retransmission {5-200}",
    "log-adjacency-changes",
    "log-adjacency-changes detail",
    "compatible rfc1583",
    "ttl-security all-interfaces hops {1-254}",
    "prefix-suppression",
    "nsf ietf helper disable",
    "nsf ietf helper strict-lsa-checking",
    "nsf cisco helper disable",
    "shutdown",
];

/// Lines of `router rip`; the last ones lead into and out of address families.
const RIP: &[&str] = &[
    "version {1-2}",
    "network {ip}",
    "network 0.0.0.0",
    "network 192.168.{0-9}.0",
    "neighbor {ip}",
    "passive-interface default",
    "passive-interface {if}",
    "auto-summary",
    "validate-update-source",
    "timers basic {1-30} {1-180} {0-180} {1-240}",
    "maximum-paths {1-32}",
    "flash-update-threshold {0-30}",
    "default-metric {1-16}",
    "default-information originate",
    "default-information originate route-map {w}",
    "redistribute connected",
    "redistribute static metric {0-16} route-map {w}",
    "redistribute ospf {1-3} metric transparent match internal external 1 nssa-external",
    "redistribute eigrp {1-5} metric {0-16}",
    "redistribute bgp {1-4294967295} route-map {w}",
    "distribute-list {w} in",
    "distribute-list {1-99} in {if}",
    "distribute-list prefix {w} gateway {w} in",
    "distribute-list gateway {w} in {if}",
    "distribute-list prefix {w} out {if}",
    "distribute-list prefix {w} out ospf {1-3}",
    "distribute-list {w} out",
    "offset-list 0 in {0-16}",
    "offset-list {1-99} out {0-16} {if}",
    "distance {1-255}",
    "distance {1-255} {ip} 0.0.0.0",
    "distance {1-255} {ip} 0.0.0.255 {1-99}",
    "address-family ipv4 vrf {vrf}",
    "address-family ipv4 unicast vrf {vrf}",
    "exit-address-family",
];

/// Lines of EIGRP instances in classic mode; the last ones lead into address families.
const EIGRP: &[&str] = &[
    "network {ip}",
    "network {ip} 0.0.0.255",
    "neighbor {ip} {if}",
    "metric weights 0 {0-255} {0-2} {0-2} {0-2} {0-2}",
    "eigrp router-id {ip}",
    "eigrp log-neighbor-changes",
    "eigrp stub",
    "eigrp stub receive-only",
    "eigrp stub static redistributed leak-map {w}",
    "passive-interface default",
    "passive-interface {if}",
    "autonomous-system {1-3}",
    "shutdown",
    "{topology}",
    "{topology}",
    "{topology}",
    "address-family ipv4 vrf {vrf}",
    "address-family ipv4 unicast vrf {vrf} autonomous-system {1-3}",
    "exit-address-family",
];

/// Lines of `topology base`, which stand in the instance itself in classic mode.
const EIGRP_TOPOLOGY: &[&str] = &[
    "default-information in",
    "default-information out",
    "auto-summary",
    "metric maximum-hops {1-255}",
    "variance {1-128}",
    "maximum-paths {1-32}",
    "traffic-share balanced",
    "traffic-share min across-interfaces",
    "timers active-time {1-65535}",
    "timers active-time disabled",
    "default-metric {1-100000} {0-100} {0-255} {1-255} {1-1500}",
    "redistribute connected",
    "redistribute static metric {1-100000} {0-100} {0-255} {1-255} {1-1500} route-map {w}",
    "redistribute ospf {1-3} match internal external 1 nssa-external",
    "redistribute eigrp {1-5}",
    "redistribute bgp {1-4294967295} route-map {w}",
    "redistribute rip",
    "distribute-list {w} in",
    "distribute-list {1-99} in {if}",
    "distribute-list prefix {w} gateway {w} in",
    "distribute-list gateway {w} in",
    "distribute-list route-map {w} out {if}",
    "distribute-list prefix {w} out ospf {1-3}",
    "distribute-list {w} out",
    "offset-list 0 in {0-1000}",
    "offset-list {1-99} out {0-1000} {if}",
    "distance eigrp {1-255} {1-255}",
    "distance {1-255} {ip} 0.0.0.0",
    "distance {1-255} {ip} 0.0.0.255 {1-99}",
];

/// Lines of named mode: its modes are entered by lines among the others.
const EIGRP_NAMED: &[&str] = &[
    "address-family ipv4 autonomous-system {4-6}",
    "address-family ipv4 unicast vrf {vrf} autonomous-system {4-6}",
    "shutdown",
];

const EIGRP_FAMILY: &[&str] = &[
    "network {ip}",
    "network {ip} 0.0.0.255",
    "neighbor {ip} {if}",
    "metric weights 0 {0-2} {0-2} {0-2} {0-2} {0-2} {0-2}",
    "metric rib-scale {1-255}",
    "eigrp router-id {ip}",
    "eigrp stub connected summary",
    "eigrp log-neighbor-changes",
    "shutdown",
    "af-interface default",
    "af-interface {if}",
    "topology base",
    "exit-address-family",
];

const EIGRP_AF_INTERFACE: &[&str] = &[
    "hello-interval {1-20}",
    "hold-time {1-20}",
    "bandwidth-percent {1-100}",
    "split-horizon",
    "next-hop-self",
    "passive-interface",
    "authentication mode md5",
    "authentication mode hmac-sha-256 {w}",
    "authentication key-chain {w}",
    "summary-address {net}",
    "summary-address {net} leak-map {w}",
    "shutdown",
    "exit-af-interface",
];

const EIGRP_BASE: &[&str] = &[
    "{topology}",
    "{topology}",
    "summary-metric {net} {1-100000} {0-100} {0-255} {1-255} {1-1500}",
    "summary-metric {net} distance {1-255}",
    "exit-af-topology",
];

const VRF: &[&str] = &["rd {1-65535}:{1-100}", "description {w} {w}", "address-family ipv4"];

const KEY_CHAIN: &[&str] = &[
    "key {0-5}",
    "key-string {w} {w}",
    "cryptographic-algorithm hmac-sha-256",
    "cryptographic-algorithm md5",
    "accept-lifetime {0-23}:{0-59}:{0-59} {month} {1-28} {1993-2020} infinite",
    "send-lifetime {0-23}:{0-59}:{0-59} {1-28} {month} {1993-2020} {0-23}:{0-59}:{0-59} {month} {1-28} {2021-2035}",
    "send-lifetime local {0-23}:{0-59}:{0-59} {month} {1-28} {1993-2020} duration {1-99999}",
];

const STANDARD: &[&str] = &["{acl}", "{acl}", "{1-40} {acl}", "remark {w} {w}", "{5-30}"];

const EXTENDED: &[&str] = &["{ext}", "{ext}", "{1-40} {ext}", "remark {w} {w}", "{5-30}"];

const ROUTE_MAP: &[&str] = &[
    "description {w}  {w}",
    "continue",
    "continue {1-65535}",
    "match ip address {w} {1-199}",
    "match ip address prefix-list {w} {w}",
    "match ip next-hop {1-99}",
    "match ip route-source prefix-list {w}",
    "match as-path {1-500} {1-500}",
    "match community {w} {1-500}",
    "match community {w} exact-match",
    "match interface {if} {if}",
    "match length {0-100} {100-1500}",
    "match local-preference {0-4294967295}",
    "match metric {0-10} {0-10}",
    "match metric {0-10} +- {1-10}",
    "match route-type external type-1 internal",
    "match route-type nssa-external local",
    "match source-protocol ospf {1-65535} connected bgp {1-4294967295}",
    "match source-protocol rip static eigrp {1-65535}",
    "match tag {0-10} {0-4294967295} {0-10}",
    "match extcommunity {w} {100-102}",
    "match policy-list {w} {w}",
    "set as-path prepend {1-4294967295} {1-65535}",
    "set as-path prepend last-as {1-10}",
    "set comm-list {w} delete",
    "set community {community} {community}",
    "set community {community} additive",
    "set community none",
    "set default interface {if}",
    "set interface {if} {if}",
    "set ip default next-hop {ip} {ip}",
    "set ip next-hop {ip} {ip}",
    "set ip next-hop peer-address",
    "set ip next-hop self",
    "set ip next-hop verify-availability",
    "set ip next-hop verify-availability {ip} {1-10} track {1-100}",
    "set ip next-hop recursive {ip}",
    "set ip next-hop",
    "set ip precedence {0-7}",
    "set ip dscp {0-63}",
    "set local-preference {0-4294967295}",
    "set metric {0-4294967295}",
    "set metric +{0-100}",
    "set metric -{0-100}",
    "set metric {1-100000} {0-100} {0-255} {1-255} {1-1500}",
    "set metric-type type-1",
    "set metric-type internal",
    "set origin egp {1-65535}",
    "set origin incomplete",
    "set extcommunity rt {1-65535}:{1-9} 10.0.0.1:{1-9} additive",
    "set extcommunity rt {65536-70000}:{1-9}",
    "set extcommunity soo {1-65535}:{1-9}",
    "set extcommunity cost {0-3} {0-9}",
    "set extcommunity cost igp {0-3} {0-9}",
    "set extcommunity cost pre-bestpath {0-3} {0-9}",
    "set extcomm-list {w} delete",
    "set aigp-metric {0-4294967295}",
    "set aigp-metric igp-metric",
    "set dampening {1-45} 750 {751-2000} {1-255}",
    "set ip address prefix-list {w}",
    "set tag {0-4294967295}",
    "set weight {0-65535}",
];

const TRACK: &[&str] = &[
    "delay up {1-180}",
    "delay down {1-180}",
    "delay up {1-180} down {1-180}",
    "object {1-9}",
    "object {1-9} not",
];

const ECHO: &[&str] = &[
    "frequency {1-604800}",
    "timeout {0-604800000}",
    "threshold {0-60000}",
    "request-data-size {0-1500}",
    "tos {0-255}",
    "tag {w}",
    "vrf {vrf}",
    "icmp-echo {ip} source-ip {ip}",
];

const TIME_RANGE: &[&str] = &[
    "absolute start {0-23}:{0-59} {1-28} {month} {1993-2035}",
    "absolute end {0-23}:{0-59} {1-28} {month} {1993-2035}",
    "absolute",
    "periodic daily {0-23}:{10-59} to {0-23}:{0-9}",
    "periodic weekdays {0-23}:{10-59} to {0-23}:{10-59}",
    "periodic {day} {day} {0-23}:{10-59} to {0-23}:{10-59}",
    "periodic {day} {0-23}:{10-59} to {day} {0-23}:{10-59}",
];

/// Entries of standard access lists.
const STANDARD_ENTRIES: &[&str] = &[
    "permit {ip}",
    "permit host {ip}",
    "deny any log",
    "permit {ip} 0.0.0.255",
    "deny {ip} 0.0.255.0 log",
    "permit 0.0.0.0 255.255.255.255",
];

/// Entries of extended access lists.
const EXTENDED_ENTRIES: &[&str] = &[
    "permit ip any any",
    "deny ip host {ip} any log",
    "permit tcp any eq {1-30} host {ip} range {1-50} {1-50}",
    "permit tcp any any eq www telnet {1-65535} established",
    "deny udp {ip} 0.0.0.255 lt {1-600} any neq domain",
    "permit udp any gt {1-600} any eq rip log-input",
    "permit icmp any any echo-reply",
    "deny icmp any host {ip} {0-40}",
    "deny icmp any any {0-20} {0-15} fragments",
    "permit {0-255} any any dscp {0-63}",
    "permit ospf any any precedence internet",
    "permit gre any any tos {0-15} time-range {w}",
];

const LINE: &[&str] = &[
    "login",
    "login local",
    "exec-timeout {0-60} 0",
    "transport input ssh",
    "transport input telnet ssh",
    "password {w}",
    "logging synchronous",
    "privilege level {0-15}",
    "no login",
    "login authentication {w}",
    "exec-timeout {0-3} {0-59}",
    "access-class {1-99} in",
    "access-class {w} in vrf-also",
    "access-class {w} out",
    "password 7 0822455D0A16",
    "transport input all",
    "transport input none",
    "transport output none",
    "transport output telnet ssh",
    "length {0-99}",
    "width {0-99}",
    "monitor",
    "no exec",
    "history size {0-99}",
    "stopbits 1",
];

/// What heads a section, and what may stand in it.
const ARCHIVE: &[&str] = &["path flash:{w}", "maximum {1-14}", "write-memory"];

const SECTIONS: &[(&str, &[&str])] = &[
    ("archive", ARCHIVE),
    ("interface Loopback{0-2}", INTERFACE),
    ("interface GigabitEthernet0/{0-2}", INTERFACE),
    ("interface GigabitEthernet0/0.{1-4}", INTERFACE),
    ("interface Serial0/0/0", INTERFACE),
    ("router eigrp {1-2}", EIGRP),
    ("router eigrp {w}", EIGRP_NAMED),
    ("router eigrp {w}\n address-family ipv4 unicast autonomous-system {4-6}", EIGRP_FAMILY),
    ("router eigrp A\n address-family ipv4 autonomous-system 7\n  af-interface {if}", EIGRP_AF_INTERFACE),
    ("router eigrp A\n address-family ipv4 autonomous-system 7\n  af-interface default", EIGRP_AF_INTERFACE),
    ("router eigrp A\n address-family ipv4 autonomous-system 7\n  topology base", EIGRP_BASE),
    ("router ospf {1-2}", OSPF),
    ("router rip", RIP),
    ("router ospf 3 vrf {vrf}", OSPF),
    ("router bgp 65000", BGP),
    ("router bgp 65000", BGP),
    ("vrf definition {vrf}", VRF),
    ("key chain {w}", KEY_CHAIN),
    ("ip access-list standard {w}", STANDARD),
    ("ip access-list standard {1-3}", STANDARD),
    ("ip access-list extended {w}", EXTENDED),
    ("ip access-list extended {100-102}", EXTENDED),
    ("route-map {w} permit {1-20}", ROUTE_MAP),
    ("ip policy-list {w} permit", ROUTE_MAP),
    ("ip policy-list {w} deny", ROUTE_MAP),
    ("route-map {w} deny {1-20}", ROUTE_MAP),
    ("route-map {w}", ROUTE_MAP),
    ("time-range {w}", TIME_RANGE),
    ("track {1-3} interface {if} line-protocol", TRACK),
    ("track {1-3} interface {if} ip routing", TRACK),
    ("track {4-5} ip route {net} reachability", TRACK),
    ("track {6-7} ip sla {1-3} reachability", TRACK),
    ("track {6-7} ip sla {1-3}", TRACK),
    ("track {8-9} list boolean and", TRACK),
    ("track {8-9} list boolean or", TRACK),
    ("ip sla {1-3}\n icmp-echo {ip} source-interface {if}", ECHO),
    ("ip sla {1-3}\n icmp-echo {ip}", ECHO),
    ("ip sla {1-3}", ECHO),
    ("line con 0", LINE),
    ("line vty 0 4", LINE),
    ("line vty 5 15", LINE),
    ("line vty {0-9}", LINE),
    ("line aux 0", LINE),
];

/// Fills the places of a template from numbers.
fn fill(template: &str, numbers: &mut dyn FnMut() -> u64) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, behind) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(&match entries(place) {
            Some(entries) => fill(entries[numbers() as usize % entries.len()], numbers),
            None => filled(place, numbers()),
        });
        rest = behind;
    }
    out + rest
}

/// Places that are filled with templates in turn.
fn entries(place: &str) -> Option<&'static [&'static str]> {
    match place {
        "acl" => Some(STANDARD_ENTRIES),
        "ext" => Some(EXTENDED_ENTRIES),
        "topology" => Some(EIGRP_TOPOLOGY),
        _ => None,
    }
}

fn filled(place: &str, number: u64) -> String {
    let low = number % 4;
    let any = (number / 4) % 4;
    match place {
        "w" => ["A", "b-2", "C_3", "delta"][low as usize].to_owned(),
        "n" => ["10.7.0.1", "10.7.0.2", "10.7.0.3", "A"][low as usize].to_owned(),
        "vrf" => ["RED", "BLUE"][(number % 2) as usize].to_owned(),
        "ip" => format!("10.{low}.{any}.{}", number / 16 % 254 + 1),
        "net" => [
            format!("10.{low}.{any}.0 255.255.255.0"),
            format!("10.{any}.0.0 255.255.0.0"),
            "0.0.0.0 0.0.0.0".to_owned(),
        ][(number / 16 % 3) as usize]
            .clone(),
        "regex" => ["_65001_", "^$", ".*", "^(1|2)_[0-9]+$ {1,2}"][low as usize].to_owned(),
        "community" => ["65000:1", "no-export", "77", "local-AS"][low as usize].to_owned(),
        "month" => ["January", "may", "Sept", "december"][low as usize].to_owned(),
        "day" => ["Monday", "saturday", "Sun", "fri"][low as usize].to_owned(),
        "prefix" => format!("10.{low}.0.0/{}", number / 16 % 33),
        "host" => format!("172.{}.{low}.{} 255.255.255.0", 16 + any, number / 16 % 254 + 1),
        "if" => ["GigabitEthernet0/0", "GigabitEthernet0/1", "Serial0/0/0", "GigabitEthernet0/2"]
            [low as usize]
            .to_owned(),
        "area" => ["0", "1", "0.0.0.1", "7"][low as usize].to_owned(),
        range => {
            let (from, to) = range.split_once('-').unwrap_or(("0", "0"));
            let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
            (from + number % (to - from + 1)).to_string()
        }
    }
}

/// A text of some sections and global lines; one line in eight is negated.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u64>(), 1..160).prop_map(|numbers| {
        let mut numbers = numbers.into_iter();
        let mut out = String::new();
        while numbers.len() > 0 {
            let mut next = || numbers.next().unwrap_or(0);
            if next().is_multiple_of(3) {
                let template = GLOBAL[next() as usize % GLOBAL.len()];
                let negated = if next().is_multiple_of(8) { "no " } else { "" };
                out.push_str(&format!("{negated}{}\n", fill(template, &mut next)));
                continue;
            }
            let (head, lines) = SECTIONS[next() as usize % SECTIONS.len()];
            out.push_str(&format!("{}\n", fill(head, &mut next)));
            for _ in 0..next() % 6 {
                let negated = if next().is_multiple_of(8) { "no " } else { "" };
                let template = lines[next() as usize % lines.len()];
                out.push_str(&format!(" {negated}{}\n", fill(template, &mut next)));
            }
        }
        out
    })
}
