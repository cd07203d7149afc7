"""-32022 is about a version that the server does not support.

It fails if the version that was refused is in the list that comes with the error, and is warned about if it is in what
the server said when it was discovered. Versions that have a handshake may be listed and still be refused without one:
they are mentioned.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, info, refusals, remark, warning
from mcptest.compliance.rules.proto._parts import claimed, shakes_hands, texts
from mcptest.protocol import errors

ID = "PROTO-050"
ON = refusals().of(SERVER)._replace(noun="refusals of a version")


def applies(exchange: Exchange) -> bool:
    return exchange.modern and exchange.code == errors.UNSUPPORTED_PROTOCOL_VERSION


def check(exchange: Exchange) -> Remarks:
    data = exchange.error.get("data")
    members = data if type(data) is dict else {}
    supported = texts(members.get("supported")) or []
    refused = (members.get("requested"), claimed(exchange.request))
    for version in dict.fromkeys(one for one in refused if type(one) is str):
        say = info if shakes_hands(version) else remark
        if version in supported:
            yield say(f"The server refuses {version[:40]!r} and lists it as supported", "/error/data/supported")
        elif version in (exchange.known.versions or ()):
            say = info if shakes_hands(version) else warning
            yield say(f"The server refuses {version[:40]!r}, which it listed when it was discovered", "/error")
