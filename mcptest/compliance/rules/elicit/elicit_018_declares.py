"""A client that elicits declares it.

An undeclared client that accepts has shown that it can; one that declines or cancels may just be polite, and is warned.
"""

from mcptest.compliance.kit import Context, Part, Remarks, remark, warning
from mcptest.compliance.rules._asks import INPUTS, Questions, declared, note, questions_of
from mcptest.compliance.rules.elicit._forms import METHOD, TOLD

ID = "ELICIT-018"
ON = TOLD
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    questions = questions_of(answer, METHOD, context.memory)
    known = all(declared(question, "elicitation") is not None for question in questions)
    return bool(questions) and known and answer.members.get("action") in ("accept", "decline", "cancel")


def check(answer: Part, context: Context) -> Remarks:
    if not any(declared(question, "elicitation") for question in questions_of(answer, METHOD, context.memory)):
        say = remark if answer.members["action"] == "accept" else warning
        yield say("The client answers an elicitation and did not declare elicitation", "/action")
