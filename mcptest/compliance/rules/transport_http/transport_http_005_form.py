"""A request is answered with one JSON object or with a stream of events.

`expect.arrays`: an array is as good, as the answer to a batch. Judged are answers that are no errors of HTTP; a body
that is not there to its end is judged by its type only.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, a, http_ends
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM, JSON, carries

ID = "TRANSPORT-HTTP-005"
ON = http_ends("POST")._replace(noun="POSTs")
EXPECT = {"arrays"}


def applies(exchange: HttpExchange) -> bool:
    return carries(exchange, "request") and exchange.ok


def check(exchange: HttpExchange, context: Context) -> Remarks:
    if exchange.status in (202, 204):
        yield f"A request is answered with {exchange.status}, which holds no answer"
    elif exchange.answer_type == JSON:
        if not exchange.whole_answer:
            return
        body = exchange.answer_json
        if not (exchange.answer_body or b"").strip():
            yield "The answer has no body"
        elif body is None and (exchange.answer_body or b"").strip() != b"null":
            yield "The body of the answer is no JSON"
        elif type(body) is list and context.expect["arrays"]:
            return
        elif type(body) is not dict:
            yield f"The body of the answer is {a(body)}, not an object"
    elif exchange.answer_type != EVENT_STREAM:
        yield f"A request is answered with the type {exchange.answer_type[:80]!r}"
