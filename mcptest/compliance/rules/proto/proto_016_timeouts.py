"""A request that is not answered is given up, and cancelled.

Judged on requests that had no answer for `expect.seconds` until the connection was closed, while later requests of the
same side were answered. `subscriptions/listen` and requests that wait for a person or a task may stay open.
"""

from mcptest.compliance.kit import Context, Exchange, History, Remarks, remark, sessions
from mcptest.compliance.rules.proto._parts import SECOND

ID = "PROTO-016"
ON = sessions._replace(noun="sessions with requests that hang")
EXPECT = {"seconds"}
_PATIENT = {"subscriptions/listen", "elicitation/create", "sampling/createMessage", "tasks/result"}


def applies(history: History, context: Context) -> bool:
    return bool(_hanging(history, context))


def check(history: History, context: Context) -> Remarks:
    for exchange in _hanging(history, context):
        if exchange.cancelled is None:
            context.rely_on_end()
            yield remark(
                f"The {exchange.asker} neither got an answer to {exchange.method[:80]} nor cancelled it",
                of=exchange.request,
            )


def _hanging(history: History, context: Context) -> list[Exchange]:
    closed = history.event("eof", channel="stdin") or history.event("exit")
    if closed is None:
        return []
    latest = closed.mono - context.expect["seconds"] * SECOND
    return [
        exchange
        for exchange in history.in_flight()
        if exchange.request.mono < latest
        and exchange.method not in _PATIENT
        and not exchange.synthetic
        and context.binds in (exchange.asker, "both")
        and history.last_answered[exchange.asker] > exchange.request.seq
    ]
