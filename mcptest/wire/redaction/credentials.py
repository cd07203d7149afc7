"""Credentials behind the name of their scheme: `Authorization: Bearer x`, `Basic x` in any text."""

from __future__ import annotations

import re

from mcptest.wire.redaction.escapes import starts_word
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import holds_placeholder
from mcptest.wire.redaction.scan import Scan

_SCHEME = re.compile(
    rb"\s*+(?:bearer|basic|digest|token|api-?key|key|dpop|negotiate|ntlm|hawk|oauth|mac|signature|ssws|splunk"
    rb"|aws4-hmac-sha256|gnap|privatetoken)(?:[ \t]++|%20|\+)",
    re.IGNORECASE,
)
_BEARER = re.compile(rb"[ \t]{1,8}([A-Za-z0-9._~+/-]{8,}+=*+)")
_BASIC = re.compile(rb"[ \t]{0,8}([A-Za-z0-9+/]{6,}+={0,2})(?![A-Za-z0-9+/=_-])")
# `Bearer realm="..."` is a challenge, not a credential.
_CHALLENGE = re.compile(
    rb"(?:realm|scope|scopes|error|error_[a-z]++|resource|resource_metadata|authorization_uri|client_id|charset)="
)
_DIGITS = re.compile(rb"[0-9]")


def hide_authorization(scan: Scan, start: int, end: int, name: bytes) -> None:
    """The value of an Authorization header: the scheme stays."""
    scheme = _SCHEME.match(scan.data, start, end)
    first = scheme.end() if scheme else start
    if scheme and first < end:
        _learn_password(scan, first, end)
    scan.hide_value(first, end, Kind.TOKEN, name)
    scan.examined(start, end)


def hide_bearer(scan: Scan, end: int) -> None:
    """A credential right behind the word `bearer`; a plain word there belongs to a sentence."""
    found = _BEARER.match(scan.data, end)
    if found is None or _CHALLENGE.match(found[1]):
        return
    value = found[1].rstrip(b".")
    if holds_placeholder(scan.data, *found.span(1)) or not (len(value) >= 20 or _DIGITS.search(value)):
        return
    scan.hide(found.start(1), found.start(1) + len(value))


def hide_basic(scan: Scan, start: int, end: int) -> None:
    """Base64 of `user:password` behind the word `basic`."""
    if not starts_word(scan.data, start):
        return
    found = _BASIC.match(scan.data, end)
    if found and _user_and_password(found[1]):
        _learn_password(scan, *found.span(1))
        scan.hide(*found.span(1))


def _learn_password(scan: Scan, start: int, end: int) -> None:
    pair = _user_and_password(scan.data[start:end].strip())
    if pair:
        scan.learn(pair[1])


def _user_and_password(value: bytes) -> tuple[str, str] | None:
    import base64

    try:
        decoded = base64.b64decode(value + b"=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return None
    user, colon, password = decoded.partition(":")
    return (user, password) if colon and decoded.isprintable() else None
