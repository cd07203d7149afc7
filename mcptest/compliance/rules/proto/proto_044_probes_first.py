"""A client of both eras asks `server/discover` first, and shakes hands only with a server of the older era.

Judged on sessions that have both. It may fall back to `initialize` after an error that is none of the stateless era,
or if no answer came. After an answer that shares a version of the stateless era it should not; where the server lists
versions with a handshake only, it is mentioned. Whether a client goes by one error code alone takes a probe.
"""

from mcptest.compliance.kit import CLIENT, Context, History, Message, Remarks, info, remark, requests, sessions
from mcptest.compliance.rules.proto._parts import shakes_hands, texts
from mcptest.protocol import errors

ID = "PROTO-044"
ON = sessions._replace(noun="sessions of both eras")
WATCH = requests("server/discover", "initialize").of(CLIENT)


class MEMORY:
    def __init__(self) -> None:
        self.initialize: Message | None = None
        self.discover: Message | None = None  # the last before initialize, or else the first after it
        self.answer: Message | None = None  # what the client knew of it when it sent initialize


def watch(message: Message, context: Context) -> None:
    memory = context.memory
    if message.synthetic:
        return
    if message.method == "server/discover":
        if memory.initialize is None or memory.discover is None:
            memory.discover = message
    elif memory.initialize is None:
        memory.initialize = message
        if memory.discover is not None:
            asked = memory.discover
            exchange = context.history.by_id(asked.conn, CLIENT, asked.id)
            memory.answer = exchange.answer if exchange is not None else None


def applies(_: History, context: Context) -> bool:
    return context.memory.initialize is not None and context.memory.discover is not None


def check(_: History, context: Context) -> Remarks:
    initialize, discover, answer = context.memory.initialize, context.memory.discover, context.memory.answer
    if initialize.seq < discover.seq:
        context.rely_on_past()
        yield remark("The client asked server/discover only after it had sent initialize", of=discover)
        return
    refused = answer is not None and "error" in answer.body
    if answer is None or (refused and answer.answers.code not in errors.STATELESS):
        return
    data = answer.error.get("data") if refused else answer.result
    given = data.get("supported" if refused else "supportedVersions") if type(data) is dict else None
    versions = texts(given) or []
    if versions and all(map(shakes_hands, versions)):
        yield info("The client shakes hands with a server that lists older versions only", of=initialize)
    else:
        yield remark(
            "The client sent initialize although the server had shown that it knows the new era", of=initialize
        )
