"""The session that a server has named, as far as its client can know of it."""

from mcptest.compliance.kit import Exchange, HttpExchange, http_ends, http_requests, http_responses, results
from mcptest.compliance.rules.transport_http._heads import EVENT_STREAM, error_code, opens
from mcptest.protocol import errors

# What a 404 is about shows in its body, so that is waited for; a DELETE often has none.
WATCH = (results("initialize"), http_requests("POST"), http_responses("DELETE"), http_ends("POST"))


class Session:
    """`id` is what the server gave with its InitializeResult, or None. `begun`: the client has shown that it got that
    result. `over`: the session was ended, by a DELETE or a 404. `ours`: a probe of our own has opened it."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.opened = self.begun = self.ours = False
        self.over: HttpExchange | None = None

    def watch(self, subject: Exchange | HttpExchange) -> None:
        if isinstance(subject, Exchange):
            http = subject.place.http
            if http is not None and http.ok:
                self.id, self.opened, self.begun, self.over = http.assigned, True, False, None
                self.ours = subject.synthetic
        elif self.opened and any(message.method == "notifications/initialized" for message in subject.sent):
            self.begun = True
        if isinstance(subject, HttpExchange) and self.id and subject.session_id == self.id and ends_session(subject):
            self.over = subject

    def over_before(self, exchange: HttpExchange) -> bool:
        """Had the session ended, or was it ending, when this exchange came to its end?"""
        return self.over is not None and (exchange.ended_mono is None or self.over.mono < exchange.ended_mono)


def ends_session(exchange: HttpExchange) -> bool:
    if exchange.verb == "DELETE":
        return exchange.ok
    return is_gone(exchange)


def is_gone(exchange: HttpExchange) -> bool:
    """A 404 for the session, rather than for a method or a route: many servers have none for GET and DELETE."""
    if exchange.verb != "POST" or exchange.status != 404 or exchange.session_id is None:
        return False
    return error_code(exchange) != errors.METHOD_NOT_FOUND


def is_listening(exchange: HttpExchange) -> bool:
    """A GET that is meant for MCP, rather than somebody's look at the address."""
    if exchange.verb != "GET":
        return False
    own = (exchange.session_id, exchange.last_event_id, exchange.header("mcp-protocol-version"))
    return any(value is not None for value in own) or EVENT_STREAM in (exchange.header("accept") or "").lower()


def belongs(exchange: HttpExchange) -> bool:
    """A request that belongs to the session, and does not open one."""
    if not exchange.mcp or opens(exchange):
        return False
    return exchange.verb == "DELETE" or is_listening(exchange) or (exchange.verb == "POST" and bool(exchange.sent))
