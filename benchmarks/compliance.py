"""How fast sessions are judged by all compliance rules: `python -m benchmarks.compliance`.

Prints messages per second of one process in both eras, how that grows with the length of a session, the memory it
takes, and what a second process gains. Shared machines are noisy: each number is the best of several runs, and counts
processor time, except where two processes are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from mcptest.capture import journals, sources
from mcptest.compliance import Book, comply
from mcptest.compliance.parallel import comply_each
from mcptest.protocol import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO
from mcptest.wire import Frame
from mcptest.wire.frame import EVENT, STDIN, STDOUT

ERAS = ("2025-11-25", "2026-07-28")
CLIENT: dict[str, Any] = {"sampling": {}, "elicitation": {}}
SERVER: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "logging": {}}
RARELY = 500  # rounds between two listings
APART = 5_000_000  # ns between frames


def tool(number: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": f"tool_{number}",
        "title": f"Tool {number}",
        "description": "Looks for documents that match a query, the best match first. " * 2,
        "inputSchema": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "what"}, "limit": {"type": "integer"}},
            "required": ["query"],
        },
    }
    if number % 2:
        count = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
        found["outputSchema"] = count
    return found


class Session:
    """A client that calls tools, with progress, logs and structured results, reads resources and gets prompts."""

    def __init__(self, era: str, messages: int) -> None:
        self._modern = era == ERAS[-1]
        self._era, self._wanted = era, messages
        self._seq = self._id = self.messages = 0
        self._mono = 1_000_000_000

    def frames(self) -> Iterator[Frame]:
        target = {"argv": ["server"]}
        yield journals.header_frame("0123456789ab", at=1, mono=self._mono, transport="stdio", target=target)
        yield self._event("spawn", pid=1)
        yield from self._opening()
        rounds = 0
        while self.messages < self._wanted:
            if rounds % RARELY == 0:
                yield from self._exchange("tools/list", {}, {"tools": [tool(number) for number in range(20)]}, True)
            rounds += 1
            yield from self._round()
        yield self._event("eof", channel="stdin", by="sender")
        yield self._event("exit", code=0)
        yield self._event("end")

    def _opening(self) -> Iterator[Frame]:
        if self._modern:
            found = {"supportedVersions": [self._era], "capabilities": SERVER}
            yield from self._exchange("server/discover", {}, found, True)
            return
        who = {"name": "benchmark", "version": "1"}
        asked = {"protocolVersion": self._era, "capabilities": CLIENT, "clientInfo": who}
        answered = {"protocolVersion": self._era, "capabilities": SERVER, "serverInfo": who}
        yield from self._exchange("initialize", asked, answered)
        yield self._message(STDIN, {"method": "notifications/initialized"})

    def _round(self) -> Iterator[Frame]:
        """Fifteen messages."""
        for number in range(4):
            arguments = {"query": f"number {self.messages}", "limit": 3}
            params: dict[str, Any] = {"name": f"tool_{number}", "arguments": arguments}
            text = "A document about something that somebody was looking for. " * 4
            result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
            if number % 2:
                result["structuredContent"] = {"count": self.messages}
                result["content"][0]["text"] = json.dumps(result["structuredContent"])
            if number == 3:
                params["_meta"] = {"progressToken": self._id}
            yield self._ask("tools/call", params)
            if number == 3:
                for done in (1, 2):
                    progress = {"progressToken": params["_meta"]["progressToken"], "progress": done, "total": 2}
                    yield self._message(STDOUT, {"method": "notifications/progress", "params": progress})
                log = {"level": "info", "data": f"step {self.messages}"}
                yield self._message(STDOUT, {"method": "notifications/message", "params": log})
            yield self._answer(result)
        uri = f"file:///documents/{self.messages}"
        contents = [{"uri": uri, "mimeType": "text/plain", "text": "words " * 30}]
        yield from self._exchange("resources/read", {"uri": uri}, {"contents": contents}, True)
        said = [{"role": "user", "content": {"type": "text", "text": "hello"}}]
        yield from self._exchange("prompts/get", {"name": "p", "arguments": {"a": "b"}}, {"messages": said})

    def _exchange(self, method: str, params: Any, result: Any, cached: bool = False) -> Iterator[Frame]:
        yield self._ask(method, params)
        yield self._answer(result, cached)

    def _ask(self, method: str, params: dict[str, Any]) -> Frame:
        self._id += 1
        if self._modern:
            meta = {
                PROTOCOL_VERSION: self._era,
                CLIENT_CAPABILITIES: CLIENT,
                CLIENT_INFO: {"name": "benchmark", "version": "1"},
                LOG_LEVEL: "info",
                **params.get("_meta", {}),
            }
            params = {**params, "_meta": meta}
        return self._message(STDIN, {"id": self._id, "method": method, "params": params})

    def _answer(self, result: dict[str, Any], cached: bool = False) -> Frame:
        if self._modern:
            more: dict[str, Any] = {"ttlMs": 0, "cacheScope": "private"} if cached else {}
            meta = {SERVER_INFO: {"name": "benchmark", "version": "1"}}
            result = {**result, **more, "resultType": "complete", "_meta": meta}
        return self._message(STDOUT, {"id": self._id, "result": result})

    def _message(self, channel: int, body: dict[str, Any]) -> Frame:
        self.messages += 1
        return self._frame(channel, {"jsonrpc": "2.0", **body})

    def _event(self, what: str, **about: Any) -> Frame:
        return self._frame(EVENT, {"event": what, **about})

    def _frame(self, channel: int, value: Any) -> Frame:
        self._seq += 1
        self._mono += APART
        data = json.dumps(value, separators=(",", ":")).encode()
        return Frame(self._seq, self._mono, self._mono, 0, channel, 0, data)


def written(folder: Path, era: str, messages: int) -> sources.Source:
    """A recorded session of this many messages."""
    folder.mkdir(parents=True, exist_ok=True)
    frames = Session(era, messages).frames()
    header = next(frames)
    path = journals.write_whole(folder, frames, header)
    return sources.Source(f"{messages:,} messages of {era}", path)


def judged(source: sources.Source, book: Book) -> tuple[int, float]:
    """How many messages, and the seconds of processor time."""
    begin = time.process_time()
    outcome = comply(source.frames(), book, source=source.name)
    used = time.process_time() - begin
    crashed = [verdict.reason for verdict in outcome.verdicts if str(verdict.status) == "crashed"]
    assert not crashed, crashed
    return sum(outcome.revisions.values()), used


def speed(folder: Path, runs: int) -> None:
    book = Book.load()
    print(f"messages per second of one process, {len(book.rules)} rules (bar: 20,000)")
    for era in ERAS:
        for count in (10_000, 40_000):
            source = written(folder / f"{era}-{count}", era, count)
            judged(source, book)  # what is loaded when first needed
            messages, seconds = min((judged(source, book) for _ in range(runs)), key=lambda one: one[1] / one[0])
            print(f"  {era}, {messages:>7,} messages: {messages / seconds:>8,.0f}/s")


def memory(folder: Path, counts: tuple[int, ...]) -> None:
    print("memory of a process that judges one session, at its largest")
    for count in counts:
        source = written(folder / str(count), ERAS[0], count)
        measure = [sys.executable, "-m", "benchmarks.compliance", "--judge", str(source.path)]
        done = subprocess.run(measure, capture_output=True, text=True, check=True)
        print(f"  {count:>9,} messages, {source.path.stat().st_size >> 20:>4} MB: {done.stdout.strip()}")


def spin(_: int) -> None:
    for _number in range(8_000_000):
        pass


def available() -> float:
    """What a second process gains where nothing but the machine can be in the way."""
    taken = []
    for jobs in (1, 2):
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            list(pool.map(abs, range(2 * jobs)))  # they have begun
            begin = time.perf_counter()
            list(pool.map(spin, range(4)))
            taken.append(time.perf_counter() - begin)
    return taken[0] / taken[1]


def two_processes(folder: Path, runs: int) -> None:
    book = Book.load()
    found = [written(folder / f"two-{number}", ERAS[number % 2], 25_000) for number in range(6)]
    taken: dict[int, list[float]] = {1: [], 2: []}
    idle = []
    for _ in range(runs):
        idle.append(available())
        for jobs, times in taken.items():
            begin = time.perf_counter()
            list(comply_each(found, book, jobs=jobs))
            times.append(time.perf_counter() - begin)
    one, two = min(taken[1]), min(taken[2])
    print(f"{len(found)} sessions: one process {one:.2f} s, two {two:.2f} s: {one / two:.2f} x (bar: 1.6)")
    print(f"  an empty loop gained {', '.join(f'{gain:.2f}' for gain in idle)} x: below 1.9 the machine was busy")


def judge_alone(path: str) -> None:
    messages, seconds = judged(sources.Source(path, Path(path)), Book.load())
    # Not getrusage: its peak begins with that of the process that started this one.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    print(f"{peak / 1024:.0f} MB, {messages / seconds:,.0f}/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--largest", type=int, default=300_000, help="messages of the longest session")
    parser.add_argument("--judge", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.judge:
        judge_alone(chosen.judge)
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, best of {chosen.runs}")
    with tempfile.TemporaryDirectory() as name:
        speed(Path(name), chosen.runs)
        two_processes(Path(name), chosen.runs)
        memory(Path(name), (chosen.largest // 10, chosen.largest // 3, chosen.largest))


if __name__ == "__main__":
    main()
