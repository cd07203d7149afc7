"""Deprecated features that are used, and those that are only declared. A declaration is mentioned once a session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcptest.compliance.kit import CLIENT, SERVER, Exchange, Message, Part, inside, requests, results
from mcptest.compliance.rules._asks import ASKING, inputs
from mcptest.protocol import CLIENT_CAPABILITIES

ASKED = inside(results(*ASKING).of(SERVER), inputs, "uses")


def _of_client(message: Message) -> Iterable[Part]:
    found = message.meta.get(CLIENT_CAPABILITIES)
    if not message.modern or type(found) is not dict:
        return ()
    return (Part("capabilities", "", found, message, "/params/_meta/" + CLIENT_CAPABILITIES.replace("/", "~1")),)


def _of_server(exchange: Exchange) -> Iterable[Part]:
    found = exchange.result.get("capabilities")
    if not exchange.modern or exchange.answer is None or type(found) is not dict:
        return ()
    return (Part("capabilities", "", found, exchange.answer, "/result/capabilities"),)


# A client says the same in each request, so it is enough to look at those that many begin with.
_OPENINGS = ("server/discover", "tools/list", "resources/list", "prompts/list")
CLIENT_DECLARES = inside(requests(*_OPENINGS).of(CLIENT), _of_client, "uses and declarations")
SERVER_DECLARES = inside(results("server/discover").of(SERVER), _of_server, "uses and declarations")


class Once:
    """Which of a session's equal declarations was seen first; the others are not counted."""

    def __init__(self) -> None:
        self._first: dict[bool, Part] = {}

    def is_first(self, declaration: Part, capability: str) -> bool:
        known = self._first.setdefault(declares(declaration.value, capability), declaration)
        return known is declaration


def declares(capabilities: Any, capability: str) -> bool:
    found = capabilities.get(capability)
    return found is not None and found is not False
