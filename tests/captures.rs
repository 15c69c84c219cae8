//! What the routers of every template send, as Wireshark sees it: nothing malformed, every checksum right.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::path::Path;
use std::process::Command;

use netconfarena::lab::Lab;
use netconfarena::template::catalog;
use netconfarena_emu::network::Network;

/// What Wireshark writes where something is wrong.
const WRONG: [&str; 5] =
    ["Malformed Packet", "Expert Info (Error", "incorrect, should be", "incorrect (", "Status: Bad"];

fn complaints(capture: &Path) -> Vec<String> {
    let checks = ["ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE"];
    let output = Command::new("tshark")
        .args(["-n", "-V", "-r"])
        .arg(capture)
        .args(checks.map(|option| ["-o", option]).concat())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Frame 1:"), "the capture is empty");
    text.lines().filter(|line| WRONG.iter().any(|wrong| line.contains(wrong))).map(str::to_owned).collect()
}

#[test]
fn wireshark_finds_nothing_wrong_in_the_captures_of_all_templates() {
    if Command::new("tshark").arg("--version").output().is_err() {
        println!("SKIPPED: tshark is not installed (apt-get install tshark)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    for template in catalog::load(&root, &[]).unwrap() {
        let instance = template.instantiate(1).unwrap();
        let mut lab = Lab::of_instance(&instance, true).unwrap();
        lab.links.iter().for_each(|(_, link)| lab.network.start_capture(*link));
        lab.network.run_until_converged(Network::DEFAULT_CONVERGENCE_CAP);
        for (name, link) in &lab.links {
            // A port alone on its link may have nothing to say.
            if lab.network.capture(*link).is_none_or(|capture| capture.frames().is_empty()) {
                continue;
            }
            let path = folder.path().join(format!("{name}.pcap"));
            fs::write(&path, lab.network.pcap(*link).unwrap()).unwrap();
            assert_eq!(complaints(&path), Vec::<String>::new(), "{}: {name}", instance.name);
        }
    }
}
