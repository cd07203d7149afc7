"""Description mentions none of the parameters that are not described themselves.

A parameter without a description of its own has to be explained by the tool's; where neither does, a model guesses
from the name alone.
Mention the parameters in the description, or describe each in the schema, which is better still.
"""

from collections.abc import Iterator

from mcptest.analyzers import words
from mcptest.analyzers.outline import outline
from mcptest.analyzers.prose import shown
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-005"
SEVERITY = Severity.INFO
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    if not (tool.description or "").strip():
        return
    bare = outline(tool).undescribed
    if not bare:
        return
    text = words.stems(tool.description or "")
    if not any(words.mentions(text, name) for name in bare):
        names = ", ".join(shown(name, 40) for name in bare[:5]) + (", …" if len(bare) > 5 else "")
        yield Remark(f"the description mentions none of its undescribed parameters: {names}", "/description")
