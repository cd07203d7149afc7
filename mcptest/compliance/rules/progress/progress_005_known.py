"""Progress is about a request that came with its token.

The JSON type counts: `"1"` is not `1`. A recorder may write a notification down before the request that was read before
it, so a token that is not known yet is judged at the end. What comes after the answer is judged by PROGRESS-006.
"""

from mcptest.compliance.kit import OTHER, Context, History, Id, Message, Remarks, remark, sessions
from mcptest.compliance.rules.progress._tokens import PROGRESSES, token_told

ID = "PROGRESS-005"
ON = (PROGRESSES, sessions)
WATCH = PROGRESSES
MEMORY = list[Message]
_MOST = 1000
_TWIN = {"string": "number", "number": "string"}


def watch(message: Message, context: Context) -> None:
    if not _known(message, context) and token_told(message) is not None and len(context.memory) < _MOST:
        context.memory.append(message)


def applies(subject: Message | History, context: Context) -> bool:
    if isinstance(subject, Message):
        return _known(subject, context)
    return bool(_unknown(context))


def check(subject: Message | History, context: Context) -> Remarks:
    if isinstance(subject, History):
        context.rely_on_past()
        for message in _unknown(context):
            token, asker = token_told(message), OTHER[message.sender]
            assert token is not None
            kind, text = token
            twin = Id(_TWIN[kind], text) in context.history.tokens[asker]
            hint = f"; the {asker} used it as a {_TWIN[kind]}, here it is a {kind}" if twin else ""
            yield remark(f"The {asker} sent no request with the token {text[:40]!r}{hint}", "/params", of=message)


def _known(message: Message, context: Context) -> bool:
    if message.about is not None:
        return True
    token = token_told(message)
    return token is not None and token in context.history.tokens[OTHER[message.sender]]


def _unknown(context: Context) -> list[Message]:
    return [one for one in context.memory if context.binds in (one.sender, "both") and not _known(one, context)]
