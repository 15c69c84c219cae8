"""Scrapli from 2026.3 on at the consoles of a laboratory: HOST SSH-PORT TELNET-PORT of a router called R1."""

import sys

from scrapli import AuthOptions, Cli, LookupKeyValue, SessionOptions
from scrapli import TransportBinOptions, TransportSsh2Options, TransportTelnetOptions

HOST, SSH, TELNET = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
TRANSPORTS = (
    ("bin", TransportBinOptions(enable_strict_key=False), SSH),
    ("ssh2", TransportSsh2Options(), SSH),
    ("telnet", TransportTelnetOptions(), TELNET),
)


def session(connection):
    assert connection.get_prompt().result.strip() == "R1#"
    shown = connection.send_input("show ip interface brief")
    assert not shown.failed and "10.0.0.1" in shown.result, shown.result
    assert connection.send_input("show nonsense").failed
    lines = ["interface Loopback9", "description by scrapli"]
    configured = connection.send_inputs(lines, requested_mode="configuration")
    assert not configured.failed, configured.result
    shown = connection.send_input("show running-config interface Loopback9")
    assert " description by scrapli" in shown.result, shown.result
    connection.send_input("no interface Loopback9", requested_mode="configuration")
    asked = connection.send_prompted_input("clear logging", "[confirm]", "", "")
    assert "Clear logging buffer" in asked.result, asked.result
    connection.enter_mode(requested_mode="exec")
    assert connection.get_prompt().result.strip() == "R1>"
    connection.enter_mode(requested_mode="privileged_exec")
    assert connection.get_prompt().result.strip() == "R1#"


for name, transport, port in TRANSPORTS:
    with Cli(
        HOST,
        port=port,
        definition_file_or_name="cisco_iosxe",
        auth_options=AuthOptions(
            username="admin", password="cisco", lookups=[LookupKeyValue(key="enable", value="more")]
        ),
        session_options=SessionOptions(operation_timeout_s=120),
        transport_options=transport,
    ) as connection:
        session(connection)
    print(f"ok {name}")
