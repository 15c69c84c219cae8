"""Reads a JSON list of {"command", "text", "others"} and prints a JSON list of what Genie makes of each: a tree, or {"error"}.

Some parsers ask the device for more: `others` holds outputs by command, and pipes (`| include X`) are applied here.
"""

import json
import logging
import re
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from genie.conf.base import Device  # noqa: E402


class Answering(Device):
    """A device that answers from what it was given."""

    others = {}

    def lines_of(self, command):
        """The output of a command; that of one interface is cut out of the output for all."""
        whole, _, name = command.rpartition(" ")
        if command in self.others or whole not in self.others:
            return self.others.get(command, "").splitlines()
        kept, inside = [], False
        for line in self.others[whole].splitlines():
            inside = line.startswith(name + " ") or (inside and line.startswith(" "))
            kept += [line] if inside else []
        return kept

    def execute(self, command, *_, **__):
        base, *filters = [part.strip() for part in " ".join(str(command).split()).split("|")]
        lines = self.lines_of(base)
        for text in filters:
            verb, _, pattern = text.partition(" ")
            if verb.startswith("s"):
                kept, inside = [], False
                for line in lines:
                    inside = bool(re.search(pattern, line)) or (inside and line.startswith(" "))
                    kept += [line] if inside else []
                lines = kept
            else:
                lines = [line for line in lines if re.search(pattern, line)]
        return "\n".join(lines)


def judge_as(os, case):
    device = Answering("R1", os=os)
    device.custom.setdefault("abstraction", {})["order"] = ["os"]
    Answering.others = case["others"]
    try:
        return device.parse(case["command"], output=case["text"])
    except Exception as error:  # the verdict of the judge, whatever it raises
        return {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"}


def judge(case):
    """What Genie makes of an output of IOS-XE, or else of IOS, whose parsers know fewer commands but this emulator's hardware."""
    verdicts = [judge_as(os, case) for os in ("iosxe", "ios")]
    return next((verdict for verdict in verdicts if "error" not in verdict), verdicts[0])


print(json.dumps([judge(case) for case in json.load(sys.stdin)], default=str))
