"""A client that gives a request up cancels it.

A request that never got its answer, while the client went on for long, was given up without a word: that is mentioned.
"""

from mcptest.compliance.kit import CLIENT, Context, Exchange, History, Remarks, remark, sessions
from mcptest.protocol.methods import LISTEN

ID = "CANCEL-009"
ON = sessions._replace(noun="sessions with unanswered requests")


def applies(history: History) -> bool:
    return bool(_unanswered(history))


def check(history: History, context: Context) -> Remarks:
    for exchange in _unanswered(history):
        if context.unanswered(exchange):
            text = f"The {exchange.method} request was never answered, and never cancelled"
            yield remark(text, of=exchange.request)


def _unanswered(history: History) -> list[Exchange]:
    return [one for one in history.in_flight(CLIENT) if one.modern and one.method != LISTEN]
