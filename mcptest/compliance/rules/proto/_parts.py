"""What several rules of this family look at."""

from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import (
    CLIENT,
    SERVER,
    Exchange,
    Message,
    Part,
    Remarks,
    a,
    inside,
    pointer,
    remark,
    requests,
    results,
)
from mcptest.protocol import CLIENT_CAPABILITIES, HANDSHAKE_REVISIONS, PROTOCOL_VERSION

SECOND = 1_000_000_000
_DECLARED = pointer("params", "_meta", CLIENT_CAPABILITIES)


def claimed(message: Message) -> str | None:
    """The version that a request says it is made in, as the stateless era asks."""
    version = message.meta.get(PROTOCOL_VERSION)
    return version if type(version) is str else None


def well_formed(message: Message) -> bool:
    """Does it say all that a request of the stateless era must say?"""
    return is_json_rpc(message) and says_its_meta(message)


def says_its_meta(message: Message) -> bool:
    return claimed(message) is not None and type(message.meta.get(CLIENT_CAPABILITIES)) is dict


def is_json_rpc(message: Message) -> bool:
    return message.body is not None and message.body.get("jsonrpc") == "2.0"


def is_stateless(message: Message) -> bool:
    """Does the request itself say that it is of the stateless era?"""
    version = claimed(message)
    return message.modern and version is not None and not shakes_hands(version)


def shakes_hands(version: Any) -> bool:
    """Is it a version that a handshake can settle on?"""
    return version in HANDSHAKE_REVISIONS


def texts(value: Any) -> list[str] | None:
    """A list of strings, or None where it is something else."""
    return value if type(value) is list and all(type(one) is str for one in value) else None


def implementation(value: Any, at: str) -> Remarks:
    """What is wrong with a `clientInfo` or `serverInfo`."""
    name = at.rpartition("/")[2]
    if type(value) is not dict:
        yield remark(f"{name} is {a(value)}, not an object" if value is not None else f"{name} is missing", at)
        return
    for key in ("name", "version"):
        if key not in value:
            yield remark(f"{name} has no {key}", at)
        elif type(value[key]) is not str:
            yield remark(f"{name}.{key} is {a(value[key])}, not a string", f"{at}/{key}")


def _by_client(request: Message) -> Iterator[Part]:
    if request.method == "initialize":
        yield Part("capabilities", "the client", request.params.get("capabilities"), request, "/params/capabilities")
    elif request.modern and CLIENT_CAPABILITIES in request.meta:
        yield Part("capabilities", "the client", request.meta[CLIENT_CAPABILITIES], request, _DECLARED)


def _by_server(exchange: Exchange) -> Iterator[Part]:
    if exchange.answer is not None:
        value = exchange.result.get("capabilities")
        yield Part("capabilities", "the server", value, exchange.answer, "/result/capabilities")


# The capabilities that a side declares, each time it does.
declarations = (
    inside(requests().of(CLIENT), _by_client, "declarations"),
    inside(results("initialize", "server/discover").of(SERVER), _by_server, "declarations"),
)


def news(part: Part, told: dict[str, str]) -> bool:
    """Is this declared for the first time? A client of the stateless era repeats itself with each request."""
    if type(part.value) is not dict:
        return False
    text = repr(part.value)
    if told.get(part.sender) == text:
        return False
    told[part.sender] = text
    return True
