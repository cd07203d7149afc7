"""A ping has no parameters but `_meta`."""

from mcptest.compliance.kit import Message, Remarks, remark, requests

ID = "PING-003"
ON = requests("ping")._replace(noun="pings")


def applies(message: Message) -> bool:
    return not message.modern


def check(message: Message) -> Remarks:
    more = sorted(key for key in message.params if key != "_meta")
    if more:
        yield remark(f"The ping has parameters: {', '.join(more)[:80]}", "/params")
