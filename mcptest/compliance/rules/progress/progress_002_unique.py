"""A progress token is not used for two requests at a time.

A request is active until it is answered, cancelled, or refused by HTTP. Where frames are missing, an answer may
have been among them.
"""

from mcptest.compliance.kit import Context, Message, Remarks, remark, requests
from mcptest.compliance.rules.progress._tokens import is_token, token_asked
from mcptest.protocol import PROGRESS_TOKEN

ID = "PROGRESS-002"
ON = requests()._replace(noun="requests with a progress token")


def applies(message: Message) -> bool:
    return is_token(message.meta.get(PROGRESS_TOKEN))


def check(message: Message, context: Context) -> Remarks:
    token = token_asked(message)
    assert token is not None
    earlier = context.history.by_token(message.conn, message.sender, token)
    if earlier is None or earlier.request.seq >= message.seq or earlier.answer or earlier.cancelled or earlier.dropped:
        return
    context.rely_on_past()
    yield remark(
        f"The progress token {token.text[:40]!r} belongs to the {earlier.method} request in frame "
        f"{earlier.request.seq}, which is not answered yet",
        "/params/_meta/progressToken",
    )
