"""What the headers of HTTP say."""

from mcptest.compliance.kit import HttpExchange, Inconclusive
from mcptest.wire.frame import PARTIAL

EVENT_STREAM, JSON = "text/event-stream", "application/json"
# A gateway or an early check may say these before the server looks at the rest of a request.
FIRST_LINE = frozenset({401, 403, 407, 421, 429})


def media_ranges(value: str | None) -> dict[str, float]:
    """The types that an Accept header lists, in lower case, each with its weight."""
    found: dict[str, float] = {}
    for part in (value or "").split(","):
        name, *parameters = (word.strip().lower() for word in part.split(";"))
        weight = 1.0
        for parameter in parameters:
            key, _, text = parameter.partition("=")
            if key.strip() == "q":
                try:
                    weight = float(text)
                except ValueError:
                    weight = 1.0
        if name:
            found[name] = max(weight, found.get(name, 0.0))
    return found


def accepts(ranges: dict[str, float], media: str) -> str | None:
    """How a type is accepted: by its name, only by a wildcard (which is returned), or not at all (None)."""
    if media in ranges:
        return media if ranges[media] > 0 else None
    for wildcard in (media.partition("/")[0] + "/*", "*/*"):
        if ranges.get(wildcard, 0) > 0:
            return wildcard
    return None


def carries(exchange: HttpExchange, kind: str) -> bool:
    return any(message.kind == kind for message in exchange.sent)


def opens(exchange: HttpExchange) -> bool:
    """Does it carry an initialize request?"""
    return any(message.method == "initialize" for message in exchange.sent)


def text_of(exchange: HttpExchange) -> str:
    """What the response says, in lower case, as far as that helps to guess why a request was refused."""
    return (exchange.answer_body or b"")[:4096].decode("utf-8", "replace").lower()


def error_code(exchange: HttpExchange) -> int | None:
    """The code of the JSON-RPC error that a response consists of, or that its stream carries."""
    for message in exchange.received:
        code = message.error.get("code")
        if type(code) is int:
            return code
    body = exchange.answer_json
    error = body.get("error") if type(body) is dict else None
    code = error.get("code") if type(error) is dict else None
    return code if type(code) is int else None


def rely_on_answer(exchange: HttpExchange) -> None:
    """Call before remarking on what a response does not say."""
    if not exchange.ended or exchange.answer_flags & PARTIAL:
        raise Inconclusive("the response was not captured to its end")
