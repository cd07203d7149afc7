"""What rules see of HTTP: exchanges, streams, and sessions that go over several connections."""

from __future__ import annotations

import random

import pytest

from mcptest.compliance import Book, comply
from mcptest.compliance.http import HttpExchange, SseEvent
from mcptest.compliance.kit import Exchange, History, Message
from mcptest.compliance.reader import RESULT, Reader
from mcptest.findings import Status, Verdict
from mcptest.wire import Frame
from mcptest.wire.frame import HEADER, REQUEST, RESPONSE
from tests.compliance.http_transcripts import SESSION, HttpTalk
from tests.compliance.transcripts import cases

BOOK = Book.load()
CALL = '> tools/call {"name": "a"}'


def frames(*lines: str, revision: str = "2025-11-25", transport: str = "http", **settings: str) -> list[Frame]:
    given = {key.replace("_", "-"): value for key, value in settings.items()}
    talk = HttpTalk(revision, {"transport": transport, **given})
    for line in lines:
        talk.add(line, "here")
    talk.finish()
    return talk.frames


class Seen:
    """All that is handed on of a session."""

    def __init__(self, session: list[Frame]) -> None:
        self.happened: list[tuple[str, str, str | None, object]] = []
        self.history: History = Reader(lambda *what: self.happened.append(what)).read(session)

    def exchanges(self, event: str = "http end") -> list[HttpExchange]:
        return [subject for what, _, _, subject in self.happened if what == event and isinstance(subject, HttpExchange)]

    def events(self) -> list[SseEvent]:
        return [subject for *_, subject in self.happened if isinstance(subject, SseEvent)]

    def results(self, method: str) -> list[Exchange]:
        return [
            subject
            for what, _, of, subject in self.happened
            if what == RESULT and of == method and isinstance(subject, Exchange)
        ]


def verdict(session: list[Frame], rule: str) -> Verdict:
    (found,) = comply(session, BOOK, select=[rule]).verdicts
    return found


def test_an_exchange_knows_what_was_asked_and_what_came_back():
    seen = Seen(frames('> tools/list {"cursor": "x"}', "  X-Tenant: a", "  +X-Tenant: b", '< result {"tools": []}'))
    exchange = seen.exchanges()[-1]
    assert (exchange.verb, exchange.path, exchange.status, exchange.answer_type) == (
        "POST", "/mcp", 200, "application/json",
    )  # fmt: skip
    assert exchange.url == "http://127.0.0.1:8000/mcp"
    assert exchange.header("x-tenant") == exchange.header("X-TENANT") == "a, b"
    assert exchange.session_id == SESSION
    assert exchange.json["params"] == {"cursor": "x"}
    assert [message.method for message in exchange.sent] == ["tools/list"]
    assert [message.result for message in exchange.answers] == [{"tools": []}]
    assert exchange.whole_request
    assert exchange.whole_answer
    assert exchange.mcp


def test_a_message_knows_the_exchange_that_carried_it():
    seen = Seen(frames("> tools/list", '< result {"tools": []}'))
    (listed,) = seen.results("tools/list")
    assert listed.answer is not None
    assert listed.request.http is listed.answer.http is seen.exchanges()[-1]


def test_an_exchange_is_told_of_three_times_in_order():
    seen = Seen(frames("> tools/list", '< result {"tools": []}'))
    last = seen.exchanges()[-1]
    told = [(what, sender) for what, sender, _, subject in seen.happened if subject is last]
    assert told == [("http request", "client"), ("http response", "server"), ("http end", "mcptest")]


def test_a_stream_has_its_events_and_its_end():
    seen = Seen(frames(CALL, "< stream", "< event id=1 retry=70 data=", "< :hi", '< result {"content": []}', "< close"))
    stream = seen.exchanges()[-1]
    assert stream.streams
    assert (stream.events, stream.last_id, stream.retry, stream.by, stream.how) == (2, "1", "70", "server", "whole")
    primed, comment, answer = seen.events()
    assert stream.first_event is primed
    assert comment.is_comment
    assert not primed.messages
    assert [message.kind for message in answer.messages] == ["response"]


