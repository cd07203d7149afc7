"""A request from a web page of somebody else's is refused.

Which origins a server lets in does not show in its traffic. So judged are only those that nobody lets in, in the
domains that are set aside for examples and tests, and whether they are served by a server on this machine.
`expect.status` is the status that the refusal must have, null where any will do; another one may be an earlier check's.
"""

from urllib.parse import urlsplit

from mcptest.compliance.kit import Context, HttpExchange, Inconclusive, Remarks, http_responses

ID = "TRANSPORT-HTTP-035"
ON = http_responses("GET", "POST", "DELETE")
EXPECT = {"status"}
_NOBODYS = (".example", ".invalid", ".test", "example.com", "example.net", "example.org")
_LOOPBACK = ("localhost", "127.", "[::1]")


def applies(exchange: HttpExchange, context: Context) -> bool:
    is_mcp = exchange.mcp or context.history.transport == "sse"
    return is_mcp and bool(exchange.header("origin")) and exchange.header("origin") != "null"


def check(exchange: HttpExchange, context: Context) -> Remarks:
    origin, status, wanted = exchange.header("origin") or "", exchange.status or 0, context.expect["status"]
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        host = ""
    if status == wanted or (wanted is None and 400 <= status < 500):
        return
    if not host.endswith(_NOBODYS) or not exchange.host.startswith(_LOOPBACK):
        if exchange.ok:
            raise Inconclusive("which origins the server lets in does not show")
        return
    if exchange.ok:
        yield f"A request from the origin {origin[:80]!r} is served"
    else:
        raise Inconclusive(f"the answer is {status}, which may have another reason")
