"""Refresh tokens of public clients are rotated: a new one with each use, and the old one no longer good.

A client is public if it sends no credential of its own with the token request. A request that was repeated at once may
have been sent before the answer came, and is left alone.
"""

from mcptest.compliance.kit import RACE, Context, HttpExchange, Remarks, warning
from mcptest.compliance.rules.auth._flow import document, first, flow_of, tokens

ID = "AUTH-038"
ON = tokens


def applies(exchange: HttpExchange) -> bool:
    public = not first(exchange.form, "client_secret") and exchange.header("authorization") is None
    public = public and not first(exchange.form, "client_assertion")
    return public and first(exchange.form, "grant_type") == "refresh_token" and exchange.ok


def check(exchange: HttpExchange, context: Context) -> Remarks:
    used = first(exchange.form, "refresh_token")
    for one in flow_of(context.history).tokens:
        if one.seq >= exchange.seq or not one.ok or first(one.form, "refresh_token") != used:
            continue
        if one.response_mono is None or exchange.mono - one.response_mono < 10 * RACE:
            continue
        given = document(one).get("refresh_token")
        if type(given) is str and given != used:
            yield "A refresh token is accepted again after it was replaced"
        else:
            yield warning("A refresh token is used again and again: none replaces it")
        return
