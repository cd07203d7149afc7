"""What came of a replay: the nouns between the player, which makes them, and drift, which judges them."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from mcptest.policy import Reason
from mcptest.replay.plan import Step
from mcptest.replay.turns import Said
from mcptest.wire import Id


class Status(enum.StrEnum):
    """Skipped: on purpose. Unanswered: it was sent, and nothing came back. Not run: the replay ended before it."""

    RAN = "ran"
    SKIPPED = "skipped"
    UNANSWERED = "unanswered"
    NOT_RUN = "not run"


class Heard(NamedTuple):
    """A message of the live server's own accord, during or after a step. `recorded` is the request of the recording
    that a live request was taken for, and answered as."""

    step: int
    kind: str
    method: str
    params: Any
    recorded: Said | None = None


class Outcome(NamedTuple):
    """One step. `answer` is the live answer, the whole message; `duration` is in nanoseconds."""

    step: Step
    status: Status
    answer: dict[str, Any] | None = None
    duration: int | None = None
    reason: str | None = None
    refused: Reason | None = None
    id: Id | None = None  # that the request had in the replay


class Run(NamedTuple):
    """A whole replay. `stopped` says why it ended early: the target died or hung."""

    outcomes: tuple[Outcome, ...]
    heard: tuple[Heard, ...] = ()
    session: str | None = None
    stopped: str | None = None
    varied: tuple[Outcome, ...] = ()  # second answers to the same requests, where masks were to be learnt
