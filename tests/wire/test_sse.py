"""Server-sent events: whatever the chunking, the same bytes give the same events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.wire.sse import Events, parse_event


def cut(stream: bytes, *edges: int) -> list[bytes]:
    places = [0, *sorted(edge % (len(stream) + 1) for edge in edges), len(stream)]
    return [stream[a:b] for a, b in zip(places, places[1:], strict=False)]


def events(*chunks: bytes) -> list[bytes]:
    splitter = Events()
    return [event for chunk in chunks for event in splitter.feed(chunk)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_an_empty_line_ends_an_event(end):
    stream = end.join([b": hello", b"", b"id: 1", b"data: {}", b"", b"data: two", b"", b""])
    assert events(stream) == [b": hello", end.join([b"id: 1", b"data: {}"]), b"data: two"]


def test_what_is_not_ended_is_pending():
    splitter = Events()
    assert splitter.feed(b"data: one\n\ndata: tw") == [b"data: one"]
    assert splitter.pending == 8
    assert splitter.take() == b"data: tw"
    assert splitter.pending == 0


LINES = st.sampled_from([b"data: x", b"data", b": c", b"id: 7", b"", b"event: e", b"\xef\xbb\xbfdata: y"])


@given(
    st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b"\r"])), max_size=14),
    st.lists(st.integers(0, 200), max_size=8),
)
def test_however_the_stream_is_cut_it_has_the_same_events(lines, edges):
    stream = b"".join(line + end for line, end in lines)
    whole, parts = Events(), Events()
    expected = whole.feed(stream)
    assert [event for chunk in cut(stream, *edges) for event in parts.feed(chunk)] == expected
    assert parts.take() == whole.take()


def test_an_event_is_read_as_a_client_reads_it():
    event = parse_event(b": keep\nid: 4\nevent: message\ndata: {\ndata:  1}\nretry: 500\nother: x\ndata")
    assert event == (b"{\n 1}\n", "message", "4", "500", 1)
    assert parse_event(b": only a comment").data is None
    assert parse_event(b"\xef\xbb\xbfdata:x").data == b"x"


@given(st.lists(st.sampled_from([b"data: x", b"\n", b"\r\n", b"\n\n", b"\r", b"more", b"data: y\n\n"]), max_size=12))
def test_what_is_skipped_ends_where_the_event_does(parts):
    events, skipping = Events(), Events()
    for reader in (events, skipping):
        reader.feed(b"data: secret")
    skipping.skip()
    found = [event for part in parts for event in events.feed(part)]
    left = [event for part in parts for event in skipping.feed(part)]
    assert left == found[1:]
    assert skipping.take() == (events.take() if found else b"")
