from __future__ import annotations

import pytest

from mcptest.wire import Id, Session
from tests.helpers.journals import Talk, sample


def test_a_session_is_what_was_said_in_order():
    talk = sample()
    session = Session.derive(iter(talk.frames))
    assert session.frames == tuple(talk.frames)
    first = session.messages[0]
    assert (first.kind, first.sender, first.method, first.id) == ("request", "client", "initialize", Id("number", "0"))
    assert (first.seq, first.at, first.mono) == talk.frames[2][:3]
    assert first.body["params"]["protocolVersion"] == "2025-11-25"
    assert first.raw == talk.frames[2].data
    assert [m.seq for m in session.messages] == sorted(m.seq for m in session.messages)
    assert (session.facts.server_name, session.facts.revision) == ("some server", "2025-11-25")


def test_a_message_that_is_no_text_has_its_bytes_and_no_body():
    (message,) = Session.derive(Talk().server(b'{"method":"\xff"}').frames).messages
    assert (message.kind, message.raw, message.body) == ("malformed", b'{"method":"\xff"}', None)
    assert message.reason == "not UTF-8 (byte 11)"


def test_a_batch_within_a_batch_is_one_malformed_message():
    (message,) = Session.derive(Talk().server('[[{"method":"m"}]]').frames).messages
    assert (message.kind, message.batch, message.body) == ("malformed", 0, None)


def test_an_object_that_is_no_message_keeps_its_body():
    (message,) = Session.derive(Talk().server({"id": 1, "method": 5}).frames).messages
    assert (message.kind, message.body) == ("malformed", {"id": 1, "method": 5})


def test_a_session_cannot_be_changed():
    session = Session.derive(sample().frames)
    with pytest.raises(AttributeError):
        session.messages = ()
    with pytest.raises(AttributeError):
        session.exchanges[0].method = "x"


def test_nothing_at_all_is_a_session_too():
    session = Session.derive([])
    assert (session.messages, session.catalogue("tool"), session.facts.messages) == ((), (), 0)
