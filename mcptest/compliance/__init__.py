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

__all__ = ["Book", "Corpora", "Corpus", "Demand", "Outcome", "comply", "report"]

__getattr__ = late(
    __name__,
    {
        "Book": "judging",
        "Corpora": "corpora",
        "Corpus": "corpora",
        "Demand": "corpora",
        "Outcome": "engine",
        "comply": "judging",
        "report": "judging",
    },
)
