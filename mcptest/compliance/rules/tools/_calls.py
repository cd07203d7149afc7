"""Calls of tools: what a call came to, and whether its arguments were what the tool asks for."""

from __future__ import annotations

import re
from typing import Any

from mcptest.compliance.kit import Exchange, Inconclusive, Part
from mcptest.protocol import errors
from mcptest.schemas import Problem, SchemaError, Validator, dialect

_MOST = 10
_OTHER_REASONS = re.compile(
    r"auth|permission|forbidden|denied|rate.?limit|too many|quota|cancel|time.?out", re.IGNORECASE
)


class Schemas:
    """The validators of a session's tools, made when they are needed, and again for a new definition."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Any, Validator | str]] = {}

    def problems(self, name: str, schema: Any, value: Any) -> list[Problem]:
        """What does not fit; Inconclusive where the schema is of no use."""
        known = self._made.get(name)
        if known is None or known[0] is not schema:
            known = self._made[name] = schema, _validator(schema)
        validator = known[1]
        if isinstance(validator, str):
            raise Inconclusive(validator)
        try:
            return [] if validator.is_valid(value) else validator.problems(value, _MOST)
        except (ValueError, OverflowError) as error:
            raise Inconclusive(f"the value cannot be validated: {str(error)[:100]}") from error


def _validator(schema: Any) -> Validator | str:
    if type(schema) is dict and dialect(schema) is None:
        return "the tool's schema is in a dialect that is not known here"
    try:
        return Validator(schema)
    except SchemaError as error:
        return f"the tool's schema cannot be used: {str(error)[:200]}"


def definition(exchange: Exchange) -> Part | None:
    """The newest definition of the tool that was called, as listed before the call."""
    return exchange.known.tools.get(exchange.params.get("name"))


def outdated(exchange: Exchange) -> bool:
    """Did the server say that its list of tools is no longer what it was?"""
    return exchange.known.tools.changed is not None


def given(exchange: Exchange) -> bool:
    """Did the call come to what the tool gives, and not to a question back, a task, or what is no result at all?"""
    assert exchange.answer is not None
    assert exchange.answer.body is not None
    result = exchange.answer.body.get("result")
    if type(result) is not dict:
        return False
    if exchange.modern:
        return bool(result.get("resultType", "complete") == "complete")
    return "content" in result or type(result.get("task")) is not dict


def misused(exchange: Exchange, schemas: Schemas) -> list[Problem] | None:
    """How the arguments break the tool's schema. None where that cannot be said: the tool was not listed, or is no
    longer what it was, or not all that was sent is in the capture."""
    tool = definition(exchange)
    arguments = exchange.params.get("arguments", {})
    if tool is None or outdated(exchange) or exchange.cancelled is not None or type(arguments) is not dict:
        return None
    schema = tool.members.get("inputSchema")
    if type(schema) is not dict or exchange.request.redacted or tool.message.redacted:
        return None
    try:
        return schemas.problems(tool.name, schema, arguments)
    except Inconclusive:
        return None


def refused_for_other_reasons(exchange: Exchange) -> bool:
    """Was the call refused for something that has nothing to do with the tool: the version, a capability, a task, a
    permission, the load?"""
    if exchange.code in errors.STATELESS or exchange.code == errors.URL_ELICITATION_REQUIRED:
        return True
    if exchange.code == errors.METHOD_NOT_FOUND:
        tool = definition(exchange)
        if "task" in exchange.params or (tool is not None and "execution" in tool.members):
            return True
    return _OTHER_REASONS.search(str(exchange.error.get("message", ""))[:500]) is not None
