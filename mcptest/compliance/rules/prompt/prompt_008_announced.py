"""Changes of the list of prompts are announced only by servers that said they would.

The notification belongs to `prompts.listChanged`. Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import SERVER, Message, Remarks, notifications

ID = "PROMPT-008"
ON = notifications("notifications/prompts/list_changed").of(SERVER)


def applies(message: Message) -> bool:
    return message.server_capabilities is not None


def check(message: Message) -> Remarks:
    declared = message.server_capabilities
    assert declared is not None
    if not declared.declares("prompts", "listChanged"):
        yield "The server announces a changed list of prompts, but does not declare prompts.listChanged"
