"""A result that stopped for a tool holds the call.

A call that stands in a result with another of the specification's own reasons is mentioned.
"""

from mcptest.compliance.kit import Context, Part, Remarks, info, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, called, note, questions_of
from mcptest.compliance.rules.sample._messages import METHOD, TOLD, of_type

ID = "SAMPLE-015"
ON = called("results with tool calls", TOLD)
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    relevant = answer.members.get("stopReason") == "toolUse" or bool(of_type(answer.value, "tool_use"))
    return relevant and bool(questions_of(answer, METHOD, context.memory))


def check(answer: Part) -> Remarks:
    reason, calls = answer.members.get("stopReason"), of_type(answer.value, "tool_use")
    if reason == "toolUse" and not calls:
        yield remark("stopReason is toolUse, and no tool is called", "/stopReason")
    elif reason == "endTurn" and calls:
        yield info("A tool is called, and stopReason is endTurn", "/stopReason")
