"""Requests are understood in exactly one way or refused, and only what was understood is forwarded."""

from __future__ import annotations

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.proxy.http.channels import REQUEST, REQUEST_DATA, REQUEST_LAST, REQUEST_WHOLE
from mcptest.proxy.http.local import local_names
from mcptest.proxy.http.requests import HEAD_LIMIT, Heads, Refusal, Requests

LOCAL = local_names("127.0.0.1")


def requests() -> Requests:
    return Requests(Heads(b"api.example.com", LOCAL))


def fed(*chunks: bytes) -> Requests:
    reader = requests()
    for chunk in chunks:
        reader.feed(chunk)
    return reader


def refused(*chunks: bytes) -> Refusal:
    with pytest.raises(Refusal) as caught:
        fed(*chunks)
    return caught.value


def head(*lines: str, start: str = "POST /mcp HTTP/1.1", host: str = "Host: localhost:8080") -> bytes:
    return "\r\n".join([start, *([host] if host else []), *lines, "", ""]).encode("latin-1")


def test_only_the_host_is_changed():
    sent = head("Mcp-Session-Id:  ab c ", "X-Odd:\tvalue\t", "accept: a", "accept: b", "Content-Length: 2") + b"{}"
    reader = fed(sent)
    assert b"".join(reader.forward) == sent.replace(b"Host: localhost:8080", b"Host: api.example.com")
    assert reader.records == [(REQUEST_WHOLE, sent)]


def test_a_body_is_forwarded_as_it_comes():
    reader = requests()
    reader.feed(head("Content-Length: 6") + b"ab")
    assert reader.forward[-1] == b"ab"
    reader.feed(b"cd")
    assert reader.forward[-1] == b"cd"
    assert reader.in_request
    reader.feed(b"ef")
    assert not reader.in_request
    assert [channel for channel, _ in reader.records] == [REQUEST, REQUEST_DATA, REQUEST_LAST]
    assert [data for _, data in reader.records[1:]] == [b"cd", b"ef"]


def test_requests_that_come_together_are_told_apart():
    first, second = head("Content-Length: 3") + b"one", head(start="GET /mcp HTTP/1.1")
    reader = fed(first + second + first)
    assert reader.records == [(REQUEST_WHOLE, first), (REQUEST_WHOLE, second), (REQUEST_WHOLE, first)]


def test_chunks_pass_raw_and_are_recorded_without_their_frames():
    body = b"3;ext=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
    start = head("Transfer-Encoding: chunked")
    reader = fed(start + body)
    assert b"".join(reader.forward).endswith(body)
    assert reader.records == [(REQUEST_WHOLE, start + b"abc0123456789")]


CHUNKED = head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX: y\r\n\r\n"
SEVERAL = CHUNKED + head("Content-Length: 4") + b"\r\n\r\n" + b"\r\n" + head(start="DELETE /mcp HTTP/1.1") + CHUNKED


@given(st.lists(st.integers(0, len(SEVERAL)), max_size=12))
def test_however_the_bytes_are_cut_they_mean_the_same(cuts):
    edges = [0, *sorted(cuts), len(SEVERAL)]
    reader = fed(*(SEVERAL[a:b] for a, b in zip(edges, edges[1:], strict=False) if a < b))
    whole = fed(SEVERAL)
    assert b"".join(reader.forward) == b"".join(whole.forward)
    assert bodies(reader) == bodies(whole) == [b"hello world", b"\r\n\r\n", b"", b"hello world"]
    assert not reader.pending


def bodies(reader: Requests) -> list[bytes]:
    found: list[bytes] = []
    for channel, data in reader.records:
        if channel in (REQUEST, REQUEST_WHOLE):
            found.append(data.partition(b"\r\n\r\n")[2])
        else:
            found[-1] += data
    return found


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("Content-Length: 5", "Transfer-Encoding: chunked"), "both Content-Length and Transfer-Encoding"),
        (("Content-Length: 5", "Content-Length: 6"), "more than one Content-Length"),
        (("Content-Length: 5", "content-length: 5"), "more than one Content-Length"),
        (("Content-Length: 5, 5",), "no number"),
        (("Content-Length: +5",), "no number"),
        (("Content-Length: 0x5",), "no number"),
        (("Content-Length: -1",), "no number"),
        (("Content-Length:",), "no number"),
        (("Content-Length: 9999999999999999999",), "no number"),
        (("Transfer-Encoding: gzip, chunked",), "unknown Transfer-Encoding"),
        (("Transfer-Encoding: xchunked",), "unknown Transfer-Encoding"),
        (("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), "unknown Transfer-Encoding"),
        (("X: a\r\n b",), "a folded header"),
        ((" X: a",), "a folded header"),
        (("X : a",), "malformed"),
        (("X",), "malformed"),
        ((": a",), "malformed"),
        (("X: a\x00b",), "malformed"),
        (("X: a\rb",), "a bare CR or LF"),
        (("X: a\nContent-Length: 5",), "a bare CR or LF"),
        (("Host: localhost",), "not exactly one Host"),
    ],
)
def test_what_could_be_read_two_ways_is_refused(lines, reason):
    refusal = refused(head(*lines) + b"hello")
    assert refusal.status == 400
    assert reason in refusal.reason


