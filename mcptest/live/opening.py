"""How a conversation opens: by discovery in the stateless era, by a handshake before it.

Whoever does not say which revision to speak gets the newest that the server speaks: discovery is tried first, and
whatever comes of it that is no discovery (an error of any code, silence) leads to the handshake.
"""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from mcptest.errors import TargetError, UsageError
from mcptest.protocol import HANDSHAKE_REVISIONS, REVISIONS, STATELESS_REVISIONS, methods
from mcptest.transport import Answer, Peer

INITIALIZED = "notifications/initialized"
# A late answer to discovery must not be taken for one to the handshake.
DISCOVERY_ID, HANDSHAKE_ID = "mcptest-discovery", "mcptest-handshake"
_DISCOVERY = (
    10.0  # seconds until the handshake is tried as well: a server that knows no discovery may not answer at all
)


class Opening(NamedTuple):
    """What both sides know of each other: `revision` is the one spoken, `answer` the whole result that opened it,
    `refused` what discovery was answered with where it was tried in vain."""

    revision: str
    capabilities: dict[str, Any]
    server: dict[str, Any]
    answer: dict[str, Any]
    refused: str | None = None

    @property
    def is_stateless(self) -> bool:
        return self.revision in STATELESS_REVISIONS


class NoDiscovery(Exception):  # noqa: N818  (not an error: most servers know none)
    """The server does not speak the stateless era, as far as its answer tells."""


def meta(revision: str, client: dict[str, Any], capabilities: dict[str, Any]) -> dict[str, Any]:
    """What every request of the stateless era says of its sender."""
    return {
        methods.PROTOCOL_VERSION: revision,
        methods.CLIENT_INFO: client,
        methods.CLIENT_CAPABILITIES: capabilities,
    }


def known(revision: str) -> str:
    """The revision's bare date; UsageError if there is none of that name."""
    bare = revision.removeprefix("v")
    if bare == "draft":
        return STATELESS_REVISIONS[-1]
    if bare not in REVISIONS:
        raise UsageError(f"unknown revision {revision!r}: the revisions are {', '.join(REVISIONS)}")
    return bare


async def ask_discovery(
    peer: Peer, revision: str, client: dict[str, Any], capabilities: dict[str, Any]
) -> asyncio.Future[Answer]:
    params = {"_meta": meta(revision, client, capabilities)}
    message = {"jsonrpc": "2.0", "id": DISCOVERY_ID, "method": methods.DISCOVER, "params": params}
    return await peer.begin(message)


def discovered(answer: Answer, revision: str) -> Opening:
    """The opening that an answer to discovery makes; NoDiscovery if it makes none."""
    result = answer.body.get("result")
    if type(result) is not dict or type(result.get("supportedVersions")) is not list:
        raise NoDiscovery(said(answer))
    spoken = [one for one in STATELESS_REVISIONS if one in result["supportedVersions"]]
    if revision not in spoken:
        if not spoken:
            raise NoDiscovery(f"it supports {', '.join(map(str, result['supportedVersions'])) or 'nothing'}")
        revision = spoken[-1]
    server = _object(_object(result.get("_meta")).get(methods.SERVER_INFO))
    return Opening(revision, _object(result.get("capabilities")), server, result)


async def discover(
    peer: Peer, revision: str, client: dict[str, Any], capabilities: dict[str, Any], timeout: float
) -> Opening:
    asked = await ask_discovery(peer, revision, client, capabilities)
    try:
        async with asyncio.timeout(timeout):
            return discovered(await asked, revision)
    except TimeoutError:
        raise NoDiscovery(f"nothing within {timeout:g} s") from None


async def open_newest(
    peer: Peer, client: dict[str, Any], capabilities: dict[str, Any], timeout: float, *, stay: bool = True
) -> tuple[Opening, bool]:
    """By discovery if the server knows it, else by the handshake; and whether discovery was never answered. A server
    may be slow to start: that it is silent for a while does not mean that it knows no discovery. Unless we `stay`, a
    server that knows none raises NoDiscovery as soon as that is certain."""
    newest = STATELESS_REVISIONS[-1]
    asked = await ask_discovery(peer, newest, client, capabilities)
    await asyncio.wait({asked}, timeout=min(timeout, _DISCOVERY))
    if asked.done():
        try:
            return discovered(asked.result(), newest), False
        except NoDiscovery as none:
            if not stay:
                raise
            opening = await shake_hands(peer, HANDSHAKE_REVISIONS[-1], client, capabilities, timeout)
            return opening._replace(refused=str(none)), False
    shaking = asyncio.ensure_future(shake_hands(peer, HANDSHAKE_REVISIONS[-1], client, capabilities, timeout))
    refused: str | None = None
    try:
        either: set[asyncio.Future[Any]] = {asked, shaking}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            try:
                return discovered(asked.result(), newest), False
            except NoDiscovery as none:
                refused = str(none)
        opening = (await shaking)._replace(refused=refused or "no answer")
    finally:
        shaking.cancel()
    if not stay:
        raise NoDiscovery(opening.refused)
    return opening, refused is None


async def shake_hands(
    peer: Peer, revision: str, client: dict[str, Any], capabilities: dict[str, Any], timeout: float
) -> Opening:
    params = {"protocolVersion": revision, "capabilities": capabilities, "clientInfo": client}
    message = {"jsonrpc": "2.0", "id": HANDSHAKE_ID, "method": methods.INITIALIZE, "params": params}
    try:
        answer = await peer.ask(message, timeout)
    except TimeoutError:
        raise TargetError(f"the server did not answer initialize within {timeout:g} s") from None
    result = answer.body.get("result")
    if type(result) is not dict:
        raise TargetError(f"the server refused initialize with protocolVersion {revision}: {said(answer)}")
    spoken = result.get("protocolVersion")
    if spoken not in HANDSHAKE_REVISIONS:
        raise TargetError(f"the server answered initialize with protocolVersion {spoken!r}, which nobody can speak")
    await peer.tell({"jsonrpc": "2.0", "method": INITIALIZED})
    return Opening(spoken, _object(result.get("capabilities")), _object(result.get("serverInfo")), result)


async def take_back(peer: Peer) -> None:
    """Cancel a discovery that was not answered though the server talks: it does not know what it was asked."""
    params = {"requestId": DISCOVERY_ID, "reason": "no answer"}
    await peer.tell({"jsonrpc": "2.0", "method": methods.CANCELLED, "params": params})


def said(answer: Answer) -> str:
    error = answer.body.get("error")
    if type(error) is dict:
        code, message = error.get("code"), str(error.get("message"))[:200]
        if message.startswith(f"HTTP {code}"):  # what the transport makes of a status
            wrong = " (is this the URL of its MCP endpoint? HTTP+SSE is not spoken here)" if code in (404, 405) else ""
            return message + wrong
        return f"{code} {message}"
    return "an answer of another shape"


def _object(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}
