"""Each request goes to its session, by the marks of its era."""

from __future__ import annotations

import json

import pytest

from mcptest.capture import journals
from mcptest.proxy.http import channels, conversations, recorder
from mcptest.proxy.http.conversations import Asked, Conversation, Conversations, Request
from mcptest.wire.frame import CHANNELS
from mcptest.wire.heads import parse_head
from tests.proxy.http.fed import Fed, ask, initialize, result

STREAM = "Accept: text/event-stream"


@pytest.fixture
def fed(tmp_path):
    return Fed(tmp_path)


def test_a_named_session_is_one_whatever_the_connection(fed):
    first = fed.connect()
    first.request(initialize())
    first.answer(result(1), "Mcp-Session-Id: abc")
    for number in range(2, 5):
        wire = fed.connect()
        wire.request(ask("tools/list", number), "Mcp-Session-Id: abc")
        wire.answer(result(number))
        wire.close()
    (session,) = fed.close()
    assert session.methods == ["initialize", "tools/list", "tools/list", "tools/list"]
    assert session.header["transport"] == "streamable-http"
    assert session.header["target"] == {"url": "http://server.example/mcp"}


def test_every_initialize_opens_a_session(fed):
    for name in ("abc", "def"):
        wire = fed.connect()
        wire.request(initialize())
        wire.answer(result(1), f"Mcp-Session-Id: {name}")
        wire.request(ask("tools/list", 2), f"Mcp-Session-Id: {name}")
        wire.answer(result(2))
    one, other = fed.close()
    assert one.methods == other.methods == ["initialize", "tools/list"]
    assert b"abc" in one.text
    assert b"abc" not in other.text


def test_many_clients_with_the_same_ids_do_not_mix(fed):
    wires = [fed.connect() for _ in range(64)]
    for wire in wires:
        wire.request(ask("server/discover", 1, "twin"))
    for wire in reversed(wires):
        wire.answer(result(1, conn=wire.number))
    for number in (2, 3):
        for wire in wires:
            wire.request(ask("tools/call", number, "twin", conn=wire.number))
        for wire in reversed(wires):
            wire.answer(result(number, conn=wire.number))
    sessions = fed.close()
    assert len(sessions) == 64
    for session in sessions:
        assert session.methods == ["server/discover", "tools/call", "tools/call"]
        assert len({frame.conn for frame in session.frames if frame.meta}) == 1


def test_a_stateless_client_keeps_its_session_on_new_connections(fed):
    for number in range(1, 6):
        wire = fed.connect()
        wire.request(ask("tools/call", number, "one"), "User-Agent: x")
        wire.answer(result(number))
        wire.close()
    (session,) = fed.close()
    assert len(session.methods) == 5


def test_a_client_that_counts_from_the_beginning_was_started_again(fed):
    for _ in range(2):
        for number in (1, 2):
            wire = fed.connect()
            wire.request(ask("tools/call", number, "one"))
            wire.answer(result(number))
            wire.close()
    assert [len(session.methods) for session in fed.close()] == [2, 2]


def test_stateless_clients_are_told_apart_by_their_names_even_on_one_connection(fed):
    wire = fed.connect()
    for number in range(1, 4):
        for name in ("one", "two"):
            wire.request(ask("tools/call", number, name))
            wire.answer(result(number))
    assert [len(session.methods) for session in fed.close()] == [3, 3]


def test_a_caller_without_a_name_that_always_says_1_has_one_session(fed):
    for _ in range(5):
        wire = fed.connect()
        wire.request(ask("tools/list", 1), "User-Agent: curl")
        wire.answer(result(1))
        wire.close()
    (session,) = fed.close()
    assert len(session.methods) == 5


def test_a_client_that_falls_back_to_initialize_stays_in_its_session(fed):
    wire = fed.connect()
    wire.request(ask("server/discover", 1, "one"))
    wire.answer({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}, status="400 Bad Request")
    wire.request(initialize(2, "one"))
    wire.answer(result(2), "Mcp-Session-Id: abc")
    wire.request(ask("tools/list", 3), "Mcp-Session-Id: abc")
    wire.answer(result(3))
    (session,) = fed.close()
    assert session.methods == ["server/discover", "initialize", "tools/list"]


