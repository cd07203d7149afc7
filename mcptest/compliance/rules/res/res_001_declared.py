"""A server that serves resources declares the `resources` capability.

A list with resources or templates in it, or a read that gave contents, shows that it serves them. An empty list is only
mentioned. Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, info, results

ID = "RES-001"
_HELD = {"resources/list": "resources", "resources/templates/list": "resourceTemplates", "resources/read": "contents"}
ON = results(*_HELD).of(SERVER)


def applies(exchange: Exchange) -> bool:
    held = exchange.result.get(_HELD[exchange.method])
    return exchange.place.server_capabilities is not None and type(held) is list


def check(exchange: Exchange) -> Remarks:
    declared = exchange.place.server_capabilities
    assert declared is not None
    if declared.declares("resources"):
        return
    if exchange.result[_HELD[exchange.method]]:
        yield f"The server answers {exchange.method} with something, but does not declare resources"
    else:
        yield info(f"The server answers {exchange.method} with nothing, and does not declare resources")
