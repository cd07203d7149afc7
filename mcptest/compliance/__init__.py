"""What the specification forbids, revision by revision: rules over sessions, judged from traffic alone.

`mcptest.compliance.kit` is what a rule's module imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.compliance.badge import draw_badge
    from mcptest.compliance.corpora import Corpora, Corpus, Demand
    from mcptest.compliance.covering import Coverage, Way, coverage, way_of
    from mcptest.compliance.diagnosis import Ailment, CodeCheck, Diagnosis
    from mcptest.compliance.doctor import diagnose
    from mcptest.compliance.engine import Outcome
    from mcptest.compliance.grade import GradeDelta, Scorecard, grade_delta, grade_sessions
    from mcptest.compliance.judging import Book, comply, report
    from mcptest.compliance.pages import rule_page, rules_index
    from mcptest.compliance.parallel import comply_each
    from mcptest.compliance.questions import check_resource_error_code, refused_discovery
    from mcptest.compliance.suite import Suite, load_suite, read_suite
    from mcptest.compliance.suite_lint import lint_suite
    from mcptest.compliance.versions import Bucket, Entry, Missing, VersionDiff, diff_versions

__all__ = [
    "Ailment",
    "Book",
    "Bucket",
    "CodeCheck",
    "Corpora",
    "Corpus",
    "Coverage",
    "Demand",
    "Diagnosis",
    "Entry",
    "GradeDelta",
    "Missing",
    "Outcome",
    "Scorecard",
    "Suite",
    "VersionDiff",
    "Way",
    "check_resource_error_code",
    "comply",
    "comply_each",
    "coverage",
    "diagnose",
    "diff_versions",
    "draw_badge",
    "grade_delta",
    "grade_sessions",
    "lint_suite",
    "load_suite",
    "read_suite",
    "refused_discovery",
    "report",
    "rule_page",
    "rules_index",
    "way_of",
]

__getattr__ = late(
    __name__,
    {
        "Ailment": "diagnosis",
        "Book": "judging",
        "Bucket": "versions",
        "CodeCheck": "diagnosis",
        "Corpora": "corpora",
        "Corpus": "corpora",
        "Coverage": "covering",
        "Demand": "corpora",
        "Diagnosis": "diagnosis",
        "Entry": "versions",
        "GradeDelta": "grade",
        "Missing": "versions",
        "Outcome": "engine",
        "Scorecard": "grade",
        "Suite": "suite",
        "VersionDiff": "versions",
        "Way": "covering",
        "check_resource_error_code": "questions",
        "comply": "judging",
        "comply_each": "parallel",
        "coverage": "covering",
        "diagnose": "doctor",
        "diff_versions": "versions",
        "draw_badge": "badge",
        "grade_delta": "grade",
        "grade_sessions": "grade",
        "lint_suite": "suite_lint",
        "load_suite": "suite",
        "read_suite": "suite",
        "refused_discovery": "questions",
        "report": "judging",
        "rule_page": "pages",
        "rules_index": "pages",
        "way_of": "covering",
    },
)