def test_documents_of_authorization_are_exchanges_without_messages():
    seen = Seen(
        frames(
            "> GET /.well-known/oauth-protected-resource/mcp?x=1",
            '< 200 {"authorization_servers": ["https://as.example"]}',
            "> POST /token form grant_type=refresh_token&resource=https%3A%2F%2Fa",
            '< 200 {"token_type": "Bearer"}',
        )
    )
    document, token = seen.exchanges()[-2:]
    assert not document.mcp
    assert document.query == {"x": ["1"]}
    assert document.answer_json == {"authorization_servers": ["https://as.example"]}
    assert token.form == {"grant_type": ["refresh_token"], "resource": ["https://a"]}
    assert not token.sent
    assert not token.mcp


def test_what_the_capture_ends_in_has_no_end():
    seen = Seen(frames(CALL, "< stream", end="none"))
    assert not seen.exchanges()[-1].ended
    assert [exchange.method for exchange in seen.history.in_flight()] == ["tools/call"]


# ---- sessions over several connections


def test_an_answer_belongs_to_the_request_of_its_own_exchange():
    """Two clients that look alike may use the same id at the same time."""
    seen = Seen(
        frames(
            '> #a 7 tools/call {"name": "first"}',
            '> #b 7 tools/call {"name": "second"}',
            '< #b 200 7 result {"content": [2]}',
            '< #a 200 7 result {"content": [1]}',
            revision="2026-07-28",
        )
    )
    answered = {one.params["name"]: one.result["content"] for one in seen.results("tools/call")}
    assert answered == {"first": [1], "second": [2]}


def test_an_answer_may_come_on_a_stream_that_was_resumed():
    session = frames(
        CALL,
        "< stream",
        "< event id=1 data=",
        "< close",
        "> #back GET",
        "  Last-Event-ID: 1",
        "< #back stream",
        '< #back event id=2 1 result {"content": []}',
        '< #back event id=2 1 result {"content": []}',
    )
    seen = Seen(session)
    (called,) = seen.results("tools/call")
    assert called.answer is not None
    assert called.answer.http is not called.request.http
    assert [event.repeats is not None for event in seen.events()] == [False, False, True]
    assert verdict(session, "JSONRPC-006").status is Status.PASSED


def test_an_event_that_is_delivered_again_is_no_second_response():
    session = frames(
        CALL,
        "< stream",
        "< event id=1 data=",
        '< event id=2 1 result {"content": []}',
        "< close reset",
        "> #back GET",
        "  Last-Event-ID: 1",
        "< #back stream",
        '< #back event id=2 1 result {"content": []}',
    )
    assert verdict(session, "JSONRPC-006").status is Status.PASSED
    assert verdict(session, "JSONRPC-005").status is Status.PASSED


def test_the_same_response_on_two_streams_is_a_second_one():
    session = frames(
        "> #get GET",
        "< stream",
        "> #call tools/call {}",
        "< #call stream",
        '< #call 1 result {"content": []}',
        '< #get 1 result {"content": []}',
    )
    assert verdict(session, "JSONRPC-006").status is Status.FAILED


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
@pytest.mark.parametrize("status", ["< 401", "< 401 |no"])
def test_a_request_that_was_refused_may_come_again_as_it_was(revision, status):
    again = '> 7 tools/call {"name": "a", "_meta": {"progressToken": 7}}'
    session = frames(again, status, again, "  Authorization: Bearer x", '< 7 result {"content": []}', revision=revision)
    for rule in ("JSONRPC-003", "JSONRPC-006", "JSONRPC-019", "PROGRESS-002"):
        assert verdict(session, rule).status is not Status.FAILED, rule


def test_what_http_refused_is_waited_for_no_longer():
    seen = Seen(frames("> tools/list", "< 503"))
    assert not list(seen.history.in_flight())


def test_a_server_asks_on_one_connection_and_is_answered_on_another():
    seen = Seen(frames("> GET", "< stream", "< 5 roots/list", '> 5 result {"roots": []}', "< 202", session_id="none"))
    (asked,) = seen.results("roots/list")
    assert asked.answer is not None
    assert asked.answer.http is not asked.request.http


# ---- which transport, which revision


def test_the_two_transports_are_told_apart():
    assert Seen(frames("> ping", "< result")).history.transport == "streamable-http"
    assert Seen(frames("> ping", "< 202", "< result", transport="http+sse")).history.transport == "sse"


