"""Tool is annotated read-only although its name sounds destructive.

Clients run read-only tools without asking. If the name is right, the annotation opens a door that nobody watches; if
the annotation is right, the name frightens users for nothing.
Correct whichever is wrong.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool
from mcptest.policy import words
from mcptest.rules import Remark, Severity, tools

ID = "ANN-002"
SEVERITY = Severity.ERROR
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    if isinstance(tool.annotations, dict) and tool.annotations.get("readOnlyHint") is True:
        word = words.destructive_word(tool.name)
        if word:
            yield Remark(f"readOnlyHint is true, but the name says {word!r}", "/annotations/readOnlyHint")
