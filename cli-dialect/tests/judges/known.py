"""Prints a JSON list of the commands that the parsers of this interpreter know for IOS and IOS-XE; {names} stand for arguments."""

import json
import pathlib
import re


def of_ntc_templates():
    import ntc_templates

    folder = pathlib.Path(ntc_templates.__file__).parent / "templates"
    names = [file.stem.removeprefix("cisco_ios_") for file in folder.glob("cisco_ios_*.textfsm")]
    return [name.replace("_", " ") for name in names]


def of_genie():
    import genie.libs.parser

    tree = json.loads((pathlib.Path(genie.libs.parser.__file__).parent / "parsers.json").read_text())
    return [name for name, entry in tree.items() if isinstance(entry, dict) and {"ios", "iosxe"} & set(entry.get("folders", ()))]


try:
    found = of_ntc_templates()
except ImportError:
    found = of_genie()
print(json.dumps(sorted({name for name in found if re.fullmatch(r"(show|ping|traceroute)( ([a-z0-9_|-]+|{\w+}))*", name)})))
