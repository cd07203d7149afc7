"""A read that fails inside the server is refused with -32603.

Judged on listed resources. -32602 and the code for what is not found may have their own reasons, and so do refusals for
the version, permissions and load. Codes of the application's own, outside of the range that JSON-RPC keeps for itself,
are mentioned.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, info, refusals, remark
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.protocol import errors

ID = "RES-017"
ON = refusals("resources/read").of(SERVER)._replace(noun="failed reads")
_FINE = (errors.INTERNAL_ERROR, errors.INVALID_PARAMS, errors.RESOURCE_NOT_FOUND)


def applies(exchange: Exchange) -> bool:
    if exchange.code is None or exchange.cancelled is not None or refused_for_other_reasons(exchange):
        return False
    resources = exchange.known.resources
    return resources.changed is None and exchange.params.get("uri") in resources


def check(exchange: Exchange) -> Remarks:
    if exchange.code in _FINE:
        return
    say = remark if exchange.code in errors.RESERVED else info
    yield say(f"Reading a listed resource failed with {exchange.code}, not with -32603", "/error/code")
