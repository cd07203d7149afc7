"""A client that needs a session no longer ends it with DELETE.

Not judged where the server ended it, or does not let clients do so (405). That the client has left shows when it has
closed its connections; until then this remains open.
"""

from mcptest.compliance.kit import (
    CLIENT,
    Context,
    Event,
    Exchange,
    History,
    HttpExchange,
    Inconclusive,
    Remarks,
    events,
    http_requests,
    sessions,
    warning,
)
from mcptest.compliance.rules.transport_http import _session
from mcptest.compliance.rules.transport_http._session import Session

ID = "TRANSPORT-HTTP-019"
ON = sessions
WATCH = (*_session.WATCH, http_requests("DELETE"), events("connected", "disconnected"))


class MEMORY(Session):
    def __init__(self) -> None:
        super().__init__()
        self.connections = 0
        self.left_by: str | None = None
        self.deleted = False


def watch(subject: Exchange | HttpExchange | Event, context: Context) -> None:
    memory: MEMORY = context.memory
    if isinstance(subject, Event):
        memory.connections += 1 if subject.what == "connected" else -1
        memory.left_by = str(subject.about.get("by"))
        return
    memory.watch(subject)
    if isinstance(subject, HttpExchange) and subject.verb == "DELETE" and subject.session_id == memory.id:
        memory.deleted = True


def applies(_: History, context: Context) -> bool:
    memory: MEMORY = context.memory
    return memory.id is not None and not memory.ours and (memory.deleted or memory.over is None)


def check(_: History, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    if memory.deleted:
        return
    context.rely_on_end()
    if memory.connections > 0 or memory.left_by != CLIENT:
        raise Inconclusive("the capture does not show that the client has left")
    yield warning("The client left without ending its session")
