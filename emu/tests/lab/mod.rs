//! What the tests of whole networks share: names, addresses, and Wireshark as the judge of captures.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::net::Ipv4Addr;
use std::process::Command;

use netconfarena_emu::ids::LinkIndex;
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::Network;

pub fn port(name: &str) -> InterfaceName {
    name.parse().unwrap()
}

pub fn addr(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

/// Whether tshark is there; says so if not.
pub fn has_tshark() -> bool {
    let found = Command::new("tshark").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: tshark is not installed (apt-get install tshark)");
    }
    found
}

/// What Wireshark says of the capture of a link.
pub struct Verdict {
    path: std::path::PathBuf,
}

impl Drop for Verdict {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Verdict {
    pub fn on(network: &Network, link: LinkIndex, test: &str) -> Self {
        let name = format!("netconfarena-{test}-{}-{}.pcap", std::process::id(), link.0);
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, network.pcap(link).unwrap()).unwrap();
        Self { path }
    }

    fn tshark(&self, more: &[&str]) -> String {
        let checks = ["ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE"];
        let output = Command::new("tshark")
            .args(["-n", "-r"])
            .arg(&self.path)
            .args(checks.map(|option| ["-o", option]).concat())
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// How many packets a display filter lets pass.
    pub fn count(&self, filter: &str) -> usize {
        self.tshark(&["-Y", filter]).lines().count()
    }

    /// The packets in which something is wrong.
    pub fn complaints(&self) -> Vec<String> {
        let filter = "_ws.malformed || _ws.expert.severity >= error || ip.checksum.status == 0 \
                      || udp.checksum.status == 0 || tcp.checksum.status == 0 || icmp.checksum.status == 0";
        let mut all: Vec<String> = self.tshark(&["-Y", filter]).lines().map(str::to_owned).collect();
        let details = self.tshark(&["-V", "-Y", "ospf"]);
        all.extend(details.lines().filter(|line| line.contains("incorrect, should be")).map(str::to_owned));
        all
    }
}
