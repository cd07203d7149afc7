from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptest.wire import Deriver, Exchange, Frame, Recall, Session
from mcptest.wire.frame import CONTINUED, HEADER, PARTIAL, REQUEST_BODY, SSE, STDERR, STDIN, STDOUT
from mcptest.wire.rows import DamageRow, FrameRow, MessageRow
from tests.helpers.journals import START, Talk

MODERN = "io.modelcontextprotocol/"


def session(talk: Talk) -> Session:
    return Session.derive(talk.frames)


def pairs(talk: Talk) -> list[tuple[str, int, int | None, str]]:
    """Of each exchange: method, request, answer, status."""
    return [(e.method, e.seq, e.answer, e.status) for e in session(talk).exchanges]


# ---- pairing


def test_a_response_answers_the_request_of_the_other_side():
    talk = Talk().request(1, "tools/call", name="add").result(1, after_ms=20, content=[])
    (exchange,) = session(talk).exchanges
    assert (exchange.sender, exchange.method, exchange.name, exchange.id) == ("client", "tools/call", "add", "1")
    assert (exchange.answer, exchange.duration, exchange.status, exchange.is_error) == (
        2,
        20_000_000,
        "answered",
        False,
    )


def test_both_sides_may_use_the_same_id_at_once():
    talk = Talk().request(1, "tools/call", name="ask")
    talk.server({"id": 1, "method": "elicitation/create"}).client({"id": 1, "result": {}}).result(1)
    assert pairs(talk) == [("tools/call", 1, 4, "answered"), ("elicitation/create", 2, 3, "answered")]


@pytest.mark.parametrize(
    ("first", "second"), [(1, "1"), (1, 1.0), (None, "null"), (True, "true"), (2**64, float(2**64))]
)
def test_ids_of_another_json_type_or_spelling_are_others(first, second):
    talk = Talk().request(first, "a").request(second, "b").result(second).result(first)
    assert pairs(talk) == [("a", 1, 4, "answered"), ("b", 2, 3, "answered")]


def test_connections_have_ids_of_their_own():
    frames = Talk().request(1, "a").request(1, "b").result(1).frames
    frames = [*frames[:2], frames[2]._replace(conn=7), frames[3]._replace(conn=7)]
    assert [(e.method, e.conn, e.answer) for e in Session.derive(frames).exchanges] == [("a", 0, None), ("b", 7, 3)]


def test_of_two_requests_with_the_same_id_the_older_is_answered_first():
    talk = Talk().request(1, "a").request(1, "b").request(1, "c").result(1).result(1)
    assert pairs(talk) == [("a", 1, 4, "answered"), ("b", 2, 5, "answered"), ("c", 3, None, "unanswered")]


def test_a_second_response_and_one_without_a_request_answer_nothing():
    talk = Talk().request(1, "a").result(1).result(1).result(99).server({"result": {}}).error(None, -32700, "what?")
    assert pairs(talk) == [("a", 1, 2, "answered")]
    rows = Deriver().feed(talk.frames).messages
    assert [MessageRow(*row).answers for row in rows] == [None, "a", None, None, None, None]


def test_an_id_may_be_used_again_after_its_answer():
    talk = Talk().request(1, "a").result(1).request(1, "b").result(1)
    assert pairs(talk) == [("a", 1, 2, "answered"), ("b", 3, 4, "answered")]


def test_a_response_recorded_before_its_request_but_read_after_it_is_its_answer():
    head, request, response = Talk().request(1, "tools/list").result(1, after_ms=5, tools=[{"name": "t"}]).frames
    swapped = [head, response._replace(seq=1), request._replace(seq=2)]
    found = Session.derive(swapped)
    assert [(e.seq, e.answer, e.duration) for e in found.exchanges] == [(2, 1, 5_000_000)]
    assert [item.name for item in found.items] == ["t"]
    assert [MessageRow(*row).answers for row in Deriver().feed(swapped).messages] == ["tools/list", None]


def test_a_response_that_was_read_before_its_request_answers_nothing():
    talk = Talk().result(1).request(1, "a")
    assert pairs(talk) == [("a", 2, None, "unanswered")]


def test_a_response_too_long_before_its_request_answers_nothing():
    talk = Talk().result(1)
    for number in range(70):
        talk.client({"method": f"n{number}"})
    talk.request(1, "a")
    late = [frame._replace(mono=frame.mono + 10**12) if frame.seq == 1 else frame for frame in talk.frames]
    assert Session.derive(late).exchanges[0].answer is None


