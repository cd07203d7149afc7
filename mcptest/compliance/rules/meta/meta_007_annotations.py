"""Annotations of content and resources say for whom, how important, and how old.

`audience` is an array of `user` and `assistant`, `priority` a number from 0 to 1. `lastModified` came with 2025-06-18:
a string, and one that does not look like ISO 8601 is warned about; before, it is mentioned. Annotations of tools are
for TOOLS-018. `expect.last_modified` says whether the revision knows that member.
"""

import re
from datetime import datetime
from typing import Any

from mcptest.compliance.kit import Context, Part, Remarks, a, info, pointer, remark, warning
from mcptest.compliance.rules.meta._places import annotated

ID = "META-007"
ON = annotated
EXPECT = {"last_modified"}
_ROUGHLY = re.compile(r"[0-9]{4}(-[0-9]{2})?")


def check(part: Part, context: Context) -> Remarks:
    if type(part.value) is not dict:
        yield f"annotations is {a(part.value)}, not an object"
        return
    audience = part.value.get("audience", [])
    if type(audience) is not list:
        yield remark(f"audience is {a(audience)}, not an array", "/audience")
    else:
        for number, one in enumerate(audience):
            if one not in ("user", "assistant"):
                text = f"The audience {str(one)[:40]!r} is neither user nor assistant"
                yield remark(text, pointer("audience", number))
    priority: Any = part.value.get("priority", 0)
    if type(priority) not in (int, float):
        yield remark(f"priority is {a(priority)}, not a number", "/priority")
    elif not 0 <= priority <= 1:
        yield remark(f"priority is {priority}, not from 0 to 1", "/priority")
    if "lastModified" in part.value:
        yield from _age(part.value["lastModified"], context.expect["last_modified"])


def _age(modified: Any, defined: bool) -> Remarks:
    at = "/lastModified"
    if not defined:
        yield info("lastModified is not known to this revision", at)
    elif type(modified) is not str:
        yield remark(f"lastModified is {a(modified)}, not a string", at)
    elif not _ROUGHLY.fullmatch(modified):
        try:
            datetime.fromisoformat(modified)
        except ValueError:
            yield warning(f"lastModified is {modified[:40]!r}, not a time in ISO 8601", at)
