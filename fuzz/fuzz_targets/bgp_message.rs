//! Any octets as a stream of BGP messages.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena_emu::bgp::packet::{Message, PeerKind, UpdateFormat, frame};

const FORMAT: UpdateFormat = UpdateFormat { four_octet_as: true, add_path: false, peer: PeerKind::External };

fuzz_target!(|input: &[u8]| {
    let mut stream = input;
    while let Ok(Some(message)) = frame(stream, 4096) {
        let _ = Message::parse(message, FORMAT);
        stream = &stream[message.length()..];
    }
});
