"""Definition holds hidden instructions to the model.

Whatever stands in a definition is read by the model as if its user had agreed to it. Text that asks the model to
ignore its instructions, to keep something from the user, or that pretends to come from the system, takes control of
the conversation: tool poisoning.
Describe what the tool does; give the model no orders about anything else.
"""

from collections.abc import Iterator

from mcptest.analyzers.prose import look_for, sign
from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "SEC-001"
SEVERITY = Severity.CRITICAL
ON = entries

_HIDING = (
    r"tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|notify(?:ing)?|alert(?:ing)?|"
    r"let(?:ting)?|warn(?:ing)?"
)
_BLOCKS = r"important|system|secret|hidden|instructions?|critical|admin|override|system[-_ ](?:prompt|instructions?)"
SIGNS = (
    sign(
        "asks the model to drop its instructions",
        "ignore|disregard|forget|override|bypass",
        r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|of|these|those)\s+){0,3}"
        r"(?:previous|prior|earlier|above|preceding|foregoing|existing|original|system|safety)\s+"
        r"(?:\w+\s+)?(?:instructions?|prompts?|messages?|rules?|guidelines?|directions?|constraints?|context)\b",
        unless="never|not|don't|cannot|refuse",
    ),
    sign(
        "asks the model to keep something from the user",
        "user|human",
        r"\b(?:do\s+not|don't|never|must\s+not|should\s+not|avoid)\s+(?:ever\s+)?"
        rf"(?:{_HIDING})\s+(?:[^\s\x00]+\s+){{0,6}}?(?:the\s+)?(?:user|human|end-user)\b",
    ),
    sign(
        "asks the model to act behind the user's back",
        "without",
        r"\bwithout\s+(?:(?:telling|informing|notifying|alerting|warning)\s+(?:the\s+|your\s+)?(?:user|human)"
        r"|(?:the\s+)?user(?:'s)?\s+(?:knowing|noticing|knowledge|awareness|being\s+(?:told|aware|informed)))\b",
        unless="never|not|don't|avoid|refuse|unless",
    ),
    sign(
        "dresses text up as an instruction block",
        "<|[",
        rf"<\s*/?\s*(?:{_BLOCKS})\s*>|<\|(?:im_start|im_end|system|user|assistant)\|>|\[/?inst\]|<</?sys>>",
    ),
    sign(
        "pretends to be the system",
        "system|new instructions|from now on|you are now",
        r"(?:^|\n)\s*(?:#+\s*)?system(?:\s+(?:message|prompt|override|note))?\s*:\s"
        r"|\bnew\s+(?:system\s+)?instructions?\s*:"
        r"|\bfrom\s+now\s+on\b[^.\n]{0,20}\b(?:you|always|every|all)\b"
        r"|\byou\s+are\s+now\s+(?:a|an|in|the|operating)\b"
        r"|\b(?:reveal|print|repeat|output|leak|include)\s+(?:\w+\s+){0,3}system\s+prompt\b",
    ),
    sign("hides text in a comment", "<!--", r"<!--[^\x00]{1,400}?-->"),
    sign(
        "says that it is not for the user's eyes",
        "hidden|invisible|visible|concealed",
        r"\b(?:is|are|be|remain|stay|keep\s+\w+)\s+(?:hidden|invisible|not\s+visible|concealed)\s+(?:from|to)\s+"
        r"(?:the\s+)?(?:user|human)\b|\b(?:only|just)\s+(?:visible|shown)\s+to\s+(?:the\s+)?(?:model|assistant|ai|llm)\b",
    ),
)


def check(entry: Entry) -> Iterator[Remark]:
    yield from look_for(entry, SIGNS)
