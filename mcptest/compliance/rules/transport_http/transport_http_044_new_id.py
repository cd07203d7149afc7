"""A request that was lost with its stream is sent again under a new id.

The same request is one with the same method and parameters. A request that was refused, with an error's status, was not
lost: with better credentials it may come again as it was. Nor is one judged that got no answer at all, which HTTP's
own libraries send again by themselves.
"""

from mcptest.compliance.kit import Context, HttpExchange, Id, Message, Remarks, http_ends, http_requests, same
from mcptest.compliance.rules.transport_http._mirrors import request_of

ID = "TRANSPORT-HTTP-044"
ON = http_requests("POST")._replace(noun="repeated requests")
WATCH = http_ends("POST")
MEMORY = dict[Id, Message]
_MOST = 1000


def watch(exchange: HttpExchange, context: Context) -> None:
    request = request_of(exchange)
    if request is None or request.id is None or not exchange.ended or exchange.answers:
        return
    if exchange.ok and exchange.streams:
        context.memory[request.id] = request
        if len(context.memory) > _MOST:
            del context.memory[next(iter(context.memory))]


def applies(exchange: HttpExchange, context: Context) -> bool:
    request = request_of(exchange)
    return request is not None and any(_is_same(request, lost) for lost in context.memory.values())


def check(exchange: HttpExchange, context: Context) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    assert request.id is not None
    lost = context.memory.get(request.id)
    if lost is not None and _is_same(request, lost):
        yield f"The request in frame {lost.seq} was lost, and is sent again under the same id"


def _is_same(request: Message, lost: Message) -> bool:
    if request.method != lost.method:
        return False
    one, other = ({key: value for key, value in each.params.items() if key != "_meta"} for each in (request, lost))
    return same(one, other)
