"""A server that serves prompts declares the `prompts` capability.

A list with prompts in it, or a prompt that gave messages, shows that it serves them. An empty list is only mentioned.
Not judged where the capture does not have what the server declared.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, info, results

ID = "PROMPT-001"
_HELD = {"prompts/list": "prompts", "prompts/get": "messages"}
ON = results(*_HELD).of(SERVER)


def applies(exchange: Exchange) -> bool:
    held = exchange.result.get(_HELD[exchange.method])
    return exchange.place.server_capabilities is not None and type(held) is list


def check(exchange: Exchange) -> Remarks:
    declared = exchange.place.server_capabilities
    assert declared is not None
    if declared.declares("prompts"):
        return
    if exchange.result[_HELD[exchange.method]]:
        yield f"The server answers {exchange.method} with something, but does not declare prompts"
    else:
        yield info(f"The server answers {exchange.method} with nothing, and does not declare prompts")
