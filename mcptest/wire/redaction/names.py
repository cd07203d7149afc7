"""Which names stand for secrets: JSON keys, header names, query keys, variables, flags.

A name is read as its words, whatever their spelling: `client_secret`, `Client-Secret` and `clientSecret` are one
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto

from mcptest.errors import UsageError
from mcptest.wire.redaction.encoding import encoded


class Kind(Enum):
    SECRET = auto()  # strings and numbers are hidden: password, api_key
    TOKEN = auto()  # strings only: a number under such a name is a counter
    QUERY = auto()  # hidden only if the value could be nothing else: ?code=, ?key=
    VARIABLE = auto()  # likewise, and longer: OPENAI_KEY
    AUTHORIZATION = auto()  # the scheme stays, the credentials go
    COOKIE = auto()  # the names stay, the values go
    CHOSEN = auto()  # the user named it: hidden without exceptions


# Query keys too short or too common to mean anything outside of a URL or a form.
QUERY_NAMES = frozenset({b"code", b"key", b"sig", b"signature", b"apikey", b"auth", b"pass", b"xamzsignature"})

_SECRET = re.compile(
    rb".*(?:passwo?rd|passwd|passwort|passphrase|passcode|pwd|secret|secretkey|apikey|privatekey|accesskey|accountkey"
    rb"|signingkey|encryptionkey|subscriptionkey|masterkey|authkey|sessionkey|servicerolekey|credential"
    rb"|connectionstring|connectionstr|codeverifier|devicecode|clientassertion|samlresponse)s?"
)
_TOKENS = re.compile(rb".*(?:access|refresh|auth|api|session|bearer|id|secret|csrf|registration|bot)tokens")
# Tokens that a model reads, that a list is paged with, or that a request is followed by.
_HARMLESS_BEFORE_TOKEN = frozenset(
    b"progress next page nextpage paging prev previous continuation continue sync change resumption resume scroll skip"
    b" cancel cancellation start end stop first last eos bos pad unk mask cls sep special max min per"
    b" input output total prompt completion".split()
)
_BEFORE_PASS = frozenset(b"db user smtp mail admin root mysql pg postgres redis ftp http proxy login auth api".split())
# `API_KEY_VALUE`, `passwordConfirmation` and `password2` hold what `API_KEY` and `password` hold.
_AFTERTHOUGHTS = frozenset(b"value string text plain plaintext base base64 confirm confirmation".split())
_WORD = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# `CACHE_KEY=...` in an environment is no secret, although `OPENAI_KEY=...` is.
_HARMLESS_BEFORE_KEY = frozenset(
    {b"public", b"primary", b"foreign", b"sort", b"partition", b"cache", b"unique", b"row", b"index", b"object", b"pub"}
)
_LONGEST_NAME = 128
_CACHE_LIMIT = 4096


class Names:
    """What each name stands for, with the user's own names added."""

    def __init__(self, chosen: Iterable[str] = ()) -> None:
        self._chosen = {_compact(encoded(name)) for name in chosen}
        self._kinds: dict[bytes, Kind | None] = {}

    def kind(self, name: bytes) -> Kind | None:
        kinds = self._kinds
        if name in kinds:
            return kinds[name]
        if len(kinds) >= _CACHE_LIMIT:
            kinds.clear()
        kinds[name] = found = self._find(name)
        return found

    def query_kind(self, name: bytes) -> Kind | None:
        """The same inside a URL's query, where a bare `key` or `code` counts too."""
        return self.kind(name) or (Kind.QUERY if _compact(name) in QUERY_NAMES else None)

    def _find(self, name: bytes) -> Kind | None:
        if len(name) > _LONGEST_NAME:
            return None
        if self._chosen and _compact(name) in self._chosen:
            return Kind.CHOSEN
        words = [word.lower() for word in _WORD.findall(name)]
        kind = _of_words(words) or _of_last_word(words, name)
        while kind is None and len(words) > 1 and (words[-1].isdigit() or words[-1] in _AFTERTHOUGHTS):
            words.pop()
            kind = _of_words(words)
        return kind


def _of_words(words: list[bytes]) -> Kind | None:
    compact = b"".join(words)
    if compact.endswith(b"authorization"):
        return Kind.AUTHORIZATION
    if compact.endswith((b"cookie", b"cookies")):
        return Kind.COOKIE
    if _SECRET.fullmatch(compact):
        return Kind.SECRET
    if compact == b"bearer" or _TOKENS.fullmatch(compact):
        return Kind.TOKEN
    if not words or not words[-1].endswith((b"token", b"jwt")):
        return None
    before = words[-1].removesuffix(b"token") or (words[-2] if len(words) > 1 else b"")
    return None if before in _HARMLESS_BEFORE_TOKEN else Kind.TOKEN


def _of_last_word(words: list[bytes], name: bytes) -> Kind | None:
    """Short words that mean a secret only where they end a name."""
    *_, before, last = [b"", b"", *words]
    if last == b"pass" and (not before or (before in _BEFORE_PASS and name[-5:-4] in (b"_", b"-"))):
        return Kind.TOKEN
    if last in (b"key", b"pat") and before and name.isupper() and before not in _HARMLESS_BEFORE_KEY:
        return Kind.VARIABLE
    return None


def _compact(name: bytes) -> bytes:
    text = name.decode("utf-8", "replace")
    return "".join(letter for letter in text if letter.isalnum()).lower().encode()


def spellings(name: str) -> list[bytes]:
    """How the matcher may meet a name the user gave, lower-cased: its words apart, joined, or as it was written."""
    if len(_compact(encoded(name))) < 2:
        raise UsageError(f"the key {name!r} is too short to redact by: give a name of at least 2 letters")
    words = [word.decode() for word in _WORD.findall(encoded(name))]
    spelled = [name, *(joint.join(words) for joint in ("", "_", "-", " ", ".") if name.isascii())]
    return [encoded(text.lower()) for text in spelled]
