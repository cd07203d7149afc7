"""Definition gives orders about other tools.

A model sees the tools of all servers side by side. A definition that says what to do before, instead of or along with
other tools changes how those behave, though their servers never agreed: shadowing.
Speak of this tool only. Naming a step that another tool of the same server provides is fine.
"""

from collections.abc import Iterator

from mcptest.analyzers.prose import look_for, sign
from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "SEC-002"
SEVERITY = Severity.ERROR
ON = entries

_CALLING = r"(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing))"
_TOOLS = r"(?:\w+\s+){0,2}(?:tools?|functions?)"
_ANOTHER = r"(?!this\b)[\w.`'\"-]{1,60}"
SIGNS = (
    sign(
        "puts itself before all other tools",
        "tool|function",
        rf"\b(?:before|prior\s+to)\s+(?:you\s+)?{_CALLING}\s+(?:any|all|every|each)\s+(?:of\s+)?(?:the\s+)?(?:other\s+)?"
        r"(?:tools?|functions?)\b(?!\s+(?:of|from|in|on|provided\s+by)\s+this)"
        r"|\balways\s+(?:call|use|run|invoke)\s+this\s+(?:tool|function)\s+before\s+(?:any|all|every|each|other)\b",
    ),
    sign(
        "steers the model away from other tools",
        "tool|function|server",
        rf"\b(?:do\s+not|don't|never)\s+{_CALLING}\s+(?:any\s+|the\s+|all\s+)?other\s+(?:{_TOOLS}|servers?)\b"
        rf"|\b(?:instead\s+of|in\s+place\s+of|rather\s+than)\s+(?:any|all|every)\s+other\s+{_TOOLS}\b"
        rf"|\b(?:ignore|disable|disregard|override)\s+(?:all\s+|any\s+|the\s+)?other\s+(?:{_TOOLS}|servers?)\b",
    ),
    sign(
        "changes how another tool is used",
        "tool|called|invoked|executed",
        r"\b(?:when(?:ever)?|if|each\s+time|every\s+time|once)\s+(?:you\s+)?(?:the\s+|an?\s+|any\s+)?"
        rf"{_ANOTHER}\s+tool\s+(?:is|gets|was|has\s+been)\s+(?:called|used|invoked|run|available|present|executed)\b"
        r"[^.\n]{0,120}\b(?:must|always|should|instead|also|first|make\s+sure|ensure)\b"
        r"|\b(?:when(?:ever)?|if|each\s+time|every\s+time)\s+(?:you\s+)?(?:use|call|invoke|run)\s+(?:the\s+)?"
        rf"{_ANOTHER}\s+tool\b[^.\n]{{0,60}}\b(?:you\s+)?(?:must|always|make\s+sure|ensure)\b"
        r"|\b(?:when(?:ever)?|if|each\s+time|every\s+time)\s+[^.\n]{0,40}?\b[a-z0-9]+(?:_[a-z0-9]+)+[`'\")]*\s+"
        r"(?:is|gets|was)\s+(?:called|invoked|executed)\b[^.\n]{0,120}\b(?:must|always|instead|also|make\s+sure|ensure)\b",
    ),
)


def check(entry: Entry) -> Iterator[Remark]:
    yield from look_for(entry, SIGNS)
