"""What a rule judges. A selector says which happenings it waits for, and how to take them apart into subjects.

Rules are found by what happens (kind, sender, method), so that a message costs only the rules that care for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mcptest.compliance import parts
from mcptest.compliance.http_side import HTTP_END, HTTP_REQUEST, HTTP_RESPONSE, SSE_EVENT
from mcptest.compliance.reader import END, ERROR, HAPPENING, LINE, LISTING, OBJECT, RESULT, SILENCE
from mcptest.wire.frame import CLIENT, SERVER
from mcptest.wire.message import NOTIFICATION, REQUEST, RESPONSE


class On(NamedTuple):
    """`noun` is what the counts count ("3 of 12 tools"). `sender` is whose doing a subject is: of a message its sender,
    of an exchange who answers; None is either side."""

    noun: str
    events: frozenset[str]
    methods: frozenset[str] | None = None  # None: any
    sender: str | None = None
    parts: Callable[[Any], Iterable[Any]] | None = None

    def of(self, sender: str) -> On:
        """The same, where it is the doing of this side only."""
        return self._replace(sender=sender)


def _on(noun: str, *events: str, methods: tuple[str, ...] = ()) -> On:
    return On(noun, frozenset(events), frozenset(methods) or None)


def inside(outer: On, take: Callable[[Any], Iterable[Any]], noun: str) -> On:
    """Parts of what another selector gives: `take` yields them."""
    return outer._replace(parts=take, noun=noun)


def requests(*methods: str) -> On:
    """Messages: requests of these methods, or all, when they are sent."""
    return _on("requests", REQUEST, methods=methods)


def notifications(*methods: str) -> On:
    """Messages: notifications of these methods, or all."""
    return _on("notifications", NOTIFICATION, methods=methods)


def results(*methods: str) -> On:
    """Exchanges that came to a result, when it is sent."""
    return _on("results", RESULT, methods=methods)


def refusals(*methods: str) -> On:
    """Exchanges that came to an error, when it is sent."""
    return _on("errors", ERROR, methods=methods)


def answers(*methods: str) -> On:
    """Exchanges that came to a result or an error, when it is sent."""
    return _on("answers", RESULT, ERROR, methods=methods)


def exchanges(*methods: str) -> On:
    """Exchanges that came to an answer, when it is sent; and at the end of the session those that did not."""
    return _on("exchanges", RESULT, ERROR, SILENCE, methods=methods)


def listings(*methods: str) -> On:
    """Whole listings, with all their pages, when the last page is there."""
    return _on("listings", LISTING, methods=methods)


def events(*what: str) -> On:
    """What happened to the connection: spawn, eof, signal, exit, stderr (each line of it)."""
    return _on("events", HAPPENING, methods=what)


def http_requests(*verbs: str) -> On:
    """HTTP exchanges when the request is there with its body; the client's doing. Verbs: GET, POST, ..."""
    return _on("HTTP requests", HTTP_REQUEST, methods=verbs)


def http_responses(*verbs: str) -> On:
    """HTTP exchanges when the head of the response is there: status and headers; the server's doing."""
    return _on("HTTP responses", HTTP_RESPONSE, methods=verbs)


def http_ends(*verbs: str) -> On:
    """HTTP exchanges that are over with all they carried, or that the capture ends in; either side's doing."""
    return _on("HTTP exchanges", HTTP_END, methods=verbs)


def sse_events(*names: str) -> On:
    """Events of streams, comments included; those without a name are called message."""
    return _on("events", SSE_EVENT, methods=names)


# Messages: every JSON object on a message channel; responses, also those that answer nothing; objects that are no
# JSON-RPC message; requests and notifications together.
messages = _on("messages", REQUEST, NOTIFICATION, RESPONSE, OBJECT)
responses = _on("responses", RESPONSE)
objects = _on("messages", OBJECT)
calls = _on("requests and notifications", REQUEST, NOTIFICATION)
# Lines: every frame that carries messages, readable or not, blank ones included.
lines = _on("frames", LINE)
# The history of the whole session, once, at its end.
sessions = _on("sessions", END)

# Parts: what a server listed, entry by entry.
tools = inside(results("tools/list").of(SERVER), parts.listed, "tools")
resources = inside(results("resources/list").of(SERVER), parts.listed, "resources")
templates = inside(results("resources/templates/list").of(SERVER), parts.listed, "templates")
prompts = inside(results("prompts/list").of(SERVER), parts.listed, "prompts")

# Parts: content blocks, wherever the core specification has them.
blocks = (
    inside(results("tools/call").of(SERVER), parts.tool_content, "content blocks"),
    inside(results("prompts/get").of(SERVER), parts.prompt_content, "content blocks"),
    inside(requests("sampling/createMessage").of(SERVER), parts.sampling_request_content, "content blocks"),
    inside(results("sampling/createMessage").of(CLIENT), parts.sampling_result_content, "content blocks"),
)
