"""The schemas of tools are valid JSON Schema.

`$schema` names the dialect. Without it 2020-12 is meant since 2025-11-25; before, nothing was said, and it is enough if
a schema is valid in one of the usual dialects. Unknown keywords and formats are legal, and nothing is fetched. Open
where the dialect is not known here. `expect.dialects` are those that a schema without `$schema` may be written in.
"""

from collections.abc import Iterator

from mcptest import schemas
from mcptest.compliance.kit import (
    SERVER,
    Context,
    Inconclusive,
    Message,
    Part,
    Remarks,
    inside,
    pointer,
    remark,
    requests,
    tools,
)

ID = "SCHEMA-004"
EXPECT = {"dialects"}
_MOST = 5


def _offered(request: Message) -> Iterator[Part]:
    """Tools that a server lends to the client's model."""
    offered = request.params.get("tools")
    for number, tool in enumerate(offered if type(offered) is list else ()):
        name = tool.get("name") if type(tool) is dict else None
        yield Part("tool", name if type(name) is str else "", tool, request, pointer("params", "tools", number))


ON = (tools, inside(requests("sampling/createMessage").of(SERVER), _offered, "tools"))


def applies(tool: Part) -> bool:
    return any(type(tool.members.get(key)) is dict for key in ("inputSchema", "outputSchema"))


def check(tool: Part, context: Context) -> Remarks:
    for key in ("inputSchema", "outputSchema"):
        schema = tool.members.get(key)
        if type(schema) is not dict:
            continue
        named = schemas.dialect(schema)
        if named is None:
            raise Inconclusive(f"{key} is in a dialect that is not known here")
        dialects = [named] if "$schema" in schema else context.expect["dialects"]
        if any(schemas.meta(dialect).is_valid(schema) for dialect in dialects):
            continue
        problems = dict.fromkeys(schemas.meta(dialects[0]).problems(schema))
        for problem in list(problems)[:_MOST]:
            text = f"{key} of the tool {tool.name[:80]!r} is no valid schema: {problem.message[:200]}"
            yield remark(text, pointer(key) + problem.pointer)
