"""Tools for sampling are a list of tools, and the choice is auto, required or none."""

from mcptest.compliance.kit import Part, Remarks, a, pointer, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.sample._messages import ASKED

ID = "SAMPLE-017"
ON = called("sampling requests with tools", ASKED)


def applies(question: Part) -> bool:
    return bool(question.members.keys() & {"tools", "toolChoice"})


def check(question: Part) -> Remarks:
    tools, choice = question.members.get("tools", []), question.members.get("toolChoice", {})
    if type(tools) is not list:
        yield remark(f"tools is {a(tools)}, not an array", "/tools")
    else:
        for number, tool in enumerate(tools):
            named = type(tool) is dict and type(tool.get("name")) is str
            if not named or type(tool.get("inputSchema")) is not dict:
                yield remark("A tool has no name or no inputSchema", pointer("tools", number))
    if type(choice) is not dict:
        yield remark(f"toolChoice is {a(choice)}, not an object", "/toolChoice")
    elif choice.get("mode", "auto") not in ("auto", "required", "none"):
        yield remark("The mode of toolChoice is none of auto, required and none", "/toolChoice/mode")
