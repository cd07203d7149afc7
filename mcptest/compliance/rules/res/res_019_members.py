"""Optional members of resources and templates have the types that they should have.

`size` is a number; one that is negative or has a fraction is warned about. `expect.strings` are the members that are
strings.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark, resources, templates, warning
from mcptest.compliance.rules._results import strings

ID = "RES-019"
ON = (resources._replace(noun="resources and templates"), templates)
EXPECT = {"strings"}


def applies(part: Part) -> bool:
    return type(part.value) is dict


def check(part: Part, context: Context) -> Remarks:
    yield from strings(part.members, optional=tuple(context.expect["strings"]))
    size = part.members.get("size", 0)
    if part.kind != "resource":
        return
    if type(size) not in (int, float):
        yield remark(f"size is {a(size)}, not a number", "/size")
    elif size < 0 or size % 1 != 0:
        yield warning(f"size is {size}, not a whole number of bytes", "/size")
