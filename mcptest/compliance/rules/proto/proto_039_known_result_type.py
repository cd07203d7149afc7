"""`resultType` is one that the client can know.

`expect.core` are the specification's own, `expect.extensions` those of official extensions, which need that the request
declares the extension. Any other may belong to an extension that nobody here knows: it remains open if the request
declares one that could have it, and fails if it declares none.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, modern_server, remark, results
from mcptest.compliance.rules.proto._parts import is_stateless

ID = "PROTO-039"
ON = results().of(SERVER)
EXPECT = {"core", "extensions"}
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    request = exchange.request
    typed = type(exchange.result.get("resultType")) is str
    return typed and is_stateless(request) and request.client_capabilities is not None


def check(exchange: Exchange, context: Context) -> Remarks:
    kind = exchange.result["resultType"]
    if kind in context.expect["core"]:
        return
    declared = exchange.request.client_capabilities
    assert declared is not None
    extension = context.expect["extensions"].get(kind)
    if extension is not None:
        if not declared.declares("extensions", extension):
            yield remark(f"resultType is {kind!r}, and the request does not declare {extension}", "/result/resultType")
    elif declared.get("extensions"):
        raise Inconclusive(f"resultType {kind[:40]!r} may belong to an extension")
    else:
        yield remark(f"resultType is {kind[:40]!r}, and no extension is declared", "/result/resultType")
