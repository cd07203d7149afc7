"""A server answers with the version that was asked for if it supports it, or else with another one.

Whether it supports the version that it did not take is only known where it said so when it was discovered; otherwise
another version than the one asked for remains open, unless nobody could support that one. A version that was never
published is warned about, and so is an error in place of another offer. A server that knows the stateless era only may
refuse the handshake (PROTO-045), and one that has shaken hands already another one.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Inconclusive, Remarks, answers, remark, warning
from mcptest.compliance.rules.proto._parts import shakes_hands
from mcptest.protocol import REVISIONS, errors

ID = "PROTO-007"
ON = answers("initialize").of(SERVER)
_PUBLISHED = {*REVISIONS, "2024-10-07"}


def applies(exchange: Exchange, context: Context) -> bool:
    if type(exchange.params.get("protocolVersion")) is not str:
        return False
    if exchange.error:
        again = exchange.known.negotiated is not None
        return not again and not context.history.modern_server and _about_version(exchange)
    return type(exchange.result.get("protocolVersion")) is str


def check(exchange: Exchange) -> Remarks:
    asked = exchange.params["protocolVersion"]
    if exchange.error:
        yield warning(f"The server refuses {asked[:40]!r} and offers no other version", "/error")
        return
    offered = exchange.result["protocolVersion"]
    at = "/result/protocolVersion"
    if offered not in _PUBLISHED and not offered.lower().startswith("draft"):
        yield warning(f"{offered[:40]!r} is no version of the protocol", at)
    if offered == asked or not shakes_hands(asked):
        return
    known = exchange.known.versions
    if known is None:
        raise Inconclusive(f"nothing shows whether the server supports {asked}")
    if asked in known:
        yield remark(f"The server says that it supports {asked}, and answers with {offered[:40]!r}", at)


def _about_version(exchange: Exchange) -> bool:
    text = exchange.error.get("message")
    return exchange.code == errors.INVALID_PARAMS or (type(text) is str and "version" in text.lower())
