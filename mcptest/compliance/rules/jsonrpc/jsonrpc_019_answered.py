"""Every request is answered.

Unless it was cancelled, or the connection ended first. That a request was left without its answer is only said of a
session that came to an orderly end, and not soon after the request: 5 s where a later request was answered meanwhile,
60 s where none was, ten minutes for calls that may rightly take long. `subscriptions/listen` may stay open for ever.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, exchanges

ID = "JSONRPC-019"
ON = exchanges()._replace(noun="requests")


def applies(exchange: Exchange) -> bool:
    request = exchange.request
    assert request.id is not None
    proper = request.id.type in ("string", "number") and not request.name.startswith("notifications/")
    proper = proper and (request.body or {}).get("jsonrpc") == "2.0"  # else it is no request, see JSONRPC-015
    excused = exchange.answer is None and (exchange.cancelled is not None or request.name == "subscriptions/listen")
    return proper and not excused


def check(exchange: Exchange, context: Context) -> Remarks:
    if context.unanswered(exchange):
        yield f"The {exchange.method} request of the {exchange.asker} was never answered"
