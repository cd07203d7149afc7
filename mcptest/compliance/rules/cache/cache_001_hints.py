"""Lists, reads and the discovery say for how long and by whom they may be kept.

`ttlMs` and `cacheScope` are there, whatever they are: that is for CACHE-002 and CACHE-003.
"""

from mcptest.compliance.kit import Exchange, Remarks, modern_server, remark
from mcptest.compliance.rules.cache._hints import CACHEABLE

ID = "CACHE-001"
ON = CACHEABLE
PROVIDED = modern_server


def check(exchange: Exchange) -> Remarks:
    for key in ("ttlMs", "cacheScope"):
        if key not in exchange.result:
            yield remark(f"The result of {exchange.method} has no {key}", "/result")
