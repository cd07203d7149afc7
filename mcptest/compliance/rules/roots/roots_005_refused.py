"""A client without roots refuses to list them, with -32601."""

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, answers
from mcptest.compliance.rules.roots._lists import METHOD
from mcptest.protocol import errors

ID = "ROOTS-005"
ON = answers(METHOD).of(CLIENT)._replace(noun="undeclared lists of roots")


def applies(exchange: Exchange) -> bool:
    declared = exchange.request.client_capabilities
    return declared is not None and not declared.declares("roots")


def check(exchange: Exchange) -> Remarks:
    if exchange.code != errors.METHOD_NOT_FOUND:
        how = f"refuses to list them with {exchange.code}" if exchange.error else "lists them"
        yield f"The client did not declare roots and {how}, instead of refusing with -32601"
