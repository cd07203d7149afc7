"""A call of a tool that does not exist is refused with -32602.

Judged on names that are in no list, where a whole list was read and is still valid. Another code and a result with
`isError` are remarked on; a tool that works without being listed is mentioned. Refusals for other reasons (version,
tasks, permissions, load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, answers, info, remark
from mcptest.compliance.rules.tools._calls import refused_for_other_reasons
from mcptest.protocol import errors

ID = "TOOLS-014"
ON = answers("tools/call").of(SERVER)._replace(noun="calls of unknown tools")


def applies(exchange: Exchange) -> bool:
    name = exchange.params.get("name")
    if type(name) is not str or exchange.cancelled is not None or not exchange.known.tools.lacks(name):
        return False
    return not (exchange.error and refused_for_other_reasons(exchange))


def check(exchange: Exchange) -> Remarks:
    name = exchange.params["name"][:80]
    if exchange.error:
        if exchange.code != errors.INVALID_PARAMS:
            code = exchange.error.get("code")
            yield remark(f"The unknown tool {name!r} was refused with {code}, not with -32602", "/error/code")
    elif exchange.result.get("isError") is True:
        yield remark(f"The unknown tool {name!r} gave a result with isError, not the error -32602", "/result/isError")
    else:
        yield info(f"The tool {name!r} works, but is not listed")
