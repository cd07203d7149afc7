"""What a tool gives has the shape that its output schema promises.

Judged on results without `isError` of tools that were listed with an `outputSchema` before the call:
`structuredContent` must be there and fit. Open if the list of tools changed in between, if the schema cannot be used
without the network or is in an unknown dialect, or if a part of the result was redacted.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, remark, results
from mcptest.compliance.rules.tools._calls import Schemas, definition, given, outdated

ID = "TOOLS-010"
ON = results("tools/call").of(SERVER)
MEMORY = Schemas


def applies(exchange: Exchange) -> bool:
    tool = definition(exchange)
    if tool is None or type(tool.members.get("outputSchema")) is not dict:
        return False
    return given(exchange) and exchange.result.get("isError") is not True


def check(exchange: Exchange, context: Context) -> Remarks:
    tool, result = definition(exchange), exchange.result
    assert tool is not None
    if "structuredContent" not in result:
        _rely_on_definition(exchange)
        yield remark(f"The tool {tool.name[:80]!r} has an output schema, but gave no structuredContent", "/result")
        return
    found = context.memory.problems(tool.name, tool.members["outputSchema"], result["structuredContent"])
    if found:
        _rely_on_definition(exchange)
        if exchange.place.redacted or tool.message.redacted:
            raise Inconclusive("a part of the message was redacted")
    for problem in found:
        at = "/result/structuredContent" + problem.pointer
        yield remark(f"structuredContent does not fit the tool's output schema: {problem.message[:200]}", at)


def _rely_on_definition(exchange: Exchange) -> None:
    if outdated(exchange):
        raise Inconclusive("the list of tools has changed since it was read")
