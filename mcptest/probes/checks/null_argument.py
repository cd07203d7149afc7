"""Sends null where a value is needed.

One call per declared argument whose schema does not allow null. The server must refuse: with a JSON-RPC error, or with
an `isError` result.
"""

from collections.abc import Iterator

from mcptest.probes.subject import Spoilt, Subject

TAXONOMY = "FAULT-SCHEMA-NULL-VALUE"


def spoil(subject: Subject) -> Iterator[Spoilt]:
    subject.need_schema()
    for name, _ in subject.properties:
        arguments = subject.with_(name, None)
        if subject.refuses(arguments):
            yield Spoilt(arguments, f"a call with null as {name!r}")
