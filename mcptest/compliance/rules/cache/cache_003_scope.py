"""`cacheScope` is one of the words that the revision knows.

`expect.values` are those words.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, a, remark
from mcptest.compliance.rules.cache._hints import CACHEABLE

ID = "CACHE-003"
ON = CACHEABLE._replace(noun="results with cacheScope")
EXPECT = {"values"}


def applies(exchange: Exchange) -> bool:
    return "cacheScope" in exchange.result


def check(exchange: Exchange, context: Context) -> Remarks:
    value = exchange.result["cacheScope"]
    if value not in context.expect["values"]:
        said = repr(value[:40]) if type(value) is str else a(value)
        yield remark(f"cacheScope is {said}, none of {', '.join(context.expect['values'])}", "/result/cacheScope")
