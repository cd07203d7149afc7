"""Replies to a live server's requests, from the recording."""

from __future__ import annotations

from mcptest.replay.plan import read
from mcptest.replay.replies import Replies
from tests.helpers.journals import Talk


def asked(identity, method, **params):
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def recording():
    talk = Talk()
    for number, question in enumerate(("colour?", "size?"), 1):
        talk.request(number, "tools/call", name="t", arguments={})
        talk.server(asked(number, "elicitation/create", message=question))
        talk.client({"jsonrpc": "2.0", "id": number, "result": {"content": question.upper()}})
        talk.result(number)
    return read(talk.frames)


def test_the_request_that_was_recorded_is_answered_as_it_was_whatever_the_order():
    replies = Replies(recording())
    assert replies.to(asked(9, "elicitation/create", message="size?"), 0).content == {"result": {"content": "SIZE?"}}
    assert replies.to(asked(9, "elicitation/create", message="colour?"), 1).content == {
        "result": {"content": "COLOUR?"}
    }


def test_a_changed_request_is_answered_as_the_one_of_its_step():
    replies = Replies(recording())
    assert replies.to(asked(9, "elicitation/create", message="weight?"), 1).content == {"result": {"content": "SIZE?"}}


def test_a_request_too_many_gets_the_last_reply_again_and_an_unknown_one_an_error():
    replies = Replies(recording())
    for _ in range(3):
        last = replies.to(asked(9, "elicitation/create", message="colour?"), 0)
    assert last.content == {"result": {"content": "SIZE?"}}
    assert replies.to(asked(9, "roots/list"), 0).content["error"]["code"] == -32601
    assert replies.to(asked(9, "ping"), 0).content == {"result": {}}


def test_what_the_recorded_client_never_replied_to_gets_no_reply():
    talk = Talk().request(1, "tools/call", name="t", arguments={}).server(asked(1, "roots/list")).result(1)
    assert Replies(read(talk.frames)).to(asked(5, "roots/list"), 0).content is None