@pytest.mark.parametrize(
    ("start", "status"),
    [
        ("GET http://elsewhere.example/ HTTP/1.1", 403),
        ("GET http://localhost:8080/ HTTP/1.1", 403),
        ("CONNECT elsewhere.example:443 HTTP/1.1", 403),
        ("CONNECT /mcp HTTP/1.1", 403),
        ("GET //elsewhere.example", 400),
        ("GET /a b HTTP/1.1", 400),
        ("GET  /a HTTP/1.1", 400),
        ("G ET / HTTP/1.1", 400),
        ("PRI * HTTP/2.0", 505),
        ("GET / HTTP/1.2", 505),
        ("GET / HTTP/11", 505),
    ],
)
def test_other_servers_and_other_protocols_are_refused(start, status):
    assert refused(head(start=start)).status == status


@pytest.mark.parametrize(
    "chunk",
    [b"g\r\n", b"5\n", b"5 5\r\n", b"\r\n", b"-1\r\n", b"0x5\r\n", b"5;a\nb\r\n", b"f" * 16 + b"\r\n", b";" * 5000],
)
def test_odd_chunk_sizes_are_refused_and_not_forwarded(chunk):
    start = head("Transfer-Encoding: chunked")
    reader = fed(start)
    forwarded = list(reader.forward)
    with pytest.raises(Refusal):
        reader.feed(chunk)
    assert reader.forward == forwarded


def test_a_chunk_that_is_longer_than_it_says_is_refused():
    assert "longer" in refused(head("Transfer-Encoding: chunked") + b"3\r\nabcd\r\n").reason


def test_endless_heads_and_trailers_are_refused_within_bounds():
    line = b"X-Filler: " + b"x" * 1000 + b"\r\n"
    reader = requests()
    with pytest.raises(Refusal) as caught:
        for chunk in [b"GET / HTTP/1.1\r\n", *([line] * 100)]:
            reader.feed(chunk)
    assert caught.value.status == 431
    assert len(reader.pending) < HEAD_LIMIT + 2000
    reader = fed(head("Transfer-Encoding: chunked") + b"0\r\n")
    with pytest.raises(Refusal) as caught:
        for _ in range(100):
            reader.feed(line)
    assert caught.value.status == 431


@pytest.mark.parametrize(
    ("lines", "host", "allowed"),
    [
        ((), "Host: localhost:1", True),
        ((), "Host: LOCALHOST", True),
        ((), "Host: 127.0.0.1:8080", True),
        ((), "Host: 127.8.8.8", True),
        ((), "Host: [::1]:8080", True),
        ((), "Host: app.localhost", True),
        ((), "Host: evil.example", False),
        ((), "Host: localhost.evil.example", False),
        ((), "Host: 192.168.0.7:8080", False),
        ((), "Host: localhost@evil.example", False),
        ((), "Host:", False),
        (("Origin: http://localhost:6274",), "Host: localhost", True),
        (("Origin: https://127.0.0.1",), "Host: localhost", True),
        (("Origin: http://evil.example",), "Host: localhost", False),
        (("Origin: null",), "Host: localhost", False),
        (("Origin: file://",), "Host: localhost", False),
        (("Origin: http://localhost", "Origin: http://evil.example"), "Host: localhost", False),
    ],
)
def test_a_foreign_host_or_origin_is_refused(lines, host, allowed):
    request = head(*lines, host=host)
    if allowed:
        assert fed(request).records
    else:
        assert refused(request).status == 403


def test_a_listener_that_is_open_to_the_network_goes_by_addresses():
    is_local = local_names("0.0.0.0")
    assert is_local(b"192.168.0.7:8080")
    assert not is_local(b"evil.example")


def test_an_upgrade_is_not_passed_on():
    sent = head("Connection: Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ", "X: y", start="GET / HTTP/1.1")
    forwarded = b"".join(fed(sent).forward)
    assert b"Upgrade: h2c" not in forwarded
    assert b"HTTP2-Settings" not in forwarded
    assert forwarded.endswith(b"X: y\r\n\r\n")


def test_an_old_client_need_not_name_a_host():
    assert fed(head(start="GET / HTTP/1.0", host="")).records
    assert refused(head(host="")).status == 400
    assert refused(head("Transfer-Encoding: chunked", start="POST / HTTP/1.0")).status == 400


TOKENS = st.text("abcXYZ-_09", min_size=1, max_size=8)
VALUES = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=12)


@given(st.lists(st.tuples(TOKENS, VALUES), max_size=6), st.binary(max_size=40), st.booleans())
def test_what_is_forwarded_is_what_a_careful_server_understands(headers, body, chunked):
    lines = [f"X-{name}: {value}" for name, value in headers]
    if chunked:
        lines.append("Transfer-Encoding: chunked")
        sent = head(*lines) + (b"%x\r\n%s\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n"
    else:
        sent = head(*lines, f"Content-Length: {len(body)}") + body
    server = h11.Connection(h11.SERVER)
    server.receive_data(b"".join(fed(sent).forward))
    got, event = b"", server.next_event()
    assert isinstance(event, h11.Request)
    assert dict(event.headers)[b"host"] == b"api.example.com"
    while not isinstance(event := server.next_event(), h11.EndOfMessage):
        got += event.data
    assert got == body


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail_otherwise(noise):
    for start in (b"", head()[:-2], head("Transfer-Encoding: chunked")):
        try:
            fed(start + noise)
        except Refusal as refusal:
            assert refusal.status in (400, 403, 431, 505)
