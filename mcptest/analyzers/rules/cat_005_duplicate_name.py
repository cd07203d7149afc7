"""Two entries of one list have the same name.

A call by that name can only reach one of them; which one is left to chance. Clients may drop either, or the list.
Give each tool and prompt a name of its own, and each resource its own URI.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from mcptest.catalogue import Catalogue
from mcptest.rules import InContext, Remark, Severity, entries_in_context

ID = "CAT-005"
SEVERITY = Severity.ERROR
ON = entries_in_context


def check(subject: InContext) -> Iterator[Remark]:
    others = _names(subject.catalogue)[subject.kind, subject.name] - 1
    if others:
        noun = f"one other {subject.kind} has" if others == 1 else f"{others} other {subject.kind}s have"
        yield Remark(f"{noun} the same name")


@lru_cache(maxsize=2)
def _names(catalogue: Catalogue) -> Counter[tuple[str, str]]:
    return Counter((entry.kind, entry.name) for entry in catalogue.entries)
