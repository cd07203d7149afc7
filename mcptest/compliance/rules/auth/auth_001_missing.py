"""A request without authorization to a protected server is answered with 401.

Judged are requests without Authorization that were refused with 401, or whose refusal says that authorization is
missing. Refusals for other reasons (faults of the protocol, a foreign Origin, too many requests) say nothing, and what
a server leaves open to everybody is its own choice.
"""

import re

from mcptest.compliance.kit import HttpExchange, Remarks, http_ends
from mcptest.compliance.rules.auth._flow import credential, protected

ID = "AUTH-001"
ON = http_ends("POST", "GET", "DELETE")
PROVIDED = protected
_WHAT = r"(?:authori[sz]ation|authentication|credentials?|bearer|access token)"
_MISSING = re.compile(
    rf"(?:missing|no|required?|requires|lacks?) (?:an? |the )?{_WHAT}|{_WHAT} (?:header )?(?:is )?"
    r"(?:missing|required|needed)|\bunauthori[sz]ed\b|\bnot authenticated\b",
    re.IGNORECASE,
)


def applies(exchange: HttpExchange) -> bool:
    if not exchange.mcp or credential(exchange) is not None:
        return False
    return exchange.status == 401 or (exchange.status in (200, 400, 403) and _says_so(exchange))


def check(exchange: HttpExchange) -> Remarks:
    if exchange.status != 401:
        yield f"A request without authorization is answered with {exchange.status}, not with 401"


def _says_so(exchange: HttpExchange) -> bool:
    body = exchange.answer_json
    if exchange.status == 200:
        error = body.get("error") if type(body) is dict else None
        return type(error) is dict and bool(_MISSING.search(str(error.get("message"))[:500]))
    text = (exchange.answer_body or b"")[:2000].decode("utf-8", "replace")
    return bool(_MISSING.search(text)) and not re.search(r"\b(?:origin|host)\b", text, re.IGNORECASE)
