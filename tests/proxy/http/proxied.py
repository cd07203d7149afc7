"""A server under the test's control behind the real `mcptest record --url`, and what was recorded of it."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcptest.capture import journals
from tests.proxy.http.fed import Session
from tests.proxy.wrapped import MCPTEST, PATIENCE, wait_until

RESET = struct.pack("ii", 1, 0)
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
POST = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
GET = b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class Peer:
    """A socket with patience."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        sock.settimeout(PATIENCE)
        self.got = b""

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def read_until(self, end: bytes) -> bytes:
        while end not in self.got:
            more = self.sock.recv(65536)
            if not more:
                raise EOFError(f"ended after {self.got[-200:]!r}")
            self.got += more
        found, _, self.got = self.got.partition(end)
        return found + end

    def read_all(self) -> bytes:
        """Until the end; raises ConnectionResetError if it is no orderly one."""
        while more := self.sock.recv(65536):
            self.got += more
        found, self.got = self.got, b""
        return found

    def read_exactly(self, size: int) -> int:
        """Read and forget so many bytes."""
        left = size - len(self.got)
        self.got = b""
        while left > 0:
            more = self.sock.recv(min(left, 1 << 20))
            if not more:
                raise EOFError(f"{left} bytes are missing")
            left -= len(more)
        return size

    def is_over(self) -> str:
        """Wait for the other side to end: how did it?"""
        try:
            while self.sock.recv(65536):
                pass
        except ConnectionResetError:
            return "reset"
        return "closed"

    def reset(self) -> None:
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.sock.close()

    def close(self) -> None:
        self.sock.close()

    def __del__(self) -> None:
        self.sock.close()


class Server:
    """Calls a function with each connection that it gets, in a thread of its own."""

    def __init__(self, serve: Callable[[Peer], Any]) -> None:
        self._serve = serve
        self._sock = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._sock.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._sock.accept()
                self.connections += 1
                threading.Thread(target=self._run, args=(Peer(sock),), daemon=True).start()

    def _run(self, peer: Peer) -> None:
        with suppress(OSError, EOFError):
            self._serve(peer)

    def close(self) -> None:
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)  # wakes up whoever accepts
        self._sock.close()

    def __del__(self) -> None:
        self.close()


def answer_all(peer: Peer) -> None:
    """A server that answers every request with an empty object."""
    while True:
        head = peer.read_until(b"\r\n\r\n").lower()
        at = head.find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r", 1)[0]) if at >= 0 else 0
        while len(peer.got) < length:
            peer.got += peer.sock.recv(65536)
        peer.got = peer.got[length:]
        peer.send(ANSWER)


class Proxied:
    """`mcptest record --url` in front of a server."""

    def __init__(self, folder: Path, url: str, *options: str, env: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [*MCPTEST, "record", "--url", url, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "MCPTEST_CAPTURE": str(folder / "capture.duckdb"), **(env or {})},
            start_new_session=True,
        )
        assert self.process.stdout
        self.url = self.process.stdout.readline().decode().strip()
        self.errors = ""
        if self.url:
            self.port = int(self.url.split(":")[2].split("/")[0])

    def dial(self) -> Peer:
        return Peer(socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE))

    def recorder(self) -> int:
        """The recorder's pid."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0])

    def stop(self, signum: int = signal.SIGINT) -> list[Session]:
        if self.process.poll() is None:
            self.process.send_signal(signum)
        if self.process.stderr and not self.process.stderr.closed:
            _, errors = self.process.communicate(timeout=PATIENCE)
            self.errors = errors.decode()
        return self.sessions()

    def sessions(self) -> list[Session]:
        found = []
        for path in journals.find(self.folder / "capture.journals"):
            assert wait_until(lambda path=path: not journals.is_live(path)), "the recorder did not end"
            found.append(Session(path))
        return sorted(found, key=lambda session: session.header["started_at"])


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def memory(*pids: int) -> float:
    """Resident megabytes."""
    total = 0.0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1]) / 1024
    return total
