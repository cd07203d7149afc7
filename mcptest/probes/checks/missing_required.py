"""Leaves out a required argument.

One call per required argument, each without that one. The server must refuse each: with a JSON-RPC error of the class
invalid params, or with an `isError` result.
"""

from collections.abc import Iterator

from mcptest.probes.subject import Skip, Spoilt, Subject

TAXONOMY = "FAULT-SCHEMA-MISSING-REQUIRED"
PAPER = "2603.05637"
DEFAULT = True


def spoil(subject: Subject) -> Iterator[Spoilt]:
    if not subject.required:
        raise Skip("it requires no argument")
    for name in subject.required:
        rest = {key: value for key, value in subject.base.items() if key != name}
        yield Spoilt(rest, f"a call without the required {name!r}")
