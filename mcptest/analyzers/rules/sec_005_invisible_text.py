"""Definition holds invisible characters.

Characters without a shape, marks that reverse the direction of writing and terminal escapes show a person something
else than a model reads: whole instructions have been hidden in them.
Remove them. Joiners inside emoji and inside scripts that need them are fine.
"""

import re
import unicodedata
from collections.abc import Iterator

from mcptest.analyzers.prose import prose
from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "SEC-005"
SEVERITY = Severity.CRITICAL
ON = entries

_KINDS = (
    ("tag characters", "\U000e0000-\U000e007f"),
    ("variation selectors", "\ufe00-\ufe0f\U000e0100-\U000e01ef"),
    ("direction marks", "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"),
    ("zero-width characters", "\u200b-\u200d\u2060-\u2064\ufeff\u180e\u034f"),
    ("fillers", "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u00ad"),
    ("control characters", "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029"),
)
_ANY = re.compile("[" + "".join(range_ for _, range_ in _KINDS) + "]")
_NAMED = [(name, re.compile(f"[{range_}]")) for name, range_ in _KINDS]
_FLAG = "\U0001f3f4"


def check(entry: Entry) -> Iterator[Remark]:
    texts = prose(entry)
    for text in texts.texts:
        found: dict[str, list[str]] = {}
        for match in _ANY.finditer(text.text):
            if not _belongs(text.text, match.start()):
                name = next(name for name, pattern in _NAMED if pattern.match(match[0]))
                found.setdefault(name, []).append(f"U+{ord(match[0]):04X}")
        for name, codes in found.items():
            distinct = list(dict.fromkeys(codes))
            more = ", …" if len(distinct) > 4 else ""
            noun = name.removesuffix("s") if len(codes) == 1 else name
            yield Remark(f"{len(codes)} {noun} ({', '.join(distinct[:4])}{more})", text.within)
    texts.finish()


def _belongs(text: str, at: int) -> bool:
    """Is the character part of something that can be seen: an emoji, or a word in a script that joins its letters?"""
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if not before:
        return False
    char = text[at]
    if char in "\ufe0e\ufe0f":
        return unicodedata.category(before)[0] in "SN" or before in "#*" or ord(before) > 0x2000
    if char == "\u200d" and _is_emoji(before) and _is_emoji(after):
        return True
    if char in "\u200c\u200d":
        return before.isalpha() and not before.isascii() and (not after or not after.isascii() or not after.isalpha())
    if char in "\u200e\u200f":
        return any(
            unicodedata.bidirectional(neighbour) in ("R", "AL", "AN") for neighbour in (before, after) if neighbour
        )
    if "\U000e0020" <= char <= "\U000e007f":
        return _FLAG in text[max(0, at - 8) : at]
    return False


def _is_emoji(char: str) -> bool:
    return bool(char) and (ord(char) >= 0x1F000 or unicodedata.category(char) == "So" or char in "\ufe0f\u2640\u2642")
