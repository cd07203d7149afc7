"""Many clients at once that all count from 1: in the capture, every answer stands beside its own question."""

from __future__ import annotations

import json
import random
import subprocess
import threading
from pathlib import Path

import pytest

from tests.e2e.http_peers import mitmproxy
from tests.proxy.http.fed import ask, initialize, result
from tests.proxy.http.proxied import Peer, Proxied, Server, chunk
from tests.proxy.wrapped import MCPTEST, PATIENCE

CLIENTS = 64
CALLS = 6
PAIRS = """
    select q.raw asked, a.raw answered, h.x is not null joined
    from exchanges e
    join messages q on q.session = e.session and q.seq = e.seq
    left join messages a on a.session = e.session and a.seq = e.answer
    left join http h on h.session = e.session and h.x = e.x
    where e.method = 'tools/call'
"""


def read_message(peer: Peer) -> tuple[bytes, bytes]:
    head = peer.read_until(b"\r\n\r\n")
    lower = head.lower()
    length = int(lower.partition(b"content-length:")[2].split(b"\r")[0]) if b"content-length:" in lower else 0
    while len(peer.got) < length:
        more = peer.sock.recv(65536)
        if not more:
            raise EOFError
        peer.got += more
    body, peer.got = peer.got[:length], peer.got[length:]
    return head, body


def serve(peer: Peer) -> None:
    """Answers each call with what it asked: by JSON or by a stream, as the client's id decides."""
    while True:
        _, body = read_message(peer)
        message = json.loads(body)
        nonce = message.get("params", {}).get("nonce")
        answer = json.dumps(result(message["id"], nonce=nonce)).encode()
        name = b"Mcp-Session-Id: %s\r\n" % nonce.encode() if message["method"] == "initialize" else b""
        if message["id"] % 2:
            kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(answer)
            peer.send(b"HTTP/1.1 200 OK\r\n" + name + kind + b"\r\n" + answer)
        else:
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"nonce": nonce}}
            peer.send(chunk(b"data: %s\n\n" % json.dumps(progress).encode()))
            half = len(answer) // 2
            peer.send(chunk(b"data: " + answer[:half]))
            peer.send(chunk(answer[half:] + b"\n\n") + b"0\r\n\r\n")


def post(peer: Peer, message: object, *headers: str) -> None:
    body = json.dumps(message).encode()
    lines = ["POST /mcp HTTP/1.1", "Host: localhost", "Accept: application/json, text/event-stream", *headers]
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}", "", ""]
    peer.send("\r\n".join(lines).encode() + body)
    head = peer.read_until(b"\r\n\r\n")
    if b"text/event-stream" in head:
        peer.read_until(b"0\r\n\r\n")
    else:
        peer.read_until(b'"}}')


def client(proxy: Proxied, era: str, number: int, failures: list[BaseException]) -> None:
    chance = random.Random(number)
    try:
        peer = proxy.dial()
        headers: tuple[str, ...] = ("Mcp-Protocol-Version: 2026-07-28",)
        name: str | None = "twin"
        if era == "sessions":
            opening = initialize()
            opening["params"]["nonce"] = f"session-{number}"
            post(peer, opening)
            headers, name = (f"Mcp-Session-Id: session-{number}",), None
        for id in range(1, CALLS + 1):
            if chance.random() < 0.4:
                peer.close()
                peer = proxy.dial()
            post(peer, ask("tools/call", id, name, nonce=f"{number}/{id}"), *headers)
        peer.close()
    except BaseException as error:
        failures.append(error)


@pytest.mark.parametrize("engine", ["built-in", "mitmproxy"])
@pytest.mark.parametrize("era", ["sessions", "stateless"])
def test_no_pair_is_crossed(tmp_path: Path, engine: str, era: str) -> None:
    env = mitmproxy(tmp_path / "home") if engine == "mitmproxy" else {}
    proxy = Proxied(tmp_path, Server(serve).url, "--engine", engine, env=env)
    failures: list[BaseException] = []
    threads = [threading.Thread(target=client, args=(proxy, era, number, failures)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    sessions = proxy.stop()
    assert failures == []
    if era == "sessions":
        assert len(sessions) == CLIENTS
    query = [*MCPTEST, "sql", PAIRS, "--format", "json", "--capture", str(tmp_path / "capture.duckdb")]
    pairs = json.loads(subprocess.run(query, capture_output=True, check=True).stdout)
    asked = {(json.loads(pair["asked"])["params"]["nonce"]) for pair in pairs}
    assert asked == {f"{number}/{id}" for number in range(CLIENTS) for id in range(1, CALLS + 1)}
    for pair in pairs:
        question, answer = json.loads(pair["asked"]), json.loads(pair["answered"])
        assert question["params"]["nonce"] == answer["result"]["nonce"]
        assert pair["joined"]
