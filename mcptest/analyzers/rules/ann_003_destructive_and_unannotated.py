"""Tool sounds destructive and does not say whether it is.

Without annotations a client has only the name to decide whether to ask the user first.
Set `destructiveHint`, or `readOnlyHint` if the name misleads.
"""

from collections.abc import Iterator

from mcptest.catalogue import Tool
from mcptest.policy import words
from mcptest.rules import Remark, Severity, tools

ID = "ANN-003"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    given = tool.annotations if isinstance(tool.annotations, dict) else {}
    if isinstance(given.get("destructiveHint"), bool) or given.get("readOnlyHint") is True:
        return
    word = words.destructive_word(tool.name)
    if word:
        where = "/annotations" if given else ""
        yield Remark(f"the name says {word!r}, but no annotation says whether the tool is destructive", where)
