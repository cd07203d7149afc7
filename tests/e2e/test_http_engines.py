"""The same traffic through both engines: the same bytes for the peers, the same rows in the capture."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

import brotli
import pytest

from tests.e2e.http_peers import mitmproxy
from tests.e2e.test_http_crowd import read_message
from tests.proxy.http.fed import ask, initialize, result
from tests.proxy.http.proxied import Peer, Proxied, Server, chunk
from tests.proxy.wrapped import MCPTEST

try:
    from compression import zstd
except ImportError:
    from backports import zstd

SESSION = "Mcp-Session-Id: 5f1c"
TOKEN = "Authorization: Bearer an-access-token-of-mine-1"
EVENT = b'id: 7\nevent: message\nretry: 100\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n'
ERROR = {"jsonrpc": "2.0", "id": 9, "error": {"code": -32600, "message": "no"}}
METADATA = {"resource": "http://x/mcp", "authorization_servers": ["http://x/"]}


def answer(status: str, body: Any = None, *headers: str) -> bytes:
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", *headers]
    lines += ["Content-Type: application/json"] * (body is not None and "Content-Type" not in " ".join(headers))
    lines += [f"Content-Length: {len(data)}"] * (not status.startswith("204"))
    return "\r\n".join([*lines, "", ""]).encode() + data


def stream(*parts: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(map(chunk, parts)) + end


def call(id: int) -> bytes:
    return json.dumps(result(id, content=[{"type": "text", "text": "x" * 200}])).encode()


# What the client sends (method, target, body, headers) and what the server answers.
JSON, FORM = "Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded"
STEPS: list[tuple[str, str, Any, tuple[str, ...], bytes]] = [
    ("POST", "/mcp", initialize(), (JSON,), answer("401 Unauthorized", None, 'WWW-Authenticate: Bearer realm="x"')),
    ("GET", "/.well-known/oauth-protected-resource", None, (), answer("200 OK", METADATA)),
    (
        *("POST", "/register", {"client_name": "x"}, (JSON,)),
        answer("201 Created", {"client_id": "a", "client_secret": "a-secret-of-the-client-7"}),
    ),
    (
        *("POST", "/token", b"grant_type=authorization_code&code=the-code-1234", (FORM,)),
        answer("200 OK", {"access_token": "an-access-token-of-mine-1", "token_type": "Bearer"}),
    ),
    ("POST", "/mcp", initialize(), (JSON, TOKEN), answer("200 OK", result(1, serverInfo={}), SESSION)),
    (
        *("POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, (JSON, TOKEN, SESSION)),
        answer("202 Accepted"),
    ),
    (
        *(
            "POST",
            "/mcp",
            ask("tools/call", 2, arguments={}),
            (JSON, SESSION, "Mcp-Method: tools/call", "Mcp-Name: a"),
        ),
        stream(b": hello\n\n", b"data: " + call(2)[:50], call(2)[50:] + b"\n\n"),
    ),
    (
        *("POST", "/mcp", ask("tools/call", 3), (JSON, SESSION, "Mcp-Param-City: Berlin")),
        answer("200 OK", gzip.compress(call(3), mtime=0), "Content-Encoding: gzip", JSON),
    ),
    (
        *("POST", "/mcp", ask("tools/call", 4), (JSON, SESSION)),
        answer("200 OK", brotli.compress(call(4)), "Content-Encoding: br", JSON),
    ),
    (
        *("POST", "/mcp", ask("tools/call", 5), (JSON, SESSION)),
        answer("200 OK", zstd.compress(call(5)), "Content-Encoding: zstd", JSON),
    ),
    (
        "POST",
        "/mcp",
        ask("tools/call", 6),
        (JSON, SESSION),
        answer("200 OK", zlib.compress(b"x"), "Content-Encoding: gzip", JSON),
    ),
    ("POST", "/mcp", ask("tools/list", 9), (JSON, SESSION), answer("400 Bad Request", ERROR)),
    ("POST", "/mcp", ask("tools/list", 10), (JSON, SESSION), answer("500 Oops", b"<html>", "Content-Type: text/html")),
    (
        "POST",
        "/mcp",
        b"{",
        (JSON, SESSION),
        answer("400 Bad Request", {"jsonrpc": "2.0", "error": {"code": -32700, "message": "x"}}),
    ),
    ("GET", "/mcp", None, ("Accept: text/event-stream", SESSION), stream(EVENT, b"data: half", end=b"")),
    ("GET", "/mcp", None, ("Accept: text/event-stream", SESSION, "Last-Event-ID: 7"), stream(EVENT)),
    ("GET", "/mcp", None, ("Accept: text/event-stream", SESSION), answer("405 Method Not Allowed")),
    ("DELETE", "/mcp", None, (SESSION,), answer("204 No Content")),
]
TABLES = {
    "http": "x, method, target, session_id, revision, mcp_method, mcp_name, mcp_params, last_event_id, request_type, "
    "request_bytes, status, response_type, encoding, response_bytes, challenge, events, outcome, ended_by, reason",
    "messages": "sender, kind, id, method, answers, raw, error, x, redacted",
    "exchanges": "sender, method, name, id, status, error_code, error_message, x",
}


def serve(peer: Peer) -> None:
    head, _ = read_message(peer)
    number = int(head.lower().partition(b"x-step: ")[2].split(b"\r")[0])
    peer.send(STEPS[number][4])
    peer.close()


def through(proxy: Proxied) -> list[bytes]:
    """Each step on a connection of its own, which the server closes; what the client got."""
    got = []
    for number, (method, target, body, headers, _) in enumerate(STEPS):
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", f"X-Step: {number}", "Connection: close", *headers]
        lines += [f"Content-Length: {len(data)}"] * (method == "POST")
        peer = proxy.dial()
        peer.send("\r\n".join([*lines, "", ""]).encode() + data)
        got.append(peer.read_all())
        peer.close()
    return got


def rows(folder: Path, table: str) -> Any:
    query = f"select {TABLES[table]} from {table} order by session, seq"
    command = [*MCPTEST, "sql", query, "--format", "json", "--capture", str(folder / "capture.duckdb")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for secret in ("an-access-token-of-mine-1", "a-secret-of-the-client-7", "the-code-1234"):
        assert secret not in text
    return json.loads(re.sub("redacted-[0-9a-f]{12}", "redacted", text))  # each capture has a salt of its own


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for engine in ("built-in", "mitmproxy"):
        folder = tmp_path_factory.mktemp(engine)
        env = mitmproxy(folder / "home") if engine == "mitmproxy" else {}
        proxy = Proxied(folder, Server(serve).url, "--engine", engine, env=env)
        got = through(proxy)
        assert len(proxy.stop()) == 1
        found[engine] = {"bytes": got, **{table: rows(folder, table) for table in TABLES}}
    return found


@pytest.mark.parametrize("engine", ["built-in", "mitmproxy"])
def test_the_client_gets_what_the_server_sent(recorded, engine):
    for (_, _, _, _, sent), got in zip(STEPS, recorded[engine]["bytes"], strict=True):
        assert without_chunks(got) == without_chunks(sent)


def without_chunks(data: bytes) -> bytes:
    """mitmproxy cuts a stream into chunks of its own."""
    head, _, body = data.partition(b"\r\n\r\n")
    if b"chunked" not in head:
        return data
    parts = []
    while body:
        size, _, body = body.partition(b"\r\n")
        parts.append(body[: int(size, 16)])
        if size == b"0":
            parts.append(b" and that was all")
        body = body[int(size, 16) + 2 :]
    return head + b"".join(parts)


@pytest.mark.parametrize("table", TABLES)
def test_both_engines_record_the_same(recorded, table):
    assert recorded["built-in"][table] == recorded["mitmproxy"][table]


def test_everything_that_happened_is_in_the_table(recorded):
    http = recorded["built-in"]["http"]
    assert [row["status"] for row in http] == [int(sent[9:12]) for *_, sent in STEPS]
    assert http[0]["challenge"] == 'Bearer realm="x"'
    assert (http[6]["mcp_method"], http[6]["mcp_name"], http[6]["events"]) == ("tools/call", "a", 2)
    assert http[7]["mcp_params"] == {"City": "Berlin"}
    assert [row["encoding"] for row in http[7:11]] == ["gzip", "br", "zstd", "gzip"]
    assert (http[14]["outcome"], http[14]["ended_by"]) == ("aborted", "server")
    assert (http[15]["last_event_id"], http[15]["outcome"]) == ("7", "answered")
    exchanges = recorded["built-in"]["exchanges"]
    assert [row["id"] for row in exchanges if row["status"] == "answered"] == ["1", "2", "3", "4", "5"]
