"""`https://` is for resources that a client can fetch from the web by itself.

Whether it can does not show in a capture, so a resource with such a URI that is read through the server is only
mentioned.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, info, results
from mcptest.compliance.rules._results import complete

ID = "RES-015"
ON = results("resources/read").of(SERVER)._replace(noun="reads")


def applies(exchange: Exchange) -> bool:
    return type(exchange.params.get("uri")) is str and bool(exchange.result.get("contents")) and complete(exchange)


def check(exchange: Exchange) -> Remarks:
    uri: str = exchange.params["uri"]
    if uri.lower().startswith("https://"):
        yield info(f"{uri[:80]!r} is read through the server; https is for what the client can fetch by itself")
