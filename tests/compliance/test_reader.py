"""What rules are shown of a session."""

from __future__ import annotations

import json

import pytest

from mcptest.compliance.lines import Line
from mcptest.compliance.reader import SECOND, UNASKED, Reader
from mcptest.compliance.subjects import Exchange, Message
from mcptest.wire.frame import CLIENT, CONTINUED, SERVER
from tests.compliance.transcripts import Talk


class Seen:
    """Everything that a reader hands on."""

    def __init__(self, frames, pin=None):
        self.all = []
        self.history = Reader(lambda *event: self.all.append(event), pin).read(frames)

    def of(self, kind, cls):
        return [subject for event, _, _, subject in self.all if isinstance(subject, cls) and event == kind]

    @property
    def messages(self):
        return [subject for event, _, _, subject in self.all if isinstance(subject, Message)]

    @property
    def exchanges(self):
        return [subject for _, _, _, subject in self.all if isinstance(subject, Exchange)]


def talk(revision="2025-11-25", *lines, **settings):
    made = Talk(revision, settings)
    for line in lines:
        made.add(line, "test")
    made.finish()
    return made


def see(revision="2025-11-25", *lines, **settings):
    return Seen(talk(revision, *lines, **settings).frames)


MODERN = '{"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}'


def test_a_handshake_settles_the_revision():
    seen = see("2025-06-18", "> tools/list", '< result {"tools": []}')
    assert {message.revision for message in seen.messages} == {"2025-06-18"}


def test_before_the_answer_the_requested_version_counts_and_then_the_negotiated_one():
    seen = see(
        "none",
        '> 0 initialize {"protocolVersion": "2025-11-25"}',
        '< result {"protocolVersion": "2024-11-05"}',
        "> ping",
    )
    assert [message.revision for message in seen.messages] == ["2025-11-25", "2024-11-05", "2024-11-05"]


def test_a_handshake_does_not_lead_into_the_stateless_era_by_asking_alone():
    seen = see("none", '> 0 initialize {"protocolVersion": "2026-07-28"}', '< result {"protocolVersion": "2025-11-25"}')
    assert [message.revision for message in seen.messages] == ["2025-11-25", "2025-11-25"]


@pytest.mark.parametrize(
    ("version", "judged_by"),
    [("2024-10-07", "2024-11-05"), ("2025-05-01", "2025-03-26"), ("yesterday", "2025-11-25"), (7, "2025-11-25")],
)
def test_a_version_that_was_never_published_is_judged_by_the_one_before_it(version, judged_by):
    seen = see("none", f'> 0 initialize {{"protocolVersion": {json.dumps(version)}}}')
    assert seen.messages[0].revision == judged_by


def test_both_eras_may_stand_in_one_session():
    seen = see(
        "none",
        f"> server/discover {MODERN}",
        "< error -32601 Method not found",
        '> initialize {"protocolVersion": "2025-11-25"}',
        '< result {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}',
        "< notifications/tools/list_changed",
    )
    assert [message.revision for message in seen.messages] == ["2026-07-28"] * 2 + ["2025-11-25"] * 3


def test_naming_a_revision_with_a_handshake_after_one_stays_in_its_era():
    older = MODERN.replace("2026-07-28", "2025-06-18")
    seen = see("2025-11-25", f"> tools/list {older}", '< result {"tools": []}')
    assert [message.revision for message in seen.messages][-2:] == ["2025-11-25"] * 2
    seen = see("none", f"> tools/list {older}")
    assert seen.messages[0].revision == "2026-07-28"


def test_an_answer_has_the_revision_of_its_request():
    seen = see("2025-11-25", f"> tools/list {MODERN}", '< result {"tools": []}')
    assert [message.revision for message in seen.messages][-2:] == ["2026-07-28"] * 2


def test_what_comes_before_any_revision_is_named_belongs_to_the_first():
    seen = see("none", "< |Listening", "> ping", '> initialize {"protocolVersion": "2025-03-26"}')
    assert {subject.revision for event, _, _, subject in seen.all if event in ("line", "request")} == {"2025-03-26"}
    assert [event for event, *_ in seen.all][:4] == ["event", "line", "request", "line"]


def test_without_a_beginning_and_without_a_pin_the_revision_is_unknown():
    seen = see("2025-11-25", "> tools/list", start="middle")
    assert {message.revision for message in seen.messages} == {""}


