"""A client that lists roots declares them."""

from mcptest.compliance.kit import Context, Part, Remarks
from mcptest.compliance.rules._asks import INPUTS, Questions, declared, note, questions_of
from mcptest.compliance.rules.roots._lists import METHOD, TOLD

ID = "ROOTS-007"
ON = TOLD
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    questions = questions_of(answer, METHOD, context.memory)
    return bool(questions) and all(declared(question, "roots") is not None for question in questions)


def check(answer: Part, context: Context) -> Remarks:
    if not any(declared(question, "roots") for question in questions_of(answer, METHOD, context.memory)):
        yield "The client lists its roots and did not declare roots"
