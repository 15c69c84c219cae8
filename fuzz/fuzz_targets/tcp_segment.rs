//! Any octets as a TCP segment, with and without a key.
#![no_main]

use std::net::Ipv4Addr;

use libfuzzer_sys::fuzz_target;
use netconfarena_emu::tcp::Segment;

fuzz_target!(|input: &[u8]| {
    let (source, destination) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
    for key in [None, Some("secret")] {
        let _ = Segment::parse(input, source, destination, key);
    }
});