def test_a_pin_stands_in_for_a_revision_that_nobody_named():
    frames = talk("2025-11-25", "> tools/list", start="middle").frames
    assert {message.revision for message in Seen(frames, "2025-03-26").messages} == {"2025-03-26"}


def test_a_session_whose_start_was_recorded_has_its_beginning():
    assert see("none", "> ping").history.began
    assert not see("2025-11-25", "> ping", start="middle").history.began
    assert see("none", '> initialize {"protocolVersion": "2025-11-25"}', start="middle").history.began


def test_lost_frames_are_counted():
    made = talk("2025-11-25", "* gap 4", "> ping")
    frames = [*made.frames[:5], *[frame._replace(seq=frame.seq + 2) for frame in made.frames[5:]]]
    assert Seen(frames).history.lost == 6


def test_capabilities_are_those_of_the_moment():
    seen = see("2025-11-25", "> ping", server='{"tools": {"listChanged": true}, "logging": {}}', client="{}")
    ping = seen.messages[-1]
    assert ping.server_capabilities.declares("tools", "listChanged")
    assert ping.server_capabilities.declares("logging")
    assert not ping.server_capabilities.declares("logging", "level")
    assert not ping.client_capabilities.declares("roots")
    assert seen.messages[0].server_capabilities is None


def test_a_request_of_the_stateless_era_carries_its_own_capabilities():
    seen = see("2026-07-28", "> tools/list", '< result {"tools": []}', client='{"elicitation": {}}')
    answer = seen.messages[-1]
    assert answer.client_capabilities.declares("elicitation")
    assert answer.server_capabilities.declares("tools")


def test_a_false_flag_is_not_declared():
    seen = see("2025-11-25", "> ping", server='{"tools": {"listChanged": false}, "prompts": null}')
    declared = seen.messages[-1].server_capabilities
    assert declared.declares("tools")
    assert not declared.declares("tools", "listChanged")
    assert not declared.declares("prompts")


def test_a_catalogue_is_put_together_from_its_pages():
    seen = see(
        "2025-11-25",
        "> tools/list",
        '< result {"tools": [{"name": "a"}], "nextCursor": "2"}',
        '> tools/call {"name": "b"}',
        "< result",
        '> tools/list {"cursor": "2"}',
        '< result {"tools": [{"name": "b"}]}',
        '> tools/call {"name": "b"}',
        "< result",
    )
    (listing,) = [subject for event, _, _, subject in seen.all if event == "listing"]
    assert [part.name for part in listing] == ["a", "b"]
    assert [part.pointer for part in listing] == ["/result/tools/0", "/result/tools/0"]
    assert listing.complete
    assert listing.frames == (6, 10)
    known = seen.history.known.tools
    assert known.complete
    assert "b" in known
    assert known.lacks("c")


def test_an_answer_is_judged_by_the_list_that_held_when_it_was_asked_for():
    seen = see(
        "2025-11-25",
        "> 1 tools/list",
        '< 1 result {"tools": [{"name": "a"}]}',
        '> 2 tools/call {"name": "a"}',
        "> 3 tools/list",
        '< 3 result {"tools": []}',
        "< 2 result",
    )
    call = next(exchange for exchange in seen.exchanges if exchange.method == "tools/call")
    assert "a" in call.known.tools
    assert "a" not in seen.history.known.tools


def test_a_list_that_has_changed_lacks_nothing():
    seen = see("2025-11-25", "> tools/list", '< result {"tools": []}', "< notifications/tools/list_changed")
    assert not seen.history.known.tools.lacks("a")


def test_an_exchange_ends_with_its_answer_or_with_the_session():
    seen = see("2025-11-25", "> 1 ping", "> 2 ping", "< 1 result", '> notifications/cancelled {"requestId": 2}')
    events = [(event, subject.request.id.text) for event, _, _, subject in seen.all if isinstance(subject, Exchange)]
    assert events == [("result", "0"), ("result", "1"), ("silence", "2")]
    assert seen.exchanges[-1].cancelled is not None


def test_a_response_that_was_recorded_before_its_request_is_its_answer():
    made = talk("2025-11-25", '< {"jsonrpc": "2.0", "id": 1, "result": {}}', "> 1 ping")
    early, late = made.frames[5], made.frames[6]
    frames = [*made.frames[:5], early._replace(mono=late.mono + 1), *made.frames[6:]]
    answer = next(message for message in Seen(frames).messages if message.seq == 5)
    assert answer.answers is not None
    assert answer.stray is None


