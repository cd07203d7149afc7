"""A request without the `_meta` that it must have is refused with -32602.

Judged on such requests (PROTO-030) in sessions without a handshake, if the server has shown that it knows the
stateless era. A method that the server does not know may be refused as unknown, and a version that it does not know as
that.
"""

from mcptest.compliance.kit import (
    SERVER,
    Context,
    Exchange,
    Inconclusive,
    Remarks,
    answers,
    modern_server,
    remark,
)
from mcptest.compliance.rules.proto._parts import claimed, is_json_rpc, says_its_meta
from mcptest.protocol import errors

ID = "PROTO-032"
ON = answers().of(SERVER)._replace(noun="answers to requests without their _meta")
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    request = exchange.request
    bare = request.modern and not says_its_meta(request) and is_json_rpc(request) and request.method != "initialize"
    return bare and request.known.requested is None and request.id is not None and request.id.type != "null"


def check(exchange: Exchange, context: Context) -> Remarks:
    code, request = exchange.code, exchange.request
    if code == errors.INVALID_PARAMS or (code == errors.HEADER_MISMATCH and context.history.transport != "stdio"):
        return
    if code == errors.METHOD_NOT_FOUND:
        raise Inconclusive("the server does not know the method")
    if code == errors.UNSUPPORTED_PROTOCOL_VERSION and claimed(request) is not None:
        raise Inconclusive("the server does not know the version")
    if claimed(request) is None:
        context.rely_on_past()
        if context.history.transport != "stdio":
            raise Inconclusive("the request may belong to another client, of the older era")
    did = f"refused with {exchange.error.get('code')}" if exchange.error else "served"
    yield remark(f"The request {exchange.method[:80]} without its _meta was {did}, not refused with -32602")
