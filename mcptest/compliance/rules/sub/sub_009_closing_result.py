"""The result that ends a subscription is complete, and names it.

`io.modelcontextprotocol/subscriptionId` in its `_meta` is the id of the request; `"1"` is not `1`.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, a, identify, modern_server, remark, results
from mcptest.protocol import SUBSCRIPTION_ID
from mcptest.protocol.methods import LISTEN

ID = "SUB-009"
ON = results(LISTEN).of(SERVER)._replace(noun="ends of subscriptions")
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    return exchange.modern


def check(exchange: Exchange) -> Remarks:
    answer = exchange.answer
    assert answer is not None
    kind = exchange.result.get("resultType")
    if kind != "complete":
        yield remark(
            f"resultType is {kind!r}, not 'complete'" if type(kind) is str else f"resultType is {a(kind)}", "/result"
        )
    if SUBSCRIPTION_ID not in answer.meta:
        yield remark("The result does not say which subscription it ends", "/result")
    elif (
        identify(answer.meta[SUBSCRIPTION_ID], answer.raw, ("result", "_meta", SUBSCRIPTION_ID)) != exchange.request.id
    ):
        at = "/result/_meta/io.modelcontextprotocol~1subscriptionId"
        yield remark("The result names another subscription than the one that it ends", at)
