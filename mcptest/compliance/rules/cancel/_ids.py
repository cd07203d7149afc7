"""Cancellations as the rules of this family look at them."""

from __future__ import annotations

from mcptest.compliance.kit import Id, Message, identify, notifications
from mcptest.protocol.methods import CANCELLED

CANCELLATIONS = notifications(CANCELLED)._replace(noun="cancellations")


def request_id(message: Message) -> Id | None:
    """What a cancellation names, if that can be an id."""
    value = message.params.get("requestId")
    if type(value) not in (str, int, float):
        return None
    return identify(value, message.raw, ("params", "requestId"))
