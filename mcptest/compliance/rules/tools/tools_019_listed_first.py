"""Clients call tools that the server listed.

Nothing forbids to call others; it is mentioned where a whole list was read, is still valid, and has no such tool.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, info, requests

ID = "TOOLS-019"
ON = requests("tools/call").of(CLIENT)._replace(noun="calls")


def applies(message: Message) -> bool:
    listed = message.known.tools
    return type(message.params.get("name")) is str and listed.complete and listed.changed is None


def check(message: Message) -> Remarks:
    name: str = message.params["name"]
    if message.known.tools.lacks(name):
        yield info(f"The client calls {name[:80]!r}, which the server did not list", "/params/name")
