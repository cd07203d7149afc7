"""Sends an argument of a megabyte.

To accept a large input is legitimate, and so is to refuse it: the probe passes when the call returns at all. A server
that dies or never answers does not.
"""

from collections.abc import Iterator

from mcptest.probes.examples import type_of
from mcptest.probes.subject import Spoilt, Subject

TAXONOMY = "FAULT-INPUT-OVERSIZED"
PAPER = "2606.05339"
DEFAULT = True


def spoil(subject: Subject) -> Iterator[Spoilt]:
    name, kind = _place(subject)
    text = "x" * subject.oversized
    arguments = subject.with_(name, [text] if kind == "array" else text)
    yield Spoilt(arguments, f"a call with {len(text)} characters in {name!r}", strict=False)


def _place(subject: Subject) -> tuple[str, str | None]:
    """Where a long text goes: into a string if there is one, since what is of the wrong type may not even be read."""
    kinds = {name: type_of(schema) for name, schema in subject.properties}
    for wanted in ("string", "array", None):
        for name, kind in kinds.items():
            if kind == wanted:
                return name, kind
    return next(iter(kinds.items()), ("mcptest_oversized", None))
