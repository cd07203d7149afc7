"""A request goes on when its elicitation is declined or cancelled.

Judged on the request that waits while the answer is given: with a handshake the only one of the client's that is in
flight, where there are several it is not known which; in the stateless era the request that carries the answer. That it
was left without an answer is told as by JSONRPC-019.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Part, Remarks, exchanges
from mcptest.compliance.rules._asks import INPUTS, Questions, note, questions_of
from mcptest.compliance.rules.elicit._forms import METHOD, TOLD

ID = "ELICIT-019"
ON = exchanges().of(SERVER)._replace(noun="requests whose elicitation was turned down")
WATCH = (INPUTS, *TOLD)


class MEMORY(Questions):
    def __init__(self) -> None:
        super().__init__()
        self.waiting: set[tuple[int, int | None]] = set()


def watch(part: Part, context: Context) -> None:
    if part.kind == "question":
        note(part, context)
    elif part.members.get("action") in ("decline", "cancel") and questions_of(part, METHOD, context.memory):
        if part.message.kind == "request":
            context.memory.waiting.add((part.message.seq, part.message.batch))
            return
        asked = part.message.answers
        waiting = [one.request for one in context.history.in_flight(CLIENT) if one.cancelled is None]
        if len(waiting) == 1 and asked is not None and waiting[0].seq < asked.request.seq:
            context.memory.waiting.add((waiting[0].seq, waiting[0].batch))


def applies(exchange: Exchange, context: Context) -> bool:
    return (exchange.request.seq, exchange.request.batch) in context.memory.waiting and exchange.cancelled is None


def check(exchange: Exchange, context: Context) -> Remarks:
    context.memory.waiting.discard((exchange.request.seq, exchange.request.batch))
    if context.unanswered(exchange):
        yield f"The {exchange.method} request was not answered after its elicitation was turned down"
