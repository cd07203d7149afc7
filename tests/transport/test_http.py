"""Servers behind a URL: the SDK's own in both eras, and odd ones."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcptest.errors import UsageError
from mcptest.protocol import methods
from mcptest.transport import Ears, Lost, Patience, connect
from mcptest.transport.headers import decode, encode, mirrored
from mcptest.transport.target import parse, url
from mcptest.wire import Session
from mcptest.wire.frame import EVENT, Frame
from tests.transport.test_stdio import Tape, ask

QUICK = Patience(connect=5, end=1, stream=0.2)
SDK_SERVER = Path(__file__).parents[1] / "e2e" / "sdk_http_server.py"
MODERN = {
    methods.PROTOCOL_VERSION: "2026-07-28",
    methods.CLIENT_CAPABILITIES: {},
    methods.CLIENT_INFO: {"name": "t", "version": "1"},
}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def sdk() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, str(SDK_SERVER), "streamable-http", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/mcp"
    process.terminate()
    process.wait(20)


class Listening(Ears):
    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def notified(self, message: dict[str, Any]) -> None:
        self.heard.append(message)


def test_a_session_of_the_handshake_era(sdk):
    ears, tape = Listening(), Tape()

    async def scene():
        async with connect(url(sdk), ears=ears, tap=tape, patience=QUICK) as peer:
            client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            await peer.ask(ask("initialize", 0, **client), 20)
            await peer.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
            added = await peer.ask(ask("tools/call", 1, name="forecast", arguments={"city": "Rome"}), 20)
            cities = {"cities": ["Rome", "Oslo", "Bonn"]}
            counted = ask("tools/call", 2, name="survey", arguments=cities, _meta={"progressToken": "p"})
            return added, await peer.ask(counted, 20)

    added, counted = asyncio.run(scene())
    assert added.body["result"]["structuredContent"]["result"][0]["city"] == "Rome"
    assert counted.body["result"]["structuredContent"] == {"result": "3 cities"}
    assert [one["params"]["progress"] for one in ears.heard] == [1, 2, 3]
    heads = [data.decode() for data in tape.of("request")]
    assert "Mcp-Session-Id" not in heads[0]
    assert all("Mcp-Session-Id: " in head and "MCP-Protocol-Version: 2025-11-25" in head for head in heads[1:])
    assert [head.split()[0] for head in heads] == ["POST", "POST", "GET", "POST", "POST", "DELETE"]


def test_requests_of_the_stateless_era(sdk):
    ears, tape = Listening(), Tape()

    async def scene():
        async with connect(url(sdk), ears=ears, tap=tape, patience=QUICK) as peer:
            await peer.ask(ask("server/discover", 0, _meta=MODERN), 20)
            meta = {**MODERN, "progressToken": 5}
            return await peer.ask(
                ask("tools/call", 1, name="survey", arguments={"cities": ["Rome", "Bonn"]}, _meta=meta), 20
            )

    assert asyncio.run(scene()).body["result"]["structuredContent"] == {"result": "2 cities"}
    assert [one["params"]["progress"] for one in ears.heard] == [1, 2]
    call = tape.of("request")[-1].decode()
    assert "Mcp-Method: tools/call" in call
    assert "Mcp-Name: survey" in call
    assert "Mcp-Session-Id" not in call


def test_what_is_taped_is_a_session_like_any_other(sdk):
    frames: list[Frame] = []

    def tap(channel, data, *, conn=0, flags=0, meta=b""):
        frames.append(Frame(len(frames), 0, len(frames), conn, channel, flags, data, meta))

    async def scene():
        async with connect(url(sdk), tap=tap, patience=QUICK) as peer:
            first = await peer.begin(ask("tools/call", 1, name="survey", arguments={"cities": []}, _meta=MODERN))
            second = await peer.begin(ask("tools/call", 2, name="forecast", arguments={"city": "Rome"}, _meta=MODERN))
            return await first, await second

    asyncio.run(scene())
    found = {exchange.name: exchange.status for exchange in Session.derive(frames).exchanges}
    assert found == {"survey": "answered", "forecast": "answered"}
    events = [json.loads(frame.data) for frame in frames if frame.channel == EVENT]
    opened = {event["x"] for event in events if event["event"] == "stream opened"}
    assert opened == {event["x"] for event in events if event["event"] == "stream closed"}


# ---- servers that are not as they should be


async def odd(answer: bytes, work: Any, **options: Any) -> Any:
    """A server that answers every request with these bytes and hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
            writer.close()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, connect(url(f"http://127.0.0.1:{port}/mcp", **options), patience=QUICK) as peer:
        return await work(peer)