def test_authorization_belongs_to_the_session_that_it_lets_in(fed):
    agent = "User-Agent: a client"
    wire = fed.connect()
    wire.request(initialize(), agent)
    wire.answer({"error": "unauthorized"}, "WWW-Authenticate: Bearer", status="401 Unauthorized")
    other = fed.connect()
    other.request(None, agent, start="GET /.well-known/oauth-protected-resource HTTP/1.1")
    other.answer({"resource": "x"})
    other.request(b"grant_type=authorization_code&code=abc", agent, "Content-Type: application/x-www-form-urlencoded")
    other.answer({"access_token": "secret-token-value-1"})
    again = fed.connect()
    again.request(initialize(), agent, "Authorization: Bearer secret-token-value-1")
    again.answer(result(1), "Mcp-Session-Id: abc")
    (session,) = fed.close()
    assert len(session.of("request")) == 4
    assert b"secret-token-value-1" not in session.text


def test_http_sse_is_known_by_its_endpoint(fed):
    streams = []
    for name in ("one", "two", "three"):
        stream = fed.connect()
        stream.request(None, STREAM, start="GET /sse HTTP/1.1")
        streams.append((name, stream))
    for name, stream in streams:
        stream.stream()
        stream.event(f"event: endpoint\ndata: messages?session={name}")
    poster = fed.connect()  # one connection for all of them
    for name, stream in streams:
        poster.request(initialize(), start=f"POST /messages?session={name} HTTP/1.1")
        poster.answer(b"Accepted", "Content-Type: text/plain", status="202 Accepted")
        stream.event(f'event: message\ndata: {{"jsonrpc":"2.0","id":1,"result":{{"for":"{name}"}}}}')
    sessions = fed.close()
    assert len(sessions) == 3
    for (name, _), session in zip(streams, sessions, strict=True):
        assert session.methods == ["initialize"]
        assert name.encode() in session.of("sse")[1]
        said = [frame for frame in session.frames if CHANNELS[frame.channel] in ("request-body", "sse")]
        assert {frame.conn for frame in said if b"endpoint" not in frame.data} == {0}


def test_a_client_that_tries_streamable_http_first_stays_in_its_session(fed):
    wire = fed.connect()
    wire.request(initialize(), "User-Agent: x", start="POST /sse HTTP/1.1")
    wire.answer(None, status="405 Method Not Allowed")
    stream = fed.connect()
    stream.request(None, STREAM, "User-Agent: x", start="GET /sse HTTP/1.1")
    stream.stream()
    stream.event("event: endpoint\ndata: /messages?session=one")
    (session,) = fed.close()
    assert len(session.of("request")) == 2


def test_a_session_ends_a_while_after_its_client_has_closed_it(fed, monkeypatch):
    wire = fed.connect()
    wire.request(initialize())
    wire.answer(result(1), "Mcp-Session-Id: abc")
    wire.request(None, "Mcp-Session-Id: abc", start="DELETE /mcp HTTP/1.1")
    wire.answer(None)
    fed.recorder.idle()
    (path,) = journals.find(fed.folder / "capture.journals")
    assert journals.is_live(path)
    monkeypatch.setattr(conversations, "FAREWELL", 0.0)
    fed.recorder._next_look = 0.0
    fed.recorder.idle()
    assert not journals.is_live(path)
    assert fed.sessions()[0].events[-1] == {"event": "end"}
    late = fed.connect()
    late.request(ask("tools/list", 2), "Mcp-Session-Id: abc")
    late.answer(None, status="404 Not Found")
    assert len(fed.close()) == 2


