"""A demanding conversation with fixtures/servers/booking.py: the server asks back, calls overlap, one is cancelled,
and a secret is sent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, types

from tests.e2e.conversation import plain, server

BOOKING = [sys.executable, str(Path(__file__).parents[2] / "fixtures" / "servers" / "booking.py")]
SECRET = "ghp_" + "a1B2" * 9


async def elicit(_context: Any, _params: Any) -> Any:
    return types.ElicitResult(action="accept", content={"seats": 2})


async def sample(_context: Any, _params: Any) -> Any:
    content = types.TextContent(type="text", text="a fine place")
    return types.CreateMessageResult(role="assistant", content=content, model="none", stop_reason="endTurn")


async def roots(_context: Any) -> Any:
    return types.ListRootsResult(roots=[types.Root(uri="file:///bookings", name="bookings")])


async def with_booking(target: list[str] | str, mode: str) -> dict[str, Any]:
    said: dict[str, Any] = {}

    async def keep(client: Client, key: str, name: str, arguments: dict[str, Any]) -> None:
        said[key] = plain(await client.call_tool(name, arguments))

    with anyio.fail_after(60):
        async with Client(
            server(target), mode=mode, elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots
        ) as client:
            await client.list_tools()
            await keep(client, "reserved", "reserve", {"city": "Rome"})
            await keep(client, "signed in", "sign_in", {"api_key": SECRET, "user": "Ada"})
            with anyio.move_on_after(0.2):
                await client.call_tool("wait", {"seconds": 30})
            async with anyio.create_task_group() as group:
                for number in range(4):
                    seconds = 0.05 * (4 - number)
                    group.start_soon(keep, client, f"waited {number}", "wait", {"seconds": seconds})
            if mode != "legacy":
                async with client.listen(tools_list_changed=True) as news:
                    await keep(client, "refurbished", "refurbish", {})
                    said["news"] = type(await anext(aiter(news))).__name__
            await keep(client, "reserved again", "reserve", {"city": "Oslo"})
    return said
