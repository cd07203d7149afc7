"""Every text in a definition that a model will read, laid end to end so that one search goes over all of it.

Instructions hide not only in descriptions but in titles, defaults, examples, enum values and the names of properties.
The searched form is normalised: lower case, compatibility characters folded, invisible ones taken out.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mcptest.catalogue import Entry
from mcptest.jsontext import pointer
from mcptest.rules import Inconclusive, Remark

MOST_TEXT = 256 << 10  # characters of one definition that are searched
MOST_VALUES = 100_000
MOST_LEVELS = 256
_SEPARATOR = "\n\x00\n"  # nothing that a pattern reaches across: `.` stops at the newline, `\s` at the zero
_PLAIN_KEY = re.compile(r"[\w$.\-/]{1,64}", re.ASCII)
_SKIPPED = frozenset({"icons"})  # images, as data URIs
_SHOWN = 80
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)

Chain = tuple["Chain", str | int] | None


class Text(NamedTuple):
    chain: Chain
    text: str

    @property
    def within(self) -> str:
        tokens: list[str | int] = []
        chain = self.chain
        while chain is not None:
            chain, token = chain
            tokens.append(token)
        return pointer(*reversed(tokens))


class Prose:
    """The texts of one definition; `searched` is all of them, normalised."""

    def __init__(self, raw: Any) -> None:
        self.over: str | None = None
        self.texts = list(self._collect(raw))
        pieces = [_normalise(text.text) for text in self.texts]
        self._starts: list[int] = []
        at = 0
        for piece in pieces:
            self._starts.append(at)
            at += len(piece) + len(_SEPARATOR)
        self.searched = _SEPARATOR.join(pieces)

    @cached_property
    def whole(self) -> str:
        """All texts as they are."""
        return _SEPARATOR.join(text.text for text in self.texts)

    def at(self, offset: int) -> Text:
        """The text that an offset of `searched` falls into."""
        return self.texts[bisect_right(self._starts, offset) - 1]

    def finish(self) -> None:
        if self.over:
            raise Inconclusive(self.over)

    def _collect(self, raw: Any) -> Iterator[Text]:
        room, values = MOST_TEXT, 0
        stack: list[tuple[Chain, Any, int]] = [(None, raw, 0)]
        while stack:
            chain, value, depth = stack.pop()
            values += 1
            if values > MOST_VALUES or depth > MOST_LEVELS:
                self.over = f"over budget: more than {MOST_VALUES:,} values or {MOST_LEVELS} levels"
                continue
            if isinstance(value, str):
                found = [Text(chain, value)] if value else []
            elif isinstance(value, dict):
                found = [Text((chain, key), key) for key in value if not _PLAIN_KEY.fullmatch(key)]
                children = [((chain, key), item, depth + 1) for key, item in value.items() if key not in _SKIPPED]
                stack.extend(reversed(children))
            elif isinstance(value, list):
                found = []
                stack.extend(reversed([((chain, at), item, depth + 1) for at, item in enumerate(value)]))
            else:
                continue
            for text in found:
                if room <= 0:
                    self.over = f"over budget: more than {MOST_TEXT:,} characters of text"
                    return
                yield text._replace(text=text.text[:room]) if len(text.text) > room else text
                room -= len(text.text)


@lru_cache(maxsize=8)
def prose(entry: Entry) -> Prose:
    """The texts of a definition; the rules over one entry share them."""
    return Prose(entry.raw)


class Sign(NamedTuple):
    says: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None


def sign(says: str, triggers: str, pattern: str, unless: str | None = None) -> Sign:
    """Something to look for. `pattern` runs over the normalised text, and only where one of `triggers` (separated by
    bars) occurs, since plain substrings are found a hundred times faster. A match counts for nothing where `unless`
    is found before it in the same sentence."""
    forgiving = re.compile(rf"\b(?:{unless})\b") if unless else None
    return Sign(says, tuple(triggers.split("|")), re.compile(pattern), forgiving)


def look_for(entry: Entry, signs: Sequence[Sign]) -> Iterator[Remark]:
    """Each text in which a sign shows, once per sign."""
    texts = prose(entry)
    searched = texts.searched
    for sign in signs:
        if not any(trigger in searched for trigger in sign.triggers):
            continue
        seen: set[int] = set()
        for match in sign.pattern.finditer(searched):
            text = texts.at(match.end() - 1)  # a pattern may begin with the line break before its text
            if id(text) in seen or (sign.unless and sign.unless.search(_sentence_before(searched, match.start()))):
                continue
            seen.add(id(text))
            yield Remark(f"{sign.says}: {shown(match[0])}", text.within, {"sign": sign.says})
    texts.finish()


def shown(text: str, most: int = _SHOWN) -> str:
    """A captured text inside a message: quoted, on one line, cut to size, nothing invisible left invisible."""
    text = " ".join(text.split())
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def _sentence_before(text: str, end: int) -> str:
    before = text[max(0, end - 120) : end]
    return re.split(r"[.;!?\n\x00]", before)[-1]


def _normalise(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _IGNORABLE.sub("", text)).lower()
