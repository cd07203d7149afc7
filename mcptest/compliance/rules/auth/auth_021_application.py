"""A registration says what kind of application it is for."""

from mcptest.compliance.kit import HttpExchange, Remarks, warning
from mcptest.compliance.rules.auth._flow import is_loopback, registrations

ID = "AUTH-021"
ON = registrations


def check(exchange: HttpExchange) -> Remarks:
    kind = exchange.json.get("application_type")
    if kind is None:
        yield "The registration has no application_type"
    elif kind == "web" and any(type(one) is str and is_loopback(one) for one in exchange.json["redirect_uris"]):
        yield warning(
            "application_type is 'web', and a redirect URI is on the client's own machine", "/application_type"
        )
