"""The URIs of roots are absolute and without steps upwards."""

import re
from urllib.parse import urlsplit

from mcptest.compliance.kit import Context, Part, Remarks, pointer, remark
from mcptest.compliance.rules._asks import INPUTS, Questions, called, note, questions_of
from mcptest.compliance.rules.roots._lists import METHOD, TOLD, uris

ID = "ROOTS-006"
ON = called("lists with roots", TOLD)
MEMORY, WATCH, watch = Questions, INPUTS, note
_STEP = re.compile(r"(^|[/\\]|%2f|%5c)(\.|%2e){2}([/\\]|%2f|%5c|$)", re.IGNORECASE)


def applies(answer: Part, context: Context) -> bool:
    return bool(questions_of(answer, METHOD, context.memory)) and any(uris(answer))


def check(answer: Part) -> Remarks:
    for number, uri in uris(answer):
        try:
            path = urlsplit(uri).path
        except ValueError:
            path = ""
        if not path.startswith("/"):
            yield remark("The path of a root is not absolute", pointer("roots", number, "uri"))
        elif _STEP.search(path):
            yield remark("The path of a root has a step upwards", pointer("roots", number, "uri"))
