"""A request for a method that nobody implements is refused with -32601.

Judged on requests, after the handshake or with the `_meta` that the stateless era asks for, whose method the revision
does not define. A result is no fault: the receiver implements more than it says. Where extensions or experimental
features are declared, unknown methods may be theirs and are not judged.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, exchanges, info
from mcptest.protocol import CLIENT_CAPABILITIES, CORE_METHODS, PROTOCOL_VERSION, errors, methods_of

ID = "JSONRPC-014"
ON = exchanges()._replace(noun="requests for unknown methods")


def applies(exchange: Exchange, context: Context) -> bool:
    request = exchange.request
    method = request.name
    if method in methods_of(request.revision, "request", request.sender) or method.startswith("notifications/"):
        return False
    if request.modern:
        complete = (
            type(request.meta.get(PROTOCOL_VERSION)) is str and type(request.meta.get(CLIENT_CAPABILITIES)) is dict
        )
        if not complete or not context.history.modern_server:
            return False
    elif request.known.negotiated is None:
        return False
    if method not in CORE_METHODS or method.startswith("tasks/"):
        for side in ("client", "server"):
            declared = request.capabilities(side)
            if declared is None or declared.get("experimental") or declared.get("extensions"):
                return False
    if exchange.answer is None:
        return exchange.cancelled is None
    return exchange.code not in errors.STATELESS


def check(exchange: Exchange, context: Context) -> Remarks:
    method = exchange.method[:80]
    if exchange.answer is None:
        if context.unanswered(exchange):
            yield f"The request for the unknown method {method!r} was not answered"
    elif not exchange.error:
        yield info(f"The {exchange.sender} serves the method {method!r}, which the revision does not define")
    elif exchange.code != errors.METHOD_NOT_FOUND:
        yield f"The unknown method {method!r} was refused with {exchange.error.get('code')}, not with -32601"
