"""Real clients and servers through `mcptest record --url`, with either engine: the same results as without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.sse import sse_client

from mcptest.capture import journals
from tests.e2e.conversation import with_any, with_weather
from tests.e2e.http_peers import SDK_SERVER, free_port, messages, mitmproxy, running
from tests.e2e.published import EVERYTHING, from_npm
from tests.proxy.http.fed import Session
from tests.proxy.http.proxied import Proxied
from tests.proxy.wrapped import MCPTEST, wait_until

ENGINES = ["built-in", "mitmproxy"]
ERAS = {  # how the server is run, and how the client speaks to it
    "stateless": ("streamable-http", "/mcp", "2026-07-28"),
    "newest that both know": ("streamable-http", "/mcp", "auto"),
    "sessions": ("streamable-http", "/mcp", "legacy"),
    "sessions, JSON answers": ("streamable-http json", "/mcp", "legacy"),
    "no sessions": ("streamable-http json stateless", "/mcp", "legacy"),
    "HTTP+SSE": ("sse", "/sse", "legacy"),
}


@pytest.fixture(scope="module")
def servers():
    """One server for each way of running it, started when it is first asked for."""
    ports: dict[str, int] = {}
    contexts = []

    def get(how: str) -> int:
        if how not in ports:
            port = free_port()
            transport, *options = how.split()
            context = running([*SDK_SERVER, transport, str(port), *options], port)
            context.__enter__()
            contexts.append(context)
            ports[how] = port
        return ports[how]

    yield get
    for context in contexts:
        context.__exit__(None, None, None)


def target(url: str) -> Any:
    return sse_client(url) if url.endswith("/sse") else url


def proxied(folder: Path, url: str, engine: str) -> Proxied:
    env = mitmproxy(folder) if engine == "mitmproxy" else {}
    return Proxied(folder, url, "--engine", engine, env=env)


@pytest.mark.parametrize("era", ERAS)
def test_the_sdks_client_and_server_notice_nothing(tmp_path, servers, era):
    how, path, mode = ERAS[era]
    url = f"http://127.0.0.1:{servers(how)}{path}"
    direct = anyio.run(with_weather, target(url), mode)
    proxy = proxied(tmp_path, url, "built-in")
    through = anyio.run(with_weather, target(proxy.url), mode)
    (session,) = proxy.stop()
    assert through == direct
    said = messages(session)
    calls = [body["params"]["name"] for _, body in said if body.get("method") == "tools/call"]
    assert calls[:3] == ["forecast", "fail", "survey"]
    asked = [body["id"] for sender, body in said if sender == "client" and "method" in body and "id" in body]
    answered = [body["id"] for sender, body in said if sender == "server" and ("result" in body or "error" in body)]
    assert sorted(asked) == sorted(answered)
    assert len([body for _, body in said if body.get("method") == "notifications/progress"]) == len(direct["progress"])


@pytest.mark.parametrize("era", ["stateless", "sessions", "HTTP+SSE"])
def test_both_engines_record_the_same_exchanges(tmp_path, servers, era):
    how, path, mode = ERAS[era]
    results, recorded = [], []
    for engine in ENGINES:
        proxy = proxied(tmp_path / engine, f"http://127.0.0.1:{servers(how)}{path}", engine)
        results.append(anyio.run(with_weather, target(proxy.url), mode))
        (session,) = proxy.stop()
        heads = [data.split(b"\r\n")[0].split(b"?")[0] for data in session.of("request", "response")]
        recorded.append((messages(session), sorted(heads)))
    assert results[0] == results[1]
    assert recorded[0] == recorded[1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("transport", "path"), [("streamableHttp", "/mcp"), ("sse", "/sse")])
def test_a_published_server_behaves_as_without_the_proxy(tmp_path, engine, transport, path):
    command = from_npm(EVERYTHING, transport)
    port = free_port()
    calls = [("echo", {"message": "hello"}), ("get-sum", {"a": 2, "b": 40}), ("get-tiny-image", {})]
    with running(command, port, env={**os.environ, "PORT": str(port)}):
        url = f"http://127.0.0.1:{port}{path}"
        direct = anyio.run(with_any, target(url), calls, "legacy")
        proxy = proxied(tmp_path, url, engine)
        assert anyio.run(with_any, target(proxy.url), calls, "legacy") == direct
        sessions = proxy.stop()
    said = [message for session in sessions for message in messages(session)]
    assert {"echo", "get-sum", "get-tiny-image"} == {
        body["params"]["name"] for _, body in said if body.get("method") == "tools/call"
    }


@pytest.mark.parametrize("era", ["stateless", "sessions", "HTTP+SSE"])
def test_a_client_that_is_run_behind_a_forward_proxy_notices_nothing(tmp_path, servers, era):
    how, path, mode = ERAS[era]
    url = f"http://127.0.0.1:{servers(how)}{path}"
    client = [sys.executable, "-m", "tests.e2e.sdk_http_client", url, mode]
    env = {**os.environ, **mitmproxy(tmp_path), "MCPTEST_CAPTURE": str(tmp_path / "capture.duckdb")}
    direct = subprocess.run(client, capture_output=True, text=True, check=True).stdout
    through = subprocess.run(
        [*MCPTEST, "record", "--forward", "--", *client], env=env, capture_output=True, text=True, check=True
    )
    assert through.stdout == direct
    assert through.stderr == f"mcptest: recorded 1 session in {tmp_path / 'capture.duckdb'}\n"
    (path_of_journal,) = journals.find(tmp_path / "capture.journals")
    assert wait_until(lambda: not journals.is_live(path_of_journal))
    calls = [
        body["params"]["name"] for _, body in messages(Session(path_of_journal)) if body.get("method") == "tools/call"
    ]
    assert calls[:3] == ["forecast", "fail", "survey"]
