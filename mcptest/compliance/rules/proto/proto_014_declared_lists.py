"""A server serves what it declares: tools, resources and prompts can be listed.

The list may be empty. -32601 or no answer at all breaks the rule, any other error leaves it open. The same is asked,
with a warning at most, of `completion/complete` and, until 2025-11-25, of `logging/setLevel`.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, exchanges, remark, warning
from mcptest.compliance.rules.proto._parts import well_formed
from mcptest.protocol import errors

ID = "PROTO-014"
_LISTS = {"tools/list": "tools", "resources/list": "resources", "prompts/list": "prompts"}
_OTHERS = {"completion/complete": "completions", "logging/setLevel": "logging"}
_NEEDS = {**_LISTS, **_OTHERS}
ON = exchanges(*_NEEDS).of(SERVER)._replace(noun="requests for declared features")


def applies(exchange: Exchange) -> bool:
    request = exchange.request
    if exchange.answer is None and exchange.cancelled is not None:
        return False
    if request.modern and (exchange.method == "logging/setLevel" or not well_formed(request)):
        return False
    declared = request.server_capabilities
    return declared is not None and declared.declares(_NEEDS[exchange.method])


def check(exchange: Exchange, context: Context) -> Remarks:
    say = remark if exchange.method in _LISTS else warning
    what = f"The server declares {_NEEDS[exchange.method]}"
    if exchange.answer is None:
        if context.unanswered(exchange):
            yield say(f"{what} and did not answer {exchange.method}")
    elif exchange.code == errors.METHOD_NOT_FOUND:
        yield say(f"{what} and does not know {exchange.method}", "/error/code")
    elif exchange.error:
        raise Inconclusive(f"{exchange.method} was refused with {exchange.error.get('code')}")
