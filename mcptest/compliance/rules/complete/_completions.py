"""What a server offers to complete an argument with."""

from typing import Any

from mcptest.compliance.kit import Exchange


def completion(exchange: Exchange) -> dict[str, Any]:
    found = exchange.result.get("completion")
    return found if type(found) is dict else {}


def values(exchange: Exchange) -> list[Any] | None:
    found = completion(exchange).get("values")
    return found if type(found) is list else None
