"""What stands in a secret's place: ASCII that needs no escape in JSON, a URL, a form, a header or a shell.

The digits come from an HMAC of the secret under the capture's salt: the same secret looks the same wherever it
stood, and nobody without the salt can try guesses against it. A number becomes a number, so that a recorded call
still fits its schema when it is replayed.
"""

from __future__ import annotations

import re

from mcptest.wire.redaction.encoding import encoded
from mcptest.wire.redaction.escapes import undone

_TEXT = re.compile(rb"redacted-[0-9a-f]{12}")
_FRONT = re.compile(rb"redacted-[0-9a-f]{12}(?![0-9A-Za-z])")
_LENGTH = len("redacted-0123456789ab")
_NUMBER = re.compile(rb"4040404[0-9]{8}")  # fifteen digits: exact in a double
_ROUNDS = 8
_PEM_NOISE = re.compile(r"-----[A-Z0-9 ]{1,64}-----|\s+")


class Placeholders:
    def __init__(self, salt: bytes) -> None:
        self._salt = salt

    def text(self, secret: str) -> bytes:
        return b"redacted-" + self._digest(_essence(secret)).hex().encode()

    def number(self, secret: str) -> bytes:
        return b"4040404%08d" % (int.from_bytes(self._digest(secret.strip())) % 10**8)

    def _digest(self, secret: str) -> bytes:
        import hmac

        return hmac.digest(self._salt, encoded(secret), "sha256")[:6]


def is_placeholder(value: bytes) -> bool:
    return bool(_TEXT.fullmatch(value) or _NUMBER.fullmatch(value))


def starts_with_placeholder(value: bytes) -> bool:
    return bool(_FRONT.match(value))


def holds_placeholder(data: bytes, start: int = 0, end: int | None = None) -> bool:
    """Was part of this replaced already? For rules that judge a value by its looks, which a placeholder changes."""
    end = len(data) if end is None else end
    found = _TEXT.search(data, start, end + _LENGTH)
    return found is not None and found.start() < end


def _essence(secret: str) -> str:
    """What a secret reads as at any depth of escaping: undone until nothing is left to undo, so that it is the same
    text wherever it stands. A private key is the same key however its lines are cut."""
    text = undone(secret, _ROUNDS)
    return _PEM_NOISE.sub("", text) if text.startswith("-----BEGIN ") else text
