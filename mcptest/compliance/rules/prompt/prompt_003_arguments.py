"""Each argument of a prompt has a name, and no two have the same.

`name` is a string, and `required` a boolean where it is there. `expect.strings` are optional members that are strings.
Two arguments of one name are warned about.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, pointer, prompts, remark, warning
from mcptest.compliance.rules._results import strings

ID = "PROMPT-003"
EXPECT = {"strings"}
ON = prompts._replace(noun="prompts with arguments")


def applies(prompt: Part) -> bool:
    arguments = prompt.members.get("arguments")
    return type(arguments) is list and bool(arguments)


def check(prompt: Part, context: Context) -> Remarks:
    seen: set[str] = set()
    for number, argument in enumerate(prompt.members["arguments"]):
        at = pointer("arguments", number)
        if type(argument) is not dict:
            yield remark(f"An argument is {a(argument)}, not an object", at)
            continue
        for said in strings(argument, ("name",), tuple(context.expect["strings"]), "An argument"):
            yield remark(said, at) if isinstance(said, str) else said._replace(at=at + said.at)
        if "required" in argument and type(argument["required"]) is not bool:
            yield remark(f"required is {a(argument['required'])}, not a boolean", f"{at}/required")
        name = argument.get("name")
        if type(name) is str:
            if name in seen:
                yield warning(f"Two arguments are called {name[:80]!r}", at)
            seen.add(name)
