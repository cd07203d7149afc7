"""What can be said of a regular expression without running it: captured patterns are never compiled."""

from __future__ import annotations

import re

# One step over a pattern: an escape, a class, a quantifier, or any other character.
_STEP = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|[*+]|\{\d*+,\}|.", re.DOTALL)
_LONGEST = 10_000


def is_bounded(pattern: str) -> bool:
    """Is the length of what the pattern matches limited? It is when both ends are anchored and nothing repeats
    without an upper limit. Alternatives at the top level would each need their own anchors, so they do not count."""
    if len(pattern) > _LONGEST or not pattern.startswith("^") or not pattern.endswith("$") or pattern.endswith("\\$"):
        return False
    depth = 0
    for match in _STEP.finditer(pattern):
        step = match[0]
        if step == "(":
            depth += 1
        elif step == ")":
            depth -= 1
        elif (step == "|" and depth == 0) or step in "*+" or (step[0] == "{" and step.endswith(",}")):
            return False
    return True
