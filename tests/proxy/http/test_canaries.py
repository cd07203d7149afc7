"""Canaries: secrets of many kinds in every place of HTTP traffic, none of which may reach the disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.e2e.http_peers import mitmproxy
from tests.proxy.http.fed import Fed, Wire, ask, result
from tests.proxy.http.proxied import Peer, Proxied, Server, chunk
from tests.proxy.wrapped import wait_until
from tests.wire.test_redaction_canaries import NAMED, SELF_DESCRIBING

KINDS = {name: value for name, value in SELF_DESCRIBING.items() if "\n" not in value}
# A value of its own for each name, which nothing but the name gives away.
PASSWORDS = {name: f"Zwei{number:03d}-hunter" for number, name in enumerate(NAMED)}
assert len(KINDS) + len(PASSWORDS) > 60


def essence(value: str) -> str:
    """What of a canary must not be found: schemes, hosts and names are no secrets."""
    for start in ("Basic ", "Bearer ", "https://alice:", "https://hooks.slack.com/services/"):
        value = value.removeprefix(start)
    return value.removesuffix("@example.com/x")


def header(wire: Wire, name: str, value: str) -> None:
    wire.request(ask("tools/list", 1), f"{name}: {value}")
    wire.answer(result(1), f"X-Echo: {value}" if name == "X-Note" else "X-Echo: none")


def url(wire: Wire, name: str, value: str) -> None:
    wire.request(ask("tools/list", 1), start=f"POST /mcp?{name}={quote(value, safe='')}&n=1 HTTP/1.1")
    wire.answer(result(1), f"Location: /next?{name}={quote(value, safe='')}", status="307 Temporary Redirect")


def argument(wire: Wire, name: str, value: str) -> None:
    wire.request(ask("tools/call", 1, name="connect", arguments={name: value, "verbose": True}))
    wire.answer(result(1))


def answer(wire: Wire, name: str, value: str) -> None:
    wire.request(ask("tools/call", 1))
    text = json.dumps({name: value})
    wire.answer(result(1, content=[{"type": "text", "text": text}], structuredContent={name: value}))


def event(wire: Wire, name: str, value: str) -> None:
    """Cut into chunks of two bytes, and with the name and the value on lines of their own."""
    wire.request(ask("tools/call", 1))
    wire.stream()
    body = json.dumps(result(1, **{name: value}), indent=1).replace("\n", "\ndata: ").replace('": "', '":\ndata: "')
    data = f": {value if name == 'X-Note' else 'x'}\nid: 1\ndata: {body}\n\n".encode()
    for start in range(0, len(data), 2):
        wire.raw(chunk(data[start : start + 2]))
    wire.end()


def form(wire: Wire, name: str, value: str) -> None:
    body = f"a=1&{quote(name)}={quote(value, safe='')}&b=2".encode()
    wire.request(body, "Content-Type: application/x-www-form-urlencoded", start="POST /token HTTP/1.1")
    wire.answer(result(1))


PLACES: dict[str, Callable[[Wire, str, str], None]] = {
    "header": header,
    "URL": url,
    "argument": argument,
    "result": answer,
    "event": event,
    "form": form,
}


def malformed(wire: Wire, name: str, value: str) -> None:
    """Heads that are refused, and answers that are no HTTP: what is kept of them is redacted, too."""
    begun = f"POST /mcp?{name}={quote(value, safe='')} HTTP/1.1\n{name}: {value}\nX\r\n {name} : {value}\r\n"
    wire.note(event="refused", status=400, reason="a bare CR or LF", begun=begun)
    wire.request(ask("tools/list", 1))
    wire.raw(f"HTTP/1.1 200 OK\r\n{name} x: y\r\n{name}: {value}\r\n\r\n{json.dumps({name: value})}".encode())


PLACES["malformed"] = malformed


@pytest.mark.parametrize("place", PLACES)
def test_no_secret_reaches_the_disk(tmp_path, place):
    fed = Fed(tmp_path)
    wire = fed.connect()
    for value in KINDS.values():
        PLACES[place](wire, "X-Note", value)
    for name, value in PASSWORDS.items():
        PLACES[place](wire, name, value)
    sessions = fed.close()
    assert not fed.complaints
    requests = (len(KINDS) + len(PASSWORDS)) * (2 if place == "malformed" else 1)
    assert sum(len(session.of("request")) for session in sessions) == requests
    written = b"".join(session.text for session in sessions)
    leaked = [name for name, value in {**KINDS, **PASSWORDS}.items() if found(value, written)]
    assert leaked == []


def found(value: str, written: bytes) -> bool:
    bare = essence(value)
    spellings = {bare, quote(bare, safe=""), json.dumps(bare)[1:-1]}
    return any(spelling.encode() in written for spelling in spellings)


@pytest.mark.parametrize("engine", ["built-in", "mitmproxy"])
def test_no_secret_reaches_any_file_through_the_real_proxy(tmp_path, engine):
    """One connection, every kind, with the fold into the capture behind it."""

    def function(peer: Peer) -> None:
        while True:
            head = peer.read_until(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].split(b"\r")[0])
            while len(peer.got) < length:
                peer.got += peer.sock.recv(65536)
            body, peer.got = peer.got[:length], peer.got[length:]
            arrived.append(body)
            peer.send(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (length, body)
            )

    arrived: list[bytes] = []
    env = mitmproxy(tmp_path / "home") if engine == "mitmproxy" else {}
    proxied = Proxied(tmp_path, Server(function).url, "--engine", engine, env=env)
    client = proxied.dial()
    for name, value in {**KINDS, **PASSWORDS}.items():
        key = name if name in PASSWORDS else "note"
        body = json.dumps(ask("tools/call", 1, arguments={key: value})).encode()
        lines = [
            f"POST /mcp?{quote(key)}={quote(value, safe='')} HTTP/1.1",
            "Host: localhost",
            f"{key}: {value}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        client.send("\r\n".join([*lines, "", ""]).encode() + body)
        client.read_until(body)
        assert arrived[-1] == body, "the traffic was changed"
    client.close()
    proxied.stop()
    capture = tmp_path / "capture.duckdb"
    assert wait_until(capture.exists), "nothing was folded"
    for path in tmp_path.rglob("*"):
        if path.is_file():
            written = Path(path).read_bytes()
            assert [name for name, value in {**KINDS, **PASSWORDS}.items() if found(value, written)] == []
