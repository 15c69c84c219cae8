//! Any octets as an OSPF packet.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena_emu::ospf::lsa::{Lsa, Options};
use netconfarena_emu::ospf::packet::{Envelope, Keys};

fuzz_target!(|input: &[u8]| {
    let _ = Lsa::parse(input);
    if let Ok(envelope) = Envelope::parse(input) {
        let _ = (envelope.verify(&Keys::Null), envelope.body(), envelope.lls(Options::L));
    }
});