def answered(answer: bytes) -> Any:
    async def work(peer: Any) -> Any:
        return (await peer.ask(ask(), 20)).body

    return asyncio.run(odd(answer, work))


def http(status: str, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_an_error_without_a_message_becomes_one_with_its_status():
    error = answered(http("500 Internal Server Error", b"oh no", "Content-Type: text/plain"))["error"]
    assert error == {"code": 500, "message": "HTTP 500 Internal Server Error: oh no"}


def test_an_error_message_under_no_id_is_the_answer():
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}}).encode()
    assert answered(http("400 Bad Request", body, "Content-Type: application/json"))["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http("401 Unauthorized", b""), "--bearer-env"),
        (b"", "ended without an answer"),
        (b"SMTP ready\r\n\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{", "middle of an answer"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "broke in the middle"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: ping\n\n", "without the answer"),
    ],
)
def test_an_answer_that_will_not_come_is_told(answer, reason):
    with pytest.raises(Lost, match=reason):
        answered(answer)


def test_a_redirect_is_not_followed():
    error = answered(http("307 Temporary Redirect", b"", "Location: http://evil.example/"))["error"]
    assert error["code"] == 307


def test_chunks_with_extensions_and_trailers_are_read():
    body = b'5;x=y\r\n{"jso\r\n%x\r\nnrpc":"2.0","id":1,"result":{}}\r\n0\r\nT: v\r\n\r\n' % 31
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert answered(head + body)["result"] == {}


def test_a_stream_that_breaks_is_resumed_by_its_last_event():
    """The server sends progress and hangs up; the rest comes by GET."""
    seen: list[bytes] = []
    event = b'id: e1\nretry: 10\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'
    rest = b'id: e2\ndata: {"jsonrpc":"2.0","id":1,"result":{"late":true}}\n\n'

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return
        seen.append(head)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        writer.write(rest if head.startswith(b"GET") else event)
        await writer.drain()
        writer.close()

    async def scene():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, connect(url(f"http://127.0.0.1:{port}/mcp"), patience=QUICK) as peer:
            return await peer.ask(ask(), 20)

    assert asyncio.run(scene()).body["result"] == {"late": True}
    assert b"Last-Event-ID: e1" in seen[1]


def test_what_is_sent_later_does_not_overtake_a_request():
    """Each has a connection of its own, and the cancellation must not come before what it cancels."""
    seen: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
            seen.append(json.loads(await reader.readexactly(size))["method"])
            if seen[-1] == methods.CANCELLED:
                writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            else:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def scene():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            async with connect(url(f"http://127.0.0.1:{port}/mcp"), patience=QUICK) as peer:
                for number in range(20):
                    await peer.begin(ask("tools/call", number, name="x", arguments={}))
                    message = {"jsonrpc": "2.0", "method": methods.CANCELLED, "params": {"requestId": number}}
                    await peer.tell(message)
            while len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0.01)

    asyncio.run(scene())
    assert seen == ["tools/call", methods.CANCELLED] * 20


def test_nobody_there_is_told():
    async def scene():
        async with connect(url(f"http://127.0.0.1:{free_port()}/mcp"), patience=QUICK):
            raise AssertionError

    with pytest.raises(Lost, match="Connection refused"):
        asyncio.run(scene())


@pytest.mark.parametrize(
    "text", ["ftp://x/", "http://", "http://user:pass@host/", "http://host:99999/", "http://host/ü", "http://[/", ""]
)
def test_a_url_that_is_none_is_refused(text):
    with pytest.raises(UsageError):
        url(text)


def test_a_header_cannot_smuggle_another():
    with pytest.raises(UsageError):
        url("http://host/", headers=[("X", "a\r\nY: b")])


def test_a_target_is_a_url_or_a_command_line():
    assert parse("https://host/mcp").url == "https://host/mcp"
    assert parse("python 'my server.py' --x").command == ("python", "my server.py", "--x")


@pytest.mark.parametrize("text", ["plain", "two words", "ümlaut", " edge ", "=?base64?x?=", "line\nbreak", ""])
def test_a_header_value_comes_back_as_it_was(text):
    assert decode(encode(text)) == text
    assert encode(text).isascii()


def test_marked_arguments_are_repeated_in_headers():
    schema = {
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"properties": {"on": {"type": "boolean", "x-mcp-header": "On"}}},
            "plain": {"type": "string"},
        }
    }
    arguments = {"region": "eu", "deep": {"on": True}, "plain": "x"}
    call = {"method": "tools/call", "params": {"name": "t", "arguments": arguments}}
    assert dict(mirrored(call, schema)) == {
        "Mcp-Method": "tools/call", "Mcp-Name": "t", "Mcp-Param-Region": "eu", "Mcp-Param-On": "true",
    }  # fmt: skip
