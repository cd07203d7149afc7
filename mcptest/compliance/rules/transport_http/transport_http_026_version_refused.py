"""A version that does not exist is refused with 400.

`expect.code` is the code of the JSON-RPC error that has to come with it, if any; then only requests are judged whose
body names the same version and is otherwise complete. A date among those of the protocol's versions may be one that the
server knows, and early checks may come first: both remain open.
"""

import re

from mcptest.compliance.kit import Context, HttpExchange, Inconclusive, Remarks, http_ends
from mcptest.compliance.rules.transport_http._heads import FIRST_LINE, error_code, opens, rely_on_answer
from mcptest.compliance.rules.transport_http._mirrors import VERSION, request_of, standard_faults
from mcptest.compliance.rules.transport_http._session import belongs
from mcptest.protocol import CLIENT_CAPABILITIES, PROTOCOL_VERSION, REVISIONS

ID = "TRANSPORT-HTTP-026"
ON = http_ends()
EXPECT = {"code"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_BEFORE_ALL = "2024-09-30"  # servers know versions that were never published, but none so old


def applies(exchange: HttpExchange, context: Context) -> bool:
    version = exchange.header(VERSION)
    if version is None or version in REVISIONS or "draft" in version.lower() or exchange.status is None:
        return False
    if context.expect["code"] is None:
        return belongs(exchange) and not opens(exchange)
    request = request_of(exchange)
    if exchange.verb != "POST" or request is None or not context.history.modern_server:
        return False
    complete = type(request.meta.get(CLIENT_CAPABILITIES)) is dict and request.meta.get(PROTOCOL_VERSION) == version
    return complete and not standard_faults(exchange, request)


def check(exchange: HttpExchange, context: Context) -> Remarks:
    version, status, code = exchange.header(VERSION) or "", exchange.status or 0, error_code(exchange)
    if status in FIRST_LINE or status >= 500 or (status == 404 and exchange.session_id is not None):
        raise Inconclusive(f"the answer is {status}, which may have another reason")
    if "," in version or (_DATE.fullmatch(version) and version > _BEFORE_ALL):
        raise Inconclusive(f"{version} may be a revision that the server knows")
    if 300 <= status < 400:
        return
    wanted = context.expect["code"]
    if status != 400:
        yield f"The version {version[:40]!r} is answered with {status}, not with 400"
    elif wanted is not None and code != wanted:
        rely_on_answer(exchange)
        yield f"The version {version[:40]!r} is refused with {_said(code)}, not with {wanted}"


def _said(code: int | None) -> str:
    return "no JSON-RPC error" if code is None else f"the error {code}"