def test_a_duration_is_never_negative_and_does_not_follow_the_wall_clock():
    head, request, response = Talk().request(1, "a").result(1, after_ms=3).frames
    jumped = response._replace(at=request.at - 10**15)
    assert Session.derive([head, request, jumped]).exchanges[0].duration == 3_000_000
    backwards = response._replace(mono=request.mono - 1)
    assert Session.derive([head, request, backwards]).exchanges[0].duration == 0


def test_members_of_batches_pair_one_by_one():
    talk = Talk().client([{"id": 1, "method": "a"}, {"id": "1", "method": "b"}, {"method": "n"}])
    talk.server([{"id": "1", "result": {}}]).server([{"id": 1, "error": {"code": 5}}, {"id": 1, "result": {}}])
    found = session(talk)
    assert [(e.method, e.seq, e.batch, e.answer, e.answer_batch) for e in found.exchanges] == [
        ("a", 1, 0, 3, 0),
        ("b", 1, 1, 2, 0),
    ]
    assert [(m.seq, m.batch, m.kind) for m in found.messages] == [
        (1, 0, "request"),
        (1, 1, "request"),
        (1, 2, "notification"),
        (2, 0, "response"),
        (3, 0, "response"),
        (3, 1, "response"),
    ]
    assert found.messages[1].raw == b'{"id": "1", "method": "b"}'


def test_cancelling_marks_the_senders_own_request():
    talk = Talk().request(1, "a").server({"id": 1, "method": "sampling/createMessage"})
    talk.client({"method": "notifications/cancelled", "params": {"requestId": 1}})
    assert [(e.method, e.cancelled, e.status) for e in session(talk).exchanges] == [
        ("a", 3, "cancelled"),
        ("sampling/createMessage", None, "unanswered"),
    ]


def test_a_cancelled_request_may_still_be_answered():
    talk = (
        Talk()
        .request(2**64, "a")
        .client({"method": "notifications/cancelled", "params": {"requestId": 2**64, "reason": "slow"}})
    )
    talk.result(2**64)
    (exchange,) = session(talk).exchanges
    assert (exchange.cancelled, exchange.answer, exchange.status) == (2, 3, "answered")


def test_a_server_may_end_a_subscription_and_nothing_else_of_its_client():
    cancel = {"method": "notifications/cancelled", "params": {"requestId": 1}}
    assert pairs(Talk().request(1, "subscriptions/listen").server(cancel))[0][3] == "cancelled"
    assert pairs(Talk().request(1, "tools/call").server(cancel))[0][3] == "unanswered"


def test_progress_is_counted_by_its_token_while_the_request_waits():
    def progress(token: Any) -> dict[str, Any]:
        return {"method": "notifications/progress", "params": {"progressToken": token, "progress": 1}}

    talk = Talk().request(1, "a", _meta={"progressToken": 5}).request(2, "b", _meta={"progressToken": "5"})
    talk.server(progress(5)).server(progress(5)).server(progress("5")).server(progress(6)).client(progress(5))
    talk.result(1).server(progress(5)).server({"method": "notifications/progress"})
    assert [(e.method, e.progress) for e in session(talk).exchanges] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32601, "message": "no"}, -32601, "no"),
        ({"code": "x", "message": 5}, None, "5"),
        ({"code": 2**70}, None, None),
        ({"code": True, "message": ["a"]}, None, '["a"]'),
        ("text", None, "text"),
        (None, None, None),
        ({"code": 1, "message": "m" * 10_000}, 1, "m" * 4096 + "…"),
    ],
)
def test_an_error_is_kept_whatever_shape_it_has(error, code, message):
    talk = Talk().request(1, "a").server({"id": 1, "error": error})
    (exchange,) = session(talk).exchanges
    assert (exchange.status, exchange.error_code, exchange.error_message) == ("error", code, message)
    assert [(row.kind, row.code, row.message) for row in session(talk).errors] == [("protocol", code, message)]


def test_an_empty_error_beside_a_result_is_no_error():
    talk = Talk().request(1, "a").server({"id": 1, "result": {}, "error": None})
    assert (pairs(talk)[0][3], session(talk).errors) == ("answered", ())


def test_a_tools_own_error_is_an_answer_and_an_error():
    talk = Talk().request(1, "tools/call", name="t")
    talk.result(1, isError=True, content=[{"type": "image"}, {"type": "text", "text": "broke"}])
    found = session(talk)
    assert (found.exchanges[0].status, found.exchanges[0].is_error) == ("answered", True)
    assert [(row.kind, row.seq, row.message) for row in found.errors] == [("tool", 2, "broke")]


