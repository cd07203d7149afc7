"""The nouns of suites: what is to be done, what was seen, and what came of it."""

from __future__ import annotations

import enum
import fnmatch
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mcptest import live
from mcptest.policy import Reason
from mcptest.suites.expecting import Expectation, Failure

if TYPE_CHECKING:
    from mcptest.replay.mocking.manifest import Manifest
    from mcptest.suites.world import World


class Server(NamedTuple):
    """A server under test: a `live` one, or a `mock` that we play."""

    name: str
    live: live.Server | None = None
    mock: Manifest | None = None


class Seen(NamedTuple):
    """What a job saw. `values` are what targets lead into; `details` are told where an expectation is not met;
    `exercised` are the fault classes that were put to the test; `nothing` says why there was nothing to see, and
    `refused` that it was the safety policy."""

    values: Mapping[str, Any] = {}
    details: tuple[str, ...] = ()
    exercised: frozenset[str] = frozenset()
    nothing: str | None = None
    refused: Reason | None = None


class Job(Protocol):
    """What an entry does; TargetError where the server keeps it from being done."""

    async def run(self, entry: Entry, world: World) -> Seen: ...


class Entry(NamedTuple):
    """One test of a suite. `server` is None for what needs no live one; `skip` is the author's reason not to run it;
    `timeout` is in place of the server's; what is `late` is done when all else is and the servers have ended, since it
    reads what was recorded of them."""

    block: str
    name: str
    line: int
    column: int
    server: str | None
    job: Job
    expect: tuple[Expectation, ...]
    serial: bool = False
    skip: str | None = None
    timeout: float | None = None
    late: bool = False

    @property
    def id(self) -> str:
        return f"{self.block}/{self.name}"

    def matches(self, pattern: str) -> bool:
        return fnmatch.fnmatchcase(self.name, pattern) or fnmatch.fnmatchcase(self.id, pattern)


class Suite(NamedTuple):
    """A whole file that was read and checked. `path` is as the user named it; `secrets` are values that it took from
    the environment and that must not be told."""

    path: Path
    servers: Mapping[str, Server]
    entries: tuple[Entry, ...]
    secrets: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return self.path.parent

    def alone(self, entry: Entry) -> str:
        """The command that runs this entry and no other."""
        pattern = "".join(f"[{letter}]" if letter in "*?[" else letter for letter in entry.id)
        return f"mcptest run {shlex.quote(str(self.path))} --filter {shlex.quote(pattern)}"


class Status(enum.StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Result(NamedTuple):
    """What came of an entry. `reason` says why it was skipped, `refused` whether the policy did so; `seconds` is how
    long it took."""

    entry: Entry
    status: Status
    failures: tuple[Failure, ...] = ()
    details: tuple[str, ...] = ()
    reason: str | None = None
    refused: Reason | None = None
    seconds: float = 0.0
    exercised: frozenset[str] = frozenset()


class Run(NamedTuple):
    """A suite that was run. `unreachable` says which server could not be started or reached, and why; `sessions` are
    the recordings, by server; `written` are the snapshots that were."""

    suite: Suite
    results: tuple[Result, ...]
    seconds: float
    unreachable: str | None = None
    sessions: Mapping[str, tuple[str, ...]] = {}
    written: tuple[str, ...] = ()

    def __repr__(self) -> str:
        # The event loop writes out what a finished task returned, and throws the text away.
        return f"<Run of {self.suite.path}, {len(self.results)} tests>"

    def count(self, status: Status) -> int:
        return sum(result.status is status for result in self.results)
