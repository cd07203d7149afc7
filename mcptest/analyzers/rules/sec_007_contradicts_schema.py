"""Description contradicts the schema.

A model believes the description, a validator the schema, and the server perhaps neither. Where they disagree somebody
is misled, by mistake or on purpose.
Correct whichever is wrong.
"""

import re
from collections.abc import Iterator
from typing import Any

from mcptest.analyzers.outline import Outline, outline
from mcptest.analyzers.prose import shown
from mcptest.analyzers.schema import types
from mcptest.catalogue import Tool
from mcptest.rules import Remark, Severity, tools

ID = "SEC-007"
SEVERITY = Severity.WARNING
ON = tools

_LONGEST = 16_384  # of a description, before overlong is the better remark
_NO_ARGUMENTS = re.compile(
    r"\b(?:takes|needs|requires|expects|accepts|has)\s+no\s+(?:(?:input|required)\s+)?(?:arguments?|parameters?|inputs?)\b"
    r"|\bno\s+(?:arguments?|parameters?|inputs?)\s+(?:are\s+|is\s+)?(?:required|needed|necessary)\b"
)
_READ_ONLY = re.compile(
    r"\bread[- ]only\s+(?:tool|operation|access|call)\b|\b(?:this\s+(?:tool|operation)\s+is|strictly)\s+read[- ]only\b"
    r"|\b(?:does\s+not|doesn't|never|will\s+not)\s+(?:modify|change|write|delete|alter)\s+(?:any|anything|data|files?|state)\b"
)
_SECTION = re.compile(r"[ \t]*(?:args|arguments|parameters|params)[ \t]*:[ \t]*", re.IGNORECASE)
_ARGUMENT = re.compile(
    r"[ \t]+(?:[-*][ \t]+)?[`*]{0,2}(?P<name>[A-Za-z_]\w{0,63})[`*]{0,2}[ \t]*"
    r"(?:\([^)]{0,80}\))?[ \t]*:(?:[ \t]|$)"
)
_DEFAULT = re.compile(
    r"\bdefaults?(?:\s+(?:is|to|value|value\s+is))?\s*[:=]?\s*[`'\"(]?(?P<value>true|false|null|-?\d+(?:\.\d+)?)\b(?!\s*[%\w])"
)


def check(tool: Tool) -> Iterator[Remark]:
    view = outline(tool)
    parameters = view.parameters
    text = (tool.description or "")[:_LONGEST]
    lowered = text.lower()
    if view.required and _NO_ARGUMENTS.search(lowered):
        yield Remark("the description says that no arguments are needed, the schema requires some", "/description")
    if (
        _claims_read_only(lowered)
        and isinstance(tool.annotations, dict)
        and tool.annotations.get("destructiveHint") is True
    ):
        yield Remark("the description says read-only, the annotations say destructive", "/description")
    if isinstance(tool.input_schema, dict) and "properties" in tool.input_schema:
        for name in _documented(text):
            if name not in parameters:
                yield Remark(
                    f"the description documents an argument {shown(name)} that the schema lacks", "/description"
                )
    for name, schema in parameters.items():
        yield from _judge(view, name, schema)


def _claims_read_only(text: str) -> bool:
    return ("read" in text or "not" in text or "never" in text) and _READ_ONLY.search(text) is not None


def _documented(text: str) -> Iterator[str]:
    """The names in the `Args:` part of a docstring: what is indented under it, but not what is indented further."""
    if ":" not in text:
        return
    section = inner = -1
    for line in text.expandtabs().split("\n"):
        depth = len(line) - len(line.lstrip(" "))
        if section >= 0 and line.strip() and depth <= section:
            section = inner = -1
        if section < 0:
            header = _SECTION.fullmatch(line)
            section = depth if header else -1
        elif line.strip():
            inner = depth if inner < 0 else inner
            argument = _ARGUMENT.match(line) if depth == inner else None
            if argument:
                yield argument["name"]


def _judge(view: Outline, name: str, schema: Any) -> Iterator[Remark]:
    if not isinstance(schema, dict) or not isinstance(schema.get("description"), str):
        return
    said = schema["description"][:_LONGEST].lower()
    where = view.parameter_within(name) + "/description"
    if name in view.required and re.match(r"\W{0,2}optional\b(?!ly)", said) and not _takes_null(schema):
        yield Remark(f"parameter {shown(name)} is described as optional and required by the schema", where)
    if "default" in said and isinstance(schema.get("default"), bool | int | float):
        match = _DEFAULT.search(said)
        if match and _differs(match["value"], schema["default"]):
            actual = str(schema["default"]).lower()
            yield Remark(
                f"parameter {shown(name)} is described with default {match['value']}, the schema says {actual}", where
            )


def _takes_null(schema: dict[str, Any]) -> bool:
    branches = [
        schema,
        *(branch for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list) for branch in schema[key]),
    ]
    return "default" in schema or any(isinstance(branch, dict) and "null" in types(branch) for branch in branches)


def _differs(said: str, actual: bool | int | float) -> bool:
    if said in ("true", "false"):
        return isinstance(actual, bool) and actual is not (said == "true")
    return said != "null" and not isinstance(actual, bool) and float(said) != float(actual)
