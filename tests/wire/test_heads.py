"""Reading a recorded head never fails."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptest.wire.heads import parse_head, render_head


def test_a_requests_head_is_read():
    head = parse_head(b"POST /mcp?x=1 HTTP/1.1\r\nContent-Type: Application/JSON; charset=utf-8\r\nA: 1\r\na:  2 ")
    assert (head.method, head.target, head.status) == ("POST", "/mcp?x=1", None)
    assert head.content_type == "application/json"
    assert head.get(b"a") == "1, 2"
    assert head.get(b"b") is None


def test_a_responses_head_is_read():
    head = parse_head(b"HTTP/1.1 204 No Content")
    assert head.status == 204
    assert head.content_type == ""
    assert parse_head(b"HTTP/1.1 20").status is None


@given(st.binary(max_size=200))
def test_nothing_is_too_odd(data):
    head = parse_head(data)
    assert isinstance(head.method + head.target + head.content_type, str)
    assert head.status is None or 0 <= head.status <= 999
    assert parse_head(render_head(head)) == head
