"""What to send again, and what to wait for."""

from __future__ import annotations

import json

from mcptest.protocol import methods
from mcptest.replay.plan import plan, read
from mcptest.wire.frame import EVENT, REQUEST, REQUEST_BODY, RESPONSE
from tests.helpers.journals import Talk

MODERN = {methods.PROTOCOL_VERSION: "2026-07-28"}


def note(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def test_an_answer_is_waited_for_if_the_recording_has_one():
    talk = Talk().request(1, "ping").result(1).request(2, "tools/call", name="slow", arguments={})
    assert [step.waits for step in plan(read(talk.frames))] == [True, False]


def test_what_the_client_took_back_is_not_waited_for_even_if_it_was_answered():
    talk = Talk().request(1, "tools/call", name="slow", arguments={})
    talk.client(note("notifications/cancelled", requestId=1)).result(1)
    call, cancellation = plan(read(talk.frames))
    assert (call.waits, call.abandoned) == (False, None)
    assert cancellation.turn.method == "notifications/cancelled"


def test_a_request_that_was_answered_before_it_was_taken_back_is_one_like_any_other():
    talk = Talk().request(1, "tools/call", name="quick", arguments={}).result(1)
    talk.client(note("notifications/cancelled", requestId=1))
    assert plan(read(talk.frames))[0].waits


def test_a_request_whose_stream_the_client_closed_is_known_as_abandoned():
    talk = Talk()
    meta = b'{"x":1,"c":1}'
    head = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28"
    talk.add(REQUEST, head, meta=meta)
    params = {"name": "slow", "arguments": {}, "_meta": MODERN}
    talk.add(REQUEST_BODY, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, meta=meta)
    talk.add(RESPONSE, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream", meta=meta)
    talk.add(EVENT, json.dumps({"event": "stream closed", "by": "client", "how": "closed", "x": 1}))
    (step,) = plan(read(talk.frames))
    assert step.abandoned == talk.frames[-1].seq
    assert not step.waits
