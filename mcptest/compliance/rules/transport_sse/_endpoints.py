"""Where a server of HTTP+SSE wants messages to be sent."""

from urllib.parse import unquote, urljoin, urlsplit

from mcptest.compliance.kit import HttpExchange, SseEvent


class Endpoints:
    """The addresses that were announced, each with the stream that did."""

    def __init__(self) -> None:
        self.by_target: dict[tuple[str, str], HttpExchange] = {}

    def note(self, event: SseEvent) -> None:
        target = resolve(event)
        if target is not None and len(self.by_target) < 1000:
            self.by_target[target] = event.http

    def announced(self, exchange: HttpExchange) -> HttpExchange | None:
        """The stream that announced the address of this request. Secrets in a query may have been replaced in one of
        the two places only, so then the path alone counts."""
        path, query = split(exchange.target)
        for (known, wanted), stream in self.by_target.items():
            if known == path and (wanted == query or "redacted-" in wanted + query):
                return stream
        return None


def resolve(event: SseEvent) -> tuple[str, str] | None:
    """The path and the query that an endpoint event names; None if it names none."""
    text = (event.fields.data or b"").decode("utf-8", "replace").strip()
    if not text or any(char.isspace() or char in '<>{}"' for char in text):
        return None
    try:
        return split(urljoin(f"http://any{event.http.target}", text))
    except ValueError:
        return None


def split(target: str) -> tuple[str, str]:
    try:
        parts = urlsplit(target)
    except ValueError:
        return target, ""
    return unquote(parts.path), parts.query
