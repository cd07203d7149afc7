"""Sends a value that is not among those the schema lists.

One call per argument with an `enum` or a `const`. The server must refuse: with a JSON-RPC error, or with an `isError`
result.
"""

from collections.abc import Iterator

from mcptest.probes.subject import Skip, Spoilt, Subject

TAXONOMY = "FAULT-SCHEMA-ENUM-MISMATCH"
NONE_OF_THEM = "mcptest_none_of_them"


def spoil(subject: Subject) -> Iterator[Spoilt]:
    found = False
    for name, schema in subject.properties:
        if "enum" not in schema and "const" not in schema:
            continue
        arguments = subject.with_(name, NONE_OF_THEM)
        if subject.refuses(arguments):
            found = True
            yield Spoilt(arguments, f"a call with {NONE_OF_THEM!r} as {name!r}, which lists its values")
    if not found:
        raise Skip("none of its arguments lists its values")
