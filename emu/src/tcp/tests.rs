//! The endpoint against itself and against smoltcp's, over a wire that loses, repeats and reorders.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::time::Duration;

use ipnet::Ipv4Net;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::process::Datagram;
use crate::time::Time;

const A: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const B: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const LATENCY: Duration = Duration::from_millis(5);

fn endpoints() -> Endpoints {
    Endpoints { vrf: VrfId::GLOBAL, local: SocketAddrV4::new(A, 11000), remote: SocketAddrV4::new(B, 179) }
}

fn mirrored(endpoints: Endpoints) -> Endpoints {
    Endpoints { local: endpoints.remote, remote: endpoints.local, ..endpoints }
}

/// What a wire does to packets, in parts of 100.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    loss: u32,
    duplication: u32,
    reorder: u32,
}

/// Packets under way, each with the side it goes to.
#[derive(Clone, Debug)]
struct Wire {
    rng: ChaCha8Rng,
    faults: Faults,
    flying: Vec<(Time, u64, usize, Datagram)>,
    sent: u64,
    log: Vec<(usize, Segment)>,
}

impl Wire {
    fn new(seed: u64, faults: Faults) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), faults, flying: Vec::new(), sent: 0, log: Vec::new() }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.next_u32() % 100 < percent
    }

    fn carry(&mut self, now: Time, to: usize, datagram: Datagram) {
        if let Ok(segment) = Segment::parse(&datagram.payload, datagram.source, datagram.destination, None) {
            self.log.push((to, segment));
        }
        if self.chance(self.faults.loss) {
            return;
        }
        let copies = if self.chance(self.faults.duplication) { 2 } else { 1 };
        for _ in 0..copies {
            let extra = if self.chance(self.faults.reorder) { LATENCY * 3 } else { Duration::ZERO };
            self.sent += 1;
            self.flying.push((now + LATENCY + extra, self.sent, to, datagram.clone()));
        }
    }

    fn next(&self) -> Option<Time> {
        self.flying.iter().map(|f| f.0).min()
    }

    fn arrive(&mut self, now: Time) -> Vec<(usize, Datagram)> {
        let mut due: Vec<_> = self.flying.extract_if(.., |f| f.0 <= now).collect();
        due.sort_by_key(|f| (f.0, f.1));
        due.into_iter().map(|f| (f.2, f.3)).collect()
    }
}

/// Two stacks of ours and a wire.
#[derive(Clone, Debug)]
struct Pair {
    now: Time,
    rng: ChaCha8Rng,
    stacks: [Stack; 2],
    wire: Wire,
    events: [Vec<EventKind>; 2],
    log: Vec<TcpLogEvent>,
}

impl Pair {
    fn new(faults: Faults, options: &Options) -> Self {
        let mut pair = Self {
            now: Time::ZERO,
            rng: ChaCha8Rng::seed_from_u64(1),
            stacks: [Stack::default(), Stack::default()],
            wire: Wire::new(7, faults),
            events: [Vec::new(), Vec::new()],
            log: Vec::new(),
        };
        pair.command(1, Command::Listen { vrf: VrfId::GLOBAL, port: 179 });
        let peers = vec![(Ipv4Net::from(A), options.clone())];
        pair.command(1, Command::Admit { vrf: VrfId::GLOBAL, port: 179, peers });
        pair
    }

    fn command(&mut self, side: usize, command: Command) {
        let mut output = Output::default();
        self.stacks[side].command(self.now, &mut self.rng, Owner::Bgp, command, &mut output);
        self.carry(side, output);
    }

    fn carry(&mut self, side: usize, output: Output) {
        for (_, datagram) in output.datagrams {
            self.wire.carry(self.now, 1 - side, datagram);
        }
        self.events[side].extend(output.events.into_iter().map(|(_, e)| e.kind));
        self.log.extend(output.log);
    }

    /// Runs until nothing happens any more, or for `span`.
    fn run(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let timers = self.stacks.iter().filter_map(Stack::next_deadline).min();
            let Some(at) = timers.into_iter().chain(self.wire.next()).min().filter(|&at| at <= end) else {
                break;
            };
            self.now = at.max(self.now);
            for (side, datagram) in self.wire.arrive(self.now) {
                let mut output = Output::default();
                self.stacks[side].receive(self.now, &mut self.rng, VrfId::GLOBAL, &datagram, &mut output);
                self.carry(side, output);
            }
            for side in 0..2 {
                let mut output = Output::default();
                self.stacks[side].run_timers(self.now, &mut output);
                self.carry(side, output);
            }
        }
        self.now = end;
    }

    fn connect(&mut self, options: &Options) {
        self.command(0, Command::Connect(endpoints(), options.clone()));
    }

    fn received(&self, side: usize) -> Vec<u8> {
        let data = self.events[side].iter().filter_map(|e| match e {
            EventKind::Received(data) => Some(data.as_slice()),
            _ => None,
        });
        data.collect::<Vec<_>>().concat()
    }

    fn state(&self, side: usize) -> Option<State> {
        let endpoints = if side == 0 { endpoints() } else { mirrored(endpoints()) };
        self.stacks[side].connection(endpoints).map(Connection::state)
    }
}