def test_an_answer_that_asks_for_input_says_so():
    talk = Talk().request(1, "tools/call", name="t").result(1, resultType="input_required", requestState="s")
    assert session(talk).exchanges[0].result_type == "input_required"


# ---- what a session says about itself


def test_a_handshake_names_both_sides_and_the_revision_they_agreed_on():
    talk = Talk(name="n", argv=("my server", "-v")).request(
        0, "initialize", protocolVersion="2026-01-01", clientInfo={"name": "c", "version": "1"}
    )
    assert session(talk).facts.revision == "2026-01-01", "asked for, not yet agreed"
    facts = session(talk.result(0, protocolVersion="2025-06-18", serverInfo={"name": "s", "version": "2"})).facts
    assert (facts.client_name, facts.client_version, facts.server_name, facts.server_version) == ("c", "1", "s", "2")
    assert (facts.revision, facts.name, facts.target, facts.transport) == ("2025-06-18", "n", "'my server' -v", "stdio")
    assert facts.started_at == START


def test_stateless_requests_name_both_sides_and_their_revision():
    meta = {f"{MODERN}protocolVersion": "2026-07-28", f"{MODERN}clientInfo": {"name": "c", "version": "1"}}
    talk = Talk().request("a", "tools/list", _meta=meta)
    talk.result("a", tools=[], resultType="complete", _meta={f"{MODERN}serverInfo": {"name": "s", "version": "2"}})
    facts = session(talk).facts
    assert (facts.client_name, facts.client_version, facts.server_name, facts.server_version) == ("c", "1", "s", "2")
    assert facts.revision == "2026-07-28"
    assert session(talk).exchanges[0].revision == "2026-07-28"


def test_a_refused_stateless_probe_does_not_decide_the_revision():
    meta = {f"{MODERN}protocolVersion": "2026-07-28"}
    talk = Talk().request(0, "server/discover", _meta=meta).error(0, -32601, "no such method")
    assert session(talk).facts.revision == "2026-07-28"
    talk.request(1, "initialize", protocolVersion="2025-11-25").result(1, protocolVersion="2025-11-25")
    assert session(talk).facts.revision == "2025-11-25"


def test_how_a_session_ended_is_known():
    assert session(Talk().event("spawn", pid=1).end(code=3)).facts.exit_code == 3
    facts = session(Talk().event("signal", signal=2, forwarded=True).event("exit", signal=9)).facts
    assert (facts.exit_code, facts.signal, facts.ended) == (None, 9, False)
    assert session(Talk().end()).facts.ended


def test_everything_is_counted():
    talk = Talk().handshake().call(1, "a").call(2, "b").server("noise").request(3, "x").error(3, 1, "e").stderr("s")
    talk.client([{"method": "n"}, 5]).gap(12).gap(3)
    facts = session(talk).facts
    assert (facts.messages, facts.requests, facts.responses, facts.notifications) == (12, 4, 4, 2)
    assert (facts.malformed, facts.errors, facts.tool_calls, facts.lost) == (2, 3, 2, 15)
    assert facts.frames == len(talk.frames)
    assert facts.size == sum(len(m.raw) for m in session(talk).messages)
    assert facts.last_at == talk.frames[-1].at


@pytest.mark.parametrize(
    "body",
    [
        {"params": None},
        {"params": []},
        {"params": {"clientInfo": 5, "protocolVersion": {"a": 1}, "_meta": "x"}},
        {"params": {"clientInfo": {"name": ["n"], "version": None}, "_meta": {f"{MODERN}clientInfo": 0}}},
        {
            "params": {
                "_meta": {f"{MODERN}protocolVersion": 7, "progressToken": {"a": []}},
                "name": {"x": 1},
                "cursor": 0,
            }
        },
    ],
)
@pytest.mark.parametrize("method", ["initialize", "tools/call", "tools/list", "notifications/cancelled"])
def test_members_of_the_wrong_type_do_no_harm(method, body):
    talk = Talk().client({"id": 1, "method": method, **body}).client({"method": method, **body})
    for result in (None, 5, [], {"tools": 5}, {"tools": [1, None, {"name": 5}], "nextCursor": {}, "_meta": 3}):
        talk.client({"id": 1, "method": method, **body}).server({"id": 1, "result": result})
    assert len(session(talk).exchanges) == 6


