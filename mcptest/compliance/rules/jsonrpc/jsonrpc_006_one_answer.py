"""A request gets one response, not two.

Each request has room for one response; where ids are used again, each use counts by itself. A response whose id was
asked for, but whose requests are all answered, is one too many.
"""

from mcptest.compliance.kit import SECOND, Context, Message, Remarks, remark, responses

ID = "JSONRPC-006"
ON = responses


def applies(message: Message) -> bool:
    return message.answers is not None or message.stray == SECOND


def check(message: Message, context: Context) -> Remarks:
    if message.stray == SECOND:
        context.rely_on_past()
        assert message.id is not None
        yield remark(f"The request with the id {message.id.text[:40]!r} had its response already", "/id")
