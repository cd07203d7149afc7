"""Who speaks has a name and a version.

Judged on `clientInfo` and `serverInfo`, in the handshake or in `_meta`. Members that the revision knows are strings;
an empty name or version, and a `websiteUrl` that is no URL, are warned about. That name and version are there in a
handshake is for PROTO-002 and PROTO-003. `expect.members` are the optional members.
"""

import re

from mcptest.compliance.kit import Context, Part, Remarks, a, pointer, remark, warning
from mcptest.compliance.rules.meta._places import implementations

ID = "META-008"
ON = implementations
EXPECT = {"members"}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def applies(part: Part) -> bool:
    return part.where == "_meta" or type(part.value) is dict


def check(part: Part, context: Context) -> Remarks:
    if type(part.value) is not dict:
        yield f"{part.name} is {a(part.value)}, not an object"
        return
    for key in ("name", "version"):
        value = part.value.get(key)
        if value == "":
            yield warning(f"The {key} in {part.name} is empty", pointer(key))
        elif part.where != "handshake" and type(value) is not str:
            said = f"{key} is {a(value)}, not a string" if key in part.value else f"{part.name} has no {key}"
            yield remark(said, pointer(key) if key in part.value else "")
    for key in context.expect["members"]:
        if key in part.value and type(part.value[key]) is not str:
            yield remark(f"{key} is {a(part.value[key])}, not a string", pointer(key))
        elif key == "websiteUrl" and key in part.value and not _URL.fullmatch(part.value[key]):
            yield warning(f"websiteUrl is {part.value[key][:80]!r}, not a URL", pointer(key))
