"""An HTTP exchange as a person would write it down: the command that sends it, and what came back."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcptest.compliance.http import HttpExchange
    from mcptest.wire.heads import Head

# curl sets these itself, or they say nothing about the request.
_LEFT_OUT = {b"host", b"content-length", b"connection", b"user-agent", b"accept-encoding"}
# A capture may have been made without redaction: what is shown of it is not.
_SECRET = re.compile(rb"authorization|cookie|(api|access|auth)[-_]?(key|token)|secret|password")
_SECRET_IN_TEXT = re.compile(
    rb"""((?:access_token|refresh_token|id_token|client_secret|code|code_verifier|password|assertion)["']?\s*[=:]\s*["']?)"""
    rb"""([^"'&\s,}<]{6,})"""
)
_PLACEHOLDER = re.compile(rb"redacted-[0-9a-f]{12}")
_LONGEST_BODY = 600


def as_curl(exchange: HttpExchange) -> bytes:
    words = [b"curl"]
    if exchange.verb != "GET" and not (exchange.verb == "POST" and exchange.body):
        words.append(b"-X " + exchange.verb.encode("latin-1", "replace")[:20])
    words.append(_quoted(_hide(exchange.url.encode("utf-8", "replace"))))
    words += [b"-H " + _quoted(line) for line in _headers(exchange.request, _LEFT_OUT)]
    if exchange.body:
        words.append(b"-d " + _quoted(_cut(_hide(exchange.body))))
    lines = [b" ".join(words)]
    if exchange.response is not None:
        lines += [exchange.response.start, *_headers(exchange.response, set())]
        if exchange.answer_body:
            lines += [b"", _cut(_hide(exchange.answer_body))]
    elif exchange.reason or exchange.how:
        lines.append(f"# no response: {exchange.reason or exchange.how}".encode())
    return b"\n".join(lines)


def _headers(head: Head, left_out: set[bytes]) -> list[bytes]:
    return [
        b"%s: %s" % (name, _secret(value) if _SECRET.search(name.lower()) else _hide(value))
        for name, value in head.headers
        if name and name.lower() not in left_out
    ]


def _secret(value: bytes) -> bytes:
    """The scheme stays; what the recorder has put in a secret's place stays as well."""
    scheme, space, rest = value.partition(b" ")
    shown = rest if space else value
    if not _PLACEHOLDER.search(shown):
        shown = b"***"
    return scheme + space + shown if space else shown


def _hide(text: bytes) -> bytes:
    return _SECRET_IN_TEXT.sub(lambda found: found[1] + (found[2] if _PLACEHOLDER.search(found[2]) else b"***"), text)


def _quoted(text: bytes) -> bytes:
    return shlex.quote(text.decode("utf-8", "backslashreplace")).encode()


def _cut(text: bytes) -> bytes:
    return text if len(text) <= _LONGEST_BODY else text[:_LONGEST_BODY] + "…".encode()
