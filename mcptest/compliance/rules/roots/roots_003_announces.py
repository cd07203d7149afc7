"""Only a client that declared `roots.listChanged` announces changes of its roots."""

from mcptest.compliance.kit import CLIENT, Message, Remarks, notifications

ID = "ROOTS-003"
ON = notifications("notifications/roots/list_changed").of(CLIENT)


def applies(message: Message) -> bool:
    return message.client_capabilities is not None


def check(message: Message) -> Remarks:
    declared = message.client_capabilities
    if declared is not None and not declared.declares("roots", "listChanged"):
        yield "The client did not declare roots.listChanged"