def test_a_response_that_really_came_first_answers_nothing():
    seen = see("2025-11-25", '< {"jsonrpc": "2.0", "id": 1, "result": {}}', "> 1 ping")
    stray = next(message for message in seen.messages if message.seq == 5)
    assert stray.stray == UNASKED


def test_a_second_response_is_known_for_one():
    seen = see("2025-11-25", "> 1 ping", "< 1 result", '< {"jsonrpc": "2.0", "id": 1, "result": {}}')
    assert seen.messages[-1].stray == SECOND


def test_stray_responses_are_handed_on_in_the_end():
    lines = ['< {"jsonrpc": "2.0", "id": 99, "result": {}}', *["> ping", "< result"] * 40]
    seen = see("2025-11-25", *lines)
    order = [message.seq for message in seen.messages]
    assert order.count(5) == 1
    assert order.index(5) > 60


def test_progress_speaks_of_the_request_that_gave_the_token():
    seen = see(
        "2025-11-25",
        '> 7 tools/call {"name": "a", "_meta": {"progressToken": "t"}}',
        '< notifications/progress {"progressToken": "t", "progress": 1}',
        "< 7 result",
        '< notifications/progress {"progressToken": "t", "progress": 2}',
    )
    during, after = [message for message in seen.messages if message.method == "notifications/progress"]
    assert during.about is after.about
    assert during.about.request.id.text == "7"
    assert after.about.answer is not None


def test_a_line_in_parts_is_one_line():
    made = talk("2025-11-25", "> ping")
    line = made.frames[5]
    first, rest = line._replace(data=line.data[:9], flags=CONTINUED), line._replace(seq=6, data=line.data[9:])
    tail = [frame._replace(seq=frame.seq + 1) for frame in made.frames[6:]]
    seen = Seen([*made.frames[:5], first, rest, *tail])
    assert seen.messages[-1].method == "ping"
    assert seen.history.lost == 0


@pytest.mark.parametrize("told", [True, False])
def test_what_follows_a_hole_is_not_put_together_with_what_was_before_it(told):
    made = talk("2025-11-25", "> ping", "> ping", "* gap 2", "> ping")
    torn, _, gap, last = made.frames[5:9]
    torn = torn._replace(data=torn.data[:9], flags=CONTINUED)
    seen = Seen([*made.frames[:5], torn, *([gap._replace(seq=6)] if told else []), last._replace(seq=7)])
    assert [message.method for message in seen.messages][3:] == ["ping"]
    assert seen.history.lost


def test_what_is_no_message_is_a_line():
    seen = see("2025-11-25", "< |hello", "< |", '> [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', "> []", "< |7")
    banner, blank, batch, empty, number = seen.of("line", Line)[3:]
    assert banner.reason.startswith("not JSON")
    assert blank.reason == "empty line"
    assert batch.array
    assert [message.method for message in batch.messages] == ["ping"]
    assert empty.array
    assert empty.messages == ()
    assert number.reason is not None


def test_hostile_lines_are_read():
    deep = "[" * 100_000
    seen = see(
        "2025-11-25", f"< |{deep}", '< |{"jsonrpc": "2.0", "id": ' + "9" * 5000 + ', "result": {}}', "< |" + "{" * 5000
    )
    assert seen.of("line", Line)[3].reason == "nested too deeply"


def test_a_server_shows_that_it_is_modern():
    assert see("2026-07-28").history.modern_server
    assert not see("2025-11-25", "> ping", "< result").history.modern_server
    assert see("2025-11-25", f"> tools/list {MODERN}", "< error -32022 no").history.modern_server


def test_the_requests_in_flight_are_known():
    waiting = []
    made = talk("2025-11-25", "> 1 ping", "< 5 ping", "> 2 ping", "< 1 result", "< notifications/message {}")
    reader = Reader(
        lambda event, *_: (
            waiting.append(
                [[found.request.id.text for found in reader.history.in_flight(side)] for side in (CLIENT, SERVER)]
            )
            if event == "notification"
            else None
        )
    )
    reader.read(made.frames)
    assert waiting[-1] == [["2"], ["5"]]
