"""Unicon, Cisco's own driver, at the consoles of a laboratory: HOST SSH-PORT TELNET-PORT of a router called R1."""

import sys

from unicon import Connection
from unicon.core.errors import SubCommandFailure

HOST, SSH, TELNET = sys.argv[1], sys.argv[2], sys.argv[3]
SSH_COMMAND = f"ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -l admin -p {SSH} {HOST}"
STARTS = {"ssh": SSH_COMMAND, "telnet": f"telnet {HOST} {TELNET}"}


def session(start):
    device = Connection(
        hostname="R1",
        start=[start],
        os="iosxe",
        credentials={"default": {"username": "admin", "password": "cisco"}, "enable": {"password": "more"}},
        log_stdout=False,
        learn_hostname=True,
    )
    device.connect()
    assert "10.0.0.1" in device.execute("show ip interface brief")
    device.configure(["interface Loopback60", "description by unicon"])
    assert " description by unicon" in device.execute("show running-config interface Loopback60")
    device.configure("no interface Loopback60")
    for refused in ("show nonsense", "show ip"):
        try:
            device.execute(refused)
        except SubCommandFailure:
            continue
        raise AssertionError(f"{refused} was taken")
    assert "Success rate is 100 percent" in device.ping("10.0.0.2")
    device.disconnect()


for name, start in STARTS.items():
    session(start)
    print(f"ok {name}")
