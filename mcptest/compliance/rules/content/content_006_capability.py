"""A server that embeds resources in tool results also declares resources.

Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import Part, Remarks
from mcptest.compliance.rules.content._blocks import TOOL, everywhere

ID = "CONTENT-006"
ON = everywhere[0]._replace(noun="embedded resources")


def applies(block: Part) -> bool:
    return block.name == "resource" and block.where == TOOL and block.message.server_capabilities is not None


def check(block: Part) -> Remarks:
    declared = block.message.server_capabilities
    assert declared is not None
    if not declared.declares("resources"):
        yield "A tool's result embeds a resource, but the server does not declare resources"
