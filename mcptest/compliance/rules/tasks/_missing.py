"""The error for clients that do not declare the extension."""

from __future__ import annotations

from mcptest.compliance.kit import SERVER, Exchange, Message
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.tasks._tasks import EXTENSION, declares
from mcptest.protocol import errors


def undeclared(request: Message) -> bool:
    """Does the request say what its client can, and not tasks?"""
    found = request.client_capabilities
    return request.modern and found is not None and not found.declares("extensions", EXTENSION)


def offered(request: Message) -> bool:
    return declares(request, SERVER, "extensions", EXTENSION) is True


def other_reason(exchange: Exchange) -> bool:
    """Was it refused for something else before that could matter?"""
    return exchange.code != errors.MISSING_CLIENT_CAPABILITY and refused_for_other_reasons(exchange)


def fault(exchange: Exchange) -> str | None:
    """What is wrong with an answer that should be -32021, with the extension in its data."""
    if not exchange.error:
        return f"The request does not declare {EXTENSION}, and is served instead of refused with -32021"
    if exchange.code != errors.MISSING_CLIENT_CAPABILITY:
        return f"The request does not declare {EXTENSION}, and is refused with {exchange.code}, not with -32021"
    data = exchange.error.get("data")
    required = data.get("requiredCapabilities") if type(data) is dict else None
    extensions = required.get("extensions") if type(required) is dict else None
    if type(extensions) is not dict or EXTENSION not in extensions:
        return f"-32021 does not name {EXTENSION} in data.requiredCapabilities.extensions"
    return None
