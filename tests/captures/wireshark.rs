//! What Wireshark says of a capture.

use std::path::Path;
use std::process::Command;

/// What Wireshark writes where something is wrong; the last four are its analysis of TCP.
const WRONG: [&str; 9] = [
    "Malformed Packet",
    "Expert Info (Error",
    "incorrect, should be",
    "incorrect (",
    "Status: Bad",
    "(suspected)",
    "Duplicate ACK",
    "not captured",
    "wasn't captured",
];

/// Whether Wireshark's dissector is there; says so if not.
pub fn has_tshark() -> bool {
    let there = Command::new("tshark").arg("--version").output().is_ok();
    if !there {
        println!("SKIPPED: tshark is not installed (apt-get install tshark)");
    }
    there
}

/// What Wireshark prints of a capture, all checksums looked at.
pub fn dissect(capture: &Path, arguments: &[&str]) -> String {
    let checks = ["ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE"];
    let output = Command::new("tshark")
        .args(["-n", "-r"])
        .arg(capture)
        .args(checks.map(|option| ["-o", option]).concat())
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every packet of a capture in words.
pub fn decode(capture: &Path) -> String {
    let text = dissect(capture, &["-V"]);
    assert!(text.contains("Frame 1:"), "the capture is empty");
    text
}

/// The lines of a decoded capture in which something is wrong.
pub fn complaints(text: &str) -> Vec<String> {
    text.lines().filter(|line| WRONG.iter().any(|wrong| line.contains(wrong))).map(str::to_owned).collect()
}

/// One field of every packet that has it.
pub fn fields(capture: &Path, field: &str) -> Vec<String> {
    let text = dissect(capture, &["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,", "-e", field]);
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
