"""What an error text must not tell: how the server is built inside, and what it keeps secret.

What the caller itself sent may come back in an error; only what it did not know is a leak.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from mcptest.probes.answers import quoted, refused
from mcptest.wire.redaction import Redactor, environment_secrets

_LONGEST = 1 << 16  # of an error text that is looked at
_TRACES = (
    ("a Python traceback", re.compile(r"Traceback \(most recent call last\)|File \"[^\"\n]{1,300}\", line \d+")),
    ("a JavaScript stack", re.compile(r"\n\s+at [^\n]{1,300}:\d+:\d+\)?")),
    ("a Java or .NET stack", re.compile(r"\n\s+at [\w.$<>]{1,200}\([^\n)]{0,200}\)( in [^\n]{1,200}:line \d+)?")),
    ("a Go stack", re.compile(r"goroutine \d+ \[[a-z ]+\]")),
    ("a Rust panic", re.compile(r"panicked at [^\n]{1,200}\.rs:\d+")),
    ("a Ruby stack", re.compile(r"\.rb:\d+:in [`']")),
)
_PATH = re.compile(
    r"(?:(?<![\w/.:])/|\b[A-Za-z]:\\)[\w .@+\\/-]{1,200}\.(?:py|pyc|js|mjs|cjs|ts|tsx|go|rs|java|kt|cs|rb|php|cpp|c)\b"
)
_SECRET = re.compile(r"(?=\S*[A-Za-z])(?=\S*\d)\S{12,}")  # what merely has a telling name is seldom one


class Leaks:
    """Looks for leaks in answers. `environment` is what the server was started with."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._secrets = environment_secrets({**os.environ, **(environment or {})})

    def found(self, body: Mapping[str, Any], arguments: Any) -> str | None:
        """What an error gives away, in words; None if it is none, or gives nothing away."""
        if not refused(body):
            return None
        sent = json.dumps(arguments, ensure_ascii=False, default=str)
        for text in _texts(body.get("error", body.get("result"))):
            for what, told in self._told(text[:_LONGEST]):
                if told not in sent and json.dumps(told)[1:-1] not in sent:
                    return f"its error text has {what}: {quoted(_hidden(told) if 'secret' in what else told)}"
        return None

    def _told(self, text: str) -> Iterator[tuple[str, str]]:
        for what, pattern in _TRACES:
            for match in pattern.finditer(text):
                yield what, match[0].strip()
        for match in _PATH.finditer(text):
            yield "the path of a source file", match[0]
        yield from (("a secret of its environment", one) for one in self._secrets if one in text)
        data = text.encode("utf-8", "surrogatepass")
        clean = Redactor(b"mcptest probes").frame(data)
        if clean is not data:
            removed = _removed(data, clean).decode("utf-8", "replace")
            if _SECRET.search(removed):
                yield "what looks like a secret", removed


def _texts(value: Any) -> Iterator[str]:
    """All strings in an answer; deeper ones are not worth a recursion error."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)


def _removed(before: bytes, after: bytes) -> bytes:
    """The stretch of `before` that `after` has not."""
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    return before[start : len(before) - end]


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _hidden(secret: str) -> str:
    """Enough of a secret to find it, and not more: what we print is read by others."""
    return f"{secret[:3]}…"
