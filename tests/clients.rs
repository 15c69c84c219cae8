//! Real network automation libraries at the consoles of a laboratory. Each has a Python interpreter of its own, which an
//! environment variable names; without it the test says that it is skipped. `.ci/run` installs them.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use running_lab::{RunningLab, folder};

mod running_lab;

/// Two routers on one Ethernet, with OSPF, BGP, a VRF and what the clients ask of a device.
const ROUTERS: [(&str, &str); 2] = [
    (
        "R1.cfg",
        "hostname R1\nenable secret more\nip domain name example.net\nip scp server enable\n\
         vrf definition RED\n rd 65001:1\n address-family ipv4\n exit-address-family\n\
         interface Loopback0\n ip address 192.0.2.1 255.255.255.255\n\
         interface Loopback5\n vrf forwarding RED\n ip address 192.0.2.5 255.255.255.255\n\
         interface GigabitEthernet0/0\n description uplink\n ip address 10.0.0.1 255.255.255.0\n\
         ip address 10.9.0.1 255.255.255.128 secondary\n no shutdown\n\
         router ospf 1\n network 192.0.2.1 0.0.0.0 area 0\n network 10.0.0.0 0.0.0.255 area 0\n\
         router bgp 65001\n neighbor 10.0.0.2 remote-as 65002\n\
         archive\n path flash:archived\n",
    ),
    (
        "R2.cfg",
        "hostname R2\ninterface Loopback0\n ip address 192.0.2.2 255.255.255.255\n\
         interface Loopback1\n ip address 198.51.100.1 255.255.255.0\n\
         interface GigabitEthernet0/0\n ip address 10.0.0.2 255.255.255.0\n no shutdown\n\
         router ospf 1\n network 192.0.2.2 0.0.0.0 area 0\n network 10.0.0.0 0.0.0.255 area 0\n\
         router bgp 65002\n network 198.51.100.0 mask 255.255.255.0\n neighbor 10.0.0.1 remote-as 65001\n",
    ),
];

/// Runs a script with the ports of R1, if its interpreter is there.
fn run(variable: &str, script: &str) {
    let Some(python) = std::env::var_os(variable).filter(|python| !python.is_empty()) else {
        eprintln!("SKIPPED: {variable} is not set");
        return;
    };
    let folder = folder(&ROUTERS);
    let lab = RunningLab::start(folder.path(), &["--ssh", "0", "--telnet", "0"]);
    let router = &lab.routers[0];
    let port = |address: &str| address.rsplit_once(':').unwrap().1.to_owned();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(script);
    let scratch = tempfile::tempdir().unwrap();
    let output = Command::new(&python)
        .arg(script)
        .args(["127.0.0.1", &port(&router.ssh), &port(&router.telnet)])
        .current_dir(scratch.path())
        .env("PATH", path_with(&python))
        .env("HOME", scratch.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned();
    assert!(output.status.success(), "{said}");
    println!("{said}");
}

/// The search path with the interpreter's own folder in front: its programs lie beside it.
fn path_with(python: &OsString) -> OsString {
    let beside = Path::new(python).parent().map(Path::to_owned);
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(beside.into_iter().chain(std::env::split_paths(&rest))).unwrap()
}

#[test]
fn netmiko_by_ssh_and_telnet_and_a_hundred_at_once() {
    run("NETMIKO_PYTHON", "netmiko_session.py");
}

#[test]
fn scrapli_with_its_python_transports() {
    run("SCRAPLI_PYTHON", "scrapli_session.py");
}

#[test]
fn scrapli_with_its_native_library() {
    run("SCRAPLI2_PYTHON", "scrapli2_session.py");
}

#[test]
fn napalm_getters_and_changes() {
    run("NAPALM_PYTHON", "napalm_session.py");
}

#[test]
fn ansible_facts_and_resources() {
    run("ANSIBLE_PYTHON", "ansible_session.py");
}

#[test]
fn unicon_as_the_public_parsers_connect() {
    run("UNICON_PYTHON", "unicon_session.py");
}
