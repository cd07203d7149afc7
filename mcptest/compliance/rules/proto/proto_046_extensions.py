"""Extensions are declared by identifiers with a prefix, as objects.

An identifier has the form of a `_meta` key whose prefix is not optional: `com.example/name`. A declaration that is
repeated with every request is judged once.
"""

import re
from typing import Any

from mcptest.compliance.kit import Context, Part, Remarks, a, pointer, remark
from mcptest.compliance.rules.proto._parts import declarations, news

ID = "PROTO-046"
ON = declarations
MEMORY = dict[str, Any]
_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_IDENTIFIER = re.compile(rf"{_LABEL}(?:\.{_LABEL})*/(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")


def applies(part: Part, context: Context) -> bool:
    return "extensions" in part.members and part.message.modern and news(part, context.memory)


def check(part: Part) -> Remarks:
    extensions = part.members["extensions"]
    if type(extensions) is not dict:
        return  # PROTO-015
    for name, settings in extensions.items():
        at = pointer("extensions", name)
        if not _IDENTIFIER.fullmatch(name):
            yield remark(f"The extension {name[:80]!r} has no identifier of the form com.example/name", at)
        if type(settings) is not dict:
            yield remark(f"The settings of the extension {name[:80]!r} are {a(settings)}, not an object", at)
