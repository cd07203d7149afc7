"""An application's own error codes lie outside of -32768 to -32000.

JSON-RPC keeps that range for itself. The standard codes, the specification's own and the band of older
implementations (JSONRPC-017) are no application's codes.
"""

from mcptest.compliance.kit import Exchange, Remarks, refusals, remark
from mcptest.protocol import errors

ID = "JSONRPC-018"
ON = refusals()


def applies(exchange: Exchange) -> bool:
    return exchange.code is not None


def check(exchange: Exchange) -> Remarks:
    code = exchange.code
    if code in errors.RESERVED and not (code in errors.STANDARD or code in errors.SPECIFIED or code in errors.LEGACY):
        yield remark(f"The error code {code} is in the range that JSON-RPC keeps for itself", "/error/code")
