"""The gates of a suite: what an upgrade would change, and what has become of the grade, held against what the suite
expects of them.

    spec_version_check:
      against: v2025-06-18
      expect:
        - target: spec_clean
          matcher: {exact: true}
    grade_delta:
      against: scorecard.json

Where there is nothing to compare with (no `against`, a revision that is not shipped, a scorecard that is not there yet)
a gate passes with a note, so that adding it breaks nothing by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.compliance import grade
from mcptest.compliance.corpora import Corpora
from mcptest.compliance.grade import Scorecard, grade_delta
from mcptest.compliance.versions import Bucket, VersionDiff, diff_versions
from mcptest.errors import UsageError
from mcptest.findings import Gate
from mcptest.jsontext import same
from mcptest.schemas import Validator

NAME, GRADE = "spec_version_check", "grade_delta"
_MOST_NAMED = 6  # rules that the one line of a gate names

TARGETS: dict[str, Callable[[VersionDiff], Any]] = {
    "spec_clean": lambda diff: diff.is_clean,
    "spec_breaking_changes": lambda diff: _ids(diff, Bucket.CHANGED),
    "spec_added": lambda diff: _ids(diff, Bucket.ADDED),
    "spec_removed": lambda diff: _ids(diff, Bucket.REMOVED),
    "spec_changed_count": lambda diff: diff.summary[Bucket.CHANGED],
}
GRADE_TARGETS = grade.TARGETS
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


GRADE_DEFAULTS = (
    Expectation("grade_regressed", "exact", False),
    Expectation("regressed_sections", "schema", {"maxItems": 0}),
)
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
        failed = _failures(self.expect, TARGETS, diff)
        if failed:
            return Gate(NAME, False, f"{way}: {'; '.join(failed)} (see mcptest compliance diff {diff.from_} {diff.to})")
        counted = ", ".join(f"{number} {bucket}" for bucket, number in diff.summary.items())
        return Gate(NAME, True, f"{way}: {counted}")


class GradeCheck(NamedTuple):
    """The block as it was written; `against` is a scorecard of before."""

    against: Path | None
    expect: Sequence[Expectation] = GRADE_DEFAULTS

    def gate(self, now: Scorecard) -> Gate:
        if self.against is None:
            return Gate(GRADE, True, "nothing to compare with: name a scorecard with `against`")
        before = self._before()
        if before is None:
            return Gate(
                GRADE,
                True,
                f"nothing to compare with: there is no {self.against} yet, write it with --save-scorecard",
            )
        delta = grade_delta(now, before)
        way = f"{_graded(before)} → {_graded(now)}" + "".join(f"; {note}" for note in delta.notes)
        failed = _failures(self.expect, GRADE_TARGETS, delta)
        if failed:
            return Gate(GRADE, False, f"{way}: {'; '.join(failed)}")
        unmeasured = f"; not exercised this time: {', '.join(delta.unmeasured)}" if delta.unmeasured else ""
        return Gate(GRADE, True, f"{way}{unmeasured}")

    def _before(self) -> Scorecard | None:
        assert self.against is not None
        try:
            document = json.loads(self.against.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"cannot read {self.against}: {error.strerror}") from error
        except ValueError as error:
            raise UsageError(f"{self.against} is not a scorecard: it is no JSON ({error})") from error
        return Scorecard.from_json(document, str(self.against))


def _graded(card: Scorecard) -> str:
    return "no grade" if card.grade is None else f"{card.grade} ({card.score:g})"


def _failures(
    expectations: Sequence[Expectation], targets: Mapping[str, Callable[[Any], Any]], subject: Any
) -> list[str]:
    found = []
    for expectation in expectations:
        value = targets[expectation.target](subject)
        problem = expectation.problem(value)
        if problem is not None:
            found.append(f"{expectation.target} is {_shown(value)}, {problem}")
    return found


def _ids(diff: VersionDiff, bucket: Bucket) -> list[str]:
    return [entry.rule_id for entry in diff.within(bucket)]


def _shown(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        more = f" and {len(value) - _MOST_NAMED} more" if len(value) > _MOST_NAMED else ""
        return f"[{', '.join(value[:_MOST_NAMED])}{more}]"
    return json.dumps(value)
