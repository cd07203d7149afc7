"""What a request came to."""

import re
from typing import Any

from mcptest.compliance.kit import Exchange, Remarks, a, remark
from mcptest.protocol import errors

_OTHER_REASONS = re.compile(
    r"auth|permission|forbidden|denied|rate.?limit|too many|quota|cancel|time.?out", re.IGNORECASE
)


def complete(exchange: Exchange) -> bool:
    """Did it come to a result that is an object, and no question back to the client?"""
    body = None if exchange.answer is None else exchange.answer.body
    result = None if body is None else body.get("result")
    return type(result) is dict and result.get("resultType", "complete") == "complete"


def refused_for_other_reasons(exchange: Exchange) -> bool:
    """Does the error speak of the version, a capability, a permission or the load, and not of what was asked for?"""
    if exchange.code in errors.STATELESS or exchange.code == errors.URL_ELICITATION_REQUIRED:
        return True
    return _OTHER_REASONS.search(str(exchange.error.get("message", ""))[:500]) is not None


def lacks_list(exchange: Exchange, key: str) -> bool:
    """Has the result no array under this key?"""
    return complete(exchange) and type(exchange.result.get(key)) is not list


def without_list(exchange: Exchange, key: str) -> Remarks:
    found = exchange.result
    if key in found:
        yield remark(f"{key} is {a(found[key])}, not an array", f"/result/{key}")
    else:
        yield remark(f"The result has no {key}", "/result")


def strings(members: Any, required: tuple[str, ...] = (), optional: tuple[str, ...] = (), what: str = "") -> Remarks:
    """Members that must be strings: those that must be there, and those that may."""
    for key in (*required, *optional):
        if key in members:
            if type(members[key]) is not str:
                yield remark(f"{key} is {a(members[key])}, not a string", f"/{key}")
        elif key in required:
            yield f"{what} has no {key}"
