"""How fast is a mock, and what does a replay add to a server's own time?

    python -m benchmarks.mock [--exchanges 100000] [--rounds 3] [--format text|json]

The mock serves a recording of so many different calls. Its client and the mock are pinned to one core each, so that
what is measured of the mock is one core's work. Machines are shared and noisy: the best of the rounds is taken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcptest.capture import formats, journals, locate
from mcptest.policy import Policy
from mcptest.replay import read, regress
from mcptest.transport import Target, connect
from mcptest.transport.target import command, url
from mcptest.wire import Frame
from mcptest.wire.frame import STDIN, STDOUT

HERE = Path(__file__).parent
MOCK = [sys.executable, "-m", "mcptest", "mock"]
INITIALIZE = (
    b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"benchmark","version":"1"}}}'
)
CALL = (
    b'{"jsonrpc":"2.0","id":%d,"method":"tools/call",'
    b'"params":{"name":"lookup","arguments":{"key":"key-%d","limit":10}}}'
)
ANSWER = (
    b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"value of key %d, and some more text so that '
    b'it is about as long as a short answer usually is"}],"isError":false,"structuredContent":{"result":"value %d"}}}'
)
OPENED = (
    b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
    b'"serverInfo":{"name":"server","version":"1"}}}'
)
REPLAYED = 2000  # calls of a replay


def recording(exchanges: int) -> Iterator[Frame]:
    at, mono = 1_760_000_000_000_000_000, 1_000_000_000
    yield journals.header_frame("0123456789ab", at=at, mono=mono, transport="stdio", target={"argv": ["server"]})
    lines = [(STDIN, INITIALIZE), (STDOUT, OPENED), (STDIN, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')]
    for seq, (channel, data) in enumerate(lines, 1):
        yield Frame(seq, at, mono + seq, 0, channel, 0, data)
    for number in range(1, exchanges + 1):
        seq = 2 + 2 * number
        yield Frame(seq, at, mono + seq * 1000, 0, STDIN, 0, CALL % (number, number))
        yield Frame(seq + 1, at, mono + seq * 1000 + 500, 0, STDOUT, 0, ANSWER % (number, number, number))


def pin(core: int) -> Any:
    cores = sorted(os.sched_getaffinity(0))
    return lambda: os.sched_setaffinity(0, {cores[core % len(cores)]})


def stdio(path: Path, exchanges: int) -> dict[str, float]:
    began = time.perf_counter()
    process = subprocess.Popen(
        [*MOCK, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=pin(1),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(INITIALIZE + b"\n")
    process.stdin.flush()
    os.read(process.stdout.fileno(), 1 << 16)
    start = time.perf_counter() - began
    requests = b"".join(CALL % (number, number) + b"\n" for number in range(1, exchanges + 1))
    stdin, rates = process.stdin, []
    for _ in range(2):
        began = time.perf_counter()
        feeder = threading.Thread(target=lambda: (stdin.write(requests), stdin.flush()))
        feeder.start()
        left = exchanges
        while left:
            left -= os.read(process.stdout.fileno(), 1 << 20).count(b"\n")
        rates.append(exchanges / (time.perf_counter() - began))
        feeder.join()
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return {"stdio start ms": start * 1000, "stdio answers/s, first": rates[0], "stdio answers/s": rates[1]}


def http(path: Path, exchanges: int) -> dict[str, float]:
    began = time.perf_counter()
    process = subprocess.Popen(
        [*MOCK, str(path), "--http", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        preexec_fn=pin(1),
    )
    assert process.stdout is not None
    port = int(process.stdout.readline().partition(b"127.0.0.1:")[2].partition(b"/")[0])
    connection = socket.create_connection(("127.0.0.1", port))
    stream = connection.makefile("rb")

    def ask(body: bytes, *more: bytes) -> dict[bytes, bytes]:
        head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n" % len(body)
        connection.sendall(head + b"".join(line + b"\r\n" for line in more) + b"\r\n" + body)
        stream.readline()
        headers = {}
        while (line := stream.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip()
        stream.read(int(headers[b"content-length"]))
        return headers

    session = b"Mcp-Session-Id: " + ask(INITIALIZE)[b"mcp-session-id"]
    start = time.perf_counter() - began
    count = min(exchanges, 20_000)
    began = time.perf_counter()
    for number in range(1, count + 1):
        ask(CALL % (number, number), session)
    rate = count / (time.perf_counter() - began)
    stream.close()
    connection.close()
    process.terminate()
    process.wait()
    process.stdout.close()
    return {"http start ms": start * 1000, "http answers/s": rate}


async def bare(target: Target, calls: int) -> float:
    """Microseconds per call of nothing but asking and waiting."""
    async with connect(target) as peer:
        await peer.ask({"jsonrpc": "2.0", "id": "warm", "method": "ping"}, 30)
        began = time.perf_counter()
        for number in range(1, calls + 1):
            await peer.ask(json.loads(CALL % (number, number)), 30)
        return (time.perf_counter() - began) / calls * 1e6


async def replayed(target: Target, calls: int) -> float:
    """The same as a replay, with its own recording and the comparison."""
    played = read(recording(calls))
    began = time.perf_counter()
    result = await regress(played, target, policy=Policy(call_delay=0), place=locate())
    assert result.run.stopped is None
    return (time.perf_counter() - began) / calls * 1e6


def replay(port: int) -> dict[str, float]:
    server = [sys.executable, str(HERE / "answering_server.py")]
    process = subprocess.Popen([*server, str(port)])
    while socket.socket().connect_ex(("127.0.0.1", port)):
        time.sleep(0.02)
    found = {}
    for name, target in (("stdio", command(server)), ("http", url(f"http://127.0.0.1:{port}/mcp"))):
        server_time = asyncio.run(bare(target, REPLAYED))
        found[f"{name} round trip µs"] = server_time
        found[f"{name} replay adds µs"] = asyncio.run(replayed(target, REPLAYED)) - server_time
    process.kill()
    process.wait()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--exchanges", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        os.environ["MCPTEST_CAPTURE"] = folder
        path = Path(folder) / "recording.jsonl"
        with path.open("wb") as file:
            formats.get("jsonl").write(recording(arguments.exchanges), file)
        pin(0)()
        results = [
            stdio(path, arguments.exchanges) | http(path, arguments.exchanges) | replay(port)
            for _ in range(arguments.rounds)
        ]
    best = {
        name: (max if name.endswith("/s") or "/s," in name else min)(one[name] for one in results)
        for name in results[0]
    }
    if arguments.format == "json":
        print(json.dumps(best))
        return
    for name, value in best.items():
        print(f"{name:<26}{value:>12,.0f}")


if __name__ == "__main__":
    main()
