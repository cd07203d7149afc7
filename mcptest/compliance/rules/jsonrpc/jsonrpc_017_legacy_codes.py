"""New code keeps out of the error codes from -32019 to -32000.

Implementations filled that band before the specification set codes aside. -32002 is judged by JSONRPC-016. A server
that also speaks the older revisions in this session is only told so. Judged only if the server has shown that it
knows the stateless era.
"""

from mcptest.compliance.kit import Exchange, Remarks, info, modern_server, refusals, remark
from mcptest.protocol import errors

ID = "JSONRPC-017"
ON = refusals()
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    return exchange.code is not None and exchange.code != errors.RESOURCE_NOT_FOUND


def check(exchange: Exchange) -> Remarks:
    if exchange.code in errors.LEGACY:
        say = info if exchange.known.negotiated is not None else remark
        yield say(f"The error code {exchange.code} is in the band of older implementations", "/error/code")