def test_a_capture_from_the_middle_of_http_sse_is_judged_by_neither_transport():
    header, *rest = frames("> ping", "< 202", "< result", transport="http+sse")
    posts = [frame for frame in rest if b"/messages/" in frame.data and frame.channel == REQUEST]
    late = [header, *(frame._replace(seq=seq) for seq, frame in enumerate(rest[rest.index(posts[-1]) :], 1))]
    assert Seen(late).history.transport == "http"
    verdicts = comply(late, BOOK, select=["TRANSPORT-HTTP", "TRANSPORT-SSE"]).verdicts
    assert not [found.rule for found in verdicts if found.status is Status.FAILED]


def test_the_header_tells_the_revision_where_nothing_else_does():
    session = frames("> notifications/roots/list_changed", "< 202", start="middle", revision="2025-06-18")
    (notice,) = [subject for *_, subject in Seen(session).happened if isinstance(subject, Message)]
    assert notice.revision == "2025-06-18"


# ---- evidence


def test_a_finding_shows_the_exchange_as_a_command_and_its_response():
    session = frames("> tools/list", "  -Mcp-Session-Id", "  Authorization: Bearer abc.def", "< 400 |what session?")
    (finding,) = verdict(session, "TRANSPORT-HTTP-015").findings
    text = finding.evidence.excerpt
    assert text is not None
    command, *response = text.split("\n")
    assert command.startswith("curl http://127.0.0.1:8000/mcp -H 'Accept: application/json, text/event-stream'")
    assert "-H 'Authorization: Bearer ***'" in command
    assert """-d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'""" in command
    assert response[0] == "HTTP/1.1 400 Bad Request"
    assert response[-1] == "what session?"


def test_no_secret_of_a_capture_without_redaction_is_shown():
    seen = Seen(
        frames(
            "> POST /token?access_token=topsecret1 form grant_type=x&code=topsecret2&client_secret=topsecret3",
            "  Cookie: session=topsecret4",
            "  X-Api-Key: topsecret5",
            '< 200 {"access_token": "topsecret6", "refresh_token":"topsecret7", "scope": "read"}',
            "  Set-Cookie: topsecret8",
        )
    )
    text = seen.exchanges()[-1].raw.decode()
    assert "topsecret" not in text
    assert "grant_type=x" in text
    assert '"scope": "read"' in text


def test_what_the_recorder_put_in_a_secrets_place_is_shown():
    seen = Seen(frames("> ping", "  Authorization: Bearer redacted-0123456789ab", "< result"))
    assert "Bearer redacted-0123456789ab" in seen.exchanges()[-1].raw.decode()


# ---- captures are untrusted


def damaged(session: tuple[Frame, ...], chance: random.Random) -> list[Frame]:
    """Frames lost, doubled, cut and overwritten, as no recorder leaves them."""
    header, *rest = session
    assert header.channel == HEADER
    found: list[Frame] = []
    for frame in rest:
        match chance.randrange(8):
            case 0:
                continue
            case 1:
                found.append(frame)
            case 2:
                frame = frame._replace(data=frame.data[: chance.randrange(len(frame.data) + 1)])
            case 3:
                frame = frame._replace(channel=chance.choice([REQUEST, RESPONSE, 7, 9, 10, 4]))
            case 4:
                frame = frame._replace(
                    meta=chance.choice([b"", b"[]", b'{"x": "1"}', b'{"x": -1}', b'{"x": 1}', b"\xff"])
                )
            case 5:
                at = chance.randrange(len(frame.data) + 1)
                frame = frame._replace(data=frame.data[:at] + b"\xff\x00:\r\n" + frame.data[at:])
        found.append(frame)
    return [header, *(frame._replace(seq=seq) for seq, frame in enumerate(found, 1))]


OVER_HTTP = [case for case in cases() if case.rule.startswith(("TRANSPORT-HTTP", "TRANSPORT-SSE"))]


@pytest.mark.parametrize("seed", range(8))
def test_no_rule_crashes_on_frames_that_make_no_sense(seed):
    chance = random.Random(seed)
    for case in chance.sample(OVER_HTTP, 25):
        outcome = comply(damaged(case.frames, chance), BOOK)
        assert not [found.reason for found in outcome.verdicts if found.status is Status.CRASHED]
