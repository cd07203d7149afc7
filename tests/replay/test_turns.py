"""A recording as turns."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mcptest.replay import read
from mcptest.replay.turns import Reader, turns
from mcptest.wire.frame import REQUEST_BODY, SSE
from tests.helpers.journals import Talk


def said(turn):
    return [one.method for one in turn.during], [one.method for one in turn.after]


def note(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def test_a_servers_messages_belong_to_the_request_that_is_open():
    talk = Talk().handshake()
    talk.request(1, "tools/call", name="a", arguments={})
    talk.server(note("notifications/message", data="before"))
    talk.result(1, content=[])
    talk.server(note("notifications/tools/list_changed"))
    talk.request(2, "ping").result(2)
    call = next(turn for turn in turns(talk.frames) if turn.method == "tools/call")
    assert said(call) == (["notifications/message"], ["notifications/tools/list_changed"])
    assert call.name == "a"
    assert call.duration == 2_000_000


def test_progress_belongs_to_its_token_whatever_else_is_open():
    talk = Talk()
    talk.request(1, "tools/call", name="a", arguments={}, _meta={"progressToken": "x"})
    talk.request(2, "tools/call", name="b", arguments={}, _meta={"progressToken": 7})
    talk.server(note("notifications/progress", progressToken="x", progress=1))
    talk.server(note("notifications/progress", progressToken=7, progress=1))
    talk.server(note("notifications/message", data="whose?"))
    talk.result(2).result(1)
    a, b = sorted(turns(talk.frames))
    assert said(a) == (["notifications/progress"], [])
    assert said(b) == (["notifications/progress", "notifications/message"], [])


def test_a_servers_request_has_the_clients_reply():
    talk = Talk()
    talk.request(1, "tools/call", name="a", arguments={})
    talk.server({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
    talk.client({"jsonrpc": "2.0", "id": 1, "result": {"roots": []}})
    talk.result(1)
    (call,) = turns(talk.frames)
    (asked,) = call.during
    assert json.loads(asked.reply)["result"] == {"roots": []}


def test_a_reply_that_came_after_the_next_request_is_found_all_the_same():
    talk = Talk()
    talk.client(note("notifications/initialized"))
    talk.server({"jsonrpc": "2.0", "id": 9, "method": "roots/list"})
    talk.request(1, "ping")
    talk.client({"jsonrpc": "2.0", "id": 9, "result": {"roots": []}})
    talk.result(1)
    first = read(talk.frames).turns[0]
    assert first.after[0].reply is not None


def test_what_the_server_says_first_is_kept_apart():
    talk = Talk().server(note("notifications/message", data="hello")).request(1, "ping").result(1)
    recording = read(talk.frames)
    assert [one.method for one in recording.unprompted] == ["notifications/message"]
    assert said(recording.turns[0]) == ([], [])


def test_requests_without_an_answer_come_at_the_end_and_cancelled_ones_say_so():
    talk = Talk().request(1, "tools/call", name="slow", arguments={})
    talk.client(note("notifications/cancelled", requestId=1)).request(2, "ping")
    slow, cancel, ping = read(talk.frames).turns
    assert slow.answer is None
    assert slow.cancelled
    assert cancel.method == "notifications/cancelled"
    assert not ping.cancelled


def test_events_of_a_requests_own_stream_are_its_own():
    talk = Talk()
    for number in (1, 2):
        body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "abc"[number]}}
        talk.add(REQUEST_BODY, body, meta=b'{"x":%d}' % number)
    event = f"data: {json.dumps(note('notifications/message', data='for the first'))}"
    talk.add(SSE, event, meta=b'{"x":1}')
    talk.add(SSE, 'data: {"jsonrpc":"2.0","id":1,"result":{}}', meta=b'{"x":1}')
    first = next(turn for turn in turns(talk.frames) if turn.name == "b")
    assert said(first) == (["notifications/message"], [])
    assert first.answer is not None


def test_malformed_messages_of_the_client_are_counted():
    assert read(Talk().client("no json").request(1, "ping").result(1).frames).malformed == 1


@given(st.integers(1, 7))
def test_turns_are_the_same_in_any_stretches(size):
    talk = Talk().handshake()
    for number in range(1, 9):
        talk.request(number, "tools/call", name=f"t{number}", arguments={}, _meta={"progressToken": number})
        talk.server(note("notifications/progress", progressToken=number, progress=1))
        if number % 3:
            talk.result(number)
    whole = sorted(turns(talk.frames))
    reader, found = Reader(), []
    for start in range(0, len(talk.frames), size):
        found += reader.feed(talk.frames[start : start + size])
    assert sorted(found + reader.finish()) == whole
