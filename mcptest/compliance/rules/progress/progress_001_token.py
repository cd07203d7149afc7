"""A progress token is a string or a whole number."""

from mcptest.compliance.kit import Message, Remarks, a, remark, requests
from mcptest.compliance.rules.progress._tokens import is_token
from mcptest.protocol import PROGRESS_TOKEN

ID = "PROGRESS-001"
ON = requests()._replace(noun="requests with a progress token")


def applies(message: Message) -> bool:
    return PROGRESS_TOKEN in message.meta


def check(message: Message) -> Remarks:
    token = message.meta[PROGRESS_TOKEN]
    if not is_token(token):
        what = "a fraction" if type(token) is float else a(token)
        yield remark(f"The progress token is {what}", "/params/_meta/progressToken")
