"""A server cancels nothing but what its client listens to.

Ending a subscription that is over already, be it by its result or by the client, is warned about unless the two
crossed. Over HTTP the cancellation is not foreseen, and only mentioned.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Message, Remarks, info, later, remark, warning
from mcptest.compliance.rules.cancel._ids import CANCELLATIONS, request_id
from mcptest.protocol.methods import LISTEN

ID = "CANCEL-006"
ON = CANCELLATIONS.of(SERVER)


def applies(message: Message, context: Context) -> bool:
    identity = request_id(message)
    forgotten = message.about is None and identity is not None and identity in context.history.asked[CLIENT]
    return not forgotten


def check(message: Message, context: Context) -> Remarks:
    say = remark if context.history.transport == "stdio" else info
    about = message.about
    if request_id(message) is None:
        yield say("requestId is missing, or neither a string nor a number", "/params/requestId")
    elif about is None:
        context.rely_on_past()
        yield say("The client sent no request with this id", "/params/requestId")
    elif about.method != LISTEN:
        yield say(f"The server cancels a {about.method} request", "/params/requestId")
    else:
        own = about.cancelled if about.cancelled is not message else None
        over = about.answer or own
        if over is not None and later(over, message):
            warn = warning if context.history.transport == "stdio" else info
            yield warn(f"The subscription was over already, in frame {over.seq}", "/params/requestId")
