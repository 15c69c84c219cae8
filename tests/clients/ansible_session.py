"""Ansible's cisco.ios at the consoles of a laboratory: HOST SSH-PORT TELNET-PORT of a router called R1."""

import json
import os
import subprocess
import sys
from pathlib import Path

HOST, SSH = sys.argv[1], sys.argv[2]
ENVIRONMENT = {
    "ANSIBLE_HOST_KEY_CHECKING": "False",
    "ANSIBLE_STDOUT_CALLBACK": "json",
    "ANSIBLE_LOCAL_TEMP": str(Path("tmp").absolute()),
    "ANSIBLE_PERSISTENT_CONNECT_TIMEOUT": "120",
    "ANSIBLE_PERSISTENT_COMMAND_TIMEOUT": "120",
    "ANSIBLE_NETWORK_CLI_SSH_TYPE": "paramiko",
}
VARIABLES = {
    "ansible_host": HOST,
    "ansible_port": int(SSH),
    "ansible_user": "admin",
    "ansible_password": "cisco",
    "ansible_connection": "ansible.netcommon.network_cli",
    "ansible_network_os": "cisco.ios.ios",
    "ansible_become": True,
    "ansible_become_method": "enable",
    "ansible_python_interpreter": sys.executable,
}


def play(tasks, *options):
    """Runs tasks, and returns what each said."""
    Path("inventory.json").write_text(json.dumps({"all": {"hosts": {"R1": VARIABLES}}}))
    book = [{"hosts": "all", "gather_facts": False, "tasks": [{"name": str(n), **t} for n, t in enumerate(tasks)]}]
    Path("book.json").write_text(json.dumps(book))
    command = ["ansible-playbook", "-i", "inventory.json", "book.json", *options]
    done = subprocess.run(command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    steps = json.loads(done.stdout[done.stdout.index("{") :])["plays"][0]["tasks"]
    return [step["hosts"]["R1"] for step in steps]


def facts():
    [said] = play([{"cisco.ios.ios_facts": {"gather_subset": ["min", "hardware", "interfaces", "config"]}}])
    found = said["ansible_facts"]
    assert found["ansible_net_hostname"] == "R1", found
    assert found["ansible_net_version"] and found["ansible_net_model"] and found["ansible_net_image"], found
    assert "10.0.0.1" in found["ansible_net_all_ipv4_addresses"], found
    assert found["ansible_net_interfaces"]["GigabitEthernet0/0"]["operstatus"] == "up", found
    assert found["ansible_net_memtotal_mb"] > 0 and "flash:" in found["ansible_net_filesystems"], found


def command_and_config():
    lines = {"lines": ["description by ansible"], "parents": "interface Loopback70"}
    looked, first, again, removed = play(
        [
            {"cisco.ios.ios_command": {"commands": ["show version", "show ip route"]}},
            {"cisco.ios.ios_config": {**lines, "diff_against": "running"}},
            {"cisco.ios.ios_config": lines},
            {"cisco.ios.ios_config": {"lines": ["no interface Loopback70"], "save_when": "always"}},
        ],
        "--diff",
    )
    assert "Cisco IOS Software" in looked["stdout"][0] and "10.0.0.0" in looked["stdout"][1], looked
    assert first["changed"] and not again["changed"] and removed["changed"], (first, again, removed)
    assert "description by ansible" in str(first["diff"]), first


def resources():
    bgp = {
        "as_number": "65001",
        "bgp": {"log_neighbor_changes": True, "router_id": {"address": "192.0.2.1"}},
        "neighbors": [{"neighbor_address": "10.0.0.2", "remote_as": "65002", "description": "peer"}],
    }
    ospf = {"processes": [{"process_id": 1, "router_id": "192.0.2.1", "passive_interfaces": {"interface": {"set_interface": True, "name": ["Loopback0"]}}}]}
    tasks = []
    for module, wanted in (("ios_bgp_global", bgp), ("ios_ospfv2", ospf)):
        step = {f"cisco.ios.{module}": {"config": wanted, "state": "merged"}}
        tasks += [step, step, {f"cisco.ios.{module}": {"state": "gathered"}}]
    bgp_first, bgp_again, bgp_seen, ospf_first, ospf_again, ospf_seen = play(tasks, "--diff")
    assert bgp_first["changed"] and not bgp_again["changed"], (bgp_first, bgp_again)
    assert bgp_seen["gathered"]["as_number"] == "65001", bgp_seen
    peer = bgp_seen["gathered"]["neighbors"][0]
    assert peer["neighbor_address"] == "10.0.0.2" and peer["description"] == "peer", bgp_seen
    assert ospf_first["changed"] and not ospf_again["changed"], (ospf_first, ospf_again)
    assert ospf_seen["gathered"]["processes"][0]["router_id"] == "192.0.2.1", ospf_seen


def refused():
    [said] = play([{"cisco.ios.ios_config": {"lines": ["ip adres 1.2.3.4"]}, "ignore_errors": True}])
    assert said["failed"] and "invalid input" in said["msg"].lower(), said


for part in (facts, command_and_config, resources, refused):
    part()
    print(f"ok {part.__name__}")
