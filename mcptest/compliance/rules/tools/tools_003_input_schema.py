"""A tool's input schema describes an object.

`inputSchema` is a JSON Schema whose own `type` is `object`: arguments are always an object. Neither null nor a boolean
will do. That it is there at all is for TOOLS-002.
"""

from mcptest.compliance.kit import Part, Remarks, a, remark, tools

ID = "TOOLS-003"
ON = tools


def applies(tool: Part) -> bool:
    return "inputSchema" in tool.members


def check(tool: Part) -> Remarks:
    schema = tool.members["inputSchema"]
    if type(schema) is not dict:
        yield remark(f"inputSchema is {a(schema)}, not a schema", "/inputSchema")
    elif "type" not in schema:
        yield remark("inputSchema has no type; it must be 'object'", "/inputSchema")
    elif schema["type"] != "object":
        said = repr(schema["type"][:40]) if type(schema["type"]) is str else a(schema["type"])
        yield remark(f"inputSchema has the type {said}, not 'object'", "/inputSchema/type")
