"""Headers, URLs and forms: names and values that stand apart, so that no search for them is needed."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from urllib.parse import quote_plus, unquote_plus

from mcptest.wire.redaction.encoding import decoded, encoded
from mcptest.wire.redaction.examiner import Examiner
from mcptest.wire.redaction.names import Kind
from mcptest.wire.redaction.placeholders import is_placeholder
from mcptest.wire.redaction.values import is_secret

# The protocol's own: both sides compare them, and the record is unreadable without them.
_KEPT = frozenset({b"mcp-session-id", b"mcp-protocol-version", b"mcp-method", b"last-event-id"})
_MIRRORS = (b"mcp-param-", b"mcp-name")
_URLS = frozenset({b"location", b"content-location", b"referer", b"origin", b"link", b"refresh"})
_SENTINEL = re.compile(rb"=\?base64\?([A-Za-z0-9+/=]*)\?=")
_OAUTH = frozenset({b"grant_type", b"client_id", b"redirect_uri", b"code_verifier", b"client_assertion_type"})
_OAUTH_SECRETS = frozenset({b"code", b"assertion", b"subject_token", b"actor_token"})


def headers(examiner: Examiner, pairs: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [(name, _header(examiner, name.strip().lower(), value)) for name, value in pairs]


def _header(examiner: Examiner, name: bytes, value: bytes) -> bytes:
    if name in _KEPT:
        return value
    if name.startswith(_MIRRORS):
        return _mirror(examiner, name.removeprefix(b"mcp-param-"), value)
    kind = examiner.names.kind(name)
    if kind:
        return examiner.value(value, kind, name)
    if name in _URLS:
        text = decoded(value)
        return encoded(url(examiner, text))
    return examiner.frame(value)


def _mirror(examiner: Examiner, name: bytes, value: bytes) -> bytes:
    """A header that repeats an argument of the body: the same secret must get the same placeholder in both."""
    wrapped = _SENTINEL.fullmatch(value)
    try:
        inner = base64.b64decode(wrapped[1], validate=True) if wrapped else value
    except binascii.Error:
        wrapped, inner = None, value
    kind = examiner.names.kind(name)
    shown = examiner.value(inner, kind, name) if kind else examiner.frame(inner)
    if shown == inner:
        return value
    return b"=?base64?%s?=" % base64.b64encode(shown) if wrapped and not is_placeholder(shown) else shown


def url(examiner: Examiner, text: str) -> str:
    whole = encoded(text)
    front, hash_mark, fragment = whole.partition(b"#")
    path, question_mark, query = front.partition(b"?")
    query = _pairs(examiner, query, frozenset())
    if b"=" in fragment:
        fragment = _pairs(examiner, fragment, frozenset())
    shown = examiner.frame(b"".join((path, question_mark, query, hash_mark, fragment)))
    return text if shown == whole else decoded(shown)


def form(examiner: Examiner, body: bytes) -> bytes:
    names = {pair.partition(b"=")[0] for pair in body.split(b"&")}
    return examiner.frame(_pairs(examiner, body, _OAUTH_SECRETS if names & _OAUTH else frozenset()))


def _pairs(examiner: Examiner, query: bytes, more: frozenset[bytes]) -> bytes:
    """`a=1&b=2` with the secret values replaced; the object itself if there are none."""
    pairs = query.split(b"&")
    changed = False
    for index, pair in enumerate(pairs):
        key, equals, value = pair.partition(b"=")
        name = encoded(_unquoted(key)).removesuffix(b"[]")
        kind = Kind.TOKEN if name in more else examiner.names.query_kind(name)
        if not value or is_placeholder(value):
            continue
        secret = encoded(_unquoted(value).strip())
        if kind and is_secret(secret, kind, name):
            shown = examiner.secret(secret)
        else:
            shown = _within(examiner, value, secret)
        if shown is not value:
            pairs[index] = key + equals + shown
            changed = True
    return b"&".join(pairs) if changed else query


def _within(examiner: Examiner, value: bytes, unquoted: bytes) -> bytes:
    """A value that may hold a secret among other things, as a URL does; percent-encoding hides that from the rules."""
    if unquoted == value:
        return value
    shown = examiner.frame(unquoted)
    return value if shown == unquoted else quote_plus(shown).encode()


def _unquoted(part: bytes) -> str:
    return unquote_plus(decoded(part), errors="surrogateescape")
