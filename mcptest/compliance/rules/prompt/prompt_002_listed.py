"""A list of prompts is an array, and each prompt in it has a name.

Optional members are for PROMPT-011, arguments for PROMPT-003.
"""

from mcptest.compliance.kit import SERVER, Exchange, Part, Remarks, a, prompts, results
from mcptest.compliance.rules._results import lacks_list, strings, without_list

ID = "PROMPT-002"
ON = (prompts, results("prompts/list").of(SERVER))


def applies(subject: Part | Exchange) -> bool:
    return isinstance(subject, Part) or lacks_list(subject, "prompts")


def check(subject: Part | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        yield from without_list(subject, "prompts")
    elif type(subject.value) is not dict:
        yield f"An entry of the list is {a(subject.value)}, not a prompt"
    else:
        yield from strings(subject.value, ("name",), what="The prompt")
