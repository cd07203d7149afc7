"""A request's id is not used twice.

Until 2025-11-25 a side may use an id once in a session; requests of the stateless era that a client tried before its
handshake do not count, nor do those that HTTP refused: with better credentials they come again as they were. Since
2026-07-28 an id is taken only while a request with it waits for its answer.

`expect.unique` is `session` or `in flight`.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Ids, Message, Remarks, requests

ID = "JSONRPC-003"
ON = requests()
EXPECT = {"unique"}


class MEMORY(dict[str, Ids]):
    """Each side's ids."""

    def __init__(self) -> None:
        super().__init__({CLIENT: Ids(), SERVER: Ids()})


def applies(message: Message) -> bool:
    return message.id is not None and message.id.type in ("string", "number")


def check(message: Message, context: Context) -> Remarks:
    assert message.id is not None
    if context.expect["unique"] == "session":
        if message.id in context.memory[message.sender] and not _refused(message, context):
            yield f"The id {message.id.text[:40]!r} was used by the {message.sender} before in this session"
        context.memory[message.sender].add(message.id)
        return
    earlier = context.history.by_id(message.conn, message.sender, message.id)
    if earlier is not None and earlier.answer is None and earlier.cancelled is None and not earlier.dropped:
        yield (
            f"The id {message.id.text[:40]!r} belongs to the {earlier.method} request in frame {earlier.request.seq}, "
            "which is not answered yet"
        )


def _refused(message: Message, context: Context) -> bool:
    """Was the last request with this id refused by HTTP, before it was a request to the server?"""
    assert message.id is not None
    earlier = context.history.by_id(message.conn, message.sender, message.id)
    return earlier is not None and earlier.dropped
