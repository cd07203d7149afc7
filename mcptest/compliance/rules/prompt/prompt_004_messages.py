"""A prompt gives messages, each of the user or the assistant and with one content block.

`content` is one object, not an array and not a string; what kind of block it is, is for the rules about content. A
question back to the client and an error are no messages.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import SERVER, Exchange, Part, Remarks, a, inside, pointer, remark, results
from mcptest.compliance.rules._results import complete, lacks_list, without_list

ID = "PROMPT-004"
_GOT = results("prompts/get").of(SERVER)


def _messages(exchange: Exchange) -> Iterator[Part]:
    messages = exchange.result.get("messages")
    if type(messages) is list and complete(exchange):
        for number, value in enumerate(messages):
            yield Part("message", "", value, exchange.place, pointer("result", "messages", number))


ON = (inside(_GOT, _messages, "messages"), _GOT)


def applies(subject: Part | Exchange) -> bool:
    return isinstance(subject, Part) or lacks_list(subject, "messages")


def check(subject: Part | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        yield from without_list(subject, "messages")
        return
    message = subject.value
    if type(message) is not dict:
        yield f"A message is {a(message)}, not an object"
        return
    role = message.get("role")
    if "role" not in message:
        yield "A message has no role"
    elif role not in ("user", "assistant"):
        yield remark(f"The role is {repr(role[:40]) if type(role) is str else a(role)}, not user or assistant", "/role")
    if "content" not in message:
        yield "A message has no content"
    elif type(message["content"]) is not dict:
        yield remark(f"content is {a(message['content'])}, not one content block", "/content")
