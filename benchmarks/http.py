"""What does a proxy in front of an HTTP server cost? Direct, a plain TCP relay, both engines and others in one run.

    python -m benchmarks.http [--proxy NAME='COMMAND {port} {url}'] [--rounds N] [--format text|markdown|json]

Machines are shared and noisy: read the ratios to the plain relay, which is measured in the same run, not the
absolute numbers. Rounds of all candidates are interleaved and the best of each is taken.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import shlex
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.http_server import ANSWER

HERE = os.path.dirname(os.path.abspath(__file__))
ASK = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"'
    + b"the quick brown fox jumps over the lazy dog " * 2
    + b'"}}}'
)
REQUEST = (
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\naccept: application/json, text/event-stream\r\n"
    b"accept-encoding: gzip, deflate\r\nconnection: keep-alive\r\nuser-agent: bench\r\nmcp-session-id: 5f1c09aa\r\n"
    b"mcp-protocol-version: 2025-11-25\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ASK) + ASK
)
STREAM = b"GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\naccept: text/event-stream\r\nmcp-session-id: 5f1c09aa\r\n\r\n"
SENT = re.compile(rb'"sent":(\d+)')
CONNECTIONS = 8
PATIENCE = 30.0


@dataclass
class Result:
    p50: list[float] = field(default_factory=list)  # µs
    p99: list[float] = field(default_factory=list)
    rate: list[float] = field(default_factory=list)  # requests/s
    first: list[float] = field(default_factory=list)  # µs from dialling to the first event
    delay: list[float] = field(default_factory=list)  # µs from sending to receiving an event
    burst: list[float] = field(default_factory=list)  # events/s
    start: list[float] = field(default_factory=list)  # ms from spawning to the first answer
    ready: list[float] = field(default_factory=list)  # ms from spawning to listening
    memory: list[float] = field(default_factory=list)  # MB after the traffic

    def best(self) -> dict[str, float]:
        return {
            "p50 µs": min(self.p50),
            "p99 µs": min(self.p99),
            f"req/s at {CONNECTIONS}": max(self.rate),
            "SSE first µs": min(self.first),
            "SSE delay µs": min(self.delay),
            "SSE burst ev/s": max(self.burst),
            "ready ms": statistics.median(self.ready),
            "first answer ms": statistics.median(self.start),
            "memory MB": min(self.memory),
        }


# ---- the client


def dial(port: int) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def read_answer(sock: socket.socket) -> None:
    got = b""
    while not got.endswith(ANSWER):
        more = sock.recv(65536)
        if not more:
            raise RuntimeError("the answer was cut short")
        got += more


def round_trips(port: int, count: int, result: Result) -> None:
    sock = dial(port)
    times = []
    for _ in range(count):
        began = time.perf_counter()
        sock.sendall(REQUEST)
        read_answer(sock)
        times.append(time.perf_counter() - began)
    sock.close()
    times.sort()
    result.p50.append(times[count // 2] * 1e6)
    result.p99.append(times[count * 99 // 100] * 1e6)


def requests_per_second(port: int, count: int, result: Result) -> None:
    """Each connection asks again as soon as it is answered."""
    selector = selectors.DefaultSelector()
    for _ in range(CONNECTIONS):
        sock = dial(port)
        read = bytearray()
        selector.register(sock, selectors.EVENT_READ, read)
        sock.sendall(REQUEST)
        read_answer(sock)
        sock.setblocking(False)
    began = time.perf_counter()
    asked = done = 0
    for key in list(selector.get_map().values()):
        key.fileobj.send(REQUEST)  # type: ignore[union-attr]
        asked += 1
    while done < count:
        events = selector.select(PATIENCE)
        if not events:
            raise RuntimeError("no answer in time")
        for key, _ in events:
            sock = key.fileobj  # type: ignore[assignment]
            data = sock.recv(65536)
            if not data.endswith(ANSWER):
                key.data.extend(data)
                if not key.data.endswith(ANSWER):
                    continue
                key.data.clear()
            done += 1
            if asked < count:
                sock.send(REQUEST)
                asked += 1
    result.rate.append(count / (time.perf_counter() - began))
    for key in list(selector.get_map().values()):
        key.fileobj.close()  # type: ignore[union-attr]


def first_events(port: int, count: int, result: Result) -> None:
    times = []
    for _ in range(count):
        began = time.perf_counter()
        sock = dial(port)
        sock.sendall(STREAM % b"first")
        got = b""
        while b"\n\n" not in got:
            got += sock.recv(65536)
        times.append(time.perf_counter() - began)
        sock.close()
    times.sort()
    result.first.append(times[count // 2] * 1e6)


def event_delay(port: int, count: int, result: Result) -> None:
    sock = dial(port)
    sock.sendall(STREAM % b"paced/%d" % count)
    delays: list[float] = []
    while len(delays) < count:
        data = sock.recv(65536)
        now = time.monotonic_ns()
        delays += [(now - int(sent)) / 1e3 for sent in SENT.findall(data)]
    sock.close()
    delays.sort()
    result.delay.append(delays[count // 2])


def burst(port: int, count: int, result: Result) -> None:
    sock = dial(port)
    began = time.perf_counter()
    sock.sendall(STREAM % b"burst/%d" % count)
    tail = b""
    while not tail.endswith(b"0\r\n\r\n"):
        data = sock.recv(1 << 20)
        if not data:
            raise RuntimeError("the stream was cut short")
        tail = (tail + data)[-16:]
    result.burst.append(count / (time.perf_counter() - began))
    sock.close()


# ---- the candidates


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
    return port


def wait_listening(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.001)
        else:
            return


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def candidates(server: int, proxies: list[str]) -> dict[str, tuple[int, list[str]]]:
    """A port and a command for each; none for the server itself."""
    url = f"http://127.0.0.1:{server}/"
    python = [sys.executable]
    found: dict[str, tuple[int, list[str]]] = {"direct": (server, [])}
    port = free_port()
    found["plain relay"] = (port, [*python, os.path.join(HERE, "plain_tcp_relay.py"), str(port), str(server)])
    record = [*python, "-m", "mcptest", "record", "--url", url, "--quiet"]
    port = free_port()
    found["mcptest"] = (port, [*record, "--listen", f"127.0.0.1:{port}"])
    if has_mitmproxy():
        port = free_port()
        found["mcptest, mitmproxy"] = (port, [*record, "--listen", f"127.0.0.1:{port}", "--engine", "mitmproxy"])
    for proxy in proxies:
        name, _, command = proxy.partition("=")
        port = free_port()
        words = [word.replace("{port}", str(port)).replace("{url}", url) for word in shlex.split(command)]
        found[name] = (port, words)
    return found


def has_mitmproxy() -> bool:
    from mcptest.proxy.http.mitm import find_mitmdump

    return find_mitmdump() is not None


def memory(pid: int) -> float:
    """Proportional megabytes of a process tree: what is shared is counted once."""
    total = 0.0
    stack = [pid]
    while stack:
        one = stack.pop()
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children", encoding="ascii") as file:
                    stack += [int(word) for word in file.read().split()]
            with open(f"/proc/{one}/smaps_rollup", encoding="ascii") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024
        except OSError:
            continue
    return total


def measure(port: int, command: list[str], result: Result, sizes: dict[str, int]) -> None:
    began = time.perf_counter()
    with running(command or ["sleep", "60"]) as process:
        wait_listening(port)
        result.ready.append((time.perf_counter() - began) * 1e3 if command else float("nan"))
        sock = dial(port)
        sock.sendall(REQUEST)
        read_answer(sock)
        result.start.append((time.perf_counter() - began) * 1e3 if command else float("nan"))
        sock.close()
        round_trips(port, sizes["pings"], result)
        requests_per_second(port, sizes["requests"], result)
        first_events(port, sizes["streams"], result)
        event_delay(port, sizes["events"], result)
        burst(port, sizes["burst"], result)
        result.memory.append(memory(process.pid) if command else float("nan"))


def run(proxies: list[str], rounds: int, sizes: dict[str, int], only: list[str]) -> dict[str, dict[str, float]]:
    server = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running([sys.executable, os.path.join(HERE, "http_server.py"), str(server)]),
    ):
        os.environ["MCPTEST_CAPTURE"] = os.path.join(folder, "bench.duckdb")
        wait_listening(server)
        commands = candidates(server, proxies)
        if only:
            commands = {name: found for name, found in commands.items() if name in only or name == "plain relay"}
        results = {name: Result() for name in commands}
        for _ in range(rounds):
            for name, (port, command) in commands.items():
                measure(port, command, results[name], sizes)
    return {name: result.best() for name, result in results.items()}


def table(results: dict[str, dict[str, float]], markdown: bool) -> str:
    baseline = results["plain relay"]
    columns = list(baseline)
    rows = [["", *columns]]
    for name, values in results.items():
        rows.append([name, *(_cell(values[column], baseline[column]) for column in columns)])
    if markdown:
        rows.insert(1, ["---", *("---:" for _ in columns)])
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _cell(value: float, baseline: float) -> str:
    return "–" if value != value else f"{value:,.0f} ({value / baseline:.2f}×)"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--proxy", action="append", default=[], metavar="NAME='COMMAND {port} {url}'")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="of the candidates, with the relay")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pings", type=int, default=3_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--streams", type=int, default=300)
    parser.add_argument("--events", type=int, default=500)
    parser.add_argument("--burst", type=int, default=100_000)
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    arguments = parser.parse_args()
    sizes = {name: getattr(arguments, name) for name in ("pings", "requests", "streams", "events", "burst")}
    results = run(arguments.proxy, arguments.rounds, sizes, arguments.only)
    if arguments.format == "json":
        print(json.dumps(results, indent=2, ensure_ascii=False))
    else:
        print(table(results, arguments.format == "markdown"))


if __name__ == "__main__":
    main()