fn stream(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

#[test]
fn rfc9293_3_5_handshake_data_and_close() {
    let options = Options::default();
    let mut pair = Pair::new(Faults::default(), &options);
    pair.connect(&options);
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.events, [vec![EventKind::Connected], vec![EventKind::Accepted]]);
    pair.command(0, Command::Send(endpoints(), Arc::from(*b"open")));
    pair.command(0, Command::Close(endpoints()));
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.received(1), b"open");
    assert_eq!(pair.events[1].last(), Some(&EventKind::PeerClosed));
    assert_eq!((pair.state(0), pair.state(1)), (Some(State::FinWait2), Some(State::CloseWait)));
    pair.command(1, Command::Close(mirrored(endpoints())));
    pair.run(Duration::from_secs(1));
    assert_eq!((pair.state(0), pair.state(1)), (Some(State::TimeWait), None));
    assert_eq!(pair.events[0].last(), Some(&EventKind::Closed(CloseReason::Finished)));
    pair.run(Duration::from_secs(61));
    assert_eq!(pair.state(0), None);
    assert_eq!(pair.events[0].iter().filter(|e| matches!(e, EventKind::Closed(_))).count(), 1);
}

#[test]
fn rfc9293_3_5_simultaneous_open_gives_one_connection() {
    let options = Options::default();
    let mut pair = Pair::new(Faults::default(), &options);
    pair.connect(&options);
    pair.command(1, Command::Connect(mirrored(endpoints()), options));
    pair.run(Duration::from_secs(5));
    assert_eq!((pair.state(0), pair.state(1)), (Some(State::Established), Some(State::Established)));
    assert_eq!(pair.events, [vec![EventKind::Connected], vec![EventKind::Connected]]);
    pair.command(1, Command::Send(mirrored(endpoints()), Arc::from(*b"hello")));
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.received(0), b"hello");
}

#[test]
fn a_lossless_wire_sees_no_octet_twice() {
    let options = Options::default();
    let mut pair = Pair::new(Faults::default(), &options);
    pair.connect(&options);
    pair.run(Duration::from_secs(1));
    let data = stream(200_000);
    for piece in data.chunks(4096) {
        pair.command(0, Command::Send(endpoints(), piece.into()));
        pair.run(Duration::from_millis(7));
    }
    pair.run(Duration::from_secs(30));
    assert_eq!(pair.received(1), data);
    let carried: usize = pair.wire.log.iter().filter(|(to, _)| *to == 1).map(|(_, s)| s.payload.len()).sum();
    assert_eq!(carried, data.len());
}

#[test]
fn nobody_listening_refuses_and_nobody_there_times_out() {
    let options = Options::default();
    let mut pair = Pair::new(Faults::default(), &options);
    pair.command(1, Command::Unlisten { vrf: VrfId::GLOBAL, port: 179 });
    pair.connect(&options);
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.events[0], [EventKind::Closed(CloseReason::Refused)]);

    let mut pair = Pair::new(Faults { loss: 100, ..Faults::default() }, &options);
    pair.connect(&options);
    pair.run(Duration::from_secs(60));
    assert_eq!(pair.events[0], [EventKind::Closed(CloseReason::TimedOut)]);
    // RFC 6298 section 5.5: at 0, 1, 3, 7 and 15 s.
    assert_eq!(pair.wire.log.len(), 5);
}

#[test]
fn a_peer_that_is_not_admitted_is_refused() {
    let options = Options::default();
    let mut pair = Pair::new(Faults::default(), &options);
    pair.command(1, Command::Admit { vrf: VrfId::GLOBAL, port: 179, peers: Vec::new() });
    pair.connect(&options);
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.events[0], [EventKind::Closed(CloseReason::Refused)]);
}

