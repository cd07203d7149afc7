"""What is unwise in what a server offers: lint rules over catalogues, the fix, scores, and what changed."""

from mcptest.analyzers.compare import Effect
from mcptest.analyzers.diff import Change, diff, to_report
from mcptest.analyzers.fix import Fixed, fix
from mcptest.analyzers.inputs import (
    Analysis,
    analyse,
    catalogues,
    document,
    is_recorded,
    only_catalogue,
    read_text,
    report,
)
from mcptest.analyzers.linting import Job, Plan, each, lint, load_rules, plan
from mcptest.analyzers.quality import Quality, score

__all__ = [
    "Analysis",
    "Change",
    "Effect",
    "Fixed",
    "Job",
    "Plan",
    "Quality",
    "analyse",
    "catalogues",
    "diff",
    "document",
    "each",
    "fix",
    "is_recorded",
    "lint",
    "load_rules",
    "only_catalogue",
    "plan",
    "read_text",
    "report",
    "score",
    "to_report",
]
