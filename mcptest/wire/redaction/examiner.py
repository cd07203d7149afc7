"""From the places where a secret may be to the bytes with placeholders in their place.

A rule looks at each place and at what stands around it: bounded surroundings, or it marks what it has looked at, so
that the time stays linear in the size of any frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mcptest.wire.redaction.credentials import hide_basic
from mcptest.wire.redaction.encoding import decoded
from mcptest.wire.redaction.escapes import Folded, fold, is_escaped, starts_word
from mcptest.wire.redaction.keyed import hide_string, is_number_at
from mcptest.wire.redaction.learned import Learned, Secret
from mcptest.wire.redaction.literals import BASIC, JWT, OAUTH, PEM, PREFIXES, QUERY_KEYS, URLS
from mcptest.wire.redaction.matcher import Matcher
from mcptest.wire.redaction.names import Kind, Names
from mcptest.wire.redaction.pem import OpenBlock, hide_block
from mcptest.wire.redaction.placeholders import Placeholders, holds_placeholder
from mcptest.wire.redaction.prefixes import must_begin_word, pattern
from mcptest.wire.redaction.scan import Own, Scan, Span
from mcptest.wire.redaction.text import named, query_key
from mcptest.wire.redaction.urls import hide_oauth_code, hide_userinfo

_PREFIXES = frozenset(PREFIXES)
_JWT_RUN = re.compile(rb"[A-Za-z0-9_-]*+")


class Examiner:
    """The rules, with what they have learned from earlier frames."""

    def __init__(self, salt: bytes, keys: Iterable[str], learned: Learned, matcher: Matcher) -> None:
        self.names = Names(keys)
        self.open_block = OpenBlock()
        self._placeholders = Placeholders(salt)
        self._learned = learned
        self._matcher = matcher

    def frame(self, data: bytes) -> bytes:
        folded = fold(data) if b"\\u00" in data else None
        scan = self._scan(folded.data if folded else data)
        self._examine(scan)
        return _replace(data, _merge(scan.spans), folded) if scan.spans else data

    def value(self, value: bytes, kind: Kind, name: bytes) -> bytes:
        """The value of a name that stands apart from it, as a header's or a flag's does."""
        scan = self._scan(value)
        hide_string(scan, 0, len(value), name, kind, 0)
        return self.frame(_replace(value, _merge(scan.spans), None) if scan.spans else value)

    def secret(self, value: bytes) -> bytes:
        """A placeholder for a value that was taken out of its frame, which is to be examined next."""
        self._learned.learn(decoded(value))
        return self._placeholders.text(decoded(value))

    def _scan(self, data: bytes) -> Scan:
        return Scan(data, self.names, self._placeholders, self._learned)

    def _examine(self, scan: Scan) -> None:
        if self.open_block.lines_left:
            self.open_block.hide_line(scan)
        for start, end, literal in self._matcher.names(scan.data):
            if not scan.is_examined(start) and scan.own(start) is not Own.OPAQUE:
                _examine_name(scan, start, end, literal)
        # What was just learned goes in the same frame too, even before the place that taught it.
        version = -1
        while version != self._learned.version:
            version = self._learned.version
            for start, _, literal in self._matcher.values(scan.data):
                self._examine_value(scan, start, literal)

    def _examine_value(self, scan: Scan, start: int, literal: bytes) -> None:
        own = scan.own(start)
        if is_escaped(scan.data, start) and scan.is_json:
            return
        if own is None:
            for secret in self._learned.by_beginning.get(literal, ()):
                if scan.data.startswith(secret.spelling, start):
                    _hide_learned(scan, start, secret)
                    break
        if own is Own.OPAQUE or scan.is_examined(start):
            return
        if literal in _PREFIXES:
            _examine_prefix(scan, start, literal)
        elif literal in URLS:
            hide_userinfo(scan, start)
        elif literal == PEM and hide_block(scan, start):
            self.open_block.begin()


def _examine_name(scan: Scan, start: int, end: int, literal: bytes) -> None:
    if literal in QUERY_KEYS:
        query_key(scan, start, end)
    elif literal == BASIC:
        hide_basic(scan, start, end)
    elif literal == OAUTH:
        hide_oauth_code(scan, start)
    else:
        named(scan, start + literal.startswith(b'"'), end - literal.endswith((b'"', b"=")))


def _examine_prefix(scan: Scan, start: int, literal: bytes) -> None:
    if must_begin_word(literal) and not starts_word(scan.data, start):
        return
    if literal == JWT and start < scan.jwt_until:
        return
    found = pattern(literal).match(scan.data, start)
    if found:
        group = found.lastindex or 0
        if not holds_placeholder(scan.data, *found.span(group)):
            scan.hide_known(*found.span(group))
    elif literal == JWT:
        # Whatever else starts in this run of characters fails as this one did.
        scan.jwt_until = _JWT_RUN.match(scan.data, start).end()  # type: ignore[union-attr]  # matches anything


def _hide_learned(scan: Scan, start: int, secret: Secret) -> None:
    end = start + len(secret.spelling)
    if is_escaped(scan.data, end) and scan.is_json:
        return
    if not secret.structural:
        scan.hide_known(start, end, secret.text)
    elif scan.is_json and not scan.in_string(start, end):
        if is_number_at(scan.data, start, end):
            scan.hide_known(start, end, secret.text, number=True)
    elif not (secret.text.isdigit() and _is_within_digits(scan.data, start, end)):
        scan.hide_known(start, end, secret.text)


def _is_within_digits(data: bytes, start: int, end: int) -> bool:
    return data[max(0, start - 1) : start].isdigit() or data[end : end + 1].isdigit()


def _merge(spans: list[Span]) -> list[Span]:
    """In order and apart: of two that overlap, the one that begins first, or reaches further, covers both."""
    spans.sort(key=lambda span: (span.start, -span.end))
    merged = spans[:1]
    for span in spans[1:]:
        last = merged[-1]
        if span.start >= last.end:
            merged.append(span)
        elif span.end > last.end:
            merged[-1] = last._replace(end=span.end)
    return merged


def _replace(data: bytes, spans: list[Span], folded: Folded | None) -> bytes:
    parts: list[bytes] = []
    position = 0
    for start, end, text in spans:
        if folded:
            start, end = folded.original(start), folded.original(end)
        parts += (data[position:start], text)
        position = end
    parts.append(data[position:])
    return b"".join(parts)
