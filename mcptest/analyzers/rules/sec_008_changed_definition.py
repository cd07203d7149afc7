"""Tool's definition changed within one session.

A user approves a tool once, by the definition shown then. A server that later lists the same name with another
description, schema or set of annotations does something that nobody approved: a rug pull.
Give a tool that does something new a new name, or tell users in the release notes and change between sessions.
"""

from collections.abc import Iterator

from mcptest.jsontext import pointer, same
from mcptest.rules import Relisted, Remark, Severity, relisted

ID = "SEC-008"
SEVERITY = Severity.ERROR
ON = relisted


def check(tool: Relisted) -> Iterator[Remark]:
    for before, after in zip(tool.definitions, tool.definitions[1:], strict=False):
        if not isinstance(before.raw, dict) or not isinstance(after.raw, dict):
            continue
        keys = [*before.raw, *(key for key in after.raw if key not in before.raw)]
        changed = [
            key
            for key in keys
            if (key in before.raw) != (key in after.raw) or not same(before.raw[key], after.raw[key])
        ]
        if changed:
            frames = tuple(frame for frame in (before.source.frame, after.source.frame) if frame is not None)
            where = pointer(changed[0]) if changed[0] in after.raw else ""
            yield Remark(
                f"the definition changed since it was listed before: {', '.join(changed)}", where, frames=frames
            )
