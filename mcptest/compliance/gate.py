"""The gate of a suite: what an upgrade would change, held against what the suite expects of it.

    spec_version_check:
      against: v2025-06-18
      expect:
        - target: spec_clean
          matcher: {exact: true}

Where there is nothing to compare with (no `against`, or a revision that is not shipped) it passes with a note, so that
adding the gate breaks nothing by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from mcptest.compliance.corpora import Corpora
from mcptest.compliance.versions import Bucket, VersionDiff, diff_versions
from mcptest.findings import Gate
from mcptest.jsontext import same
from mcptest.schemas import Validator

NAME = "spec_version_check"
_MOST_NAMED = 6  # rules that the one line of a gate names

TARGETS: dict[str, Callable[[VersionDiff], Any]] = {
    "spec_clean": lambda diff: diff.is_clean,
    "spec_breaking_changes": lambda diff: _ids(diff, Bucket.CHANGED),
    "spec_added": lambda diff: _ids(diff, Bucket.ADDED),
    "spec_removed": lambda diff: _ids(diff, Bucket.REMOVED),
    "spec_changed_count": lambda diff: diff.summary[Bucket.CHANGED],
}
MATCHERS = ("exact", "schema")


class Expectation(NamedTuple):
    """That a target equals a value (`exact`) or fits a JSON Schema (`schema`)."""

    target: str
    matcher: str
    argument: Any

    def problem(self, value: Any) -> str | None:
        if self.matcher == "exact":
            return None if same(value, self.argument) else f"not {_shown(self.argument)}"
        problems = Validator(self.argument).problems(value, most=1)
        return f"which does not fit {_shown(self.argument)}" if problems else None


DEFAULTS = (Expectation("spec_clean", "exact", True), Expectation("spec_breaking_changes", "schema", {"maxItems": 0}))


class VersionCheck(NamedTuple):
    """The block as it was written, with the defaults where it expects nothing of its own."""

    against: str | None
    expect: Sequence[Expectation] = DEFAULTS

    def gate(self, pin: str, corpora: Corpora) -> Gate:
        if self.against is None:
            return Gate(NAME, True, "nothing to compare with: name a revision with `against`")
        if self.against not in corpora.names:
            near = get_close_matches(self.against, corpora.names, n=1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            return Gate(NAME, True, f"nothing to compare with: no corpus {self.against} is shipped{hint}")
        diff = diff_versions(corpora.named(pin), corpora.named(self.against))
        return self._judged(diff)

    def _judged(self, diff: VersionDiff) -> Gate:
        way = f"{diff.from_} → {diff.to}"
        failed = [said for one in self.expect if (said := _failure(one, diff)) is not None]
        if failed:
            return Gate(NAME, False, f"{way}: {'; '.join(failed)} (see mcptest compliance diff {diff.from_} {diff.to})")
        counted = ", ".join(f"{number} {bucket}" for bucket, number in diff.summary.items())
        return Gate(NAME, True, f"{way}: {counted}")


def _failure(expectation: Expectation, diff: VersionDiff) -> str | None:
    value = TARGETS[expectation.target](diff)
    problem = expectation.problem(value)
    return None if problem is None else f"{expectation.target} is {_shown(value)}, {problem}"


def _ids(diff: VersionDiff, bucket: Bucket) -> list[str]:
    return [entry.rule_id for entry in diff.within(bucket)]


def _shown(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        more = f" and {len(value) - _MOST_NAMED} more" if len(value) > _MOST_NAMED else ""
        return f"[{', '.join(value[:_MOST_NAMED])}{more}]"
    return json.dumps(value)
