"""Whole conversations of the SDK's client with real servers, recorded by `mcptest record`: what rules have to leave in
peace. In the handshake era the client can be made to ask for an older revision."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import anyio
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.client import session as sdk_session
from mcp.client.stdio import stdio_client

from mcptest.capture import locate, sources
from mcptest.wire import Frame

SERVERS = Path(__file__).parents[2] / "fixtures" / "servers"
PATIENCE = 120  # seconds
STATELESS = "2026-07-28"
NO_PAGE, PROBE = "no such page", b'{"synthetic": true}'  # what we ask for on purpose is not the client's fault
SEVERAL = 5  # of what a server lists are read
EVERYTHING = types.ServerCapabilities(
    tools=types.ToolsCapability(),
    resources=types.ResourcesCapability(),
    prompts=types.PromptsCapability(),
    completions=types.CompletionsCapability(),
)

Calls = Sequence[tuple[str, dict[str, Any]]]


class Talk(NamedTuple):
    """What is said to a server beyond what it lists. `slow` is a tool whose call is taken back; `changes` one that
    changes what the client has subscribed to. `probing` adds a cursor that nobody gave out."""

    calls: Calls = ()
    slow: str | None = None
    changes: str | None = None
    probing: bool = False


ARCHIVE = Talk(
    [
        ("count", {}),
        ("show", {}),
        ("scan", {"shelves": 3}),
        ("where", {}),
        ("sum_up", {}),
        ("folders", {}),
        ("burn", {}),
        ("nonsense", {}),
    ],
    slow="wait",
    changes="change",
)
LIBRARY = Talk(
    [
        ("find", {"title": "One", "limit": 2}),
        ("find", {"limit": "many"}),
        ("cover", {}),
        ("shelves", {}),
        ("lend", {}),
        ("review", {}),
        ("rooms", {}),
        ("inventory", {"shelves": 3}),
        ("lose", {"title": "One"}),
        ("nonsense", {}),
    ],
    changes="move",
)
OWN = {"archive": ARCHIVE, "library": LIBRARY}


def record(
    folder: Path, command: Sequence[str], talk: Talk, revision: str, env: dict[str, str] | None = None
) -> list[Frame]:
    """The session's frames. `revision` is what the client speaks, or `auto`: it discovers the server, and falls back
    to a handshake."""
    capture = folder / "capture.duckdb"
    wrapped = [sys.executable, "-m", "mcptest", "record", "--capture", str(capture), "--", *command]
    mode = revision if revision in ("auto", STATELESS) else "legacy"
    target = StdioServerParameters(command=wrapped[0], args=wrapped[1:], env=env)
    with _asking_for(revision), warnings.catch_warnings(), open(os.devnull, "w", encoding="utf-8") as stderr:
        warnings.simplefilter("ignore")
        anyio.run(_say, stdio_client(target, errlog=stderr), mode, talk)
    (source,) = sources.find("last", locate(str(capture)))
    return [frame._replace(meta=PROBE) if NO_PAGE.encode() in frame.data else frame for frame in source.frames()]


@cache
def recorded(name: str, revision: str) -> tuple[Frame, ...]:
    """A session with a server of our own, recorded once for all tests of this process."""
    with TemporaryDirectory() as folder:
        return tuple(record(Path(folder), own_server(name), OWN[name], revision))


def own_server(name: str) -> list[str]:
    return [sys.executable, str(SERVERS / f"{name}.py")]


@contextmanager
def _asking_for(revision: str) -> Iterator[None]:
    """The SDK's client always asks for its newest handshake; here for another."""
    newest = sdk_session.LATEST_HANDSHAKE_VERSION
    if revision not in ("auto", STATELESS):
        sdk_session.LATEST_HANDSHAKE_VERSION = revision  # type: ignore[misc]
    try:
        yield
    finally:
        sdk_session.LATEST_HANDSHAKE_VERSION = newest  # type: ignore[misc]


# ---- what the client says


async def elicit(_: Any, params: Any) -> Any:
    """Fills in a form with the first thing that fits each field, as far as every revision with forms can say it."""
    if getattr(params, "mode", "form") == "url":
        return types.ElicitResult(action="decline")
    fields = params.requested_schema.get("properties", {})
    content = {name: _value(field) for name, field in fields.items() if field.get("type") != "array"}
    return types.ElicitResult(action="accept", content=content)


