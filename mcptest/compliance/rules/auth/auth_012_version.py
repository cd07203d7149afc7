"""MCP-Protocol-Version is sent with requests for the authorization server's metadata."""

from mcptest.compliance.kit import HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import server_requests

ID = "AUTH-012"
ON = server_requests


def check(exchange: HttpExchange) -> Remarks:
    if exchange.header("mcp-protocol-version") is None:
        yield "The request for metadata has no MCP-Protocol-Version"
