"""What the specification forbids, revision by revision: rules over sessions, judged from traffic alone.

`mcptest.compliance.kit` is what a rule's module imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.compliance.corpora import Corpora, Corpus, Demand
    from mcptest.compliance.engine import Outcome
    from mcptest.compliance.judging import Book, comply, report
    from mcptest.compliance.suite import Suite, load_suite
    from mcptest.compliance.versions import Bucket, Entry, Missing, VersionDiff, diff_versions

__all__ = [
    "Book",
    "Bucket",
    "Corpora",
    "Corpus",
    "Demand",
    "Entry",
    "Missing",
    "Outcome",
    "Suite",
    "VersionDiff",
    "comply",
    "diff_versions",
    "load_suite",
    "report",
]

__getattr__ = late(
    __name__,
    {
        "Book": "judging",
        "Bucket": "versions",
        "Corpora": "corpora",
        "Corpus": "corpora",
        "Demand": "corpora",
        "Entry": "versions",
        "Missing": "versions",
        "Outcome": "engine",
        "Suite": "suite",
        "VersionDiff": "versions",
        "comply": "judging",
        "diff_versions": "versions",
        "load_suite": "suite",
        "report": "judging",
    },
)
