"""A longer conversation of the SDK's client with any server, over stdio or HTTP, as plain values to compare."""

from __future__ import annotations

from typing import Any

import anyio
from mcp import Client, MCPError, types

from tests.e2e.conversation import plain, server

Calls = list[tuple[str, dict[str, Any]]]


async def elicit(_context: Any, params: Any) -> Any:
    if getattr(params, "mode", "form") == "url":
        return types.ElicitResult(action="decline")
    return types.ElicitResult(action="accept", content={"name": "Ada", "check": True})


async def sample(_context: Any, _params: Any) -> Any:
    content = types.TextContent(type="text", text="a sampled answer")
    return types.CreateMessageResult(role="assistant", content=content, model="none", stop_reason="endTurn")


async def roots(_context: Any) -> Any:
    return types.ListRootsResult(roots=[types.Root(uri="file:///nowhere", name="nowhere")])


async def say_everything(
    target: list[str] | str,
    calls: Calls,
    reads: tuple[str, ...] = (),
    prompts: tuple[tuple[str, dict[str, str]], ...] = (),
    mode: str = "auto",
) -> list[Any]:
    """What the client got, in order."""
    said: list[Any] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        said.append(["progress", done, total, message])

    async def keep(what: Any) -> None:
        try:
            said.append(plain(await what))
        except MCPError as error:
            said.append(plain(error.error))

    where = target if isinstance(target, str) else server(target)
    with anyio.fail_after(120):
        async with Client(
            where, mode=mode, elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots
        ) as client:
            said.append(plain(client.server_info))
            said.append(plain(client.server_capabilities))
            await keep(client.list_tools())
            for name, arguments in calls:
                await keep(client.call_tool(name, arguments, progress_callback=progress))
            capabilities = client.server_capabilities
            if capabilities.resources is not None:
                await keep(client.list_resources())
                await keep(client.list_resource_templates())
            for uri in reads:
                await keep(client.read_resource(uri))
            if capabilities.prompts is not None:
                await keep(client.list_prompts())
            for name, given in prompts:
                await keep(client.get_prompt(name, given))
    return said
