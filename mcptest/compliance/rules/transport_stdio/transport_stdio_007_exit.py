"""A server exits soon after its stdin is closed.

`expect.patience` is how many seconds it may take. If it was signalled before that time was over, nobody knows. Until
2025-11-25 this is only implied by the way a client shuts a server down, and mentioned.
"""

from mcptest.compliance.kit import Context, Event, History, Inconclusive, Remarks, events, sessions

ID = "TRANSPORT-STDIO-007"
ON = sessions._replace(noun="shutdowns")
WATCH = events("eof", "signal", "exit", "client gone")
EXPECT = {"patience"}
MEMORY = dict[str, Event]


def watch(event: Event, context: Context) -> None:
    if event.what != "eof" or (event.about.get("channel") == "stdin" and event.about.get("by") == "sender"):
        if event.what == "signal" and "eof" not in context.memory:
            return
        context.memory.setdefault(event.what, event)


def applies(_: History, context: Context) -> bool:
    closed, exited = context.memory.get("eof"), context.memory.get("exit")
    return closed is not None and (exited is None or exited.seq > closed.seq)


def check(_: History, context: Context) -> Remarks:
    memory, patience = context.memory, context.expect["patience"]
    closed, exited = memory["eof"], memory.get("exit")
    if exited is None:
        context.rely_on_end()
        raise Inconclusive("the capture does not show when the server exited")
    for meddled in (memory.get("signal"), memory.get("client gone")):
        if meddled is not None and meddled.mono - closed.mono <= patience * 1_000_000_000:
            raise Inconclusive("the server was ended before its time was over")
    took = (exited.mono - closed.mono) / 1e9
    if took > patience:
        yield f"The server was alive for {took:.1f} s after its stdin was closed"
