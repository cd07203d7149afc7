"""Each message of a client is a POST of its own, to one address.

Judged are messages in requests of another kind, and messages of one named session that go to different paths, unless a
redirect led there. Without a session's name, two paths may be two servers.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_requests, http_responses

ID = "TRANSPORT-HTTP-001"
ON = http_requests()
WATCH = http_responses()


class MEMORY:
    def __init__(self) -> None:
        self.paths: dict[str, str] = {}  # by session
        self.redirects = False


def watch(exchange: HttpExchange, context: Context) -> None:
    memory: MEMORY = context.memory
    if exchange.status is not None and 300 <= exchange.status < 400:
        memory.redirects = True
    named = exchange.assigned or exchange.session_id
    if exchange.ok and exchange.verb == "POST" and exchange.sent and named:
        memory.paths.setdefault(named, exchange.path)


def applies(exchange: HttpExchange) -> bool:
    return bool(exchange.sent)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    if exchange.verb != "POST":
        yield f"A message is sent with {exchange.verb[:20]}, not with POST"
        return
    path = memory.paths.get(exchange.session_id or "")
    if path is not None and path != exchange.path and not memory.redirects:
        yield f"A message goes to {exchange.path[:80]}, others of its session go to {path[:80]}"
