"""A server that knows the stateless era only names its versions when it refuses `initialize`.

In the error's `data.supported`, or anywhere in its message or data. Judged if the server has shown that it knows the
stateless era, and never took a handshake.
"""

import re

from mcptest.compliance.kit import (
    SERVER,
    Context,
    Exchange,
    History,
    Remarks,
    modern_server,
    refusals,
    remark,
    sessions,
)

ID = "PROTO-045"
ON = sessions._replace(noun="refused handshakes")
WATCH = refusals("initialize").of(SERVER)
MEMORY = list[Exchange]
PROVIDED = modern_server
_VERSION = re.compile(r"\d{4}-\d\d-\d\d|draft", re.IGNORECASE)
_MOST = 10_000


def watch(exchange: Exchange, context: Context) -> None:
    if not context.memory:
        context.memory.append(exchange)


def applies(history: History, context: Context) -> bool:
    return bool(context.memory) and history.known.negotiated is None


def check(_: History, context: Context) -> Remarks:
    (exchange,) = context.memory
    named = set(_VERSION.findall(exchange.answer.raw[:_MOST].decode("utf-8", "replace")))
    if not named - {str(exchange.params.get("protocolVersion"))}:
        yield remark("The error for initialize names no version that the server supports", "/error", of=exchange.answer)
