"""Client credentials belong to the authorization server that gave them.

What one server registered is not used with another, unless the client registered there, too. A client id that is an
HTTPS URL belongs to the client itself.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import flow_of, parameter, parts, uses

ID = "AUTH-022"
ON = uses


def applies(use: HttpExchange) -> bool:
    return parameter(use, "client_id") is not None


def check(use: HttpExchange, context: Context) -> Remarks:
    client, secret = parameter(use, "client_id"), parameter(use, "client_secret")
    if client is None or client.startswith("https://"):
        return
    here = parts(use.url).origin
    given = [
        (parts(one.url).origin, one.answer_json)
        for one in flow_of(context.history).registrations
        if one.seq < use.seq and type(one.answer_json) is dict
    ]
    if any(origin == here for origin, _ in given):
        return
    for origin, registered in given:
        if registered.get("client_id") == client:
            yield f"The client id was given by {origin[:100]} and is used with {here[:100]}"
        elif secret and registered.get("client_secret") == secret:
            yield f"The client secret was given by {origin[:100]} and is sent to {here[:100]}"
