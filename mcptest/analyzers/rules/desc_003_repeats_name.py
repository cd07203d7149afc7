"""Description only repeats the name.

The words of the name in another order or spelling tell a model nothing that it did not have.
Say what the tool does with its arguments and what the caller gets.
"""

from collections.abc import Iterator

from mcptest.analyzers import words
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-003"
SEVERITY = Severity.WARNING
ON = tools

_FILLERS = frozenset({"a", "an", "the", "this", "tool", "function", "to", "of", "for", "is", "it"})


def check(tool: Tool) -> Iterator[Remark]:
    said = words.stems(tool.description or "") - _FILLERS
    if said and said <= words.stems(tool.name):
        yield Remark("the description only repeats the name", "/description")
