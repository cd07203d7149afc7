"""`state` is sent with the authorization request, and compared when the answer comes.

That it was compared shows where it should have failed: the answer's state is another, and its code is redeemed.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import authorizations, callback, first, flow_of, redeemed

ID = "AUTH-017"
ON = authorizations


def check(exchange: HttpExchange, context: Context) -> Remarks:
    state = first(exchange.query, "state")
    if not state:
        yield "The authorization request has no state"
        return
    given = callback(exchange)
    if given is None or given.state == state:
        return
    if redeemed(flow_of(context.history), exchange, given) is not None:
        yield f"The answer's state is {'missing' if given.state is None else 'another'}, and its code is redeemed"
