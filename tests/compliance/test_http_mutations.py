"""Break one rule of a sound session over HTTP at a time: that rule fails, and no MUST that has nothing to do with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from mcp.client.sse import sse_client

from mcptest.compliance import Book, comply
from mcptest.findings import Severity, Status, Verdict
from mcptest.wire import Frame
from mcptest.wire.frame import HEADER
from tests.compliance.http_breaks import BREAKS, HTTP_SSE, JSON_ANSWERS, OLDER, SESSIONS, STATELESS, Break
from tests.compliance.http_tape import Tape
from tests.e2e.conversation import with_weather
from tests.e2e.http_peers import SDK_SERVER, free_port, running
from tests.proxy.http.proxied import Proxied

BOOK = Book.load()
HOW = {  # how the server is run, and how the client speaks to it
    SESSIONS: ("streamable-http", "/mcp", "legacy"),
    JSON_ANSWERS: ("streamable-http json", "/mcp", "legacy"),
    STATELESS: ("streamable-http", "/mcp", "auto"),
    HTTP_SSE: ("sse", "/sse", "legacy"),
}


@cache
def session(era: str) -> tuple[Frame, ...]:
    """The SDK's client and server, through the proxy."""
    if era == OLDER:  # the same words, in an older revision
        return tuple(
            frame._replace(data=frame.data.replace(b"2025-11-25", b"2025-06-18")) for frame in session(SESSIONS)
        )
    how, path, mode = HOW[era]
    transport, *options = how.split()
    port = free_port()
    with (
        running([*SDK_SERVER, transport, str(port), *options], port),
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
    ):
        proxy = Proxied(Path(folder), f"http://127.0.0.1:{port}{path}", "--engine", "built-in", env={})
        target: Any = sse_client(proxy.url) if path == "/sse" else proxy.url
        anyio.run(with_weather, target, mode)
        (recorded,) = proxy.stop()
        return tuple(recorded.frames)


def judge(frames: list[Frame]) -> dict[str, Verdict]:
    verdicts = {verdict.rule: verdict for verdict in comply(frames, BOOK).verdicts}
    assert not [verdict.reason for verdict in verdicts.values() if verdict.status is Status.CRASHED]
    return verdicts


def broken(verdicts: dict[str, Verdict]) -> set[str]:
    """The MUST rules that fail."""
    return {
        rule
        for rule, verdict in verdicts.items()
        if verdict.status is Status.FAILED and any(one.severity is Severity.ERROR for one in verdict.findings)
    }


@pytest.mark.parametrize("era", [*HOW, OLDER])
def test_a_session_that_nobody_broke_fails_no_must(era):
    frames = list(session(era))
    assert not broken(judge(frames))
    assert not broken(judge(Tape(frames).frames()))


@pytest.mark.parametrize("era", [*HOW, OLDER])
def test_no_part_of_a_sound_session_fails_a_must(era):
    header, *rest = session(era)
    assert header.channel == HEADER
    for at in range(1, len(rest), max(1, len(rest) // 12)):
        late = [header, *(frame._replace(seq=seq) for seq, frame in enumerate(rest[at:], 1))]
        assert not broken(judge(late)), f"from frame {at}"
        assert not broken(judge([header, *rest[:at]])), f"to frame {at}"


@pytest.mark.parametrize("one", BREAKS, ids=str)
def test_what_is_broken_fails_and_nothing_else(one: Break):
    tape = Tape(session(one.era))
    one.how(tape)
    verdicts = judge(tape.frames())
    assert verdicts[one.rule].status is Status.FAILED, verdicts[one.rule].reason
    related = {one.rule, *one.also}
    unrelated = {rule: verdicts[rule].findings for rule in broken(verdicts) - related}
    assert not unrelated


def test_there_are_enough_kinds_of_break():
    assert len({one.how for one in BREAKS}) >= 40
    assert len({one.rule for one in BREAKS}) >= 40
