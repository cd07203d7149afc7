"""Sends an argument of the wrong type.

One call per declared argument, each with a value that the input schema refuses and that no sensible conversion could
rescue: an object for a string, a word for a number. The server must refuse: with a JSON-RPC error, or with an
`isError` result. Many servers do not look at types; that is the fault this probe is for.
"""

from collections.abc import Iterator
from typing import Any

from mcptest.probes.subject import Spoilt, Subject

TAXONOMY = "FAULT-SCHEMA-TYPE-MISMATCH"
PAPER = "2603.05637"
DEFAULT = True

# The first that the schema refuses is sent: from what is most surely wrong to what might be meant.
_WRONG: tuple[tuple[str, Any], ...] = (
    ("an object", {"mcptest": ["wrong", "type"]}),
    ("a word", "mcptest wrong type"),
    ("a list", [["mcptest"], "wrong", "type"]),
    ("a number", 4.75),
    ("a boolean", True),
)


def spoil(subject: Subject) -> Iterator[Spoilt]:
    subject.need_schema()
    for name, schema in subject.properties:
        for what, value in _candidates(schema):
            arguments = subject.with_(name, value)
            if subject.refuses(arguments):
                yield Spoilt(arguments, f"a call with {what} as {name!r}")
                break


def _candidates(schema: Any) -> tuple[tuple[str, Any], ...]:
    # For everything but strings a word is plainer than an object; a string would take any word.
    return _WRONG if schema.get("type") == "string" else (_WRONG[1], _WRONG[0], *_WRONG[2:])
