"""The fast search: where in some bytes could a secret be?

Two matchers, because names are found in any case and values as they are. Up to 64 literals each are searched with
vector instructions, a gigabyte a second and more; beyond that the matcher falls back to a table at about 600 MB/s.
Sixteen literals at a time are searched ten times as fast: worth several searches where there is much to search.
"""

from __future__ import annotations

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from mcptest.wire.redaction.learned import Learned
from mcptest.wire.redaction.literals import BASIC, HARMLESS_NAMES, NAMES, OAUTH, QUERY_KEYS, URLS, VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Find = Callable[..., list[tuple[int, int, int]]]
    Hit = tuple[int, int, bytes]  # start, end, which literal


_MUCH = 16 << 10  # bytes from which several fast searches are quicker than one
_GROUP = 16
_MOST_GROUPS = 8


class Matcher:
    """`more` are further names' literals, in lower case."""

    def __init__(self, learned: Learned, more: Sequence[bytes] = ()) -> None:
        self._learned = learned
        harmless = [literal for literal in HARMLESS_NAMES if not any(name in literal for name in more)]
        self._harmless = len(harmless)
        self._names = list(dict.fromkeys([*harmless, *NAMES, *more, *QUERY_KEYS, BASIC, OAUTH]))
        self._find_names = _build(self._names, MatchKind.LeftmostFirst)
        self._find_all_values: Find | None = None
        self._refresh()

    def _refresh(self) -> None:
        """Take over what was learned."""
        self._version = self._learned.version
        self._values = list(dict.fromkeys([*VALUES, *self._learned.by_beginning]))
        self._find_values = _build(self._values, MatchKind.LeftmostFirst)
        self._find_all_values = None
        self._find_by_group: list[Find] = []

    def suspects(self, data: bytes) -> bool:
        """Can there be a secret in these bytes?"""
        names = self._find_names(data.lower())
        values = self._find_values(data) if len(data) < _MUCH or self._finds_in_groups(data) else []
        if not names and not values:
            return False
        harmless = self._harmless
        for index, _, _ in names:
            if index >= harmless:
                return True
        urls = len(URLS)
        for index, _, _ in values:
            if index >= urls:
                return True
        # A URL can only hold a password before an @.
        return bool(values) and b"@" in data

    def _finds_in_groups(self, data: bytes) -> bool:
        if not self._find_by_group:
            size = max(_GROUP, -(-len(self._values) // _MOST_GROUPS))
            groups = [self._values[start : start + size] for start in range(0, len(self._values), size)]
            self._find_by_group = [_build(group, MatchKind.LeftmostFirst) for group in groups]
        return any(find(data) for find in self._find_by_group)

    def names(self, data: bytes) -> list[Hit]:
        """The places of names, from left to right. Where two overlap they are parts of the same name."""
        literals, harmless = self._names, self._harmless
        return [(start, end, literals[i]) for i, start, end in self._find_names(data.lower()) if i >= harmless]

    def values(self, data: bytes) -> list[Hit]:
        """The places of values, from left to right, overlapping ones too."""
        if self._version != self._learned.version:
            self._refresh()
        if not self._find_values(data):
            return []
        if self._find_all_values is None:
            self._find_all_values = _build(self._values, MatchKind.Standard)
        literals = self._values
        return sorted((start, end, literals[i]) for i, start, end in self._find_all_values(data, True))


def _build(literals: list[bytes], kind: MatchKind) -> Find:
    return BytesAhoCorasick(literals, kind, Implementation.DFA).find_matches_as_indexes
