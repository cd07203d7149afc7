"""What the specification forbids, revision by revision: rules over sessions, judged from traffic alone.

`mcptest.compliance.kit` is what a rule's module imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.compliance.badge import draw_badge
    from mcptest.compliance.corpora import Corpora, Corpus, Demand
    from mcptest.compliance.doctor import Ailment, CodeCheck, Diagnosis, check_resource_error_code, diagnose
    from mcptest.compliance.engine import Outcome
    from mcptest.compliance.grade import GradeDelta, Scorecard, grade_delta, grade_sessions
    from mcptest.compliance.judging import Book, comply, report
    from mcptest.compliance.suite import Suite, load_suite
    from mcptest.compliance.versions import Bucket, Entry, Missing, VersionDiff, diff_versions

__all__ = [
    "Ailment",
    "Book",
    "Bucket",
    "CodeCheck",
    "Corpora",
    "Corpus",
    "Demand",
    "Diagnosis",
    "Entry",
    "GradeDelta",
    "Missing",
    "Outcome",
    "Scorecard",
    "Suite",
    "VersionDiff",
    "check_resource_error_code",
    "comply",
    "diagnose",
    "diff_versions",
    "draw_badge",
    "grade_delta",
    "grade_sessions",
    "load_suite",
    "report",
]

__getattr__ = late(
    __name__,
    {
        "Ailment": "doctor",
        "Book": "judging",
        "Bucket": "versions",
        "CodeCheck": "doctor",
        "Corpora": "corpora",
        "Corpus": "corpora",
        "Demand": "corpora",
        "Diagnosis": "doctor",
        "Entry": "versions",
        "GradeDelta": "grade",
        "Missing": "versions",
        "Outcome": "engine",
        "Scorecard": "grade",
        "Suite": "suite",
        "VersionDiff": "versions",
        "check_resource_error_code": "doctor",
        "comply": "judging",
        "diagnose": "doctor",
        "diff_versions": "versions",
        "draw_badge": "badge",
        "grade_delta": "grade",
        "grade_sessions": "grade",
        "load_suite": "suite",
        "report": "judging",
    },
)
