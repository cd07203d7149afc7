"""A tool's output schema has a root that the revision allows.

Until 2025-11-25 it describes an object, as the input schema does. Since 2026-07-28 it may be any schema, but still one
that is written as an object. `expect.root_types` are the types allowed; any, where none is named.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark, tools

ID = "TOOLS-013"
ON = tools
EXPECT = {"root_types"}


def applies(tool: Part) -> bool:
    return "outputSchema" in tool.members


def check(tool: Part, context: Context) -> Remarks:
    schema, allowed = tool.members["outputSchema"], context.expect["root_types"]
    if type(schema) is not dict:
        yield remark(f"outputSchema is {a(schema)}, not a schema", "/outputSchema")
    elif allowed and "type" not in schema:
        yield remark(f"outputSchema has no type; allowed is: {', '.join(allowed)}", "/outputSchema")
    elif allowed and schema["type"] not in allowed:
        said = repr(schema["type"][:40]) if type(schema["type"]) is str else a(schema["type"])
        yield remark(f"outputSchema has the type {said}; allowed is: {', '.join(allowed)}", "/outputSchema/type")
