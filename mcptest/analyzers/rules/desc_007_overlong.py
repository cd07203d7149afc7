"""Description is overlong.

Every tool's description is sent with every request to a model; a long one costs tokens each time, is cut off by some
clients, and hides what matters.
Say the essential in a few sentences and move manuals into a resource or a prompt.
"""

from collections.abc import Iterator
from typing import Any

from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "DESC-007"
SEVERITY = Severity.WARNING
ON = tools
OPTIONS = {"max_length": 2048}


def check(tool: Tool, options: dict[str, Any]) -> Iterator[Remark]:
    length, most = len(tool.description or ""), options["max_length"]
    if length > most:
        yield Remark(f"the description has {length:,} characters, more than {most:,}", "/description")
