"""A session's id consists of visible ASCII characters."""

from mcptest.compliance.kit import HttpExchange, Remarks, http_responses, warning

ID = "TRANSPORT-HTTP-014"
ON = http_responses()._replace(noun="session ids")


def applies(exchange: HttpExchange) -> bool:
    return exchange.mcp and exchange.assigned is not None


def check(exchange: HttpExchange) -> Remarks:
    assert exchange.response is not None
    for name, value in exchange.response.headers:
        if name.lower() != b"mcp-session-id":
            continue
        strange = [byte for byte in value if not 0x21 <= byte <= 0x7E]
        if strange:
            yield f"The session id has the byte 0x{strange[0]:02x}"
        elif not value:
            yield warning("The session id is empty")
