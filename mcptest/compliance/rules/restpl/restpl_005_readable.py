"""A URI that comes of a template can be read, or is refused cleanly.

Judged on URIs that surely come of a listed template and are not listed themselves. That the server does not know how to
read, or never answers, is remarked on; an internal error is mentioned.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, exchanges, info, remark
from mcptest.compliance.rules._uris import origins
from mcptest.protocol import errors

ID = "RESTPL-005"
ON = exchanges("resources/read").of(SERVER)._replace(noun="reads by a template")


def applies(exchange: Exchange) -> bool:
    return exchange.cancelled is None and any(origins(exchange))


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.answer is None:
        if context.unanswered(exchange):
            yield "A read by a template was never answered"
    elif exchange.code == errors.METHOD_NOT_FOUND:
        yield remark("The server lists templates, but does not know resources/read", "/error/code")
    elif exchange.code == errors.INTERNAL_ERROR:
        yield info("A read by a template ended in an internal error", "/error/code")