#[test]
fn rfc2385_a_wrong_key_is_logged_and_dropped() {
    let keyed = |key: &str| Options { md5: Some(Arc::from(key)), ..Options::default() };
    for (ours, invalid) in [(Options::default(), false), (keyed("other"), true)] {
        let mut pair = Pair::new(Faults::default(), &keyed("cisco"));
        pair.connect(&ours);
        pair.run(Duration::from_millis(100));
        assert_eq!(pair.events, [vec![], vec![]]);
        assert_eq!(pair.log, [TcpLogEvent::BadAuthentication { invalid, from: (A, 11000), to: (B, 179) }]);
    }
    let mut pair = Pair::new(Faults::default(), &keyed("cisco"));
    pair.connect(&keyed("cisco"));
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.state(0), Some(State::Established));
}

#[test]
fn rfc5082_packets_from_too_far_are_ignored() {
    let near = Options { minimum_ttl: 254, ..Options::default() };
    let mut pair = Pair::new(Faults::default(), &near);
    pair.connect(&Options { ttl: 253, ..Options::default() });
    pair.run(Duration::from_secs(60));
    assert_eq!(pair.events[0], [EventKind::Closed(CloseReason::TimedOut)]);
}

#[test]
fn an_abort_resets_the_peer() {
    let options = Options::default();
    let mut pair = Pair::new(Faults::default(), &options);
    pair.connect(&options);
    pair.run(Duration::from_secs(1));
    pair.command(0, Command::Abort(endpoints()));
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.events[1].last(), Some(&EventKind::Closed(CloseReason::Reset)));
    assert_eq!((pair.state(0), pair.state(1)), (None, None));
}

#[test]
fn keepalives_find_a_dead_peer_and_keep_a_live_one() {
    let options = Options { keepalive: Some(Duration::from_secs(10)), ..Options::default() };
    let mut pair = Pair::new(Faults::default(), &options);
    pair.connect(&options);
    pair.run(Duration::from_secs(300));
    assert_eq!(pair.state(0), Some(State::Established));
    pair.wire.faults.loss = 100;
    pair.run(Duration::from_secs(300));
    assert_eq!(pair.events[0].last(), Some(&EventKind::Closed(CloseReason::TimedOut)));
}

#[test]
fn a_clone_in_flight_has_the_same_future() {
    let options = Options::default();
    let faults = Faults { loss: 10, duplication: 5, reorder: 10 };
    let mut pair = Pair::new(faults, &options);
    pair.connect(&options);
    pair.run(Duration::from_secs(20));
    pair.command(0, Command::Send(endpoints(), stream(50_000).into()));
    pair.run(Duration::from_millis(12));
    let mut copy = pair.clone();
    let saved = postcard::to_allocvec(&pair.stacks[0]).expect("serializable");
    copy.stacks[0] = postcard::from_bytes(&saved).expect("deserializable");
    pair.run(Duration::from_secs(200));
    copy.run(Duration::from_secs(200));
    assert_eq!(pair.received(1), stream(50_000));
    assert_eq!(pair.wire.log, copy.wire.log);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_bad_wire_delivers_the_stream(
        seed in any::<u64>(), loss in 0u32..20, duplication in 0u32..20, reorder in 0u32..30, length in 1usize..40_000,
    ) {
        let options = Options { mss: 536, ..Options::default() };
        let mut pair = Pair::new(Faults::default(), &options);
        pair.connect(&options);
        pair.run(Duration::from_secs(1));
        pair.wire = Wire::new(seed, Faults { loss, duplication, reorder });
        pair.command(0, Command::Send(endpoints(), stream(length).into()));
        pair.command(0, Command::Close(endpoints()));
        pair.run(Duration::from_secs(3600));
        prop_assert_eq!(pair.received(1), stream(length));
        prop_assert_eq!(pair.events[1].last(), Some(&EventKind::PeerClosed));
    }
}

/// smoltcp's endpoint on the other side of the wire.
mod against_smoltcp {
    use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
    use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
    use smoltcp::socket::tcp;
    use smoltcp::time::Instant;
    use smoltcp::wire::{
        EthernetAddress, EthernetFrame, EthernetProtocol, HardwareAddress, IpCidr, IpProtocol, Ipv4Packet,
    };

    use super::*;

    #[derive(Default)]
    struct Queue {
        received: Vec<Vec<u8>>,
        sent: Vec<Vec<u8>>,
    }

