"""Results that may be kept, and the hints in them."""

import orjson

from mcptest.compliance.kit import SERVER, Exchange, Message, inside, results

METHODS = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
LISTS = METHODS[1:5]


def complete(exchange: Exchange) -> bool:
    """Is it what was asked for, in the era that has hints, and no question back?"""
    assert exchange.answer is not None
    assert exchange.answer.body is not None
    whole = type(exchange.answer.body.get("result")) is dict
    return exchange.modern and whole and exchange.result.get("resultType", "complete") == "complete"


def _complete(exchange: Exchange) -> tuple[Exchange, ...]:
    return (exchange,) if complete(exchange) else ()


CACHEABLE = inside(results(*METHODS).of(SERVER), _complete, "results that may be cached")


def request_key(message: Message) -> tuple[str, bytes]:
    """What is asked for, whoever asks."""
    asked = {name: value for name, value in message.params.items() if name != "_meta"}
    return message.name, orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)
