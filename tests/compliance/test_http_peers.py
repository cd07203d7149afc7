"""Real clients and servers over HTTP, through `mcptest record --url`: no MUST fails that they do not really break."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.sse import sse_client

from mcptest.compliance import Book, comply
from mcptest.findings import Severity, Status
from tests.compliance.talks import LIBRARY, Talk, _asking_for, _say
from tests.e2e.conversation import with_weather
from tests.e2e.http_peers import SDK_SERVER, free_port, running
from tests.e2e.published import EVERYTHING, from_npm
from tests.proxy.http.fed import Session
from tests.proxy.http.proxied import Proxied

BOOK = Book.load()
# The SDK's server sends log messages without declaring that it does, whatever carries them.
KNOWN = {"LOG-001"}


def failed_musts(
    folder: Path, command: Callable[[int], Sequence[str]], path: str, talk: Talk, revision: str
) -> dict[str, str]:
    """The conversation recorded and judged: the rules broken, each with what is said of it."""
    port = free_port()
    mode = "auto" if revision == "auto" else "legacy"
    with running([*command(port)], port, env={**os.environ, "PORT": str(port)}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        proxy = Proxied(folder, f"http://127.0.0.1:{port}{path}", "--engine", "built-in", env={})
        target: Any = sse_client(proxy.url) if path == "/sse" else proxy.url
        with _asking_for(revision):
            anyio.run(_say, target, mode, talk)
        sessions = proxy.stop()
    return errors_in(sessions)


def errors_in(sessions: Sequence[Session]) -> dict[str, str]:
    assert sessions
    found: dict[str, str] = {}
    for session in sessions:
        for verdict in comply(session.frames, BOOK).verdicts:
            assert verdict.status is not Status.CRASHED, verdict.reason
            errors = [one.message for one in verdict.findings if one.severity is Severity.ERROR]
            found |= {verdict.rule: errors[0]} if errors else {}
    return found


@pytest.mark.parametrize(
    ("how", "path", "revision"),
    [
        ("streamable-http", "/mcp", "2025-11-25"),
        ("streamable-http json", "/mcp", "2025-06-18"),
        ("streamable-http", "/mcp", "auto"),
        ("sse", "/sse", "2025-11-25"),
    ],
)
def test_the_sdk_breaks_no_must(tmp_path, how, path, revision):
    transport, *options = how.split()

    def command(port: int) -> list[str]:
        return [*SDK_SERVER, transport, str(port), *options, "server=library"]

    assert failed_musts(tmp_path, command, path, LIBRARY, revision).keys() <= KNOWN


@pytest.mark.parametrize(("transport", "path"), [("streamableHttp", "/mcp"), ("sse", "/sse")])
def test_a_published_server_breaks_no_must(tmp_path, transport, path):
    command = from_npm(EVERYTHING, transport)
    talk = Talk([("echo", {"message": "hello"}), ("get-sum", {"a": 2, "b": 40}), ("nonsense", {})])
    assert not failed_musts(tmp_path, lambda _: command, path, talk, "2025-11-25")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_several_clients_at_once_are_not_mixed_up(tmp_path, mode):
    """They look alike and count their requests alike, but each breaks nothing."""
    port = free_port()
    with running([*SDK_SERVER, "streamable-http", str(port)], port):
        proxy = Proxied(tmp_path, f"http://127.0.0.1:{port}/mcp", "--engine", "built-in", env={})

        async def together() -> None:
            async with anyio.create_task_group() as clients:
                for _ in range(3):
                    clients.start_soon(with_weather, proxy.url, mode)

        anyio.run(together)
        sessions = proxy.stop()
    assert not errors_in(sessions)
    openings = {"legacy": "initialize", "auto": "server/discover"}
    assert sum(openings[mode] in str(frame.data) for session in sessions for frame in session.frames) >= 3