def _value(field: dict[str, Any]) -> Any:
    options = field.get("enum") or [one["const"] for one in field.get("oneOf", ())]
    if options:
        return options[0]
    match field.get("type"):
        case "boolean":
            return True
        case "integer" | "number":
            return max(field.get("minimum", 1), 1)
    formats = {"email": "a@example.org", "uri": "https://example.org", "date": "2026-01-01"}
    default = "x" * max(field.get("minLength", 1), 1)
    return formats.get(field.get("format", ""), "2026-01-01T00:00:00Z" if "format" in field else default)


async def sample(_: Any, __: Any) -> Any:
    content = types.TextContent(type="text", text="a sampled answer")
    return types.CreateMessageResult(role="assistant", content=content, model="none", stop_reason="endTurn")


async def roots(_: Any) -> Any:
    return types.ListRootsResult(roots=[types.Root(uri="file:///nowhere", name="nowhere")])


async def _ignore(*_: Any) -> None:
    pass


async def _try(said: Awaitable[Any]) -> Any:
    """A refusal is part of the conversation."""
    try:
        return await said
    except (MCPError, RuntimeError, ValueError):
        return None


async def _say(target: Any, mode: str, talk: Talk) -> None:
    client = Client(
        target,
        mode=mode,
        elicitation_callback=elicit,
        sampling_callback=sample,
        list_roots_callback=roots,
        logging_callback=_ignore,
        log_level="info",
        cache=None,
    )
    with anyio.fail_after(PATIENCE):
        async with client:
            modern = client.protocol_version >= STATELESS
            # Without a discovery nothing was declared, and the stateless era allows to ask all the same.
            offered = client.server_capabilities if mode != STATELESS else EVERYTHING
            if not modern:
                await _try(client.send_ping())
                if offered.logging is not None:
                    await _try(client.set_logging_level("info"))
            if offered.tools is not None:
                await _use_tools(client, talk)
            if offered.resources is not None:
                await _use_resources(client, offered, talk)
            if offered.prompts is not None:
                await _use_prompts(client, offered.completions is not None)
            if not modern:
                await _try(client.send_roots_list_changed())


async def _pages(ask: Any) -> list[Any]:
    found, cursor = [], None
    for _ in range(10):
        page = await _try(ask(cursor=cursor))
        if page is None:
            break
        found.append(page)
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


async def _use_tools(client: Client, talk: Talk) -> None:
    await _pages(client.list_tools)
    for name, arguments in talk.calls:
        await _try(client.call_tool(name, arguments, progress_callback=_ignore))
    if talk.slow is not None:
        with anyio.move_on_after(0.3):
            await client.call_tool(talk.slow, {})
    if talk.probing:
        await _try(client.list_tools(cursor=NO_PAGE))


async def _use_resources(client: Client, offered: types.ServerCapabilities, talk: Talk) -> None:
    uris = [one.uri for page in await _pages(client.list_resources) for one in page.resources][:SEVERAL]
    templates = [
        one.uri_template for page in await _pages(client.list_resource_templates) for one in page.resource_templates
    ]
    for uri in uris:
        await _try(client.read_resource(uri))
    await _try(client.read_resource("nowhere://to/be/found"))
    if templates and offered.completions is not None:
        reference = types.ResourceTemplateReference(type="ref/resource", uri=templates[0])
        await _try(client.complete(reference, {"name": "number", "value": ""}))
    if offered.resources is None or not offered.resources.subscribe:
        return
    if client.protocol_version >= STATELESS:
        async with client.listen(tools_list_changed=True, resource_subscriptions=uris[:1]) as events:
            if talk.changes is not None:
                await client.call_tool(talk.changes, {})
                async for _ in events:
                    break
    elif uris:
        await _try(client.subscribe_resource(uris[0]))
        if talk.changes is not None:
            await _try(client.call_tool(talk.changes, {}))
        await _try(client.unsubscribe_resource(uris[0]))


async def _use_prompts(client: Client, completes: bool) -> None:
    prompts = [one for page in await _pages(client.list_prompts) for one in page.prompts]
    for prompt in prompts[:SEVERAL]:
        arguments = {argument.name: "1" for argument in prompt.arguments or ()}
        await _try(client.get_prompt(prompt.name, arguments))
        if completes and arguments:
            reference = types.PromptReference(type="ref/prompt", name=prompt.name)
            await _try(client.complete(reference, {"name": next(iter(arguments)), "value": "m"}))
    await _try(client.get_prompt("nonsense", {}))
