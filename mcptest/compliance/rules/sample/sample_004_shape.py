"""Sampling messages have a role, user or assistant, and content of the revision's shape.

`expect.content` lists the JSON types that content may have: one block, or since 2025-11-25 several. What is in a block
is judged by the rules about content.
"""

from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import Context, Part, Remarks, a, json_type, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, called, note, questions_of
from mcptest.compliance.rules.sample._messages import ASKED, METHOD, TOLD, at_message, messages_of

ID = "SAMPLE-004"
ON = called("sampling requests and results", (*ASKED, *TOLD))
EXPECT = {"content"}
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(part: Part, context: Context) -> bool:
    if part.kind == "question":
        return bool(messages_of(part))
    return bool(questions_of(part, METHOD, context.memory)) and bool(part.members.keys() & {"role", "content"})


def check(part: Part, context: Context) -> Remarks:
    for message, at in _messages(part):
        if type(message) is not dict:
            yield remark(f"A message is {a(message)}, not an object", at)
            continue
        if "role" in message and message["role"] not in ("user", "assistant"):
            yield remark("role is neither user nor assistant", f"{at}/role")
        if "content" in message and json_type(message["content"]) not in context.expect["content"]:
            yield remark(f"content is {a(message['content'])}", f"{at}/content")
        missing = [key for key in ("role", "content") if key not in message]
        if missing and part.kind == "question":  # of a result that is SAMPLE-003
            yield remark(f"A message has no {' and no '.join(missing)}", at)


def _messages(part: Part) -> Iterator[tuple[Any, str]]:
    if part.kind == "question":
        for number, message in enumerate(messages_of(part)):
            yield message, at_message(number)
    else:
        yield part.value, ""
