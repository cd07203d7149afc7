"""Each result has a string `resultType`.

Judged on the answers to requests of the stateless era, if the server has shown that it knows it. Older servers do not
know the member.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, a, modern_server, remark, results
from mcptest.compliance.rules.proto._parts import is_stateless

ID = "PROTO-038"
ON = results().of(SERVER)
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    return is_stateless(exchange.request)


def check(exchange: Exchange) -> Remarks:
    if "resultType" not in exchange.result:
        yield remark(f"The result of {exchange.method[:80]} has no resultType", "/result")
    elif type(exchange.result["resultType"]) is not str:
        yield remark(f"resultType is {a(exchange.result['resultType'])}, not a string", "/result/resultType")