# ---- catalogues


def listed(found: Session) -> list[tuple[str, int, int, str | None]]:
    return [(item.kind, item.catalogue, item.position, item.name) for item in found.items]


def test_a_catalogue_goes_over_pages_and_each_listing_is_a_new_one():
    talk = Talk()
    for number in range(2):
        talk.request(f"a{number}", "tools/list").result(
            f"a{number}", tools=[{"name": "x"}, {"name": "y"}], nextCursor="2"
        )
        talk.request(f"b{number}", "tools/list", cursor="2").result(f"b{number}", tools=[{"name": "z"}])
    assert listed(session(talk)) == [
        ("tool", number, position, name) for number in (1, 2) for position, name in enumerate("xyz")
    ]
    assert [item.name for item in session(talk).catalogue("tool")] == ["x", "y", "z"]
    assert session(talk).items[0].definition == {"name": "x"}


def test_catalogues_of_different_kinds_do_not_mix():
    talk = Talk().request(1, "tools/list").request(2, "prompts/list").request(3, "resources/list")
    talk.request(4, "resources/templates/list")
    talk.result(2, prompts=[{"name": "p"}], nextCursor="c").result(1, tools=[{"name": "t"}], nextCursor="c")
    talk.result(4, resourceTemplates=[{"name": "rt"}]).result(3, resources=[{"name": "r", "uri": "a:b"}])
    talk.request(5, "prompts/list", cursor="c").result(5, prompts=[{"name": "q"}])
    assert listed(session(talk)) == [
        ("prompt", 1, 0, "p"),
        ("tool", 1, 0, "t"),
        ("template", 1, 0, "rt"),
        ("resource", 1, 0, "r"),
        ("prompt", 1, 1, "q"),
    ]


def test_a_page_by_an_unknown_cursor_begins_a_catalogue():
    talk = Talk().request(1, "tools/list", cursor="lost").result(1, tools=[{"name": "x"}], nextCursor="c" * 500)
    talk.request(2, "tools/list", cursor="c" * 500).result(2, tools=[{"name": "y"}])
    talk.request(3, "tools/list", cursor="c" * 500).result(3, tools=[{"name": "y"}])
    assert listed(session(talk)) == [("tool", 1, 0, "x"), ("tool", 1, 1, "y"), ("tool", 2, 0, "y")]


def test_a_failed_listing_lists_nothing():
    talk = Talk().request(1, "tools/list").error(1, -1, "no").request(2, "tools/list").result(2, tools="none")
    assert session(talk).items == ()


def test_names_and_definitions_of_any_kind_are_kept():
    odd = ["../../etc", "nul\x00", "n" * 4096, "🦀", "", "\ud800", 7, None]
    talk = Talk().request(1, "tools/list").result(1, tools=[{"name": name} for name in odd] + [[], 5])
    names = [item.name for item in session(talk).items]
    assert names == [*odd[:6], "7", None, None, None]
    assert [item.definition for item in session(talk).items[-2:]] == [[], 5]


# ---- frames


def rows_of(*frames: Frame) -> tuple[list[FrameRow], list[MessageRow]]:
    rows = Deriver().feed(frames)
    return [FrameRow(*row) for row in rows.frames], [MessageRow(*row) for row in rows.messages]


def frame(seq: int, data: bytes, channel: int = STDOUT, flags: int = 0) -> Frame:
    return Frame(seq, 10, 20, 0, channel, flags, data)


def test_a_frame_that_is_one_message_has_no_row_of_its_own():
    frames, messages = rows_of(frame(0, b'{"method":"m"}'), frame(1, b"no json"), frame(2, b'{"method":"\xff"}'))
    assert [(row.seq, row.whole, row.raw) for row in messages] == [
        (0, True, '{"method":"m"}'),
        (1, True, "no json"),
        (2, False, None),
    ]
    assert [(row.seq, row.text, row.data) for row in frames] == [(2, None, b'{"method":"\xff"}')]


def test_other_channels_are_frames_only():
    frames, messages = rows_of(frame(0, b"{}", HEADER), frame(1, b"oops \xff", STDERR), frame(2, b'{"id":1}', STDERR))
    assert messages == []
    assert [(row.seq, row.text, row.data) for row in frames] == [
        (0, "{}", None),
        (1, None, b"oops \xff"),
        (2, '{"id":1}', None),
    ]


