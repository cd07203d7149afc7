"""What a client sends for a form matches the form.

Judged on accepted forms. If the form's schema cannot be used, or parts of the messages are redacted, nothing is said.
"""

from mcptest.compliance.kit import Context, Inconclusive, Part, Remarks, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, called, note, questions_of
from mcptest.compliance.rules.elicit._forms import METHOD, TOLD, by_url, form
from mcptest.schemas import Problem, SchemaError, Validator

ID = "ELICIT-007"
ON = called("forms that were filled in", TOLD)
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    questions = questions_of(answer, METHOD, context.memory)
    content = answer.members.get("content", {})
    forms = all(not by_url(question) and form(question) for question in questions)
    return answer.members.get("action") == "accept" and type(content) is dict and bool(questions) and forms


def check(answer: Part, context: Context) -> Remarks:
    content = answer.members.get("content", {})
    found: list[Problem] = []
    for question in questions_of(answer, METHOD, context.memory):
        try:
            found = Validator(form(question)).problems(content, most=10)
        except SchemaError as error:
            raise Inconclusive("the form's schema cannot be used") from error
        if not found:
            return
        if answer.message.redacted or question.message.redacted:
            raise Inconclusive("parts of the messages are redacted")
    for problem in found:
        yield remark(f"The content does not match the form: {problem.message[:200]}", f"/content{problem.pointer}")
