"""Break one rule of a sound session at a time: that rule fails, and no MUST that has nothing to do with it."""

from __future__ import annotations

import pytest

from mcptest.compliance import Book, comply
from mcptest.findings import Severity, Status, Verdict
from mcptest.wire import Frame
from tests.compliance.breaks import BREAKS, Break
from tests.compliance.talks import recorded
from tests.compliance.tape import Tape

BOOK = Book.load()


def session(revision: str) -> tuple[Frame, ...]:
    return recorded("archive", revision)


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


@pytest.mark.parametrize("revision", sorted({one.revision for one in BREAKS}))
def test_a_session_that_nobody_broke_fails_no_must(revision):
    assert not broken(judge(list(session(revision))))
    assert not broken(judge(Tape(session(revision)).frames()))


@pytest.mark.parametrize("one", BREAKS, ids=str)
def test_what_is_broken_fails_and_nothing_else(one: Break):
    tape = Tape(session(one.revision))
    one.how(tape)
    verdicts = judge(tape.frames())
    assert verdicts[one.rule].status is Status.FAILED, verdicts[one.rule].reason
    related = {one.rule, *one.also}
    unrelated = {rule: verdicts[rule].findings for rule in broken(verdicts) - related}
    assert not unrelated


def test_there_are_enough_kinds_of_break():
    assert len({one.how for one in BREAKS}) >= 60
    assert len({one.rule for one in BREAKS}) >= 60
