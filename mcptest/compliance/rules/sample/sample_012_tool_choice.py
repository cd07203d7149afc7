"""The choice of tools is honoured: none means no call, required at least one.

That a call is missing is warned about only, and not where the model ran out of tokens or tools were used already.
"""

from mcptest.compliance.kit import Context, Part, Remarks, remark, warning
from mcptest.compliance.rules._asks import INPUTS, Questions, called, note, questions_of
from mcptest.compliance.rules.sample._messages import METHOD, TOLD, has_results, of_type

ID = "SAMPLE-012"
ON = called("results where the choice of tools was set", TOLD)
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    return _mode(answer, context) in ("none", "required") and "content" in answer.members


def check(answer: Part, context: Context) -> Remarks:
    calls = bool(of_type(answer.value, "tool_use"))
    if _mode(answer, context) == "none":
        if calls:
            yield remark("The result calls a tool although the choice was none", "/content")
    elif not (
        calls
        or answer.members.get("stopReason") == "maxTokens"
        or any(map(has_results, questions_of(answer, METHOD, context.memory)))
    ):
        yield warning("The result calls no tool although one was required", "/content")


def _mode(answer: Part, context: Context) -> str | None:
    """What was chosen; None where nothing was, or where it is not certain which question this answers."""
    found = set()
    for question in questions_of(answer, METHOD, context.memory):
        choice = question.members.get("toolChoice")
        mode = choice.get("mode") if type(choice) is dict else None
        found.add(mode if type(mode) is str else None)
    return found.pop() if len(found) == 1 else None
