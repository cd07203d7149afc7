"""A link to a resource has a URI and a name.

It need not be one that the server lists.
"""

from mcptest.compliance.kit import Part, Remarks, a, remark
from mcptest.compliance.rules.content._blocks import PROMPT, TOOL, everywhere

ID = "CONTENT-005"
ON = tuple(on._replace(noun="resource links") for on in everywhere)


def applies(block: Part) -> bool:
    return block.name == "resource_link" and block.where in (TOOL, PROMPT)


def check(block: Part) -> Remarks:
    for key in ("uri", "name"):
        if key not in block.members:
            yield f"The resource link has no {key}"
        elif type(block.members[key]) is not str:
            yield remark(f"{key} is {a(block.members[key])}, not a string", f"/{key}")
