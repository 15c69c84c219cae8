"""Netmiko at the consoles of a laboratory: HOST SSH-PORT TELNET-PORT of a router called R1."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

from netmiko import ConnectHandler, NetmikoAuthenticationException, SSHDetect

HOST, SSH, TELNET = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
PATIENT = {"conn_timeout": 120, "auth_timeout": 120, "banner_timeout": 120, "read_timeout_override": 120}
ADMIN = {"host": HOST, "username": "admin", "password": "cisco", **PATIENT}
SESSIONS = 100


def ssh(**options):
    return ConnectHandler(**{**ADMIN, "device_type": "cisco_ios", "port": SSH, **options})


def whole_session(connection):
    """What people do: look, configure, save, look again."""
    assert connection.find_prompt() == "R1#", connection.find_prompt()
    assert "Cisco IOS Software" in connection.send_command("show version")
    brief = connection.send_command("show ip interface brief")
    assert "GigabitEthernet0/0" in brief and "10.0.0.1" in brief, brief
    connection.send_config_set(["interface Loopback7", "description by netmiko", "ip address 192.0.2.7 255.255.255.255"])
    assert not connection.check_config_mode()
    shown = connection.send_command("show running-config interface Loopback7")
    assert " description by netmiko" in shown, shown
    refused = connection.send_config_set(["interface Loopback7", "ip adres 1.2.3.4"])
    assert "% Invalid input detected at '^' marker." in refused, refused
    connection.send_config_set(["no interface Loopback7"])
    assert "Loopback7" not in connection.send_command("show ip interface brief")
    assert "[OK]" in connection.save_config()
    assert "Success rate is 100 percent" in connection.send_command("ping 10.0.0.2")
    long = connection.send_command("show running-config")
    assert "--More--" not in long and long.rstrip().endswith("end"), long


def by_ssh():
    with ssh() as connection:
        whole_session(connection)
    with ssh(device_type="cisco_xe") as connection:
        assert connection.find_prompt() == "R1#"


def by_telnet():
    with ConnectHandler(**{**ADMIN, "device_type": "cisco_ios_telnet", "port": TELNET}) as connection:
        whole_session(connection)


def detected():
    options = {**ADMIN, "device_type": "autodetect", "port": SSH}
    found = SSHDetect(**options).autodetect()
    assert found == "cisco_ios", found


def enabled_with_a_secret():
    with ssh() as connection:
        connection.send_config_set(["username op privilege 1 secret look"])
    with ssh(username="op", password="look", secret="more") as connection:
        assert connection.find_prompt() == "R1>"
        assert not connection.check_enable_mode()
        assert "% Invalid input" in connection.send_command("show running-config")
        connection.enable()
        assert connection.check_enable_mode() and connection.find_prompt() == "R1#"
        connection.exit_enable_mode()
        assert connection.find_prompt() == "R1>"
    try:
        ssh(username="op", password="wrong")
    except NetmikoAuthenticationException:
        pass
    else:
        raise AssertionError("a wrong password was taken")
    with ssh() as connection:
        connection.send_config_set(["no username op"])


def questions():
    with ssh() as connection:
        asked = connection.send_command("clear logging", expect_string=r"confirm")
        assert "Clear logging buffer [confirm]" in asked, asked
        connection.send_command("\n", expect_string=r"#", cmd_verify=False)
        steps = [["copy running-config flash:kept.cfg", r"kept\.cfg\]\?"], ["\n", r"#"]]
        assert "bytes copied" in connection.send_multiline(steps)
        listing = connection.send_command("dir flash:")
        assert "Directory of flash:/" in listing and "kept.cfg" in listing, listing


def one_of_many(number):
    with ssh(fast_cli=True) as connection:
        shown = connection.send_command("show ip interface brief")
        assert "10.0.0.1" in shown, shown
        connection.send_config_set([f"interface Loopback{1000 + number}", f"description session {number}"])
        shown = connection.send_command(f"show running-config interface Loopback{1000 + number}")
        assert f" description session {number}" in shown, shown
        assert connection.find_prompt() == "R1#"
    return number


def many_at_once():
    with ThreadPoolExecutor(SESSIONS) as pool:
        assert sorted(pool.map(one_of_many, range(SESSIONS))) == list(range(SESSIONS))


for part in (by_ssh, by_telnet, detected, enabled_with_a_secret, questions, many_at_once):
    start = time.monotonic()
    part()
    print(f"ok {part.__name__} in {time.monotonic() - start:.1f} s")
