"""Scrapli up to 2026.2 at the consoles of a laboratory: HOST SSH-PORT TELNET-PORT of a router called R1."""

import sys

from scrapli.driver.core import IOSXEDriver

HOST, SSH, TELNET = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def driver(transport, port):
    return IOSXEDriver(
        host=HOST,
        port=port,
        transport=transport,
        auth_username="admin",
        auth_password="cisco",
        auth_secondary="more",
        auth_strict_key=False,
        timeout_socket=120,
        timeout_transport=120,
        timeout_ops=120,
    )


def session(connection):
    assert connection.get_prompt() == "R1#"
    response = connection.send_command("show ip interface brief")
    assert not response.failed and "10.0.0.1" in response.result, response.result
    assert connection.send_command("show nonsense").failed
    configured = connection.send_configs(["interface Loopback8", "description by scrapli"])
    assert not configured.failed, configured.result
    assert connection.send_config("ip adres 1.2.3.4").failed
    shown = connection.send_command("show running-config interface Loopback8")
    assert " description by scrapli" in shown.result, shown.result
    connection.send_config("no interface Loopback8")
    answers = [("clear logging", "[confirm]", False), ("", "R1#", False)]
    asked = connection.send_interactive(answers)
    assert "Clear logging buffer" in asked.result, asked.result
    connection.acquire_priv("exec")
    assert connection.get_prompt() == "R1>"
    connection.acquire_priv("privilege_exec")
    assert connection.get_prompt() == "R1#"


for transport, port in (("paramiko", SSH), ("system", SSH), ("telnet", TELNET)):
    with driver(transport, port) as connection:
        session(connection)
    print(f"ok {transport}")
