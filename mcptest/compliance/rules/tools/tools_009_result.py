"""A tool's result has an array of content.

`isError`, where it is there, is a boolean. A question back to the client, a task and a protocol error are no results of
a tool.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, a, remark, results
from mcptest.compliance.rules.tools._calls import given

ID = "TOOLS-009"
ON = results("tools/call").of(SERVER)


def applies(exchange: Exchange) -> bool:
    return given(exchange)


def check(exchange: Exchange) -> Remarks:
    result = exchange.result
    if "content" not in result:
        yield remark("The tool's result has no content", "/result")
    elif type(result["content"]) is not list:
        yield remark(f"content is {a(result['content'])}, not an array", "/result/content")
    if "isError" in result and type(result["isError"]) is not bool:
        yield remark(f"isError is {a(result['isError'])}, not a boolean", "/result/isError")
