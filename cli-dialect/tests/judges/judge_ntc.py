"""Reads a JSON list of {"command", "text"} and prints a JSON list of what ntc-templates makes of each: records, or {"error"}."""

import json
import sys

from ntc_templates.parse import parse_output


def judge(command, text):
    try:
        return parse_output(platform="cisco_ios", command=command, data=text)
    except Exception as error:  # the verdict of the judge, whatever it raises
        return {"error": " ".join(str(error).split())[:300]}


print(json.dumps([judge(case["command"], case["text"]) for case in json.load(sys.stdin)]))
