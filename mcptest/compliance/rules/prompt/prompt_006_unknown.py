"""A prompt that does not exist is refused with -32602.

Judged on names that are in no list, where a whole list was read and is still valid. Another code is remarked on; a
prompt that works without being listed is mentioned. Refusals for other reasons (the version, permissions,
load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, answers, info, remark
from mcptest.compliance.rules._results import complete, refused_for_other_reasons
from mcptest.protocol import errors

ID = "PROMPT-006"
ON = answers("prompts/get").of(SERVER)._replace(noun="requests for unknown prompts")


def applies(exchange: Exchange) -> bool:
    name = exchange.params.get("name")
    if type(name) is not str or exchange.cancelled is not None or not exchange.known.prompts.lacks(name):
        return False
    if exchange.error:
        return not refused_for_other_reasons(exchange)
    return complete(exchange)


def check(exchange: Exchange) -> Remarks:
    name = exchange.params["name"][:80]
    if not exchange.error:
        yield info(f"The prompt {name!r} works, but is not listed")
    elif exchange.code != errors.INVALID_PARAMS:
        code = exchange.error.get("code")
        yield remark(f"The unknown prompt {name!r} was refused with {code}, not with -32602", "/error/code")
