"""Fault coverage: which classes of the two taxonomies of MCP faults a suite put to the test.

The classes of arXiv:2606.05339 are its eleven top-level categories. Of arXiv:2603.05637 they are the faults of
parameters and types that probes and lint are keyed to; what else it counts (how a server is installed, set up,
documented and written) cannot be seen from its traffic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from mcptest.suites.nouns import Result

RUNTIME, REAL = "arXiv:2606.05339", "arXiv:2603.05637"


class FaultClass(NamedTuple):
    """`ways` are what exercises it: fault ids of probes, with wildcards, or what a job calls its own doing. A class
    without any is `beyond` the reach of a suite, for the reason given."""

    paper: str
    name: str
    ways: tuple[str, ...]
    beyond: str = ""


CLASSES = (
    FaultClass(RUNTIME, "Base Protocol", ("FAULT-PROTO-*", "compliance")),
    FaultClass(RUNTIME, "Session Lifecycle", ("FAULT-PROTO-VERSION-*", "FAULT-TRANSPORT-SESSION", "compliance")),
    FaultClass(RUNTIME, "Transport Layer", ("FAULT-TRANSPORT-*", "FAULT-PROTO-MALFORMED-MESSAGE", "compliance")),
    FaultClass(RUNTIME, "Tool", ("call", "fuzz", "replay", "FAULT-SCHEMA-*", "FAULT-INPUT-*")),
    FaultClass(RUNTIME, "Resource", ("resource", "FAULT-RESOURCE-*")),
    FaultClass(RUNTIME, "Prompt", ("prompt", "FAULT-PROMPT-*")),
    FaultClass(RUNTIME, "Data & Schema", ("FAULT-SCHEMA-*", "FAULT-INPUT-*", "fuzz", "lint")),
    FaultClass(RUNTIME, "State & Configuration", ("replay", "FAULT-PROTO-BAD-CURSOR", "FAULT-TRANSPORT-SESSION")),
    FaultClass(RUNTIME, "Security", ("fuzz", "FAULT-TRANSPORT-ORIGIN")),
    FaultClass(RUNTIME, "Timeout & Cancellation", ("FAULT-LIFECYCLE-*",)),
    FaultClass(RUNTIME, "Model & Provider", (), "it lies behind the server, out of sight of its client"),
    FaultClass(REAL, "Missing required parameter", ("FAULT-SCHEMA-MISSING-REQUIRED",)),
    FaultClass(REAL, "Parameter of the wrong type", ("FAULT-SCHEMA-TYPE-MISMATCH",)),
    FaultClass(REAL, "Unexpected parameter", ("FAULT-SCHEMA-UNEXPECTED-FIELD",)),
    FaultClass(REAL, "Under-constrained input schema", ("lint",)),
)


class Covered(NamedTuple):
    """A class, with what exercised it; nothing where the suite did not."""

    fault: FaultClass
    by: tuple[str, ...]


def coverage(results: Iterable[Result]) -> tuple[Covered, ...]:
    done = sorted({mark for result in results for mark in result.exercised})
    return tuple(
        Covered(one, tuple(mark for mark in done if any(fnmatchcase(mark, way) for way in one.ways))) for one in CLASSES
    )


def fault_lines(results: Iterable[Result]) -> Iterator[str]:
    """The table as text."""
    found = coverage(results)
    reachable = sum(bool(one.fault.ways) for one in found)
    yield f"fault classes exercised: {sum(bool(one.by) for one in found)} of {reachable} that a suite can reach"
    widest = max(len(one.fault.name) for one in found)
    for one in found:
        yield f"  {one.fault.paper}  {one.fault.name:<{widest}}  {_said(one)}"


def _said(one: Covered) -> str:
    if one.by:
        return f"by {', '.join(one.by)}"
    if one.fault.ways:
        return f"not exercised; possible by {', '.join(one.fault.ways)}"
    return f"out of reach: {one.fault.beyond}"
