"""The total of a completion and whether there is more agree with its values.

`total` is a number and `hasMore` a boolean, where they are there. A total that is less than the values, and one that is
more although there is said to be no more, are warned about.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, a, remark, results, warning
from mcptest.compliance.rules.complete._completions import completion, values

ID = "COMPLETE-004"
ON = results("completion/complete").of(SERVER)
_AT = "/result/completion"


def applies(exchange: Exchange) -> bool:
    return bool(completion(exchange).keys() & {"total", "hasMore"})


def check(exchange: Exchange) -> Remarks:
    found = completion(exchange)
    total, more, given = found.get("total", 0), found.get("hasMore", True), values(exchange)
    if type(total) not in (int, float):
        yield remark(f"total is {a(total)}, not a number", f"{_AT}/total")
    elif given is not None and "total" in found:
        if total < len(given):
            yield warning(f"total is {total}, but there are {len(given)} values", f"{_AT}/total")
        elif total > len(given) and more is False:
            yield warning(f"total is {total}, and there are {len(given)} values, but hasMore is false", _AT)
    if type(more) is not bool:
        yield remark(f"hasMore is {a(more)}, not a boolean", f"{_AT}/hasMore")
