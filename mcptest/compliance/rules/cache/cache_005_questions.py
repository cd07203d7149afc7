"""A request for input has no hints: there is nothing in it that could be kept."""

from mcptest.compliance.kit import Exchange, Remarks, remark
from mcptest.compliance.rules.mrtr._retries import PAUSED

ID = "CACHE-005"
ON = PAUSED


def check(exchange: Exchange) -> Remarks:
    for key in ("ttlMs", "cacheScope"):
        if key in exchange.result:
            yield remark(f"The result asks for input, and has {key}", f"/result/{key}")
