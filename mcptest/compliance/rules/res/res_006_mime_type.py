"""What was read of a resource says its MIME type.

The specification leaves it optional; without it a client has to guess.
"""

from mcptest.compliance.kit import Part, Remarks
from mcptest.compliance.rules.res._contents import items

ID = "RES-006"
ON = items


def applies(item: Part) -> bool:
    return type(item.value) is dict


def check(item: Part) -> Remarks:
    if "mimeType" not in item.members:
        yield "An item of contents has no mimeType"
