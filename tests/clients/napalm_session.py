"""NAPALM at the consoles of a laboratory: HOST SSH-PORT TELNET-PORT of a router called R1 that speaks OSPF and BGP with R2."""

import sys

from napalm import get_network_driver

HOST, SSH = sys.argv[1], int(sys.argv[2])
OPTIONS = {"port": SSH, "conn_timeout": 120, "read_timeout_override": 120}


def facts(device):
    found = device.get_facts()
    assert found["hostname"] == "R1" and found["vendor"] == "Cisco", found
    assert found["fqdn"] == "R1.example.net", found
    assert found["uptime"] >= 0 and found["serial_number"] and found["model"], found
    assert {"GigabitEthernet0/0", "Loopback0"} <= set(found["interface_list"]), found


def interfaces(device):
    found = device.get_interfaces()["GigabitEthernet0/0"]
    assert found["is_up"] and found["is_enabled"] and found["mtu"] == 1500 and found["speed"] > 0, found
    assert found["mac_address"].count(":") == 5, found


def interfaces_ip(device):
    found = device.get_interfaces_ip()
    wanted = {"10.0.0.1": {"prefix_length": 24}, "10.9.0.1": {"prefix_length": 25}}
    assert found["GigabitEthernet0/0"]["ipv4"] == wanted, found


def arp_table(device):
    found = {entry["ip"]: entry["interface"] for entry in device.get_arp_table()}
    assert found.get("10.0.0.2") == "GigabitEthernet0/0", found


def bgp_neighbors(device):
    found = device.get_bgp_neighbors()["global"]
    peer = found["peers"]["10.0.0.2"]
    assert found["router_id"] == "192.0.2.1", found
    assert (peer["local_as"], peer["remote_as"], peer["is_up"]) == (65001, 65002, True), peer
    assert peer["address_family"]["ipv4 unicast"]["accepted_prefixes"] == 1, peer


def bgp_neighbors_detail(device):
    peer = device.get_bgp_neighbors_detail("10.0.0.2")["global"][65002][0]
    assert peer["up"] and peer["local_as"] == 65001 and peer["router_id"] == "198.51.100.1", peer
    assert peer["remote_address"] == "10.0.0.2" and peer["holdtime"] == 180, peer


def route_to(device):
    by_bgp = device.get_route_to("198.51.100.0/24")["198.51.100.0/24"]
    assert any(way["protocol"] == "bgp" and way["next_hop"] == "10.0.0.2" for way in by_bgp), by_bgp
    by_ospf = device.get_route_to("192.0.2.2/32")["192.0.2.2/32"]
    assert by_ospf[0]["protocol"] == "ospf" and by_ospf[0]["current_active"], by_ospf


def config(device):
    found = device.get_config()
    assert "hostname R1" in found["running"] and "hostname R1" in found["startup"], found
    assert found["running"].rstrip().endswith("end"), found


def network_instances(device):
    found = device.get_network_instances()
    assert "GigabitEthernet0/0" in found["default"]["interfaces"]["interface"], found
    assert found["RED"]["state"]["route_distinguisher"] == "65001:1", found
    assert "Loopback5" in found["RED"]["interfaces"]["interface"], found


def ping(device):
    found = device.ping("10.0.0.2")["success"]
    assert found["probes_sent"] == 5 and found["packet_loss"] == 0, found
    assert len(found["results"]) == 5 and found["rtt_max"] > 0, found


def traceroute(device):
    hops = device.traceroute("192.0.2.2")["success"]
    assert hops[1]["probes"][1]["ip_address"] == "10.0.0.2", hops


def merge(device):
    device.load_merge_candidate(config="interface Loopback50\n description merged\n")
    difference = device.compare_config()
    assert "+interface Loopback50" in difference and "description merged" in difference, difference
    device.commit_config()
    assert " description merged" in device.get_config()["running"]
    device.rollback()
    assert "Loopback50" not in device.get_config()["running"]


def discard(device):
    device.load_merge_candidate(config="interface Loopback51\n")
    device.discard_config()
    assert "Loopback51" not in device.get_config()["running"]


def replace(device):
    wanted = device.get_config()["running"].replace("description uplink", "description replaced")
    device.load_replace_candidate(config=wanted)
    difference = device.compare_config()
    assert "-description uplink" in difference and "+description replaced" in difference, difference
    device.commit_config()
    assert " description replaced" in device.get_config()["running"]
    device.rollback()
    assert " description uplink" in device.get_config()["running"]


GETTERS = (
    facts,
    interfaces,
    interfaces_ip,
    arp_table,
    bgp_neighbors,
    bgp_neighbors_detail,
    route_to,
    config,
    network_instances,
    ping,
    traceroute,
)
with get_network_driver("ios")(HOST, "admin", "cisco", timeout=120, optional_args=OPTIONS) as router:
    for part in (*GETTERS, merge, discard, replace):
        part(router)
        print(f"ok {part.__name__}")
# Files written in the Tcl shell instead of copied by SCP.
with get_network_driver("ios")(HOST, "admin", "cisco", timeout=120, optional_args=OPTIONS | {"inline_transfer": True}) as router:
    for part in (merge, replace):
        part(router)
        print(f"ok {part.__name__} by inline transfer")
