"""Ways to break a sound session over HTTP, each with the rule that it breaks; `also` are MUST rules that fall with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from mcptest.wire.frame import EVENT, RESPONSE_BODY, SSE
from tests.compliance.http_tape import Entry, Exchange, Tape

SESSIONS, JSON_ANSWERS, OLDER, STATELESS, HTTP_SSE = "sessions", "JSON", "older sessions", "stateless", "HTTP+SSE"
SECOND = 1_000_000_000
VERSION, SESSION = "MCP-Protocol-Version", "Mcp-Session-Id"
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "client", "version": "1.0"},
}


class Break(NamedTuple):
    name: str
    rule: str
    era: str
    also: frozenset[str]
    how: Callable[[Tape], object]

    def __str__(self) -> str:
        return f"{self.rule} {self.name} [{self.era}]"


BREAKS: list[Break] = []


def breaks(rule: str, *eras: str, also: str = "") -> Callable[[Callable[[Tape], object]], Callable[[Tape], object]]:
    """The function breaks this rule in sessions of these eras."""

    def note(how: Callable[[Tape], object]) -> Callable[[Tape], object]:
        name = how.__name__.replace("_", " ")
        BREAKS.extend(Break(name, rule, era, frozenset(also.split()), how) for era in eras or (SESSIONS,))
        return how

    return note


def notify(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def notice(tape: Tape) -> Exchange:
    return tape.post("notifications/initialized")


def with_id(entry: Entry, identity: str) -> None:
    entry.data = f"id: {identity}\r\n".encode() + entry.data


def stream(tape: Tape) -> Exchange:
    """The exchange of the call that reports its progress."""
    return tape.call("survey")


# ---- what a client sends


@breaks("TRANSPORT-HTTP-001", SESSIONS, STATELESS)
def a_message_with_put(tape: Tape) -> None:
    tape.post("tools/list").head.set_start("PUT /mcp HTTP/1.1")


@breaks("TRANSPORT-HTTP-001")
def another_path_in_the_session(tape: Tape) -> None:
    tape.post("prompts/list").head.set_start("POST /elsewhere HTTP/1.1")


@breaks("TRANSPORT-HTTP-002", SESSIONS, STATELESS)
def no_accept(tape: Tape) -> object:
    return tape.post("tools/list").asks("Accept", None)


@breaks("TRANSPORT-HTTP-002", SESSIONS, STATELESS)
def only_streams_accepted(tape: Tape) -> object:
    return tape.post("prompts/list").asks("Accept", "text/event-stream, application/json;q=0")


@breaks("TRANSPORT-HTTP-003")
def a_body_that_is_no_json(tape: Tape) -> None:
    tape.again(tape.post("tools/list")).refuse(400).body.data = b"tools/list, please"


@breaks("TRANSPORT-HTTP-003", also="JSONRPC-011")
def several_in_an_array(tape: Tape) -> None:
    body = notice(tape).body
    body.set_message([body.message])


@breaks("TRANSPORT-HTTP-003", STATELESS, also="JSONRPC-005 JSONRPC-020")
def a_response_of_the_client(tape: Tape) -> None:
    exchange = tape.again(tape.post("tools/list"))
    exchange.refuse(202).body.set_message({"jsonrpc": "2.0", "id": 99, "result": {}})


@breaks("TRANSPORT-HTTP-009")
def a_get_that_asks_for_nothing(tape: Tape) -> object:
    return tape.verb("GET").asks("Accept", "application/json")


@breaks("TRANSPORT-HTTP-015")
def a_post_without_the_session(tape: Tape) -> object:
    return tape.post("tools/list").asks(SESSION, None)


@breaks("TRANSPORT-HTTP-015")
def a_stream_without_the_session(tape: Tape) -> object:
    return tape.verb("GET").asks(SESSION, None)


@breaks("TRANSPORT-HTTP-015", JSON_ANSWERS)
def another_session(tape: Tape) -> object:
    return tape.post("prompts/get").asks(SESSION, "f" * 32)


@breaks("TRANSPORT-HTTP-018")
def on_with_a_dead_session(tape: Tape) -> None:
    text = "Session not found"
    tape.drop(tape.verb("DELETE"))
    dead = tape.again(tape.post("prompts/get")).renumber(97).refuse(404, -32001, text)
    tape.again(tape.post("tools/list"), after=dead.last, pause=2 * SECOND).renumber(98).refuse(404, -32001, text)


@breaks("TRANSPORT-HTTP-024", SESSIONS, STATELESS)
def no_version_in_the_headers(tape: Tape) -> object:
    return tape.post("tools/list").asks(VERSION, None)


@breaks("TRANSPORT-HTTP-025")
def not_the_version_that_was_agreed_on(tape: Tape) -> object:
    return tape.post("tools/list").asks(VERSION, "2025-03-26")


@breaks("TRANSPORT-HTTP-025", STATELESS)
def not_the_version_of_the_body(tape: Tape) -> object:
    return tape.post("tools/list").asks(VERSION, "2025-11-25").refuse(400, -32020)


@breaks("TRANSPORT-HTTP-028", STATELESS)
def no_method_in_the_headers(tape: Tape) -> object:
    return tape.post("prompts/list").asks("Mcp-Method", None).refuse(400, -32020)


@breaks("TRANSPORT-HTTP-029", STATELESS)
def another_name_in_the_headers(tape: Tape) -> object:
    return tape.post("prompts/get").asks("Mcp-Name", "another").refuse(400, -32020)


@breaks("TRANSPORT-HTTP-030", STATELESS, also="TRANSPORT-HTTP-029")
def raw_bytes_in_a_header(tape: Tape) -> object:
    exchange = tape.post("prompts/get").change(lambda body: body["params"].update(name="größe"))
    return exchange.asks("Mcp-Name", "größe".encode()).refuse(400, -32020)


@breaks("TRANSPORT-HTTP-031", STATELESS)
def an_argument_that_is_not_repeated(tape: Tape) -> object:
    mark(tape)
    return tape.call("forecast").refuse(400, -32020)


@breaks("TRANSPORT-HTTP-044", STATELESS)
def a_lost_request_under_its_old_id(tape: Tape) -> None:
    exchange = stream(tape)
    tape.again(exchange)
    for entry in exchange.events:
        tape.drop(entry)
    exchange.closing.data = json.dumps(
        {"event": "stream closed", "by": "server", "how": "reset", "x": exchange.number}
    ).encode()


@breaks("TRANSPORT-HTTP-045", STATELESS)
def resuming_where_nothing_resumes(tape: Tape) -> object:
    return tape.post("tools/list").asks("Last-Event-ID", "7")


@breaks("TRANSPORT-HTTP-047", STATELESS, also="TRANSPORT-HTTP-028")
def back_to_a_handshake(tape: Tape) -> None:
    refused = tape.again(tape.post("prompts/list")).asks("Mcp-Method", None).refuse(400, -32020)
    opening = tape.again(tape.post("prompts/list"), after=refused.last).refuse(404, -32601)
    opening.asks("Mcp-Method", None).asks(VERSION, None)
    opening.renumber(98).change(lambda body: body.update(method="initialize", params=INITIALIZE))
    after = False
    for exchange in tape.exchanges():
        if after:
            tape.drop(exchange)
        after = after or exchange.number == opening.number


@breaks("TRANSPORT-HTTP-052", STATELESS, also="TRANSPORT-HTTP-031")
def the_same_headers_again(tape: Tape) -> None:
    mark(tape)
    tape.again(tape.call("forecast").refuse(400, -32020, "Mcp-Param-City is missing")).renumber(97)


# ---- how a server answers


@breaks("TRANSPORT-HTTP-004")
def ok_for_a_notification(tape: Tape) -> object:
    return notice(tape).status(200)


@breaks("TRANSPORT-HTTP-004")
def a_body_for_a_response(tape: Tape) -> object:
    exchange = tape.reply_post().answers("Content-Length", "2").answers("Content-Type", "text/plain")
    return tape.add(RESPONSE_BODY, b"ok", exchange, after=exchange.response)


@breaks("TRANSPORT-HTTP-005", JSON_ANSWERS, STATELESS)
def text_for_a_request(tape: Tape) -> object:
    return tape.post("tools/list").answers("Content-Type", "text/plain")


@breaks("TRANSPORT-HTTP-005")
def accepted_for_a_request(tape: Tape) -> object:
    return tape.post("prompts/list").refuse(202)


@breaks("TRANSPORT-HTTP-005", JSON_ANSWERS, also="JSONRPC-011 JSONRPC-001")
def an_array_for_one_request(tape: Tape) -> None:
    reply = tape.post("tools/list").reply
    reply.set_message([reply.message])


@breaks("TRANSPORT-HTTP-006", SESSIONS, STATELESS)
def a_stream_without_its_answer(tape: Tape) -> None:
    tape.drop(stream(tape).reply)


@breaks("TRANSPORT-HTTP-042", OLDER)
def closed_before_the_answer(tape: Tape) -> None:
    tape.drop(stream(tape).reply)


@breaks("TRANSPORT-HTTP-007", SESSIONS, STATELESS)
def a_stream_that_stays(tape: Tape) -> None:
    stream(tape).closing.pause = 7 * SECOND


@breaks("TRANSPORT-HTTP-007", SESSIONS, STATELESS, also="LOG-001")
def more_after_the_answer(tape: Tape) -> object:
    exchange = stream(tape)
    message = notify("notifications/message", level="info", data="more")
    return tape.add(SSE, message, exchange, after=exchange.reply)


@breaks("TRANSPORT-HTTP-008", STATELESS, also="JSONRPC-020")
def a_request_on_a_stream(tape: Tape) -> object:
    exchange = stream(tape)
    body = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    return tape.add(SSE, body, exchange, after=exchange.response)


@breaks("TRANSPORT-HTTP-008", STATELESS, also="SUB-007")
def a_change_on_a_requests_stream(tape: Tape) -> object:
    exchange = stream(tape)
    return tape.add(SSE, notify("notifications/tools/list_changed"), exchange, after=exchange.response)


@breaks("TRANSPORT-HTTP-010")
def a_get_that_fails(tape: Tape) -> None:
    get = tape.verb("GET")
    for entry in [one for one in tape.entries if one.exchange == get.number and one.channel in (SSE, EVENT)]:
        tape.drop(entry)
    get.status(500).answers("Content-Type", None).answers("Content-Length", "0")


@breaks("TRANSPORT-HTTP-011")
def an_answer_on_the_wrong_stream(tape: Tape) -> None:
    get, exchange = tape.verb("GET"), tape.post("tools/list")
    reply = exchange.reply
    tape.add(SSE, reply.data, get, after=reply)
    tape.drop(reply)


@breaks("JSONRPC-005")
def an_answer_in_anothers_exchange(tape: Tape) -> None:
    """The answer to the list of tools comes on the stream of the call that follows."""
    reply, other = tape.post("tools/list").reply, tape.call("forecast")
    tape.add(SSE, reply.data, other, after=other.response)
    tape.drop(reply)


@breaks("TRANSPORT-HTTP-012")
def progress_beside_its_stream(tape: Tape) -> None:
    get, exchange = tape.verb("GET"), stream(tape)
    progress = exchange.events[0]
    tape.add(SSE, progress.data, get, after=progress)
    tape.drop(progress)


@breaks("TRANSPORT-HTTP-013", also="JSONRPC-003")
def a_request_on_two_streams(tape: Tape) -> object:
    get, exchange = tape.verb("GET"), tape.call("convert")
    return tape.add(SSE, exchange.events[0].data, get, after=exchange.events[0])


@breaks("TRANSPORT-HTTP-014", JSON_ANSWERS)
def a_space_in_the_session(tape: Tape) -> None:
    tape.replace(tape.session_id(), "a session id with spaces in it, and long")


@breaks("TRANSPORT-HTTP-021", JSON_ANSWERS)
def sessions_by_number(tape: Tape) -> None:
    tape.replace(tape.session_id(), "17")


@breaks("TRANSPORT-HTTP-016", JSON_ANSWERS, also="TRANSPORT-HTTP-015")
def not_found_for_no_session(tape: Tape) -> object:
    return tape.again(tape.post("tools/list")).renumber(97).asks(SESSION, None).refuse(404)


@breaks("TRANSPORT-HTTP-017", SESSIONS, JSON_ANSWERS)
def a_session_after_its_end(tape: Tape) -> None:
    tape.again(tape.post("tools/list"), after=tape.verb("DELETE").last).renumber(97)


@breaks("TRANSPORT-HTTP-019")
def no_farewell(tape: Tape) -> None:
    tape.drop(tape.verb("DELETE"))
    left = [one for one in tape.entries if one.channel == EVENT and b'"disconnected"' in one.data]
    for entry in left:
        entry.data = entry.data.replace(b'"mcptest"', b'"client"')


@breaks("TRANSPORT-HTTP-022", STATELESS)
def a_session_that_nobody_needs(tape: Tape) -> object:
    return tape.post("tools/list").answers(SESSION, "5e551011")


@breaks("TRANSPORT-HTTP-023")
def anothers_messages_replayed(tape: Tape) -> None:
    first, second = tape.post("tools/list"), tape.call("forecast")
    with_id(first.reply, "a1")
    with_id(second.reply, "b1")
    back = tape.again(tape.verb("GET"), after=second.last).asks("Last-Event-ID", "a1")
    tape.add(SSE, second.reply.data, back, after=back.response)


@breaks("TRANSPORT-HTTP-026")
def a_version_that_never_was(tape: Tape) -> object:
    return tape.post("tools/list").asks(VERSION, "1999-12-31")


@breaks("TRANSPORT-HTTP-026", STATELESS, also="PROTO-036")
def a_version_that_never_was_in_the_body(tape: Tape) -> None:
    exchange = tape.post("tools/list").asks(VERSION, "1999-12-31")
    exchange.change(
        lambda body: body["params"]["_meta"].update({"io.modelcontextprotocol/protocolVersion": "1999-12-31"})
    )


@breaks("TRANSPORT-HTTP-027", STATELESS, also="TRANSPORT-HTTP-028")
def headers_that_nobody_checked(tape: Tape) -> object:
    return tape.post("prompts/list").asks("Mcp-Method", "tools/list")


@breaks("TRANSPORT-HTTP-027", STATELESS, also="TRANSPORT-HTTP-029")
def a_name_that_nobody_checked(tape: Tape) -> object:
    return tape.call("survey").asks("Mcp-Name", "forecast")


@breaks("TRANSPORT-HTTP-032", STATELESS, also="TRANSPORT-HTTP-031")
def arguments_that_nobody_checked(tape: Tape) -> object:
    mark(tape)
    return tape.call("forecast").asks("Mcp-Param-City", "Paris")


@breaks("TRANSPORT-HTTP-033", STATELESS)
def ok_for_an_unknown_method(tape: Tape) -> object:
    exchange = tape.again(tape.post("tools/list")).renumber(97).refuse(200, -32601)
    return exchange.change(lambda body: body.update(method="weather/forecast")).asks("Mcp-Method", "weather/forecast")


@breaks("TRANSPORT-HTTP-034", STATELESS, also="PROTO-041 JSONRPC-016")
def ok_for_a_missing_capability(tape: Tape) -> object:
    return tape.call("forecast").refuse(200, -32021)


@breaks("TRANSPORT-HTTP-035", JSON_ANSWERS, STATELESS)
def served_to_any_web_page(tape: Tape) -> object:
    return tape.post("tools/list").asks("Origin", "http://evil.example")


@breaks("TRANSPORT-HTTP-037", STATELESS)
def a_stream_that_proxies_hold_back(tape: Tape) -> object:
    return stream(tape).answers("X-Accel-Buffering", None)


@breaks("TRANSPORT-HTTP-038")
def the_same_event_id_on_two_streams(tape: Tape) -> None:
    with_id(tape.post("tools/list").reply, "1")
    with_id(tape.call("forecast").reply, "1")


@breaks("TRANSPORT-HTTP-039")
def ids_but_not_at_once(tape: Tape) -> None:
    with_id(stream(tape).reply, "1")


@breaks("TRANSPORT-HTTP-040")
def closed_without_a_word_when_to_come_back(tape: Tape) -> None:
    exchange = stream(tape)
    with_id(exchange.events[0], "1")
    tape.drop(exchange.reply)


@breaks("TRANSPORT-HTTP-041")
def back_too_soon(tape: Tape) -> None:
    exchange = stream(tape)
    reply = exchange.reply
    with_id(exchange.events[-2], "1")
    exchange.events[-2].data = b"retry: 3000\r\n" + exchange.events[-2].data
    tape.drop(reply)
    back = tape.again(tape.verb("GET"), after=exchange.last).asks("Last-Event-ID", "1")
    tape.add(SSE, reply.data, back, after=back.response)


@breaks("TRANSPORT-HTTP-049", STATELESS)
def headers_refused_for_nothing(tape: Tape) -> object:
    return tape.post("prompts/list").refuse(400, -32020)


@breaks("TRANSPORT-HTTP-050", JSON_ANSWERS, also="TRANSPORT-HTTP-024")
def refused_for_want_of_a_version(tape: Tape) -> object:
    exchange = tape.again(tape.post("tools/list")).renumber(97).asks(VERSION, None)
    return exchange.refuse(400, -32600, "Missing MCP-Protocol-Version header")


@breaks("TRANSPORT-HTTP-051")
def nobody_comes_back(tape: Tape) -> None:
    exchange = stream(tape)
    with_id(exchange.events[0], "1")
    tape.drop(exchange.reply)
    tape.post("prompts/list").head.pause = 10 * SECOND


@breaks("TRANSPORT-HTTP-010", STATELESS)
def a_get_that_is_not_there_any_more(tape: Tape) -> None:
    get = tape.again(tape.post("prompts/list"), after=without_the_older_era(tape).last).refuse(200)
    tape.drop(get.body)
    get.head.set_start("GET /mcp HTTP/1.1")
    get.asks("Content-Length", None).asks("Mcp-Method", None)


@breaks("TRANSPORT-HTTP-054", STATELESS)
def refused_for_an_older_header(tape: Tape) -> object:
    refused = tape.again(tape.post("prompts/list"), after=without_the_older_era(tape).last).renumber(97)
    return refused.asks(SESSION, "5e551011").refuse(404, -32001, "Session not found")


@breaks("TRANSPORT-HTTP-053", JSON_ANSWERS, STATELESS)
def posts_are_not_taken_any_more(tape: Tape) -> object:
    return tape.post("prompts/list").refuse(405)


# ---- HTTP+SSE


@breaks("TRANSPORT-SSE-001", HTTP_SSE)
def something_before_the_endpoint(tape: Tape) -> object:
    get = tape.verb("GET")
    return tape.add(SSE, b"event: hello\r\ndata: 1", get, after=get.response)


@breaks("TRANSPORT-SSE-002", HTTP_SSE)
def a_message_elsewhere(tape: Tape) -> None:
    tape.post("tools/list").head.set_start("POST /elsewhere HTTP/1.1")


@breaks("TRANSPORT-SSE-003", HTTP_SSE, also="TRANSPORT-SSE-003")
def an_event_that_is_no_message(tape: Tape) -> object:
    get = tape.verb("GET")
    return tape.add(SSE, b"event: message\r\ndata: hello", get, after=get.events[2])


@breaks("TRANSPORT-SSE-003", HTTP_SSE)
def an_answer_in_the_response(tape: Tape) -> None:
    exchange, get = tape.post("tools/list"), tape.verb("GET")
    identity = exchange.body.message["id"]
    answer = next(one for one in get.events[1:] if one.message.get("id") == identity and "result" in one.message)
    body = answer.message
    tape.drop(answer)
    exchange.status(200).answers("Content-Type", "application/json").answers("Content-Length", None)
    for entry in [one for one in tape.entries if one.exchange == exchange.number and one.channel == RESPONSE_BODY]:
        tape.drop(entry)
    tape.add(RESPONSE_BODY, body, exchange, after=exchange.response)


@breaks("TRANSPORT-SSE-004", HTTP_SSE)
def an_endpoint_that_is_not_there(tape: Tape) -> object:
    return tape.post("tools/list").status(404)


def mark(tape: Tape) -> None:
    """The tool `forecast` wants its city in a header."""

    def change(body: dict[str, Any]) -> None:
        for tool in body["result"]["tools"]:
            if tool["name"] == "forecast":
                tool["inputSchema"]["properties"]["city"]["x-mcp-header"] = "City"

    tape.post("tools/list").change_reply(change)


def without_the_older_era(tape: Tape) -> Exchange:
    """The server refuses an initialize, so that it is known to speak the stateless era alone."""
    refused = tape.again(tape.post("prompts/list")).renumber(96).refuse(404, -32601)
    refused.asks("Mcp-Method", None).asks(VERSION, None)
    return refused.change(lambda body: body.update(method="initialize", params=INITIALIZE))
