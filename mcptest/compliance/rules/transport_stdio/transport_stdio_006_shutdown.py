"""A client ends a server by closing its stdin, and signals it only if that does not help.

Warned about: a terminating signal while stdin is still open, or sooner than `expect.patience` seconds after it was
closed. A signal that went to the whole process group comes from a terminal rather than from the client, and a server
that has ended by itself needs no shutdown: neither is judged. Nobody can see SIGKILL coming.
"""

import signal

from mcptest.compliance.kit import Context, Event, History, Remarks, events, sessions

ID = "TRANSPORT-STDIO-006"
ON = sessions._replace(noun="shutdowns")
WATCH = events("eof", "signal")
EXPECT = {"patience"}
_ENDING = (int(signal.SIGTERM), int(signal.SIGINT))


class MEMORY:
    def __init__(self) -> None:
        self.closed: Event | None = None
        self.signalled: Event | None = None
        self.own_end = False  # the server closed its stdout before anybody asked it to go


def watch(event: Event, context: Context) -> None:
    memory, about = context.memory, event.about
    if event.what == "signal":
        from_client = about.get("forwarded") is True and about.get("signal") in _ENDING
        if from_client and memory.signalled is None:
            memory.signalled = event
    elif about.get("channel") == "stdin" and memory.closed is None:
        memory.closed = event
        memory.own_end |= about.get("by") == "receiver"
    elif about.get("channel") == "stdout" and memory.closed is None and memory.signalled is None:
        memory.own_end = True


def applies(_: History, context: Context) -> bool:
    memory = context.memory
    return not memory.own_end and (memory.closed is not None or memory.signalled is not None)


def check(_: History, context: Context) -> Remarks:
    closed, signalled = context.memory.closed, context.memory.signalled
    if signalled is None:
        return
    name = signal.Signals(signalled.about["signal"]).name
    if closed is None or closed.seq > signalled.seq:
        context.rely_on_past()
        yield f"The client sent {name} (frame {signalled.seq}) before it closed the server's stdin"
    elif signalled.mono - closed.mono < context.expect["patience"] * 1_000_000_000:
        waited = (signalled.mono - closed.mono) / 1e9
        yield f"The client sent {name} (frame {signalled.seq}) {waited:.2f} s after it closed the server's stdin"
