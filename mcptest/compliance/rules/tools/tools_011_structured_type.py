"""Structured content is of a type that the revision allows.

Until 2025-11-25 that is an object; since 2026-07-28 it may be any value. Null then means that the tool gave null, not
that it gave nothing, so it is mentioned. `expect.types` are the JSON types allowed.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, a, info, json_type, remark, results
from mcptest.compliance.rules.tools._calls import given

ID = "TOOLS-011"
ON = results("tools/call").of(SERVER)
EXPECT = {"types"}
_AT = "/result/structuredContent"


def applies(exchange: Exchange) -> bool:
    return "structuredContent" in exchange.result and given(exchange)


def check(exchange: Exchange, context: Context) -> Remarks:
    value = exchange.result["structuredContent"]
    allowed = context.expect["types"]
    if json_type(value) not in allowed:
        yield remark(f"structuredContent is {a(value)}; allowed is: {', '.join(allowed)}", _AT)
    elif value is None:
        yield info("structuredContent is null: left out, it would say that there is none", _AT)
