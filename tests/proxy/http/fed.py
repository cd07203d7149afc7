"""A recorder fed by hand with what an engine would put on the link, and the sessions that it wrote."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from mcptest.capture import journals
from mcptest.proxy.http import channels
from mcptest.proxy.http.recorder import HttpRecorder
from mcptest.proxy.link import Pulse
from mcptest.proxy.options import Options
from mcptest.wire import Frame
from mcptest.wire.frame import CHANNELS

URL = "http://server.example/mcp"


class Fed:
    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.complaints: list[str] = []
        self.news: list[dict[str, int]] = []
        self.recorder = HttpRecorder(
            Options(capture=str(folder / "capture.duckdb"), **options),
            URL,
            "built-in",
            Pulse(),
            self.complaints.append,
            self.news.append,
        )
        self.count = 0

    def put(self, channel: int, conn: int, data: bytes) -> None:
        self.recorder.chunk(channel, conn, time.time_ns(), time.monotonic_ns(), data)

    def connect(self, peer: str = "127.0.0.1") -> Wire:
        self.count += 1
        return Wire(self, self.count, f"{peer}:{40_000 + self.count}")

    def close(self) -> list[Session]:
        self.recorder.close(relay_died=False)
        return self.sessions()

    def sessions(self) -> list[Session]:
        found = [Session(path) for path in journals.find(self.folder / "capture.journals")]
        return sorted(found, key=lambda session: session.header["started_at"])


class Wire:
    """A client's connection."""

    def __init__(self, fed: Fed, number: int, peer: str) -> None:
        self.fed, self.number = fed, number
        self.note(event=channels.CONNECTED, peer=peer)

    def note(self, **body: object) -> None:
        self.fed.put(channels.NOTE, self.number, json.dumps(body).encode())

    def request(self, body: Any = None, *headers: str, start: str = "POST /mcp HTTP/1.1") -> None:
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [start, "Host: localhost", *headers]
        if data:
            lines += ["Content-Type: application/json"] * ("content-type" not in " ".join(headers).lower())
            lines.append(f"Content-Length: {len(data)}")
        self.fed.put(channels.REQUEST_WHOLE, self.number, "\r\n".join([*lines, "", ""]).encode() + data)

    def answer(self, body: Any = None, *headers: str, status: str = "200 OK") -> None:
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(data)}"]
        if data and "content-type" not in " ".join(headers).lower():
            lines.append("Content-Type: application/json")
        self.raw("\r\n".join([*lines, "", ""]).encode() + data)

    def stream(self, *headers: str) -> None:
        lines = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked", *headers]
        self.raw("\r\n".join([*lines, "", ""]).encode())

    def event(self, text: str) -> None:
        data = (text + "\n\n").encode()
        self.raw(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self) -> None:
        self.raw(b"0\r\n\r\n")

    def raw(self, data: bytes) -> None:
        self.fed.put(channels.RESPONSE_BYTES, self.number, data)

    def close(self, by: str = "client", how: str = channels.CLOSED) -> None:
        self.note(event=how, by=by)
        self.note(event=channels.GONE)


class Session:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.frames: list[Frame] = []
        for stretch in journals.read(path):
            assert not stretch.damage
            self.frames += stretch.frames
        assert [frame.seq for frame in self.frames] == list(range(len(self.frames)))
        self.header = json.loads(self.frames[0].data)

    def of(self, *names: str) -> list[bytes]:
        return [frame.data for frame in self.frames if CHANNELS[frame.channel] in names]

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(data) for data in self.of("event")]

    def meta(self, frame: Frame) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(frame.meta)
        return found

    @property
    def methods(self) -> list[str]:
        """What the client asked, in order."""
        bodies = [json.loads(data) for data in self.of("request-body")]
        return [body.get("method", "?") for body in bodies]

    @property
    def text(self) -> bytes:
        return self.path.read_bytes()


def initialize(id: int = 1, name: str = "a client") -> dict[str, Any]:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}
    return {"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params}


def ask(method: str, id: int, name: str | None = None, **params: Any) -> dict[str, Any]:
    """A request; with a client's name, as the stateless revisions have it."""
    if name is not None:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1"},
        }
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def result(id: int, **body: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": body}
