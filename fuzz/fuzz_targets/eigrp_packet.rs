//! Any octets as an EIGRP packet.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena_emu::eigrp::packet::Packet;

fuzz_target!(|input: &[u8]| {
    let _ = Packet::parse(input);
});
