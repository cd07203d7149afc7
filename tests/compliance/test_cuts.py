"""A capture that starts in the middle, ends early or has a hole is never the peers' fault: no rule that passes the whole
session fails a part of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptest.compliance import Book, comply
from mcptest.findings import Status
from mcptest.wire import Frame
from mcptest.wire.frame import GAP, STDERR
from tests.compliance.talks import OWN, recorded

BOOK = Book.load()
TALKS = [(name, revision) for name in OWN for revision in ("auto", "2025-11-25", "2024-11-05")]


def failing(frames: list[Frame]) -> set[str]:
    outcome = comply(frames, BOOK)
    assert not [verdict.reason for verdict in outcome.verdicts if verdict.status is Status.CRASHED]
    return {verdict.rule for verdict in outcome.verdicts if verdict.status is Status.FAILED}


@cache
def failing_whole(name: str, revision: str) -> frozenset[str]:
    return frozenset(failing(list(recorded(name, revision))))


def part(frames: tuple[Frame, ...], begin: int, end: int) -> list[Frame]:
    """The header and some of the rest, as a recorder would have numbered them."""
    return [frames[0], *(frame._replace(seq=seq) for seq, frame in enumerate(frames[begin:end], 1))]


def cuts(count: int) -> Iterator[tuple[int, int]]:
    for at in range(2, count):
        yield at, count
        yield 1, at


@pytest.mark.parametrize(
    ("name", "revision"), [("archive", "auto"), ("archive", "2025-11-25"), ("library", "2024-11-05")]
)
def test_no_part_of_a_session_fails_what_the_whole_passes(name, revision):
    frames = [one for one in recorded(name, revision) if one.channel != STDERR]
    whole = failing_whole(name, revision)
    for begin, end in cuts(len(frames)):
        more = failing(part(tuple(frames), begin, end)) - whole
        assert not more, f"{more} in frames {begin} to {end}"


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_neither_does_what_is_between_two_cuts_or_has_a_hole(data):
    name, revision = data.draw(st.sampled_from(TALKS))
    frames = recorded(name, revision)
    begin = data.draw(st.integers(1, len(frames) - 1))
    end = data.draw(st.integers(begin, len(frames)))
    kept = part(frames, begin, end)
    hole = data.draw(st.integers(1, len(kept)))
    width = data.draw(st.integers(0, 5))
    told = data.draw(st.booleans())
    rest = kept[hole + width :]
    if width and told:
        # The recorder says that it lost something ...
        gap = kept[0]._replace(seq=hole, channel=GAP, data=json.dumps({"frames": width}).encode())
        rest = [gap, *(frame._replace(seq=seq) for seq, frame in enumerate(rest, hole + 1))]
    # ... or numbers are missing.
    more = failing([*kept[:hole], *rest]) - failing_whole(name, revision)
    assert not more
