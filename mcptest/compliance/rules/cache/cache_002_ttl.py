"""`ttlMs` is a whole number, and not negative.

`5.0` is whole.
"""

from typing import Any

from mcptest.compliance.kit import Exchange, Remarks, a, remark
from mcptest.compliance.rules.cache._hints import CACHEABLE

ID = "CACHE-002"
ON = CACHEABLE._replace(noun="results with ttlMs")


def applies(exchange: Exchange) -> bool:
    return "ttlMs" in exchange.result


def check(exchange: Exchange) -> Remarks:
    value: Any = exchange.result["ttlMs"]
    if type(value) not in (int, float):
        yield remark(f"ttlMs is {a(value)}, not a number", "/result/ttlMs")
    elif value < 0 or value % 1:
        yield remark(f"ttlMs is {value}, not a whole number from 0 on", "/result/ttlMs")
