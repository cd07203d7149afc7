"""A server that completes arguments declares the `completions` capability.

An answer without any values is only warned about. Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, results, warning
from mcptest.compliance.rules.complete._completions import values

ID = "COMPLETE-001"
ON = results("completion/complete").of(SERVER)


def applies(exchange: Exchange) -> bool:
    return exchange.place.server_capabilities is not None and values(exchange) is not None


def check(exchange: Exchange) -> Remarks:
    declared = exchange.place.server_capabilities
    assert declared is not None
    if declared.declares("completions"):
        return
    if values(exchange):
        yield "The server completes an argument, but does not declare completions"
    else:
        yield warning("The server answers completion/complete, with no values, but does not declare completions")