    struct Rx(Vec<u8>);
    struct Tx<'a>(&'a mut Vec<Vec<u8>>);

    impl RxToken for Rx {
        fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
            f(&self.0)
        }
    }

    impl TxToken for Tx<'_> {
        fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
            let mut frame = vec![0; len];
            let result = f(&mut frame);
            self.0.push(frame);
            result
        }
    }

    impl Device for Queue {
        type RxToken<'a> = Rx;
        type TxToken<'a> = Tx<'a>;

        fn receive(&mut self, _: Instant) -> Option<(Rx, Tx<'_>)> {
            (!self.received.is_empty()).then(|| (Rx(self.received.remove(0)), Tx(&mut self.sent)))
        }

        fn transmit(&mut self, _: Instant) -> Option<Tx<'_>> {
            Some(Tx(&mut self.sent))
        }

        fn capabilities(&self) -> DeviceCapabilities {
            let mut capabilities = DeviceCapabilities::default();
            capabilities.medium = Medium::Ethernet;
            capabilities.max_transmission_unit = 1514;
            capabilities
        }
    }

    const OURS: EthernetAddress = EthernetAddress([2, 0, 0, 0, 0, 1]);
    const THEIRS: EthernetAddress = EthernetAddress([2, 0, 0, 0, 0, 2]);

    fn frame(datagram: &Datagram) -> Vec<u8> {
        let mut frame = vec![0; 34 + datagram.payload.len()];
        let mut ethernet = EthernetFrame::new_unchecked(&mut frame);
        ethernet.set_dst_addr(THEIRS);
        ethernet.set_src_addr(OURS);
        ethernet.set_ethertype(EthernetProtocol::Ipv4);
        let mut ip = Ipv4Packet::new_unchecked(ethernet.payload_mut());
        ip.set_version(4);
        ip.set_header_len(20);
        ip.set_total_len((20 + datagram.payload.len()) as u16);
        ip.set_hop_limit(64);
        ip.set_next_header(IpProtocol::Tcp);
        ip.set_src_addr(datagram.source);
        ip.set_dst_addr(datagram.destination);
        ip.payload_mut().copy_from_slice(&datagram.payload);
        ip.fill_checksum();
        frame
    }

    fn datagram(frame: &[u8]) -> Option<Datagram> {
        let ethernet = EthernetFrame::new_checked(frame).ok()?;
        if ethernet.ethertype() != EthernetProtocol::Ipv4 {
            return None;
        }
        let ip = Ipv4Packet::new_checked(ethernet.payload()).ok()?;
        Some(Datagram {
            interface: None,
            source: ip.src_addr(),
            destination: ip.dst_addr(),
            protocol: crate::process::IpProtocol::TCP,
            ttl: ip.hop_limit(),
            tos: 0,
            dont_fragment: true,
            payload: ip.payload().into(),
        })
    }

    fn arp_reply() -> Vec<u8> {
        let mut frame = vec![0; 42];
        let mut ethernet = EthernetFrame::new_unchecked(&mut frame);
        ethernet.set_dst_addr(THEIRS);
        ethernet.set_src_addr(OURS);
        ethernet.set_ethertype(EthernetProtocol::Arp);
        let reply = smoltcp::wire::ArpRepr::EthernetIpv4 {
            operation: smoltcp::wire::ArpOperation::Reply,
            source_hardware_addr: OURS,
            source_protocol_addr: A,
            target_hardware_addr: THEIRS,
            target_protocol_addr: B,
        };
        reply.emit(&mut smoltcp::wire::ArpPacket::new_unchecked(ethernet.payload_mut()));
        frame
    }

    /// Our stack is side 0 at A; smoltcp's socket is side 1 at B, port 179.
    struct Lab {
        now: Time,
        rng: ChaCha8Rng,
        stack: Stack,
        wire: Wire,
        queue: Queue,
        interface: Interface,
        sockets: SocketSet<'static>,
        handle: SocketHandle,
        events: Vec<EventKind>,
        reading: bool,
        got: Vec<u8>,
        to_send: Vec<u8>,
    }

    impl Lab {
        fn new(buffer: usize) -> Self {
            let mut queue = Queue::default();
            let mut interface =
                Interface::new(Config::new(HardwareAddress::Ethernet(THEIRS)), &mut queue, Instant::ZERO);
            interface
                .update_ip_addrs(|list| list.push(IpCidr::new(B.into(), 24)).expect("room for one address"));
            let mut socket = tcp::Socket::new(
                tcp::SocketBuffer::new(vec![0; buffer]),
                tcp::SocketBuffer::new(vec![0; buffer]),
            );
            socket.listen(179).expect("a port");
            let mut sockets = SocketSet::new(Vec::new());
            let handle = sockets.add(socket);
            queue.received.push(arp_reply());
            let mut lab = Self {
                now: Time::ZERO,
                rng: ChaCha8Rng::seed_from_u64(3),
                stack: Stack::default(),
                wire: Wire::new(5, Faults::default()),
                queue,
                interface,
                sockets,
                handle,
                events: Vec::new(),
                reading: true,
                got: Vec::new(),
                to_send: Vec::new(),
            };
            lab.command(Command::Connect(endpoints(), Options::default()));
            lab
        }

        fn command(&mut self, command: Command) {
            let mut output = Output::default();
            self.stack.command(self.now, &mut self.rng, Owner::Bgp, command, &mut output);
            self.carry(output);
        }

        fn carry(&mut self, output: Output) {
            for (_, datagram) in output.datagrams {
                self.wire.carry(self.now, 1, datagram);
            }
            self.events.extend(output.events.into_iter().map(|(_, e)| e.kind));
        }

        fn instant(&self) -> Instant {
            Instant::from_micros(i64::try_from(self.now.as_nanos() / 1000).expect("a short test"))
        }

        fn poll_peer(&mut self) {
            let now = self.instant();
            self.interface.poll(now, &mut self.queue, &mut self.sockets);
            let socket = self.sockets.get_mut::<tcp::Socket<'_>>(self.handle);
            if self.reading && socket.can_recv() {
                let got = &mut self.got;
                socket.recv(|data| (data.len(), got.extend_from_slice(data))).expect("can receive");
            }
            if socket.can_send() && !self.to_send.is_empty() {
                let taken = socket.send_slice(&self.to_send).expect("can send");
                self.to_send.drain(..taken);
            }
            self.interface.poll(now, &mut self.queue, &mut self.sockets);
            for frame in std::mem::take(&mut self.queue.sent) {
                if let Some(datagram) = datagram(&frame) {
                    self.wire.carry(self.now, 0, datagram);
                } else {
                    self.queue.received.push(arp_reply());
                }
            }
        }

        fn run(&mut self, span: Duration) {
            let end = self.now + span;
            self.poll_peer();
            loop {
                let now = self.instant();
                let peer = self.interface.poll_at(now, &self.sockets);
                let peer = peer.map(|at| Time::from_nanos(at.total_micros().unsigned_abs() * 1000));
                let next = [self.stack.next_deadline(), self.wire.next(), peer].into_iter().flatten().min();
                let Some(at) = next.filter(|&at| at <= end) else { break };
                // smoltcp may ask to be polled at once.
                self.now = at.max(self.now + Duration::from_micros(1));
                for (side, datagram) in self.wire.arrive(self.now) {
                    if side == 1 {
                        self.queue.received.push(frame(&datagram));
                    } else {
                        let mut output = Output::default();
                        self.stack.receive(self.now, &mut self.rng, VrfId::GLOBAL, &datagram, &mut output);
                        self.carry(output);
                    }
                }
                let mut output = Output::default();
                self.stack.run_timers(self.now, &mut output);
                self.carry(output);
                self.poll_peer();
            }
            self.now = self.now.max(end);
        }

        fn received(&self) -> Vec<u8> {
            let data = self.events.iter().filter_map(|e| match e {
                EventKind::Received(data) => Some(data.as_slice()),
                _ => None,
            });
            data.collect::<Vec<_>>().concat()
        }
    }

    #[test]
    fn rfc9293_3_8_6_1_a_closed_window_is_probed_until_it_opens() {
        let mut lab = Lab::new(4096);
        lab.run(Duration::from_secs(1));
        assert_eq!(lab.events, [EventKind::Connected]);
        lab.reading = false;
        let data = stream(20_000);
        lab.command(Command::Send(endpoints(), data.as_slice().into()));
        lab.run(Duration::from_secs(120));
        assert!(lab.got.is_empty());
        let probes = lab.wire.log.iter().filter(|(to, s)| *to == 1 && s.payload.len() == 1).count();
        assert!(probes >= 3, "{probes} probes");
        lab.reading = true;
        lab.run(Duration::from_secs(120));
        assert_eq!(lab.got, data);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn both_directions_survive_a_bad_wire(
            seed in any::<u64>(), loss in 0u32..15, duplication in 0u32..15, reorder in 0u32..25,
            ours in 1usize..30_000, theirs in 1usize..30_000,
        ) {
            let mut lab = Lab::new(8192);
            lab.run(Duration::from_secs(1));
            lab.wire = Wire::new(seed, Faults { loss, duplication, reorder });
            lab.command(Command::Send(endpoints(), stream(ours).into()));
            lab.to_send = stream(theirs);
            lab.run(Duration::from_secs(1200));
            prop_assert_eq!(&lab.got, &stream(ours));
            prop_assert_eq!(lab.received(), stream(theirs));
            lab.command(Command::Close(endpoints()));
            lab.run(Duration::from_secs(600));
            lab.sockets.get_mut::<tcp::Socket<'_>>(lab.handle).close();
            lab.run(Duration::from_secs(600));
            prop_assert!(lab.stack.connection(endpoints()).is_none());
        }
    }
}
