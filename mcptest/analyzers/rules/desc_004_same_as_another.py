"""Description is the same as another tool's.

Two tools that describe themselves alike are told apart by their names only, and a model picks one by chance.
Say in each what sets it apart.
"""

from collections.abc import Iterator
from functools import lru_cache

from mcptest.analyzers.prose import shown
from mcptest.catalogue import Catalogue
from mcptest.rules import InContext, Remark, Severity, tools_in_context

ID = "DESC-004"
SEVERITY = Severity.WARNING
ON = tools_in_context


def check(subject: InContext) -> Iterator[Remark]:
    text = _plain(subject.entry.description)
    others = [name for name in _by_description(subject.catalogue).get(text, ()) if name != subject.name]
    if text and others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        yield Remark(f"the description is the same as that of {shown(others[0])}{more}", "/description")


@lru_cache(maxsize=2)
def _by_description(catalogue: Catalogue) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for tool in catalogue.tools:
        found.setdefault(_plain(tool.description), []).append(tool.name)
    return found


def _plain(text: str | None) -> str:
    return " ".join((text or "").lower().split()).rstrip(".")
