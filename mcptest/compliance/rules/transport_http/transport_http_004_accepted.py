"""What needs no answer gets 202 and nothing else.

Or a status that says it was refused. `expect.kinds` are the messages that this is about; a redirect is not judged.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends

ID = "TRANSPORT-HTTP-004"
ON = http_ends("POST")._replace(noun="POSTs")
EXPECT = {"kinds"}


def applies(exchange: HttpExchange, context: Context) -> bool:
    kinds = {message.kind for message in exchange.sent}
    return bool(kinds) and kinds <= set(context.expect["kinds"]) and exchange.status is not None


def check(exchange: HttpExchange) -> Remarks:
    if not exchange.ok:
        return
    if exchange.status != 202:
        yield f"A POST without a request is answered with {exchange.status}, not with 202"
    elif exchange.answer_body:
        yield f"The 202 has a body of {len(exchange.answer_body)} bytes"
