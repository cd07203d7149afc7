"""A level that does not exist is refused with -32602.

In sessions with a handshake it stands in `logging/setLevel`; in the stateless era in the `_meta` of any request, and
then only a server that has shown that it knows that era is judged. Refusals for other reasons (the method, the
version, permissions, load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, answers, remark
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.log._levels import is_level
from mcptest.protocol import LOG_LEVEL, errors

ID = "LOG-005"
ON = answers().of(SERVER)._replace(noun="requests with a wrong level")


def applies(exchange: Exchange, context: Context) -> bool:
    request = exchange.request
    if exchange.modern:
        wrong = LOG_LEVEL in request.meta and not is_level(request.meta[LOG_LEVEL]) and context.history.modern_server
    else:
        wrong = exchange.method == "logging/setLevel" and not is_level(exchange.params.get("level"))
    if not wrong or exchange.cancelled is not None:
        return False
    return not exchange.error or not (exchange.code == errors.METHOD_NOT_FOUND or refused_for_other_reasons(exchange))


def check(exchange: Exchange) -> Remarks:
    if not exchange.error:
        yield "A level that does not exist was accepted"
    elif exchange.code != errors.INVALID_PARAMS:
        text = f"A level that does not exist was refused with {exchange.error.get('code')}, not with -32602"
        yield remark(text, "/error/code")
