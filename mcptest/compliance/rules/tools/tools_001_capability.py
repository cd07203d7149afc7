"""A server that serves tools declares the `tools` capability.

A list with tools in it, or a call that a tool answered, shows that it serves them. An empty list is only mentioned, and
a call that ended in `isError` shows nothing. Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, info, results

ID = "TOOLS-001"
ON = results("tools/list", "tools/call").of(SERVER)


def applies(exchange: Exchange) -> bool:
    if exchange.place.server_capabilities is None:
        return False
    if exchange.method == "tools/list":
        return type(exchange.result.get("tools")) is list
    return exchange.result.get("isError") is not True


def check(exchange: Exchange) -> Remarks:
    declared = exchange.place.server_capabilities
    assert declared is not None
    if declared.declares("tools"):
        return
    if exchange.method == "tools/call":
        yield "A tool was called with success, but the server does not declare tools"
    elif exchange.result["tools"]:
        yield f"The server lists {len(exchange.result['tools'])} tools, but does not declare tools"
    else:
        yield info("The server answers tools/list with no tools, and does not declare tools")
