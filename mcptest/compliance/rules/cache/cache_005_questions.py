"""A request for input has no hints: there is nothing in it that could be kept."""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, remark, results

ID = "CACHE-005"
ON = results().of(SERVER)._replace(noun="results that ask for input")


def applies(exchange: Exchange) -> bool:
    return exchange.modern and exchange.result.get("resultType") == "input_required"


def check(exchange: Exchange) -> Remarks:
    for key in ("ttlMs", "cacheScope"):
        if key in exchange.result:
            yield remark(f"The result asks for input, and has {key}", f"/result/{key}")
