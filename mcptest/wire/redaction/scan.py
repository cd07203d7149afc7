"""One frame under examination: its bytes, what is to be hidden in it, and what its surroundings say."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from typing import NamedTuple

from mcptest.wire.redaction.encoding import decoded
from mcptest.wire.redaction.escapes import undone
from mcptest.wire.redaction.learned import Learned
from mcptest.wire.redaction.names import Kind, Names
from mcptest.wire.redaction.placeholders import Placeholders, is_placeholder
from mcptest.wire.redaction.values import is_secret

_STRING = rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)'
_STRINGS = re.compile(_STRING, re.DOTALL)
_BRACES = re.compile(_STRING + rb"|[{}]", re.DOTALL)
_SCHEMA = re.compile(rb'"(?:inputSchema|outputSchema|requestedSchema)"\s{0,16}:\s{0,16}\{')
_KEY = re.compile(rb'"([A-Za-z]{2,16})\\{0,7}"\s{0,16}:\s{0,16}\\{0,7}\Z')
_JSON_STARTS = frozenset(bytes((byte,)) for byte in b'{["-0123456789tfn')
_LOOK_BACK = 96
_LOOK_AHEAD = 512
_BEFORE_ID = re.compile(rb'(?:\A|"jsonrpc"\s{0,16}:\s{0,16}"2\.0"\s{0,16},|\A[\s\[]{0,16}\{)\s{0,16}\Z')
_AFTER_ID = re.compile(rb'[^"]{0,256}"\s{0,16}(?:,\s{0,16}"(?:jsonrpc|method|params|result|error)"|\}\s{0,16}\Z)')


class Own(Enum):
    """The protocol's own values, which both sides compare and hand back: hiding one breaks the recording."""

    OPAQUE = frozenset({b"progressToken", b"cursor", b"nextCursor", b"requestState"})  # whatever they look like
    NAMING = frozenset({b"method", b"jsonrpc", b"protocolVersion", b"requestId"})  # a known secret only by accident
    ID = frozenset({b"id"})  # likewise, in the message's envelope


class Span(NamedTuple):
    start: int
    end: int
    text: bytes


class Scan:
    def __init__(self, data: bytes, names: Names, placeholders: Placeholders, learned: Learned) -> None:
        self.data = data
        self.names = names
        self.spans: list[Span] = []
        # How far a rule has already looked in vain, so that no input makes it look twice.
        self.oauth_until = self.jwt_until = self.header_until = 0
        self.pem_end: int | None = None
        self._placeholders = placeholders
        self._learned = learned
        self._examined = (0, 0)
        self._asked = 0
        self._own: Own | None = None
        self._schemas: list[tuple[int, int]] | None = None
        self._json: bool | None = None
        self._strings: list[tuple[int, int]] | None = None

    # What is to be hidden.

    def hide(self, start: int, end: int, *, learn: bool = True, escapes: int = 1, number: bool = False) -> None:
        """Hide what stands under a secret's name, and learn it. A schema describes secrets, it does not hold them.

        `escapes` says how many times the value is escaped: what is learned must be exact.
        """
        if self.in_schema(start):
            self.examined(start, end)
            return
        secret = undone(decoded(self.data[start:end]), escapes)
        self.hide_known(start, end, secret, number=number)
        if learn:
            self.learn(secret)

    def learn(self, secret: str) -> None:
        self._learned.learn(secret)

    def hide_known(self, start: int, end: int, secret: str | None = None, *, number: bool = False) -> None:
        """Hide what is a secret by itself, wherever it stands."""
        secret = decoded(self.data[start:end]) if secret is None else secret
        placeholder = self._placeholders.number if number else self._placeholders.text
        self.spans.append(Span(start, end, placeholder(secret)))
        self.examined(start, end)

    def hide_value(
        self, start: int, end: int, kind: Kind, name: bytes, *, learn: bool = True, escapes: int = 1
    ) -> None:
        """Hide the value of a secret's name unless it is none; its surrounding white space is not part of it."""
        raw = self.data[start:end]
        value = raw.strip()
        start += len(raw) - len(raw.lstrip())
        if not is_placeholder(value) and is_secret(value, kind, name):
            self.hide(start, start + len(value), learn=learn, escapes=escapes)

    def examined(self, start: int, end: int) -> None:
        """Everything in this stretch is decided: later candidates inside it are passed over."""
        self._examined = (start, end)

    def is_examined(self, at: int) -> bool:
        return self._examined[0] <= at < self._examined[1]

    # What the surroundings say.

    def own(self, at: int) -> Own | None:
        """Is this inside a value of the protocol's own? To be asked from left to right."""
        quote = self.data.rfind(b'"', self._asked if at >= self._asked else 0, at)
        self._asked = at
        if quote >= 0:
            self._own = self._key_before(quote)
        return self._own

    def _key_before(self, quote: int) -> Own | None:
        start = max(0, quote - _LOOK_BACK)
        before = self.data[start:quote]
        if not before.rstrip(b"\\ \t\r\n").endswith(b":"):
            return None
        key = _KEY.search(before)
        own = _OWN.get(key[1]) if key else None
        if own is not Own.ID or key is None:
            return own
        at_front = start == 0 and _BEFORE_ID.search(before[: key.start()])
        return own if at_front or _AFTER_ID.match(self.data[quote + 1 : quote + _LOOK_AHEAD]) else None

    def in_schema(self, at: int) -> bool:
        """Is this inside a tool's or an elicitation's schema?"""
        if self._schemas is None:
            self._schemas = _schemas(self.data) if b'Schema"' in self.data else []
        return _inside(self._schemas, at, at)

    @property
    def is_json(self) -> bool:
        if self._json is None:
            self._json = _is_json(self.data)
        return self._json

    def in_string(self, start: int, end: int) -> bool:
        """Does this lie inside one string of a JSON document?"""
        if self._strings is None:
            self._strings = [(match.start() + 1, match.end()) for match in _STRINGS.finditer(self.data)]
        return _inside(self._strings, start, end)


_OWN = {key: own for own in Own for key in own.value}


def _inside(regions: list[tuple[int, int]], start: int, end: int) -> bool:
    index = bisect_right(regions, (start, end)) - 1
    if index + 1 < len(regions) and regions[index + 1][0] == start:
        index += 1
    return index >= 0 and regions[index][0] <= start and end < regions[index][1]


def _schemas(data: bytes) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    end = 0
    for match in _SCHEMA.finditer(data):
        if match.start() < end:
            continue
        open_braces, end = 1, len(data)
        for brace in _BRACES.finditer(data, match.end()):
            token = brace[0]
            open_braces += (token == b"{") - (token == b"}")
            if not open_braces:
                end = brace.end()
                break
        found.append((match.start(), end))
    return found


def _is_json(data: bytes) -> bool:
    if data.lstrip()[:1] not in _JSON_STARTS:
        return False
    import json

    import orjson

    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            json.loads(data, parse_int=str)
        except RecursionError:
            return True
        except ValueError:
            return False
    return True
