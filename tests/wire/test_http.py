"""A row for each request over HTTP, whatever the frames' order and however often the reading is taken up again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.wire import Frame
from mcptest.wire.frame import EVENT, PARTIAL, REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE
from mcptest.wire.http import Http, HttpRow

HEAD = b"POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream"
ASK, ANSWER = b'{"jsonrpc":"2.0","id":1,"method":"x"}', b'{"jsonrpc":"2.0","id":1,"result":{}}'


def frames(*parts: tuple[int, bytes, int | None] | tuple[int, bytes, int | None, int]) -> list[Frame]:
    """Channel, data, exchange and flags, a millisecond apart."""
    found = []
    for seq, (channel, data, x, *flags) in enumerate(parts):
        meta = b"" if x is None else json.dumps({"x": x, "c": 1}).encode()
        found.append(Frame(seq, seq * 10**6, seq * 10**6, 0, channel, flags[0] if flags else 0, data, meta))
    return found


def event(x: int, **body: Any) -> tuple[int, bytes, None]:
    return EVENT, json.dumps({**body, "x": x}).encode(), None


def feed(http: Http, frame: Frame) -> bytes | None:
    if frame.channel == EVENT:
        http.happened(frame)
        return None
    return http.follow(frame)


def derive(stretch: list[Frame]) -> tuple[list[HttpRow], list[bytes | None]]:
    http = Http()
    messages = [feed(http, frame) for frame in stretch]
    rows, known = http.collect()
    assert known == []
    return [HttpRow(*row) for row in rows], messages


CONVERSATION = frames(
    (REQUEST, HEAD + b"\r\nMcp-Method: x\r\nMcp-Param-A: 1\r\nMcp-Session-Id: s", 1),
    (REQUEST_BODY, ASK, 1),
    (REQUEST, b"GET /mcp HTTP/1.1\r\nLast-Event-ID: 4", 2),
    (RESPONSE, OK, 1),
    (RESPONSE, b"HTTP/1.1 100 Continue", 2),
    (RESPONSE, STREAM, 2),
    (SSE, b"data: " + ANSWER, 2),
    (RESPONSE_BODY, ANSWER, 1),
    (REQUEST, HEAD, 3),
    event(3, event="refused", status=403, reason="a foreign Host"),
    (SSE, b": ping", 2),
    event(2, event="stream closed", by="client", how="closed"),
    (REQUEST, HEAD, 4),
    (REQUEST_BODY, ASK, 4),
    event(4, event="unreachable", reason="down"),
    (REQUEST, HEAD, 5),
    (REQUEST_BODY, b"{", 5, PARTIAL),
    event(5, event="aborted", by="client", how="reset", during="request"),
)


def test_a_conversation_is_its_rows():
    rows, messages = derive(CONVERSATION)
    assert [(row.x, row.status, row.outcome, row.ended_by, row.reason) for row in rows] == [
        (1, 200, "answered", None, None),
        (2, 200, "aborted", "client", None),
        (3, 403, "refused", "mcptest", "a foreign Host"),
        (4, None, "unreachable", "server", "down"),
        (5, None, "aborted", "client", "request"),
    ]
    first, second = rows[:2]
    assert (first.session_id, first.mcp_method, first.mcp_params) == ("s", "x", '{"A":"1"}')
    assert (first.wait, first.duration) == (3 * 10**6, 7 * 10**6)
    assert (second.last_event_id, second.events) == ("4", 2)
    assert [message for message in messages if message] == [ASK, ANSWER, ANSWER, ASK]


@given(st.sets(st.integers(0, len(CONVERSATION))))
def test_taken_up_again_anywhere_it_gives_the_same_rows(cuts):
    """As when a journal is folded while it grows: later rows take the place of earlier ones with the same number."""
    state: dict[str, Any] | None = None
    rows: dict[int, tuple[Any, ...]] = {}
    edges = [0, *sorted(cuts), len(CONVERSATION)]
    for start, end in zip(edges, edges[1:], strict=False):
        http = Http(json.loads(json.dumps(state)) if state else None)
        for frame in CONVERSATION[start:end]:
            feed(http, frame)
        new, known = http.collect()
        assert set(known) <= set(rows)
        rows |= {row[0]: row for row in new}
        state = http.state()
    assert [HttpRow(*row) for row in rows.values()] == derive(CONVERSATION)[0]


@pytest.mark.parametrize(
    ("head", "kind", "body", "is_message"),
    [
        (HEAD, "application/json", b'{"error":"invalid_grant"}', True),
        (b"POST /token HTTP/1.1", "application/json", b'{"access_token":"x"}', False),
        (b"GET /.well-known/x HTTP/1.1", "application/json", b'{"resource":"x"}', False),
        (b"POST /any HTTP/1.1", "application/json", ANSWER, True),
        (HEAD, "text/html", b"<html>", False),
    ],
)
def test_json_is_a_message_where_messages_are_spoken(head, kind, body, is_message):
    response = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode()
    _, messages = derive(frames((REQUEST, head, 1), (RESPONSE, response, 1), (RESPONSE_BODY, body, 1)))
    assert messages == [None, None, body if is_message else None]


def test_an_error_page_in_json_is_no_message():
    response = b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: application/json"
    _, messages = derive(frames((REQUEST, HEAD, 1), (RESPONSE, response, 1), (RESPONSE_BODY, b'{"detail":"x"}', 1)))
    assert messages[-1] is None


CHANNELS = st.sampled_from([REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE, EVENT])
NUMBERS = st.one_of(st.integers(-2, 4), st.just(2**70), st.none(), st.text(max_size=3), st.booleans())
METAS = st.one_of(
    st.binary(max_size=8), st.builds(lambda x, size: json.dumps({"x": x, "size": size}).encode(), NUMBERS, NUMBERS)
)
DATAS = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([HEAD, OK, STREAM, ASK, ANSWER, b"data: " + ASK, b"event: endpoint\ndata: /x"]),
    st.builds(
        lambda name, x, status: json.dumps({"event": name, "x": x, "status": status, "by": x}).encode(),
        st.sampled_from(["stream closed", "aborted", "refused", "unreachable", "unreadable", "other"]),
        NUMBERS,
        NUMBERS,
    ),
)


@given(st.lists(st.tuples(CHANNELS, DATAS, METAS), max_size=20))
def test_no_frames_make_it_fail(parts):
    http = Http()
    for seq, (channel, data, meta) in enumerate(parts):
        feed(http, Frame(seq, seq, seq, 0, channel, 0, data, meta))
    rows, _ = http.collect()
    assert len({row[0] for row in rows}) == len(rows)
    json.dumps(http.state())
