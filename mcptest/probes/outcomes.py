"""What comes of probing and fuzzing: results per probe, reports per tool, and the numbers that suites gate on."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, NamedTuple

from mcptest.policy import Reason


class Verdict(enum.StrEnum):
    """How one probe came out. Accepted: the bad request got a result as if nothing were wrong. Violated: it was
    answered, but by something that is no answer. Skipped: it does not apply here. Refused: the policy let no call
    through."""

    PASSED = "passed"
    ACCEPTED = "failed_silent_acceptance"
    VIOLATED = "protocol_violation"
    CRASHED = "crashed"
    HUNG = "hung"
    SKIPPED = "skipped"
    REFUSED = "refused"

    @property
    def ran(self) -> bool:
        return self not in (Verdict.SKIPPED, Verdict.REFUSED)

    @property
    def failed(self) -> bool:
        return self.ran and self is not Verdict.PASSED


class Result(NamedTuple):
    """One probe. `evidence` says in a sentence what was done and what came of it, or why nothing was done; `arguments`
    are those of the call that decided, where it was one; `refused` is the policy's reason; `cases` are the requests
    that it took; `session` is the recording that holds the one that decided."""

    check: str
    taxonomy: str
    tool: str | None
    verdict: Verdict
    evidence: str
    duration_ms: float = 0.0
    session: str | None = None
    arguments: Any = None
    refused: Reason | None = None
    cases: int = 0


class ProbeReport(NamedTuple):
    """The probes of one tool, or of the server itself where `tool` is None. Where nothing ran, nothing was shown: look
    at `checks_run` before you call that a pass."""

    tool: str | None
    results: tuple[Result, ...] = ()

    @property
    def checks_run(self) -> int:
        return sum(result.verdict.ran for result in self.results)

    @property
    def failures(self) -> int:
        return sum(result.verdict.failed for result in self.results)

    @property
    def gate_passed(self) -> int:
        """1 or 0."""
        return int(self.failures == 0)

    @property
    def targets(self) -> Mapping[str, int]:
        """What a suite's expectations name."""
        return {
            "negative_path.checks_run": self.checks_run,
            "negative_path.failures": self.failures,
            "negative_path.gate_passed": self.gate_passed,
        }


class Flaw(enum.StrEnum):
    """What fuzzing looks for. Everything else is clean: whether an argument is accepted or not is the server's choice
    here, how it says so is not."""

    CRASH = "crash"
    HANG = "hang"
    VIOLATION = "protocol_violation"
    LEAK = "leak"


class FuzzFailure(NamedTuple):
    """One flaw with the smallest arguments that still show it; `times` is how often it was met before shrinking."""

    flaw: Flaw
    arguments: Any
    evidence: str
    session: str | None = None
    times: int = 1
    stable: bool = True  # shown again when the same arguments were sent again


class FuzzReport(NamedTuple):
    """The fuzzing of one tool. `skipped` says why there was none, or why it ended early; `accepted_invalid` counts
    arguments against the input schema that got a result, which fails nothing here: that is what probes are for."""

    tool: str
    seed: int
    cases_run: int = 0
    failures: tuple[FuzzFailure, ...] = ()
    skipped: str | None = None
    refused: Reason | None = None
    accepted_invalid: int = 0

    def count(self, flaw: Flaw) -> int:
        """Cases with this flaw."""
        return sum(failure.times for failure in self.failures if failure.flaw is flaw)

    @property
    def crashes(self) -> int:
        return self.count(Flaw.CRASH)

    @property
    def hangs(self) -> int:
        return self.count(Flaw.HANG)

    @property
    def protocol_violations(self) -> int:
        return self.count(Flaw.VIOLATION)

    @property
    def leaks(self) -> int:
        return self.count(Flaw.LEAK)

    @property
    def gate_passed(self) -> int:
        """1 or 0."""
        return int(not self.failures)

    @property
    def targets(self) -> Mapping[str, int]:
        """What a suite's expectations name."""
        return {
            "fuzz.cases_run": self.cases_run,
            "fuzz.crashes": self.crashes,
            "fuzz.hangs": self.hangs,
            "fuzz.protocol_violations": self.protocol_violations,
            "fuzz.leaks": self.leaks,
            "fuzz.gate_passed": self.gate_passed,
        }


class Settings(NamedTuple):
    """How patient and how heavy probing is. `timeout` is in seconds, for each request of a probe on its own."""

    timeout: float = 10.0
    oversized: int = 1 << 20  # characters of an oversized argument
    most_cases: int = 8  # requests that one probe makes of one tool, e.g. one per argument
