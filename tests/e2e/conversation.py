"""One conversation of the SDK's client with a server, as plain values that two runs can be compared by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters, types


def plain(value: Any) -> Any:
    return None if value is None else value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def elicit(_context: Any, params: Any) -> Any:
    return types.ElicitResult(action="accept", content={"unit": "celsius"})


def server(command: list[str] | Any, cwd: Path | None = None) -> Any:
    """What a client takes: a command line is for stdio, anything else a target already."""
    return StdioServerParameters(command=command[0], args=command[1:], cwd=cwd) if type(command) is list else command


async def with_weather(command: list[str] | Any, mode: str) -> dict[str, Any]:
    """Everything that fixtures/servers/weather.py offers, once."""
    said: dict[str, Any] = {}
    progress: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total, message))

    with anyio.fail_after(60):
        async with Client(server(command), mode=mode, elicitation_callback=elicit) as client:
            said["server"] = plain(client.server_info)
            said["revision"] = client.protocol_version
            said["tools"] = plain(await client.list_tools())
            said["forecast"] = plain(await client.call_tool("forecast", {"city": "Berlin", "days": 2}))
            said["fail"] = plain(await client.call_tool("fail", {"reason": "no weather today"}))
            said["survey"] = plain(
                await client.call_tool("survey", {"cities": ["Berlin", "Paris", "Rome"]}, progress_callback=note)
            )
            try:
                said["convert"] = plain(await client.call_tool("convert", {"celsius": 21.5}))
            except MCPError as error:  # in the stateless era the server cannot ask back in this way
                said["convert"] = plain(error.error)
            said["resources"] = plain(await client.list_resources())
            said["templates"] = plain(await client.list_resource_templates())
            said["stations"] = plain(await client.read_resource("weather://stations"))
            said["prompts"] = plain(await client.list_prompts())
            said["prompt"] = plain(await client.get_prompt("summary", {"city": "Berlin"}))
    said["progress"] = progress
    return said


async def with_any(
    command: list[str] | Any, calls: list[tuple[str, dict[str, Any]]], mode: str = "auto"
) -> dict[str, Any]:
    """The catalogue of a server and some calls to it."""
    said: dict[str, Any] = {}
    with anyio.fail_after(60):
        async with Client(server(command), mode=mode) as client:
            said["server"] = plain(client.server_info)
            said["tools"] = plain(await client.list_tools())
            for name, arguments in calls:
                said[name] = plain(await client.call_tool(name, arguments))
    return said
