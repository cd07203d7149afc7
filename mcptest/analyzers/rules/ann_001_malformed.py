"""Annotations are malformed.

A client that cannot read the annotations ignores them, and falls back to asking the user about everything or, worse,
about nothing.
`annotations` is an object; its hints are booleans, not strings or numbers; its title is a string.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool, a
from mcptest.policy import HINTS
from mcptest.rules import Remark, Severity, tools

ID = "ANN-001"
SEVERITY = Severity.ERROR
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    given = tool.annotations
    if not isinstance(tool.raw, dict) or "annotations" not in tool.raw:
        return
    if not isinstance(given, dict):
        yield Remark(f"annotations is {a(given)}, not an object", "/annotations")
        return
    for hint in HINTS:
        if hint in given and not isinstance(given[hint], bool):
            yield Remark(f"{hint} is {a(given[hint])}, not a boolean", f"/annotations/{hint}")
    if "title" in given and not isinstance(given["title"], str):
        yield Remark(f"title is {a(given['title'])}, not a string", "/annotations/title")
