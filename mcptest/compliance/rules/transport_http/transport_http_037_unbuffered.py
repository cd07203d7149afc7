"""A stream of events asks proxies not to hold it back: `X-Accel-Buffering: no`.

Where a proxy is in sight it may have taken the header away; then it is only mentioned.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_responses, info, warning

ID = "TRANSPORT-HTTP-037"
ON = http_responses("POST")._replace(noun="streams")
_PROXIES = ("nginx", "cloudflare", "envoy", "caddy", "traefik", "haproxy", "varnish", "awselb", "openresty", "gws")


def applies(exchange: HttpExchange) -> bool:
    return exchange.streams and exchange.mcp


def check(exchange: HttpExchange) -> Remarks:
    if (exchange.answer_header("x-accel-buffering") or "").strip().lower() == "no":
        return
    server = (exchange.answer_header("server") or "").lower()
    proxied = exchange.answer_header("via") is not None or any(name in server for name in _PROXIES)
    yield (info if proxied else warning)("The stream is sent without X-Accel-Buffering: no")
