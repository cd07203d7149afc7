"""An elicitation is answered with accept, decline or cancel.

What was entered into a form comes with accept, as an object of strings, numbers and booleans, and where `expect.lists`
says so of lists of strings. Content with another action, or for a URL, is warned about; null or nothing in it is none.
"""

from typing import Any

from mcptest.compliance.kit import Context, Part, Remarks, a, pointer, remark, warning
from mcptest.compliance.rules._asks import INPUTS, Questions, note, questions_of
from mcptest.compliance.rules.elicit._forms import METHOD, TOLD, by_url

ID = "ELICIT-006"
ON = TOLD
EXPECT = {"lists"}
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    return bool(questions_of(answer, METHOD, context.memory))


def check(answer: Part, context: Context) -> Remarks:
    if type(answer.value) is not dict:
        yield f"The answer is {a(answer.value)}, not an object"
        return
    action, content = answer.value.get("action"), answer.value.get("content")
    if action not in ("accept", "decline", "cancel"):
        fault = "is none of accept, decline and cancel" if "action" in answer.value else "is missing"
        yield remark(f"action {fault}", "/action")
    elif action != "accept" and content:
        yield warning(f"There is content although the action is {action}", "/content")
    elif content and all(map(by_url, questions_of(answer, METHOD, context.memory))):
        yield warning("There is content although the user was sent to a URL", "/content")
    if "content" not in answer.value or (content is None and action != "accept"):
        return
    if type(content) is not dict:
        yield remark(f"content is {a(content)}, not an object", "/content")
        return
    for name, value in content.items():
        if not _fits(value, context.expect["lists"]):
            yield remark(f"The value of {name[:80]!r} is {a(value)}", pointer("content", name))


def _fits(value: Any, lists: bool) -> bool:
    if type(value) is list:
        return lists and all(type(one) is str for one in value)
    return type(value) in (str, int, float, bool)
