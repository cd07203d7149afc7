"""What is recorded of each exchange, and of everything that can go wrong with one."""

from __future__ import annotations

import gzip
import json

import pytest

from mcptest.proxy.http import channels, exchange
from mcptest.wire.frame import CHANNELS, PARTIAL, REDACTED
from tests.proxy.http.fed import Fed, ask, initialize, result
from tests.proxy.http.proxied import chunk


@pytest.fixture
def fed(tmp_path):
    return Fed(tmp_path)


def story(session, *, without: tuple[str, ...] = ("header",)) -> list[str]:
    """The channels of a session's frames; events by their names."""
    told = []
    for frame in session.frames:
        name = CHANNELS[frame.channel]
        if name not in without:
            told.append(json.loads(frame.data)["event"] if name == "event" else name)
    return told


def test_an_exchange_is_heads_and_bodies(fed):
    wire = fed.connect()
    wire.request(initialize(), "MCP-Protocol-Version: 2025-11-25")
    wire.answer(result(1), "Mcp-Session-Id: abc")
    wire.close()
    (session,) = fed.close()
    assert story(session) == [
        "connected",
        "request",
        "request-body",
        "response",
        "response-body",
        "disconnected",
        "end",
    ]
    assert session.of("request")[0].startswith(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-Protocol-Version: 2025")
    assert session.of("response")[0].startswith(b"HTTP/1.1 200 OK\r\nMcp-Session-Id: abc")
    assert json.loads(session.of("response-body")[0]) == result(1)
    assert {session.meta(frame)["x"] for frame in session.frames if frame.meta} == {1}


@pytest.mark.parametrize(
    "status", ["202 Accepted", "204 No Content", "304 Not Modified", "401 Unauthorized", "503 Oops"]
)
def test_answers_without_a_body_have_none(fed, status):
    wire = fed.connect()
    wire.request(ask("tools/list", 1))
    wire.answer(None, status=status)
    (session,) = fed.close()
    assert session.of("response-body") == []
    assert session.of("response")[0].startswith(f"HTTP/1.1 {status}".encode())


def test_each_event_of_a_stream_is_a_frame(fed):
    wire = fed.connect()
    wire.request(ask("tools/call", 1))
    wire.stream()
    wire.raw(b"6\r\n: ping\r\n2\r\n\n\n\r\n")
    wire.event("id: 7\nretry: 100\ndata: ")
    wire.event('event: message\nid: 8\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}')
    wire.end()
    (session,) = fed.close()
    assert session.of("sse") == [
        b": ping",
        b"id: 7\nretry: 100\ndata: ",
        b'event: message\nid: 8\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}',
    ]
    opened, closed = (event for event in session.events if event["event"].startswith("stream"))
    assert opened == {"event": "stream opened", "x": 1}
    assert closed == {"event": "stream closed", "by": "server", "how": "ended", "x": 1}


def test_compressed_bodies_and_streams_are_recorded_decoded(fed):
    wire = fed.connect()
    body = gzip.compress(json.dumps(ask("tools/list", 1)).encode())
    wire.request(body, "Content-Encoding: gzip")
    wire.stream("Content-Encoding: gzip")
    data = gzip.compress(b"data: one\n\ndata: two\n\n")
    for byte in data:
        wire.raw(b"1\r\n%c\r\n" % byte)
    wire.end()
    (session,) = fed.close()
    assert session.methods == ["tools/list"]
    frame = next(frame for frame in session.frames if CHANNELS[frame.channel] == "request-body")
    assert session.meta(frame)["size"] == len(body)
    assert session.of("sse") == [b"data: one", b"data: two"]


def test_a_stream_that_is_not_in_its_encoding_is_said_to_be_so(fed):
    wire = fed.connect()
    wire.request(ask("tools/list", 1))
    wire.stream("Content-Encoding: gzip")
    wire.event("data: plain")
    wire.end()
    (session,) = fed.close()
    assert "unreadable" in story(session)


@pytest.mark.parametrize(
    ("by", "how"), [("client", "closed"), ("client", "reset"), ("server", "closed"), ("server", "reset")]
)
def test_a_stream_that_breaks_off_says_who_did_it(fed, by, how):
    wire = fed.connect()
    wire.request(ask("tools/call", 1))
    wire.stream()
    wire.event("data: one")
    wire.raw(b"9\r\ndata: two\r\n")
    wire.close(by, how)
    (session,) = fed.close()
    closed = next(event for event in session.events if event["event"] == "stream closed")
    assert closed == {"event": "stream closed", "by": by, "how": how, "x": 1}
    assert session.of("sse") == [b"data: one", b"data: two"]
    assert [frame.flags & PARTIAL for frame in session.frames if CHANNELS[frame.channel] == "sse"] == [0, PARTIAL]


@pytest.mark.parametrize(
    ("sent", "during"),
    [(b"", "waiting"), (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", "response"), (b"HTTP/1.1 20", "waiting")],
)
def test_an_exchange_that_breaks_off_says_when(fed, sent, during):
    wire = fed.connect()
    wire.request(ask("tools/call", 1))
    if sent:
        wire.raw(sent)
    wire.close("server")
    (session,) = fed.close()
    aborted = next(event for event in session.events if event["event"] == "aborted")
    assert aborted == {"event": "aborted", "by": "server", "how": "closed", "during": during, "x": 1}


def test_a_request_that_breaks_off_is_kept_in_part(fed):
    wire = fed.connect()
    fed.put(channels.REQUEST, 1, b"POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n\r\n" + b'{"jsonrpc"')
    wire.close()
    (session,) = fed.close()
    frame = next(frame for frame in session.frames if CHANNELS[frame.channel] == "request-body")
    assert (frame.data, frame.flags) == (b'{"jsonrpc"', PARTIAL)
    assert next(event for event in session.events if event["event"] == "aborted")["during"] == "request"


def test_a_head_does_not_wait_long_for_its_body(fed, monkeypatch):
    from mcptest.proxy.http import recorder

    fed.connect()
    fed.put(channels.REQUEST, 1, b"POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{")
    assert fed.recorder.idle() is not None
    assert fed.sessions() == []
    monkeypatch.setattr(recorder, "_SETTLE", 0.0)
    fed.recorder.idle()
    assert len(fed.recorder.conversations.open) == 1
    fed.put(channels.REQUEST_LAST, 1, b"}")
    (session,) = fed.close()
    assert session.of("request-body") == [b"{}"]


@pytest.mark.parametrize("noise", [b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n{}"])
def test_an_answer_that_is_no_http_is_kept_with_the_reason(fed, noise):
    wire = fed.connect()
    wire.request(ask("tools/list", 1))
    wire.raw(noise)
    wire.raw(b"more noise that nobody can read")
    wire.request(ask("tools/list", 2))
    wire.answer(result(2))
    (session,) = fed.close()
    assert "unreadable" in story(session)
    assert noise.split(b"\r\n")[0] in session.of("response")[0]
    assert json.loads(session.of("response-body")[0]) == result(2)
    assert not fed.complaints


def test_a_refused_request_is_kept_with_the_reason(fed):
    wire = fed.connect()
    begun = "GET / HTTP/1.1\r\nAuthorization: Bearer very-secret-value-123\r\nFoo bar\r\n\r\n"
    wire.note(event="refused", status=400, reason="a malformed request line or header", begun=begun)
    wire.close("mcptest")
    (session,) = fed.close()
    refused = next(event for event in session.events if event["event"] == "refused")
    assert refused["status"] == 400
    assert session.of("request")[0].startswith(b"GET / HTTP/1.1\r\nAuthorization: Bearer ")
    assert b"very-secret-value-123" not in session.text


def test_a_server_that_cannot_be_reached_is_recorded(fed):
    wire = fed.connect()
    wire.request(initialize())
    wire.note(event="unreachable", reason="Connection refused")
    wire.close("mcptest")
    (session,) = fed.close()
    assert {"event": "unreachable", "reason": "Connection refused", "x": 1} in session.events


def test_a_large_body_is_kept_in_part_and_says_so(fed):
    wire = fed.connect()
    wire.request(ask("tools/call", 1))
    wire.raw(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1000000\r\n\r\n")
    for _ in range(100):
        wire.raw(b"x" * 10_000)
    (session,) = fed.close()
    frame = next(frame for frame in session.frames if CHANNELS[frame.channel] == "response-body")
    assert session.meta(frame) == {"x": 1, "c": 1, "size": 1_000_000, "cut": True}
    assert frame.flags & PARTIAL
    assert len(frame.data) < 100_000


def test_an_event_without_an_end_is_given_up(fed, monkeypatch):
    monkeypatch.setattr(exchange, "LARGEST", 10_000)
    wire = fed.connect()
    wire.request(ask("tools/call", 1))
    wire.stream()
    for _ in range(30):
        wire.raw(b"3e8\r\n" + b"x" * 1000 + b"\r\n")
    wire.event("\n\ndata: next")
    wire.end()
    (session,) = fed.close()
    gaps = [json.loads(data) for data in session.of("gap")]
    assert gaps
    assert all(gap["reason"] == "an event that is too long" for gap in gaps)
    assert session.of("sse")[-1] == b"data: next"


def test_lost_bytes_are_a_gap_and_the_next_request_is_understood(fed):
    wire = fed.connect()
    wire.request(initialize())
    wire.raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")
    lost = [[channels.RESPONSE_BYTES, 1, 0, 4000, 1, 2]]
    fed.recorder.dropped(1, 1, json.dumps(lost).encode())
    wire.raw(b"the end of it")
    wire.request(ask("tools/list", 2))
    wire.answer(result(2))
    (session,) = fed.close()
    (gap,) = [json.loads(data) for data in session.of("gap")]
    assert (gap["bytes"], gap["frames"]) == (4000, 2)
    assert json.loads(session.of("response-body")[-1]) == result(2)


def test_a_fault_of_our_own_costs_one_connection_only(fed, monkeypatch):
    wire, other = fed.connect(), fed.connect()
    wire.request(initialize())
    other.request(initialize(name="other"))
    monkeypatch.setattr("mcptest.proxy.http.exchange.parse_head", lambda _: 1 / 0)
    wire.answer(result(1))
    monkeypatch.undo()
    other.answer(result(1, other=True))
    sessions = fed.close()
    assert len(fed.complaints) == 1
    assert any(b"other" in body for session in sessions for body in session.of("response-body"))


def test_secrets_are_gone_from_every_part(fed):
    secret = "sk-ant-" + "a1B2" * 12
    wire = fed.connect()
    wire.request(
        ask("tools/call", 1, api_key="argument-value-1"),
        "Authorization: Bearer bearer-value-1",
        "Cookie: session=cookie-value-1",
        start=f"POST /mcp?access_token=query-value-1&x={secret} HTTP/1.1",
    )
    wire.stream("Set-Cookie: id=cookie-value-2; Path=/")
    text = (
        f'event: message\nid: {secret}\ndata: {{"password":\ndata: "split-value-1", "other": "{secret}"}}\n\n'.encode()
    )
    for byte in text:
        wire.raw(b"1\r\n%c\r\n" % byte)
    wire.end()
    wire.request(b"grant_type=password&password=form-value-1", "Content-Type: application/x-www-form-urlencoded")
    wire.answer({"access_token": "result-value-1"})
    (session,) = fed.close()
    for value in (secret, "value-1", "value-2"):
        assert value.encode() not in session.text, value
    assert b"Path=/" in session.of("response")[0]
    flagged = {CHANNELS[frame.channel] for frame in session.frames if frame.flags & REDACTED}
    assert flagged == {"request", "request-body", "response", "sse", "response-body"}


def test_redaction_can_be_turned_off(tmp_path):
    fed = Fed(tmp_path, redact=False)
    wire = fed.connect()
    wire.request(initialize(), "Authorization: Bearer bearer-value-1")
    (session,) = fed.close()
    assert b"bearer-value-1" in session.text
    assert session.header["redaction"] is False


def test_what_cannot_be_redacted_is_not_recorded(fed, monkeypatch):
    wire = fed.connect()
    monkeypatch.setattr(type(fed.recorder._setting.redactor), "headers", lambda *_: 1 / 0)
    wire.request(initialize())
    wire.answer(result(1))
    (session,) = fed.close()
    assert session.of("request") == []
    gaps = [json.loads(data) for data in session.of("gap")]
    assert [gap["reason"] for gap in gaps] == ["redaction failed: ZeroDivisionError"] * 2


def test_pipelined_requests_get_their_own_answers(fed):
    wire = fed.connect()
    for number in (1, 2, 3):
        wire.request(ask("tools/list", number))
    for number in (1, 2, 3):
        wire.answer(result(number))
    (session,) = fed.close()
    bodies = {}
    for frame in session.frames:
        if CHANNELS[frame.channel] in ("request-body", "response-body"):
            bodies.setdefault(session.meta(frame)["x"], []).append(json.loads(frame.data)["id"])
    assert bodies == {1: [1, 1], 2: [2, 2], 3: [3, 3]}


def test_unfinished_events_share_the_memory_with_bodies(fed):
    fed.recorder.budget.left = 150_000
    wires = [fed.connect() for _ in range(3)]
    for wire in wires:
        wire.request(None, "Accept: text/event-stream", "Mcp-Session-Id: abc", start="GET /mcp HTTP/1.1")
        wire.stream()
    for wire in wires:
        wire.raw(chunk(b"data: " + b"x" * 80_000))
    assert fed.recorder.budget.left >= 0
    for wire in wires:
        wire.raw(chunk(b"\n\ndata: the next\n\n"))
        wire.end()
    assert fed.recorder.budget.left == 150_000
    (session,) = fed.close()
    gaps = [json.loads(data) for data in session.of("gap")]
    assert [gap["reason"] for gap in gaps] == ["an event that is too long"] * 2
    assert [len(data) for data in session.of("sse")].count(80_006) == 1
    assert session.of("sse").count(b"data: the next") == 3


def test_the_user_hears_of_the_last_request_although_nothing_follows(fed):
    fed.recorder.idle()
    wire = fed.connect()
    fed.recorder.idle()
    wire.request(ask("tools/list", 1))
    wire.answer(result(1))
    patience = fed.recorder.idle()
    assert fed.news[-1]["requests"] == 1 or (patience is not None and patience < 1)
