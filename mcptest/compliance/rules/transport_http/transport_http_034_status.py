"""Errors about a request's metadata come with the status 400.

Those are -32020, -32021 and -32022, and -32602 for a request that lacks some of its metadata.
"""

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, modern_server, refusals
from mcptest.protocol import CLIENT_CAPABILITIES, PROTOCOL_VERSION, errors

ID = "TRANSPORT-HTTP-034"
ON = refusals()
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    if exchange.asker != CLIENT or exchange.place.http is None:
        return False
    meta = exchange.request.meta
    lacks = PROTOCOL_VERSION not in meta or CLIENT_CAPABILITIES not in meta
    return exchange.code in errors.STATELESS or (exchange.code == errors.INVALID_PARAMS and lacks)


def check(exchange: Exchange) -> Remarks:
    http = exchange.place.http
    if http is not None and http.status != 400:
        yield f"The error {exchange.code} comes with the status {http.status}, not with 400"
