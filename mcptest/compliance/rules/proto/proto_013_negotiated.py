"""Only features that were declared are used, by either side.

`expect.receiver` has the requests that need a capability of whom they are sent to, `expect.sender` the messages that
need one of their sender's own. What a server announces (`list_changed`, `updated`, log messages) is judged by the rules
of those features, and methods that are not in the tables need no capability. Nothing is judged before both sides have
declared theirs.
"""

from mcptest.compliance.kit import OTHER, Context, Message, Remarks, calls, remark

ID = "PROTO-013"
ON = calls._replace(noun="uses of optional features")
EXPECT = {"receiver", "sender"}


def applies(message: Message, context: Context) -> bool:
    needed, side = _needed(message, context)
    return needed is not None and not message.modern and message.capabilities(side) is not None


def check(message: Message, context: Context) -> Remarks:
    needed, side = _needed(message, context)
    declared = message.capabilities(side)
    assert needed is not None
    assert declared is not None
    if not declared.declares(*needed.split(".")):
        yield remark(f"The {message.sender} uses {message.name}, but the {side} did not declare {needed}", "/method")


def _needed(message: Message, context: Context) -> tuple[str | None, str]:
    """The capability that a message needs, and who has to declare it."""
    needed = context.expect["receiver"].get(message.method) if message.kind == "request" else None
    if needed is not None:
        return needed, OTHER[message.sender]
    return context.expect["sender"].get(message.method), message.sender
