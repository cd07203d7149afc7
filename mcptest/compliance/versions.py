"""What an upgrade changes: the demands of two revisions, compared rule by rule.

Data are compared, never text: a rule has changed where its level, whom it binds, the transports it holds for or its
parameters differ. Another wording, or keys in another order, changes nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from mcptest.compliance.corpora import Corpora, Corpus, Demand
from mcptest.jsontext import same


class Bucket(enum.StrEnum):
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


class Missing(enum.Enum):
    """What a member is where it is not there: in JSON even null is something."""

    MISSING = "missing"


class Difference(NamedTuple):
    """One value that differs, by the path to it: `expect.transport`."""

    path: str
    from_: Any
    to: Any


class Entry(NamedTuple):
    """One rule of either revision. `from_` and `to` are what each expects: `level`, `binds`, `expect` and, where the
    rule holds for some transports only, `transport`; None where the revision does not have the rule."""

    rule_id: str
    bucket: Bucket
    text: str
    from_: Mapping[str, Any] | None
    to: Mapping[str, Any] | None

    def differences(self) -> list[Difference]:
        """Where a changed rule differs."""
        if self.from_ is None or self.to is None:
            return []
        return list(_differences((), self.from_, self.to))


class VersionDiff(NamedTuple):
    """Two revisions compared; the entries are ordered by the rules' ids."""

    from_: str
    to: str
    entries: tuple[Entry, ...]

    @property
    def is_clean(self) -> bool:
        """Does every rule that both revisions have demand the same? Rules that come or go do not count: nothing that
        holds today turns wrong by them."""
        return not any(True for _ in self.changed_rules())

    @property
    def summary(self) -> dict[str, int]:
        """How many entries each bucket has."""
        found = [entry.bucket for entry in self.entries]
        return {bucket.value: found.count(bucket) for bucket in Bucket}

    def changed_rules(self) -> Iterator[Entry]:
        return self.within(Bucket.CHANGED)

    def within(self, bucket: Bucket) -> Iterator[Entry]:
        return (entry for entry in self.entries if entry.bucket is bucket)

    def to_json(self) -> dict[str, Any]:
        return {
            "from": self.from_,
            "to": self.to,
            "is_clean": self.is_clean,
            "summary": self.summary,
            "entries": [
                {
                    "rule_id": entry.rule_id,
                    "bucket": entry.bucket.value,
                    "text": entry.text,
                    "from": entry.from_,
                    "to": entry.to,
                }
                for entry in self.entries
            ],
        }


def diff_versions(from_: str | Corpus, to: str | Corpus) -> VersionDiff:
    """What changes from one revision to another: corpora, or the names of shipped ones (`v2025-06-18`, `draft`)."""
    old, new = (_shipped().named(one) if isinstance(one, str) else one for one in (from_, to))
    rules = sorted(old.demands.keys() | new.demands.keys())
    return VersionDiff(old.name, new.name, tuple(_entry(old.demands.get(one), new.demands.get(one)) for one in rules))


@cache
def _shipped() -> Corpora:
    from mcptest.compliance.judging import Book

    return Book.load().corpora


def _entry(old: Demand | None, new: Demand | None) -> Entry:
    before, after = (None if one is None else _expectation(one) for one in (old, new))
    known = new or old
    assert known is not None
    if before is None:
        bucket = Bucket.ADDED
    elif after is None:
        bucket = Bucket.REMOVED
    else:
        bucket = Bucket.UNCHANGED if same(before, after) else Bucket.CHANGED
    return Entry(known.rule, bucket, known.text, before, after)


def _expectation(demand: Demand) -> dict[str, Any]:
    found: dict[str, Any] = {"level": demand.level, "binds": demand.binds, "expect": dict(demand.expect)}
    if demand.transport:
        found["transport"] = sorted(demand.transport)
    return found


def _differences(path: tuple[str, ...], old: Any, new: Any) -> Iterator[Difference]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from _differences((*path, key), old.get(key, Missing.MISSING), new.get(key, Missing.MISSING))
    elif not same(old, new):
        yield Difference(".".join(map(str, path)), old, new)
