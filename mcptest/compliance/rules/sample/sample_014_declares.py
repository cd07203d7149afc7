"""A client that samples declares it."""

from mcptest.compliance.kit import Context, Part, Remarks
from mcptest.compliance.rules._asks import INPUTS, Questions, declared, note, questions_of
from mcptest.compliance.rules.sample._messages import METHOD, TOLD

ID = "SAMPLE-014"
ON = TOLD
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    questions = questions_of(answer, METHOD, context.memory)
    return bool(questions) and all(declared(question, "sampling") is not None for question in questions)


def check(answer: Part, context: Context) -> Remarks:
    if not any(declared(question, "sampling") for question in questions_of(answer, METHOD, context.memory)):
        yield "The client gives a sampling result and did not declare sampling"
