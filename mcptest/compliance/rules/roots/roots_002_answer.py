"""The answer is a list of roots, each with a `file://` URI and perhaps a name.

A URI that the recorder made unreadable proves nothing.
"""

from mcptest.compliance.kit import Context, Inconclusive, Part, Remarks, a, pointer, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, note, questions_of
from mcptest.compliance.rules.roots._lists import METHOD, TOLD, entries

ID = "ROOTS-002"
ON = TOLD
MEMORY, WATCH, watch = Questions, INPUTS, note


def applies(answer: Part, context: Context) -> bool:
    return bool(questions_of(answer, METHOD, context.memory))


def check(answer: Part) -> Remarks:
    if type(answer.members.get("roots")) is not list:
        yield remark("There is no array of roots", "/roots")
    for number, root in enumerate(entries(answer)):
        at = pointer("roots", number)
        if type(root) is not dict:
            yield remark(f"A root is {a(root)}, not an object", at)
            continue
        uri = root.get("uri")
        if type(uri) is not str:
            yield remark("A root has no URI", f"{at}/uri")
        elif not uri.lower().startswith("file://"):
            if answer.message.redacted:
                raise Inconclusive("parts of the message are redacted")
            yield remark("The URI of a root does not start with file://", f"{at}/uri")
        if type(root.get("name", "")) is not str:
            yield remark(f"The name of a root is {a(root['name'])}, not a string", f"{at}/name")
