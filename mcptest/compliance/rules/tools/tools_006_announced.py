"""Changes of the list of tools are announced only by servers that said they would.

The notification belongs to `tools.listChanged`. Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import SERVER, Message, Remarks, notifications

ID = "TOOLS-006"
ON = notifications("notifications/tools/list_changed").of(SERVER)


def applies(message: Message) -> bool:
    return message.server_capabilities is not None


def check(message: Message) -> Remarks:
    declared = message.server_capabilities
    assert declared is not None
    if not declared.declares("tools", "listChanged"):
        yield "The server announces a changed list of tools, but does not declare tools.listChanged"
