"""Responses are read from a copy, in any chunking, whatever the request was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.proxy.http.responses import Responses, Unreadable

JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
NOTHING = b"HTTP/1.1 204 No Content\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n" + JSON
UNTIL_END = b"HTTP/1.0 200 OK\r\n\r\nall of it"


def read(methods: list[str], *chunks: bytes) -> list[tuple[str, bytes]]:
    responses = Responses()
    for method in methods:
        responses.expect(method)
    steps: list[tuple[str, bytes]] = []
    for chunk in chunks:
        for step, data in responses.feed(chunk):
            if step == "data" and steps and steps[-1][0] == "data":
                steps[-1] = ("data", steps[-1][1] + data)
            else:
                steps.append((step, data))
    return steps


def kinds(steps: list[tuple[str, bytes]]) -> str:
    return " ".join(step for step, _ in steps)


@pytest.mark.parametrize("times", [1, 2])  # the second time, the head is remembered
def test_a_body_with_a_length(times):
    for _ in range(times):
        steps = read(["POST"], JSON)
    assert steps == [
        ("head", b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2"),
        ("data", b"{}"),
        ("end", b""),
    ]


def test_a_body_in_chunks():
    assert read(["POST"], CHUNKED)[1:] == [("data", b"abc"), ("end", b"")]


def test_no_body_where_there_can_be_none():
    assert kinds(read(["POST", "HEAD", "POST"], NOTHING + HEAD + JSON)) == "head end head end head data end"


def test_an_interim_response_is_not_the_answer():
    assert kinds(read(["POST"], CONTINUE)) == "interim head data end"


def test_a_body_that_lasts_until_the_end():
    assert kinds(read(["GET"], UNTIL_END)) == "head data"
    assert kinds(read(["GET"], UNTIL_END, b"")) == "head data end"


@pytest.mark.parametrize("part", [JSON[:-1], CHUNKED[:-2], CHUNKED[:-8], JSON[:20]])
def test_a_response_that_breaks_off_is_no_whole_one(part):
    with pytest.raises(Unreadable):
        read(["POST"], part, b"")


def test_a_server_that_speaks_unasked_is_noticed():
    with pytest.raises(Unreadable, match="without being asked"):
        read([], JSON)
    with pytest.raises(Unreadable, match="without being asked"):
        read(["POST"], JSON + JSON)


@pytest.mark.parametrize(
    "noise",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"HTTP/1.1 200 OK\r\nX : y\r\n\r\n",
    ],
)
def test_what_is_no_response_is_unreadable(noise):
    with pytest.raises(Unreadable):
        read(["POST"], noise)


def test_an_endless_head_is_given_up():
    responses = Responses()
    responses.expect("GET")
    with pytest.raises(Unreadable):
        for _ in range(3000):
            list(responses.feed(b"X-Filler: " + b"x" * 1000 + b"\r\n" if _ else b"HTTP/1.1 200 OK\r\n"))


def test_after_a_gap_the_next_response_is_read_again():
    responses = Responses()
    responses.expect("POST")
    list(responses.feed(CHUNKED[:-8]))
    responses.forget()
    responses.expect("POST")
    assert kinds(list(responses.feed(JSON))) == "head data end"


STREAM = JSON + CHUNKED + NOTHING + CONTINUE + HEAD + CHUNKED + JSON
METHODS = ["POST", "GET", "DELETE", "POST", "HEAD", "POST", "POST"]


@given(st.lists(st.integers(1, len(STREAM) - 1), max_size=12))
def test_however_the_bytes_are_cut_they_mean_the_same(cuts):
    edges = [0, *sorted(set(cuts)), len(STREAM)]
    chunks = [STREAM[a:b] for a, b in zip(edges, edges[1:], strict=False)]
    assert read(METHODS, *chunks) == read(METHODS, STREAM)


@given(st.binary(max_size=300))
def test_no_bytes_make_it_fail_otherwise(noise):
    for start in (b"", b"HTTP/1.1 200 OK\r\n", CHUNKED[:50]):
        try:
            read(["POST", "GET"], start + noise, b"")
        except Unreadable:
            pass


def test_a_response_that_was_seen_before_is_understood_at_once():
    data = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: once more\r\n\r\n{}"
    responses = Responses()
    for _ in range(2):
        responses.expect("POST")
    assert responses.whole(data) is None
    steps = list(responses.feed(data))
    assert responses.whole(data + b"x") is None
    head, body = responses.whole(data)
    assert [("head", head), ("data", body), ("end", b"")] == steps
    assert responses.whole(data) is None
