"""Parameters have no description.

A model fills arguments from their descriptions: units, formats, where a value comes from, what leaving it out means.
Give each parameter a `description`.
"""

from collections.abc import Iterator

from mcptest.analyzers.outline import outline
from mcptest.analyzers.prose import shown
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-006"
SEVERITY = Severity.WARNING
ON = tools


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    bare = view.undescribed
    if bare:
        names = ", ".join(shown(name, 40) for name in bare[:5]) + (", …" if len(bare) > 5 else "")
        count = f"{len(bare)} of {len(view.parameters)} parameters"
        yield Remark(f"{count} have no description: {names}", view.parameter_within(bare[0]))
