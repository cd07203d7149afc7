"""A request in a version that the server does not implement is refused with -32022.

The error's data has the list `supported` and, as `requested`, the version that was sent. That a server does not
implement a version is known from what it said when it was discovered, or in an earlier error of this kind. Versions
that have a handshake are left alone, and so are requests that may have been refused for another fault. Judged only if
the server has shown that it knows the stateless era.
"""

from mcptest.compliance import shapes
from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Context,
    Exchange,
    Inconclusive,
    Remarks,
    answers,
    modern_server,
    refusals,
    remark,
)
from mcptest.compliance.rules.proto._parts import claimed, shakes_hands, texts, well_formed
from mcptest.protocol import errors, methods_of

ID = "PROTO-036"
ON = answers().of(SERVER)._replace(noun="answers to requests in unsupported versions")
WATCH = refusals().of(SERVER)
PROVIDED = modern_server
MEMORY = dict[str, list[str]]


def watch(exchange: Exchange, context: Context) -> None:
    data = exchange.error.get("data")
    if exchange.code == errors.UNSUPPORTED_PROTOCOL_VERSION and type(data) is dict:
        versions = texts(data.get("supported"))
        if versions and claimed(exchange.request) not in versions:
            context.memory["supported"] = versions


def applies(exchange: Exchange, context: Context) -> bool:
    request, version = exchange.request, claimed(exchange.request)
    if version is None or not well_formed(request) or request.method == "initialize":
        return False
    if exchange.code == errors.UNSUPPORTED_PROTOCOL_VERSION:
        return True
    supported = exchange.known.versions or context.memory.get("supported")
    return bool(supported) and version not in supported and not shakes_hands(version)


def check(exchange: Exchange) -> Remarks:
    version = claimed(exchange.request)
    assert version is not None
    if exchange.code == errors.UNSUPPORTED_PROTOCOL_VERSION:
        data = exchange.error.get("data")
        members = data if type(data) is dict else {}
        if texts(members.get("supported")) is None:
            yield remark("-32022 comes without data.supported, a list of strings", "/error")
        if members.get("requested") != version:
            yield remark(f"-32022 comes without data.requested, which is {version[:40]!r}", "/error")
        return
    if _other_fault(exchange):
        raise Inconclusive("the request may have been refused for another fault")
    did = f"refused with {exchange.error.get('code')}" if exchange.error else "served"
    yield f"A request in the version {version[:40]!r}, which the server does not support, was {did}"


def _other_fault(exchange: Exchange) -> bool:
    request, code = exchange.request, exchange.code
    if code == errors.HEADER_MISMATCH:
        return True
    if code == errors.METHOD_NOT_FOUND:
        return request.name not in methods_of(request.revision, "request", CLIENT)
    return code == errors.INVALID_PARAMS and bool(
        shapes.problems(request.revision, CLIENT, request.name, "request", request.params)
    )
