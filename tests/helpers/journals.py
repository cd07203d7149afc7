"""Sessions made by hand: say what passes, get real frames and a real journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self

from mcptest.capture import Place, journals, make_private_folder
from mcptest.wire import Frame
from mcptest.wire.frame import EVENT, GAP, STDERR, STDIN, STDOUT

START = 1_760_000_000_000_000_000  # 2025-10-09 08:53:20 UTC
MILLISECOND = 1_000_000


class Talk:
    """A session, line by line. Every frame comes a millisecond after the one before, unless told otherwise."""

    def __init__(
        self,
        session: str = "0123456789ab",
        *,
        name: str | None = None,
        at: int = START,
        argv: tuple[str, ...] = ("srv",),
    ) -> None:
        self.session = session
        self._at, self._mono = at, 5_000_000_000
        header = journals.header_frame(
            session, at=at, mono=self._mono, transport="stdio", target={"argv": list(argv)}, name=name
        )
        self.frames = [header]

    def client(self, line: Any, **more: Any) -> Self:
        return self.add(STDIN, line, **more)

    def server(self, line: Any, **more: Any) -> Self:
        return self.add(STDOUT, line, **more)

    def stderr(self, line: Any, **more: Any) -> Self:
        return self.add(STDERR, line, **more)

    def event(self, event: str, **about: Any) -> Self:
        return self.add(EVENT, {"event": event, **about})

    def gap(self, frames: int, channel: str = "stdout", reason: str = "the journal made no progress") -> Self:
        return self.add(GAP, {"channel": channel, "frames": frames, "bytes": 1000, "reason": reason})

    def request(self, id: Any, method: str, **params: Any) -> Self:
        return self.client({"jsonrpc": "2.0", "id": id, "method": method, "params": params})

    def result(self, id: Any, after_ms: int = 1, **result: Any) -> Self:
        return self.server({"jsonrpc": "2.0", "id": id, "result": result}, after_ms=after_ms)

    def call(self, id: Any, tool: str, after_ms: int = 1, **arguments: Any) -> Self:
        """A tool called and answered."""
        self.request(id, "tools/call", name=tool, arguments=arguments)
        return self.result(id, after_ms, content=[{"type": "text", "text": f"{tool} is done"}])

    def error(self, id: Any, code: int, message: str) -> Self:
        return self.server({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})

    def handshake(self) -> Self:
        self.event("spawn", pid=42)
        client = {"name": "some client", "version": "1.0"}
        self.request(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        server = {"name": "some server", "version": "2.0"}
        self.result(0, protocolVersion="2025-11-25", capabilities={"tools": {}}, serverInfo=server)
        return self.client({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def end(self, code: int = 0) -> Self:
        return self.event("exit", code=code).event("end")

    def add(
        self, channel: int, data: Any, *, after_ms: int = 1, flags: int = 0, meta: bytes = b"", skip: int = 0
    ) -> Self:
        """`skip` leaves out sequence numbers, as damage would."""
        self._at += after_ms * MILLISECOND
        self._mono += after_ms * MILLISECOND
        seq = self.frames[-1].seq + 1 + skip
        self.frames.append(Frame(seq, self._at, self._mono, 0, channel, flags, as_bytes(data), meta))
        return self

    def write(self, place: Place) -> Path:
        make_private_folder(place.journals)
        return journals.write_whole(place.journals, iter(self.frames[1:]), self.frames[0])


def as_bytes(data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    return (data if isinstance(data, str) else json.dumps(data)).encode()


def read_frames(path: Path) -> list[Frame]:
    return [frame for stretch in journals.read(path) for frame in stretch.frames]


def sample(session: str = "0123456789ab", **more: Any) -> Talk:
    """A bit of everything: a handshake, tool calls, errors, noise, a request that nobody answers, a gap."""
    talk = Talk(session, **more).handshake()
    talk.request(1, "tools/list").result(1, tools=[{"name": "add", "inputSchema": {"type": "object"}}])
    talk.call(2, "add", after_ms=20, a=1, b=2).call("2", "add", after_ms=40, a=3, b=4)
    talk.request(3, "tools/call", name="fail", arguments={}).error(3, -32602, "Unknown tool: fail")
    talk.server("this is no JSON").stderr("a warning")
    talk.gap(12)
    talk.request(4, "ping")
    return talk.end()
