"""Tool's inputSchema is missing or does not describe an object.

Arguments are always a JSON object, so `inputSchema` has to be a schema object with `"type": "object"` at its root.
Clients refuse others, sometimes together with the whole list. An `outputSchema` has to be a schema object too.
A tool without arguments says `{"type": "object", "additionalProperties": false}`.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool, a
from mcptest.rules import Remark, Severity, tools

ID = "CAT-003"
SEVERITY = Severity.ERROR
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    if not isinstance(tool.raw, dict):
        return
    if "inputSchema" not in tool.raw:
        yield Remark("inputSchema is missing")
    elif not isinstance(tool.input_schema, dict):
        yield Remark(f"inputSchema is {a(tool.input_schema)}, not a schema object", "/inputSchema")
    elif "type" not in tool.input_schema:
        yield Remark('inputSchema has no "type": "object"', "/inputSchema")
    elif tool.input_schema["type"] != "object":
        yield Remark('the type of inputSchema is not "object"', "/inputSchema/type")
    if "outputSchema" in tool.raw and not isinstance(tool.output_schema, dict):
        yield Remark(f"outputSchema is {a(tool.output_schema)}, not a schema object", "/outputSchema")
