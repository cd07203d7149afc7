"""Arguments that the tool's schema forbids are refused.

Judged on calls whose arguments do not fit the newest listed `inputSchema`. An error, `isError` or a question back is a
refusal. Success is a failure where a required argument without a default was missing, or where an argument was an
object, or no object, and no usual conversion could mend that; all else (`"5"` for 5, a value out of range, one argument
too many) is warned about. Open if the text of the result reads like a complaint.
"""

import re
from typing import Any

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, answers, json_type, remark, warning
from mcptest.compliance.rules.tools._calls import Schemas, definition, given, misused

ID = "TOOLS-015"
ON = answers("tools/call").of(SERVER)._replace(noun="calls with wrong arguments")
MEMORY = Schemas
_COMPLAINT = re.compile(
    r"\b(error|exception|invalid|require[ds]?|missing|must|fail\w*|validation|expected|cannot|can't|not|no|unknown|"
    r"undefined|null|none)\b",
    re.IGNORECASE,
)
_SCALARS = {"string", "number", "integer", "boolean", "null"}


def applies(exchange: Exchange, context: Context) -> bool:
    return bool(misused(exchange, context.memory))


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.error or not given(exchange) or exchange.result.get("isError") is True:
        return
    tool = definition(exchange)
    assert tool is not None
    if _COMPLAINT.search(_text(exchange.result.get("content"))):
        raise Inconclusive("the tool may have refused the arguments in words")
    grave = _beyond_repair(tool.members["inputSchema"], exchange.params.get("arguments", {}))
    if grave:
        yield remark(f"The tool {tool.name[:80]!r} took the call although {grave}", of=exchange.request)
        return
    for problem in misused(exchange, context.memory) or ():
        text = f"The tool {tool.name[:80]!r} took arguments that its schema forbids: {problem.message[:200]}"
        yield warning(text, "/params/arguments" + problem.pointer, of=exchange.request)


def _beyond_repair(schema: dict[str, Any], arguments: dict[str, Any]) -> str | None:
    properties, required = schema.get("properties"), schema.get("required")
    if type(properties) is not dict:
        return None
    plain = {name: one for name, one in properties.items() if type(one) is dict}
    for name in required if type(required) is list else ():
        if type(name) is str and name in plain and name not in arguments and "default" not in plain[name]:
            return f"the required argument {name[:80]!r} is missing"
    for name, value in arguments.items():
        wanted = plain.get(name, {}).get("type")
        if type(wanted) is not str:
            continue
        is_object, given_type = type(value) is dict, json_type(value)
        if (is_object and wanted in _SCALARS) or (wanted == "object" and given_type in ("number", "boolean", "array")):
            return f"the argument {name[:80]!r} is {given_type}, not {wanted}"
    return None


def _text(content: Any) -> str:
    blocks = content if type(content) is list else ()
    return " ".join(str(block.get("text", ""))[:2000] for block in blocks if type(block) is dict)