def test_a_line_in_several_records_is_one_message_and_each_record_a_frame():
    text = '{"method":"é"}'.encode()
    frames, messages = rows_of(
        frame(0, text[:12], flags=CONTINUED),
        frame(1, b'{"method":"other way"}', STDIN),
        frame(2, text[12:13], flags=CONTINUED),
        frame(3, text[13:]),
        frame(4, b'{"method":"next"}'),
    )
    assert [row.seq for row in frames] == [0, 2, 3]
    assert b"".join(row.data if row.text is None else row.text.encode() for row in frames) == text
    assert [(row.seq, row.method, row.whole, row.size) for row in messages] == [
        (1, "other way", True, 22),
        (3, "é", False, len(text)),
        (4, "next", True, 17),
    ]


def test_the_end_of_a_stream_without_a_newline_is_a_message_if_it_is_whole():
    _, messages = rows_of(frame(0, b'{"method":"m"}', flags=PARTIAL), frame(1, b'{"meth', flags=PARTIAL))
    assert [(row.kind, row.flags) for row in messages] == [("notification", PARTIAL), ("malformed", PARTIAL)]


def test_http_bodies_and_events_carry_messages():
    frames, messages = rows_of(
        frame(0, b'{"id":1,"method":"m"}', REQUEST_BODY),
        frame(1, b'event: message\ndata: {"id":1,\ndata: "result":{}}\n', SSE),
        frame(2, b": just a comment", SSE),
        frame(3, b"", REQUEST_BODY),
    )
    assert [(row.seq, row.kind, row.answers) for row in messages] == [(0, "request", None), (1, "response", "m")]
    assert [row.seq for row in frames] == [1, 2, 3]


def test_missing_and_repeated_sequence_numbers_are_damage():
    frames = [frame(seq, b'{"method":"m"}') for seq in (0, 1, 4, 4, 2, 5, 2**63)]
    rows = Deriver().feed(frames)
    assert [row[0] for row in rows.messages] == [0, 1, 4, 5]
    assert rows.damage == [
        DamageRow("missing", None, None, 2, 3),
        DamageRow("repeated", None, None, 4, 4),
        DamageRow("repeated", None, None, 2, 2),
        DamageRow("repeated", None, None, 2**63, 2**63),
    ]


def test_gaps_of_any_shape_are_kept():
    talk = Talk().gap(12).add(5, b"not json").add(5, {"frames": -1, "bytes": "x", "channel": 7}).add(5, [])
    assert [(row.channel, row.frames, row.bytes) for row in session(talk).gaps] == [
        ("stdout", 12, 1000),
        (None, 1, 0),
        ("7", 1, 0),
        (None, 1, 0),
    ]


# ---- putting it aside and going on


class Kept:
    """Rows as a capture keeps them, to go on from."""

    def __init__(self) -> None:
        self.frames: dict[int, tuple] = {}
        self.messages: dict[tuple, tuple] = {}
        self.exchanges: dict[tuple, tuple] = {}
        self.others: list[tuple] = []
        self.state: dict[str, Any] | None = None

    def feed(self, frames: list[Frame]) -> None:
        state = json.loads(json.dumps(self.state))
        deriver = Deriver(state, self.recall() if state else None)
        rows = deriver.feed(frames)
        self.frames |= {row[0]: row for row in rows.frames}
        self.messages |= {row[:2]: tuple(row) for row in rows.messages}
        for row in rows.exchanges:
            assert row[:2] not in self.exchanges
            self.exchanges[row[:2]] = row
        for row in rows.changed:
            assert row[:2] in self.exchanges
            self.exchanges[row[:2]] = row
        for repair in rows.repairs:
            row = MessageRow(*self.messages[repair[1:]])
            self.messages[repair[1:]] = tuple(row._replace(answers=repair.answers))
        self.others += [tuple(row) for row in [*rows.errors, *rows.gaps, *rows.damage, *rows.items]]
        self.others += sorted(rows.definitions.items())
        self.state = deriver.state()

    def recall(self) -> Recall:
        def frame(seq: int) -> bytes:
            row = FrameRow(*self.frames[seq])
            return row.data if row.text is None else row.text.encode()

        return Recall(
            lambda: [Exchange(*row) for _, row in sorted(self.exchanges.items(), key=_order) if row[13] is None],
            frame,
            lambda seq, batch: MessageRow(*self.messages[seq, batch]).raw.encode(),
        )


