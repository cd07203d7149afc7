"""A result is not longer than the tokens that were allowed.

How long a token is depends on the model: text far beyond six characters for each token is warned about.
"""

from mcptest.compliance.kit import Context, Part, Remarks, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, called, note, questions_of
from mcptest.compliance.rules.sample._messages import METHOD, TOLD, of_type

ID = "SAMPLE-013"
ON = called("sampling results with text", TOLD)
MEMORY, WATCH, watch = Questions, INPUTS, note
_LONGEST = 6
_LEEWAY = 100


def applies(answer: Part, context: Context) -> bool:
    return _most(answer, context) > 0 and bool(of_type(answer.value, "text"))


def check(answer: Part, context: Context) -> Remarks:
    most = _most(answer, context)
    length = sum(len(" ".join(str(block.get("text")).split())) for block in of_type(answer.value, "text"))
    if length > most * _LONGEST + _LEEWAY:
        yield remark(f"The text has {length} characters, and {most} tokens were allowed", "/content")


def _most(answer: Part, context: Context) -> float:
    allowed = [question.members.get("maxTokens") for question in questions_of(answer, METHOD, context.memory)]
    return max((one for one in allowed if isinstance(one, int | float)), default=0)
