"""Sends an argument that the tool does not declare.

Only where the input schema forbids it, by `additionalProperties: false` or in another way. The server must then refuse:
with a JSON-RPC error, or with an `isError` result. Where others are allowed the probe is skipped.
"""

from collections.abc import Iterator

from mcptest.probes.subject import Skip, Spoilt, Subject

TAXONOMY = "FAULT-SCHEMA-UNEXPECTED-FIELD"
PAPER = "2603.05637"
DEFAULT = True
EXTRA = "mcptest_unexpected"


def spoil(subject: Subject) -> Iterator[Spoilt]:
    arguments = subject.with_(EXTRA, "unexpected")
    forbidden = subject.refuses(arguments) and not subject.refuses(subject.base)
    if not forbidden and subject.schema.get("additionalProperties") is not False:
        raise Skip("its input schema allows arguments that it does not declare")
    yield Spoilt(arguments, f"a call with the undeclared argument {EXTRA!r}")