def test_too_many_silent_sessions_are_ended(fed, monkeypatch):
    monkeypatch.setattr(conversations, "MOST_OPEN", 5)
    for number in range(12):
        wire = fed.connect()
        wire.request(initialize())
        wire.answer(result(1), f"Mcp-Session-Id: number-{number}")
        wire.close()
    fed.recorder.idle()
    assert len(fed.recorder.conversations.open) == 5
    assert len(fed.close()) == 12


def test_the_news_are_counts(fed):
    wire = fed.connect()
    wire.request(initialize())
    wire.answer(result(1), "Mcp-Session-Id: abc")
    wire.request(ask("tools/list", 2), "Mcp-Session-Id: abc")
    wire.answer(None, status="500 Internal Server Error")
    fed.close()
    assert fed.news[-1] == {"sessions": 1, "requests": 2, "errors": 1}


def test_a_request_whose_body_is_slow_is_mixed_into_no_other_session(fed, monkeypatch):
    monkeypatch.setattr(recorder, "_SETTLE", 0.0)
    first = fed.connect()
    first.request(initialize())
    first.answer(result(1), "Mcp-Session-Id: abc")
    slow = fed.connect()
    body = json.dumps(initialize(name="another")).encode()
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    fed.put(channels.REQUEST, slow.number, head % len(body))
    fed.recorder.idle()
    fed.put(channels.REQUEST_LAST, slow.number, body)
    slow.answer(result(1), "Mcp-Session-Id: def")
    assert [session.methods for session in fed.close()] == [["initialize"], ["initialize"]]


def test_a_large_request_is_known_by_its_beginning(fed, monkeypatch):
    monkeypatch.setattr(recorder, "_SETTLE", 0.0)
    first = fed.connect()
    first.request(ask("tools/call", 1, "one"))
    first.answer(result(1))
    slow = fed.connect()
    body = json.dumps(ask("tools/call", 2, "one", text="x" * 100_000)).encode()
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    fed.put(channels.REQUEST, slow.number, head % len(body) + body[:5000])
    fed.recorder.idle()
    fed.put(channels.REQUEST_LAST, slow.number, body[5000:])
    (session,) = fed.close()
    assert session.methods == ["tools/call", "tools/call"]


def test_a_server_that_renames_its_session_for_ever_is_bounded(fed):
    wire = fed.connect()
    for number in range(100):
        wire.request(ask("tools/list", number))
        wire.answer(result(number), f"Mcp-Session-Id: number-{number}")
    (conversation,) = fed.recorder.conversations.open
    assert len(conversation.session_ids) < 50
    (session,) = fed.close()
    assert len(session.methods) == 100


def test_steps_of_oauth_at_another_host_belong_to_the_session_that_they_let_in():
    def asked(origin, start, *headers, conn=1, agent="a client"):
        head = parse_head("\r\n".join([start, f"User-Agent: {agent}", *headers]).encode())
        return Request(conn, "127.0.0.1", origin, head, None, True)

    mcp, auth = "https://api.example", "https://auth.example"
    opening = asked(mcp, "POST /mcp HTTP/1.1")._replace(asked=Asked("initialize", "1", ("c", "1")))
    known = Conversations()
    conversation = Conversation(None, opening, 0)
    known.join(conversation, opening)
    form = "Content-Type: application/x-www-form-urlencoded"
    for own in (
        asked(auth, "GET /.well-known/oauth-authorization-server HTTP/1.1", conn=2),
        asked(auth, "POST /token HTTP/1.1", form, conn=2),
        asked(auth, "POST /register HTTP/1.1", "Content-Type: application/json", conn=2),
        asked(auth, "GET /authorize?response_type=code&client_id=c HTTP/1.1", conn=3, agent="a browser"),
    ):
        assert known.find(own) is conversation
    for foreign in (
        asked(auth, "GET /index.html HTTP/1.1", conn=4),
        asked(auth, "POST /token HTTP/1.1", form, conn=4, agent="another client"),
        asked(auth, "GET /index.html HTTP/1.1", conn=1),
    ):
        assert known.find(foreign) is None