def _order(item: tuple[tuple[int, int | None], Any]) -> tuple[int, int]:
    (seq, batch), _ = item
    return seq, -1 if batch is None else batch


ids = st.sampled_from([1, "1", 2, 1.0, None])
metas = st.sampled_from([None, {"progressToken": 1}, {"progressToken": "1", f"{MODERN}protocolVersion": "2026-07-28"}])
requests = st.builds(
    lambda id, method, meta, cursor: {
        "id": id,
        "method": method,
        "params": {"_meta": meta, "cursor": cursor, "name": "t"},
    },
    ids,
    st.sampled_from(["initialize", "tools/list", "tools/call", "x"]),
    metas,
    st.sampled_from([None, "a", "b"]),
)
responses = st.builds(
    lambda id, body: {"id": id, **body},
    ids,
    st.sampled_from(
        [
            {"result": {"tools": [{"name": "t"}], "nextCursor": "a"}},
            {"result": {"tools": [{"name": "u"}], "nextCursor": "b", "protocolVersion": "2025-06-18"}},
            {"result": {"isError": True, "serverInfo": {"name": "s"}}},
            {"error": {"code": 1, "message": "e"}},
        ]
    ),
)
notifications = st.sampled_from(
    [
        {"method": "notifications/progress", "params": {"progressToken": 1}},
        {"method": "notifications/progress", "params": {"progressToken": "1"}},
        {"method": "notifications/cancelled", "params": {"requestId": 1}},
        {"method": "notifications/cancelled", "params": {"requestId": "1"}},
    ]
)
messages = st.one_of(requests, responses, notifications)
lines = st.builds(
    lambda body, channel, flags, when, skip: (json.dumps(body).encode(), channel, flags, when, skip),
    st.one_of(messages, st.lists(messages, max_size=3), st.just(5)),
    st.sampled_from([STDIN, STDOUT]),
    st.sampled_from([0, 0, 0, 0, CONTINUED]),
    st.integers(0, 20),
    st.sampled_from([0, 0, 0, 1]),
)


@given(st.lists(lines, max_size=25), st.data())
@settings(max_examples=150)
def test_wherever_a_session_is_put_aside_the_rows_are_the_same(given_lines, data):
    frames, seq = [], 0
    for raw, channel, flags, when, skip in given_lines:
        frames.append(Frame(seq, when, when, 0, channel, flags, raw))
        seq += 1 + skip
    cuts = sorted(data.draw(st.lists(st.integers(0, len(frames)), max_size=5)))
    whole, parts = Kept(), Kept()
    whole.feed(frames)
    for start, end in zip([0, *cuts], [*cuts, len(frames)], strict=True):
        parts.feed(frames[start:end])
    assert parts.exchanges == whole.exchanges
    assert parts.messages == whole.messages
    assert (parts.frames, parts.state) == (whole.frames, whole.state)
    assert sorted(set(map(str, parts.others))) == sorted(set(map(str, whole.others)))


def test_a_response_put_aside_before_its_request_is_set_right_afterwards():
    head, request, response = Talk().request(1, "tools/list").result(1, tools=[{"name": "t"}]).frames
    kept = Kept()
    kept.feed([head, response._replace(seq=1)])
    assert kept.messages[1, None][11] is None
    kept.feed([request._replace(seq=2)])
    assert MessageRow(*kept.messages[1, None]).answers == "tools/list"
    assert Exchange(*kept.exchanges[2, None]).answer == 1


# ---- hostile


def test_very_many_requests_with_one_id_are_paired_in_order():
    count = 30_000
    asked = [frame(n, b'{"id":1,"method":"m"}', STDIN) for n in range(count)]
    answered = [frame(count + n, b'{"id":1,"result":{}}') for n in range(count)]
    rows = Deriver().feed(asked + answered)
    assert [row[13] for row in rows.exchanges] == list(range(count, 2 * count))


def test_orphans_are_forgotten():
    deriver = Deriver()
    deriver.feed(frame(n, b'{"id":%d,"result":{}}' % n) for n in range(5000))
    assert len(deriver.state()["early"]) <= 64


def test_the_state_of_a_session_stays_small():
    deriver = Deriver()
    talk = Talk()
    for number in range(1000):
        talk.request(number, "tools/list", cursor=f"{number}" * 100)
        talk.result(number, tools=[{"name": "t" * 100}], nextCursor=f"{number + 1}" * 1000)
    deriver.feed(talk.frames)
    assert len(json.dumps(deriver.state())) < 50_000
