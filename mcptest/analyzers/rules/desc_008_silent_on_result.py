"""Description says nothing of what comes back.

A model plans the next step by what a call will return. A tool without an `outputSchema` and without a word on its
result has to be tried to be known.
Say what the tool returns, or declare an `outputSchema`.
"""

from collections.abc import Iterator

from mcptest.analyzers import words
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-008"
SEVERITY = Severity.INFO
ON = tools

# Words that tell of a result: what it is called, and verbs whose object is the result.
_OF_RESULTS = words.stems(
    """
    answer calculate capture check compute contain content convert count describe detect determine display
    echo estimate evaluate explain export extract fetch filter find gather generate get give identify
    information inspect list locate look lookup measure obtain output parse predict preview print produce
    provide query read recommend render report resolve response result retrieve return returning reveal scan
    screenshot search see show snapshot summarize summarise summary tell translate validate verify view yield
    """
)


def check(tool: Tool) -> Iterator[Remark]:
    if tool.output_schema is not None or not (tool.description or "").strip():
        return
    if words.stems(tool.description or "").isdisjoint(_OF_RESULTS):
        yield Remark("the description says nothing of what comes back", "/description")
