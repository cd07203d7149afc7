"""Changes of the list of resources are announced only by servers that said they would.

The notification belongs to `resources.listChanged`. Not judged where the capture does not have what the server
declared.
"""

from mcptest.compliance.kit import SERVER, Message, Remarks, notifications

ID = "RES-013"
ON = notifications("notifications/resources/list_changed").of(SERVER)


def applies(message: Message) -> bool:
    return message.server_capabilities is not None


def check(message: Message) -> Remarks:
    declared = message.server_capabilities
    assert declared is not None
    if not declared.declares("resources", "listChanged"):
        yield "The server announces a changed list of resources, but does not declare resources.listChanged"
