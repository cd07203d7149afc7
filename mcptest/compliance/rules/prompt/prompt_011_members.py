"""Optional members of prompts have the types that they should have.

`arguments` is an array, and the `description` that comes with a prompt's messages a string. `expect.strings` are the
members of a listed prompt that are strings. Null is no string.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Part, Remarks, a, prompts, remark, results
from mcptest.compliance.rules._results import complete, strings

ID = "PROMPT-011"
ON = (prompts._replace(noun="prompts and results"), results("prompts/get").of(SERVER))
EXPECT = {"strings"}


def applies(subject: Part | Exchange) -> bool:
    return complete(subject) if isinstance(subject, Exchange) else type(subject.value) is dict


def check(subject: Part | Exchange, context: Context) -> Remarks:
    if isinstance(subject, Exchange):
        description = subject.result.get("description", "")
        if type(description) is not str:
            yield remark(f"description is {a(description)}, not a string", "/result/description")
        return
    yield from strings(subject.members, optional=tuple(context.expect["strings"]))
    arguments = subject.members.get("arguments", [])
    if type(arguments) is not list:
        yield remark(f"arguments is {a(arguments)}, not an array", "/arguments")
