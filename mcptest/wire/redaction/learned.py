"""Secrets known by their value: found once under a secret's name, or given; then hidden wherever they appear.

The matcher holds the beginning of each spelling of such a value: as it is, escaped up to four times in JSON,
percent-encoded. The whole spelling is compared where the beginning was found.
"""

from __future__ import annotations

from typing import NamedTuple

from mcptest.wire.redaction.encoding import encoded

LIMIT = 256  # a peer that invents secrets forever must not slow the recorder forever
_LONGEST = 8192
_BEGINNING = 16
_LEVELS = 4
# What can stand outside of a string in JSON: digits, structure, white space, the letters of true, false and null.
_STRUCTURE = frozenset("0123456789eE+-.,:[]{} \t\r\ntruefalsn")
_NO_PUNCTUATION = str.maketrans("", "", "_.~-")  # written the same in JSON and in URLs


class Secret(NamedTuple):
    text: str
    spelling: bytes
    structural: bool  # must not be replaced outside of a JSON string


class Learned:
    def __init__(self) -> None:
        self._known: set[str] = set()
        self._learned = 0
        self.by_beginning: dict[bytes, list[Secret]] = {}
        self.version = 0

    def add(self, text: str) -> None:
        """A value to hide from now on, whatever it looks like."""
        if not text.strip() or text in self._known:
            return
        self._known.add(text)
        for spelling in _spellings(text):
            raw = encoded(spelling)
            structural = _STRUCTURE.issuperset(spelling) or '"' in spelling
            secrets = self.by_beginning.setdefault(raw[:_BEGINNING], [])
            secrets.append(Secret(text, raw, structural))
            # Of two secrets that begin alike, the longer one is there to be found.
            secrets.sort(key=lambda secret: len(secret.spelling), reverse=True)
        self.version += 1

    def learn(self, text: str) -> None:
        """A value found under a secret's name: kept if it cannot be mistaken for anything else, up to a limit."""
        from mcptest.wire.redaction.values import is_distinctive

        if self._learned >= LIMIT or len(text) > _LONGEST or text in self._known or not is_distinctive(text):
            return
        self._learned += 1
        self.add(text)


def _spellings(text: str) -> list[str]:
    """Different writers escape differently, at each level: letters beyond ASCII or not, slashes or not."""
    if text.isascii() and text.translate(_NO_PUNCTUATION).isalnum():
        return [text]
    import json
    from urllib.parse import quote, quote_plus

    raw = encoded(text)
    spellings = [text, quote(raw, safe=""), quote(raw), quote_plus(raw)]
    for slash in ("/", "\\/"):
        level = [text]
        for _ in range(_LEVELS):
            escaped = [json.dumps(one, ensure_ascii=ascii_only)[1:-1] for one in level for ascii_only in (False, True)]
            level = list(dict.fromkeys(one.replace("/", slash) for one in escaped))
            spellings += level
    return list(dict.fromkeys(spellings))
