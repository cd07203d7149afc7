"""A stream ends with its answer.

`expect.patience` is for how many seconds it may stay open after the last response; comments do not count. Messages
after it are remarked on as well. A stream that the capture ends in is not judged.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends
from mcptest.compliance.rules.transport_http._heads import carries

ID = "TRANSPORT-HTTP-007"
ON = http_ends("POST")._replace(noun="streams")
EXPECT = {"patience"}


def applies(exchange: HttpExchange) -> bool:
    requests = sum(message.kind == "request" for message in exchange.sent)
    return exchange.streams and carries(exchange, "request") and len(exchange.answers) >= requests


def check(exchange: HttpExchange, context: Context) -> Remarks:
    last = exchange.answers[-1]
    after = exchange.received[exchange.received.index(last) + 1 :]
    if after:
        yield f"{len(after)} messages follow the response on its stream"
    if exchange.ended_mono is not None:
        stayed = (exchange.ended_mono - last.mono) / 1e9
        if stayed > context.expect["patience"]:
            yield f"The stream stayed open for {stayed:.1f} s after the response"
