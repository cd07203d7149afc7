"""Real servers over HTTP, real mitmproxy, and the recordings of what passed between them and real clients."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.published import CACHE
from tests.proxy.http.fed import Session
from tests.proxy.wrapped import MCPTEST, PATIENCE, wait_until

SDK_SERVER = [sys.executable, str(Path(__file__).with_name("sdk_http_server.py"))]


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
    return port


@contextmanager
def running(command: list[str], port: int, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A server until it is no longer needed, listening on this port."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        assert wait_until(lambda: process.poll() is not None or is_listening(port)), f"{command} does not listen"
        assert process.poll() is None, f"{command} ended"
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def mitmproxy(home: Path) -> dict[str, str]:
    """An environment in which mitmproxy is found, with a data directory of its own; skips where it cannot be had."""
    shared = CACHE / "data"
    shared.mkdir(parents=True, exist_ok=True)
    with open(shared / ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = subprocess.run(
            [*MCPTEST, "setup", "mitmproxy"],
            env={**os.environ, "XDG_DATA_HOME": str(shared)},
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode:
        pytest.skip(f"mitmproxy cannot be installed: {result.stderr.strip()}")
    mitmdump = Path(result.stdout.strip().rpartition(" ")[2])
    return {"PATH": f"{mitmdump.parent}:{os.environ['PATH']}", "XDG_DATA_HOME": str(home)}


def messages(session: Session) -> list[tuple[str, Any]]:
    """Who said what, per exchange: as it is said on one HTTP exchange, in order; the exchanges in their order."""
    found: dict[int, list[tuple[str, Any]]] = {}
    for frame in session.frames:
        if frame.channel_name not in ("request-body", "response-body", "sse"):
            continue
        data = frame.data
        if frame.channel_name == "sse":
            data = b"\n".join(line[6:] for line in data.splitlines() if line.startswith(b"data: "))
        try:
            body = json.loads(data)
        except ValueError:
            continue
        found.setdefault(session.meta(frame)["x"], []).append((frame.sender, body))
    return [message for number in sorted(found) for message in found[number]]
