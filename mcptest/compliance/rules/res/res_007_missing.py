"""Reading a resource that does not exist is refused with the revision's code.

A URI does not exist if the server listed all its resources and templates, and none of them could be it; or if it is
not listed, and the error says that nothing was found. -32002 says so by itself. `expect.code` is the code that is due,
`expect.others` what another one proves: that the rule is broken, or nothing (`open`), except for the retired -32002.
Refusals for other reasons (the method, the version, permissions, load) are left alone.
"""

import re

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, refusals, remark
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules._uris import not_offered
from mcptest.protocol import errors

ID = "RES-007"
ON = refusals("resources/read").of(SERVER)._replace(noun="reads of missing resources")
EXPECT = {"code", "others"}
_NOT_FOUND = re.compile(r"not.?found|unknown resource|no such|does(?: not|n't) exist|no resource", re.IGNORECASE)


def applies(exchange: Exchange, context: Context) -> bool:
    uri = exchange.params.get("uri")
    if exchange.code is None or type(uri) is not str or exchange.cancelled is not None:
        return False
    if exchange.modern and not context.history.modern_server:
        return False
    if exchange.code == errors.RESOURCE_NOT_FOUND:
        return True
    if exchange.code == errors.METHOD_NOT_FOUND or refused_for_other_reasons(exchange):
        return False
    said = f"{exchange.error.get('message')} {exchange.error.get('data')}"[:2000]
    return not_offered(exchange) or (uri not in exchange.known.resources and _NOT_FOUND.search(said) is not None)


def check(exchange: Exchange, context: Context) -> Remarks:
    code, due = exchange.code, context.expect["code"]
    if code == due:
        return
    if code != errors.RESOURCE_NOT_FOUND and context.expect["others"] == "open":
        raise Inconclusive(f"a missing resource was refused with {code}, which may have another reason")
    yield remark(f"A missing resource was refused with {code}, not with {due}", "/error/code")
