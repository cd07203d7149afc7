"""The body of a POST is what the revision allows.

`expect.kinds` are the kinds of messages that a client may send, `expect.batches` whether several may stand in an array:
then requests and notifications, or responses, not both. An object that is no message at all is left to the JSON-RPC
rules, and a body that was not captured in full is not judged.
"""

import orjson

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM
from mcptest.wire.heads import is_json

ID = "TRANSPORT-HTTP-003"
ON = http_requests("POST")
EXPECT = {"kinds", "batches"}


def applies(exchange: HttpExchange) -> bool:
    if not exchange.mcp or not exchange.whole_request:
        return False
    means_mcp = is_json(exchange.content_type) or EVENT_STREAM in (exchange.header("accept") or "").lower()
    return bool(exchange.sent) or means_mcp


def check(exchange: HttpExchange, context: Context) -> Remarks:
    kinds = {message.kind for message in exchange.sent}
    if not (exchange.body or b"").strip():
        yield "The POST has no body"
        return
    try:
        body = orjson.loads(exchange.body or b"")
    except orjson.JSONDecodeError:
        yield "The body of the POST is no JSON"
        return
    if type(body) is list:
        if not context.expect["batches"]:
            yield "The body of the POST is an array"
        elif not body:
            yield "The body of the POST is an empty array"
        elif "response" in kinds and kinds & {"request", "notification"}:
            yield "The array holds responses as well as requests or notifications"
        return
    for kind in sorted(kinds - {"malformed"} - set(context.expect["kinds"])):
        yield f"The body of the POST is a {kind}"
