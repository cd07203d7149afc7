"""A real recording of fixtures/servers/plain.py, made through `mcptest record`, and replays of it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from mcptest.capture import Place, journals, locate
from mcptest.replay import Recording, Replayed, read, regress
from mcptest.transport import Ears, Patience, Peer, Target, connect
from mcptest.transport.target import command
from mcptest.wire import Frame
from tests.proxy.wrapped import wait_until

SERVERS = Path(__file__).parents[2] / "fixtures" / "servers"
PLAIN = [sys.executable, str(SERVERS / "plain.py")]
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "tester", "version": "1"},
}


def changed(change: str) -> Target:
    return command([*PLAIN, change])


class User(Ears):
    """Accepts whatever it is asked."""

    def asked(self, message: dict[str, Any]) -> dict[str, Any] | None:
        return {"result": {"action": "accept", "content": {"unit": "celsius"}}}


class Caller:
    """Requests with ids of their own."""

    def __init__(self, peer: Peer) -> None:
        self._peer, self._id = peer, 0

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._id += 1
        answer = await self._peer.ask({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}, 30)
        return answer.body

    async def call(self, tool: str, meta: dict[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
        more = {"_meta": meta} if meta else {}
        return await self.ask("tools/call", name=tool, arguments=arguments, **more)

    async def initialize(self) -> None:
        await self.ask("initialize", **INITIALIZE)
        await self._peer.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})


async def everything(peer: Peer) -> None:
    """All that plain.py can do, once; some of it with values that it gave before."""
    client = Caller(peer)
    await client.initialize()
    await client.ask("tools/list")
    await client.call("look", city="Berlin")
    await client.call("cities")
    await client.call("fail", reason="rain")
    await client.call("survey", meta={"progressToken": "t-1"}, steps=3)
    await client.call("ask")
    note = await client.call("create_note", text="buy an umbrella")
    await client.call("read_note", id=note["result"]["structuredContent"]["id"])
    page = await client.ask("resources/list")
    page = await client.ask("resources/list", cursor=page["result"]["nextCursor"])
    await client.ask("resources/list", cursor=page["result"]["nextCursor"])
    await client.ask("resources/read", uri="plain://city/1")
    await client.ask("prompts/list")
    await client.ask("prompts/get", name="summary", arguments={"city": "Berlin"})
    await client.call("nonsense")
    await client.call("picture")
    await client.ask("ping")


def place_in(folder: Path) -> Place:
    return locate(folder / "capture")


def record(folder: Path, talk: Any = everything, server: list[str] = PLAIN) -> list[Frame]:
    """Talk to a server through the recorder; the frames of the session."""
    place = place_in(folder)
    wrapped = [sys.executable, "-m", "mcptest", "record", "--capture", str(place.database), "--", *server]

    async def scene() -> None:
        async with connect(command(wrapped), ears=User(), patience=Patience(end=30)) as peer:
            await talk(peer)

    asyncio.run(scene())
    # The wrapper does not wait for its recorder, which may be slow on a busy machine.
    assert wait_until(lambda: any(not journals.is_live(one) for one in journals.find(place.journals)))
    (journal,) = journals.find(place.journals)
    return [frame for stretch in journals.read(journal) for frame in stretch.frames]


def replay(recording: Recording, target: Target, **options: Any) -> Replayed:
    return asyncio.run(regress(recording, target, **options))


def played(frames: list[Frame]) -> Recording:
    return read(frames)
