"""A sampling result has a role, content and the model's name; `stopReason`, if there is one, is a string.

Which roles and which content there may be is judged by SAMPLE-004.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, note, questions_of
from mcptest.compliance.rules.sample._messages import METHOD, TOLD

ID = "SAMPLE-003"
ON = TOLD
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    return bool(questions_of(answer, METHOD, context.memory))


def check(answer: Part) -> Remarks:
    for key in ("role", "content", "model"):
        if key not in answer.members:
            yield remark(f"{key} is missing", f"/{key}")
    for key in ("role", "model", "stopReason"):
        value = answer.members.get(key, "")
        if type(value) is not str:
            yield remark(f"{key} is {a(value)}, not a string", f"/{key}")
