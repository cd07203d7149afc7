"""What does a wrapper around a stdio server cost? Direct, a plain relay, mcptest and others, side by side in one run.

    python -m benchmarks.stdio [--wrap NAME='COMMAND {server}'] [--rounds N] [--format text|markdown|json]

Machines are shared and noisy: read the ratios to the plain relay, which is measured in the same run, not the
absolute numbers. Rounds of all candidates are interleaved and the best of each is taken.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = [sys.executable, "-S", os.path.join(HERE, "echo_server.py")]
RELAY = [sys.executable, os.path.join(HERE, "plain_relay.py")]
SMALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"%s"}}}' % (
    b"the quick brown fox jumps over the lazy dog " * 4
)
SMALL = SMALL[:248] + b"\n" if len(SMALL) > 248 else SMALL + b"\n"
LARGE = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%s"}]}}\n' % (
    b"All work and no play makes Jack a dull boy, said the proxy. " * 17_476
)


@dataclass
class Result:
    p50: list[float] = field(default_factory=list)  # µs
    p99: list[float] = field(default_factory=list)
    pipelined: list[float] = field(default_factory=list)  # messages/s
    large: list[float] = field(default_factory=list)  # MB/s
    start: list[float] = field(default_factory=list)  # ms, spawn to first answer
    idle: float = 0.0  # MB, without the server
    peak: float = 0.0

    def best(self) -> dict[str, float]:
        return {
            "round trip p50 µs": min(self.p50),
            "round trip p99 µs": min(self.p99),
            "pipelined msg/s": max(self.pipelined),
            "1 MB messages MB/s": max(self.large),
            "start ms": statistics.median(self.start),
            "idle MB": self.idle,
            "peak MB": self.peak,
        }


def read_exactly(stream: int, size: int) -> int:
    got = 0
    while got < size:
        data = os.read(stream, min(size - got, 1 << 20))
        if not data:
            break
        got += len(data)
    return got


class Peer:
    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin and self.process.stdout
        self.to, self.back = self.process.stdin.fileno(), self.process.stdout.fileno()

    def ping(self, message: bytes) -> None:
        os.write(self.to, message)
        if read_exactly(self.back, len(message)) != len(message):
            raise RuntimeError("the answer was cut short")

    def stream(self, message: bytes, count: int) -> float:
        """Send without waiting for answers; returns the seconds until all have come back."""
        block = message * max(1, 65536 // len(message))
        per_block = len(block) // len(message)
        blocks = max(1, count // per_block)

        def send() -> None:
            for _ in range(blocks):
                view = memoryview(block)
                while view:
                    view = view[os.write(self.to, view) :]

        sender = threading.Thread(target=send)
        began = time.perf_counter()
        sender.start()
        expected = blocks * len(block)
        got = read_exactly(self.back, expected)
        taken = time.perf_counter() - began
        sender.join()
        if got != expected:
            raise RuntimeError(f"{expected - got} bytes were lost")
        return taken

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


def wrapper_memory(pid: int) -> tuple[float, float]:
    """Resident and peak megabytes of a process tree, without the server in it."""
    now = peak = 0.0
    stack = [pid]
    while stack:
        one = stack.pop()
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children", encoding="ascii") as file:
                    stack += [int(word) for word in file.read().split()]
            with open(f"/proc/{one}/cmdline", "rb") as file:
                if b"echo_server" in file.read() and one != pid:
                    with open(f"/proc/{one}/cmdline", "rb") as again:
                        if again.read().split(b"\0")[1:2] == [b"-S"]:
                            continue
            with open(f"/proc/{one}/status", encoding="ascii", errors="replace") as file:
                fields = dict(line.split(":", 1) for line in file if ":" in line)
            now += int(fields["VmRSS"].split()[0]) / 1024
            peak += int(fields["VmHWM"].split()[0]) / 1024
        except (OSError, KeyError):
            continue
    return now, peak


def measure(command: list[str], result: Result, rounds: dict[str, int], with_memory: bool) -> None:
    peer = Peer(command)
    peer.ping(SMALL)
    if with_memory:
        time.sleep(0.5)
        result.idle = max(result.idle, wrapper_memory(peer.process.pid)[0])
    for _ in range(500):
        peer.ping(SMALL)
    times = []
    for _ in range(rounds["pings"]):
        began = time.perf_counter()
        peer.ping(SMALL)
        times.append((time.perf_counter() - began) * 1e6)
    times.sort()
    result.p50.append(times[len(times) // 2])
    result.p99.append(times[len(times) * 99 // 100])
    result.pipelined.append(rounds["small"] / peer.stream(SMALL, rounds["small"]))
    peer.close()
    peer = Peer(command)
    result.large.append(rounds["large"] * len(LARGE) / 1e6 / peer.stream(LARGE, rounds["large"]))
    if with_memory:
        result.peak = max(result.peak, wrapper_memory(peer.process.pid)[1])
    peer.close()


def start_up(command: list[str], result: Result) -> None:
    began = time.perf_counter()
    peer = Peer(command)
    peer.ping(SMALL)
    result.start.append((time.perf_counter() - began) * 1e3)
    peer.close()


def candidates(wraps: list[str]) -> dict[str, list[str]]:
    mcptest = os.path.join(os.path.dirname(sys.executable), "mcptest")
    found = {
        "direct": SERVER,
        "plain relay": [*RELAY, *SERVER],
        "mcptest record": [mcptest, "record", "--", *SERVER],
    }
    for wrap in wraps:
        name, _, command = wrap.partition("=")
        words: list[str] = []
        for word in shlex.split(command):
            words += SERVER if word == "{server}" else [word.replace("{server}", shlex.join(SERVER))]
        found[name] = words
    return found


def run(wraps: list[str], rounds: int, sizes: dict[str, int]) -> dict[str, dict[str, float]]:
    commands = candidates(wraps)
    results = {name: Result() for name in commands}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["MCPTEST_CAPTURE"] = os.path.join(folder, "bench.duckdb")
        for number in range(rounds):
            for name, command in commands.items():
                measure(command, results[name], sizes, with_memory=number == 0)
                for _ in range(5):
                    start_up(command, results[name])
    return {name: result.best() for name, result in results.items()}


def table(results: dict[str, dict[str, float]], markdown: bool) -> str:
    baseline = results["plain relay"]
    columns = list(baseline)
    rows = [["", *columns]]
    for name, values in results.items():
        rows.append([name, *(f"{values[c]:,.0f} ({values[c] / baseline[c]:.2f}×)" for c in columns)])
    if markdown:
        rows.insert(1, ["---", *("---:" for _ in columns)])
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stdio", description=__doc__.split("\n")[0])
    parser.add_argument("--wrap", action="append", default=[], metavar="NAME='COMMAND {server}'")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pings", type=int, default=20_000)
    parser.add_argument("--small", type=int, default=400_000, help="pipelined small messages a round")
    parser.add_argument("--large", type=int, default=200, help="1 MB messages a round")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    arguments = parser.parse_args()
    sizes = {"pings": arguments.pings, "small": arguments.small, "large": arguments.large}
    results = run(arguments.wrap, arguments.rounds, sizes)
    if arguments.format == "json":
        print(json.dumps(results, indent=2, ensure_ascii=False))
    else:
        print(table(results, arguments.format == "markdown"))


if __name__ == "__main__":
    main()
