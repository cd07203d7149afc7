"""How fast journals become a capture, how large it is, and how fast it answers.

    python -m benchmarks.capture                      a million messages
    python -m benchmarks.capture --messages 100000

Each step runs in a process of its own, so that start-up and memory are counted as a user has them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mcptest.capture import Capture, Place, fold, journals
from mcptest.wire import Frame
from mcptest.wire.frame import EVENT, STDIN, STDOUT

SESSIONS = 10
# Text that compresses as text does: English letters, and few words for most of what is said.
LETTERS = "etaoinshrdlcumwfgypbvk"
LETTER_WEIGHTS = [127, 91, 82, 75, 70, 67, 63, 61, 60, 43, 40, 28, 28, 24, 24, 22, 20, 20, 19, 15, 10, 8]
WORDS = 5000
WORD_WEIGHTS = list(itertools.accumulate(1 / rank for rank in range(1, WORDS + 1)))

QUERIES = {
    "p95 per tool": "SELECT tool, count(*) n, quantile_cont(duration_ms, 0.95) p95"
    " FROM tool_calls GROUP BY tool ORDER BY p95 DESC",
    "messages by method": "SELECT coalesce(method, answers), count(*), sum(size) FROM messages GROUP BY ALL",
    "errors": "SELECT method, code, count(*) FROM errors GROUP BY ALL ORDER BY 3 DESC",
    "text search": "SELECT count(*) FROM messages WHERE raw LIKE '%needle in a haystack%'",
    "an argument of every call": "SELECT arguments->>'limit', count(*) FROM tool_calls GROUP BY ALL ORDER BY 2 LIMIT 5",
    "one session, slowest": "SELECT * FROM tool_calls WHERE session = 'bench03' ORDER BY duration_ms DESC LIMIT 10",
}


class Traffic:
    """A client that lists, calls tools and reads resources; requests of 200 to 400 bytes, answers alike."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        letters = self._chance.choices
        self._words = ["".join(letters(LETTERS, LETTER_WEIGHTS, k=self._chance.randint(2, 9))) for _ in range(WORDS)]

    def text(self, words: int) -> str:
        return " ".join(self._chance.choices(self._words, cum_weights=WORD_WEIGHTS, k=words))

    def messages(self) -> Iterator[tuple[int, dict[str, Any]]]:
        chance, number = self._chance, 0
        while True:
            number += 1
            tool = f"tool_{chance.randrange(12)}"
            arguments = {"path": f"/{self.text(1)}/{self.text(1)}.txt", "query": self.text(18), "limit": number % 100}
            wants_progress = {"_meta": {"progressToken": number}} if number % 10 == 0 else {}
            yield STDIN, _request(number, "tools/call", name=tool, arguments=arguments, **wants_progress)
            if wants_progress:
                progress = {"progressToken": number, "progress": 1, "message": self.text(5)}
                yield STDOUT, {"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}
            if number % 50 == 0:
                yield STDOUT, {"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": self.text(6)}}
                continue
            text = self.text(30) + (" needle in a haystack" if number % 1000 == 0 else "")
            result = {"content": [{"type": "text", "text": text}], "isError": number % 40 == 0}
            yield STDOUT, {"jsonrpc": "2.0", "id": number, "result": result}


def _listing(tools: Sequence[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    if tools:
        yield STDIN, {"jsonrpc": "2.0", "id": "tools", "method": "tools/list"}
        yield STDOUT, {"jsonrpc": "2.0", "id": "tools", "result": {"tools": list(tools)}}


def _request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def write(place: Place, messages: int, tools: Sequence[Any] = ()) -> int:
    """Journals of some sessions, each of which begins by listing the tools; the bytes of all messages in them."""
    place.journals.mkdir(parents=True)
    size = 0
    for number in range(SESSIONS):
        at = time.time_ns()
        header = journals.header_frame(
            f"bench{number:02}", at=at, mono=0, transport="stdio", target={"argv": ["server"]}
        )

        def frames(number: int = number, at: int = at) -> Iterator[Frame]:
            nonlocal size
            clock = 0
            chance = random.Random(number)
            traffic = itertools.chain(_listing(tools), Traffic(number).messages())
            count = messages // SESSIONS
            for seq in range(1, count + 1):
                channel, body = next(traffic)
                clock += int(chance.expovariate(1 / 3e6))
                data = json.dumps(body, separators=(",", ":")).encode()
                size += len(data)
                yield Frame(seq, at + clock, clock, 0, channel, 0, data)
            yield Frame(count + 1, at + clock, clock, 0, EVENT, 0, b'{"event":"end"}')

        journals.write_whole(place.journals, frames(), header)
    return size


def measure_fold(database: str) -> dict[str, float]:
    began = time.perf_counter()
    folded = fold(Place(Path(database)))
    return {"seconds": time.perf_counter() - began, "frames": folded.frames, "memory": _peak()}


def measure_queries(database: str) -> dict[str, float]:
    found = {}
    began = time.perf_counter()
    with Capture.open(Place(Path(database))) as capture:
        found["open"] = time.perf_counter() - began
        for name, sql in QUERIES.items():
            times = []
            for _ in range(3):
                began = time.perf_counter()
                capture.connection.execute(sql).fetchall()
                times.append(time.perf_counter() - began)
            found[name] = min(times)
    return {**found, "memory": _peak()}


def measure_sql(database: str) -> dict[str, float]:
    """The command as a user runs it, start-up and all."""
    command = [sys.executable, "-m", "mcptest", "sql", "--capture", database, QUERIES["p95 per tool"]]
    times = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return {"seconds": min(times)}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


STEPS = {"fold": measure_fold, "queries": measure_queries, "sql": measure_sql}


def _in_a_process(step: str, place: Place) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.capture", "--step", step, str(place.database)],
        check=True,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--step", nargs=2, metavar=("STEP", "DATABASE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        step, database = options.step
        print(json.dumps(STEPS[step](database)))
        return
    with tempfile.TemporaryDirectory(prefix="mcptest-benchmark-") as folder:
        place = Place(Path(folder) / "capture.duckdb")
        raw = write(place, options.messages)
        messages = options.messages // SESSIONS * SESSIONS
        print(f"{messages:,} messages in {SESSIONS} sessions, {raw / 1e6:,.0f} MB, {raw / messages:.0f} bytes each")
        folded = _in_a_process("fold", place)
        size = os.path.getsize(place.database)
        print(f"{'ingest':28} {messages / folded['seconds']:>10,.0f} messages/s")
        print(f"{'ingest, peak memory':28} {folded['memory']:>10,.0f} MB")
        print(f"{'capture file':28} {size / 1e6:>10,.1f} MB, {size / raw:.2f} x raw")
        queries = _in_a_process("queries", place)
        for name, value in queries.items():
            if name != "memory":
                print(f"{name:28} {1000 * value:>10,.0f} ms")
        print(f"{'queries, peak memory':28} {queries['memory']:>10,.0f} MB")
        print(
            f"{'mcptest sql, p95 per tool':28} {1000 * _in_a_process('sql', place)['seconds']:>10,.0f} ms with start-up"
        )


if __name__ == "__main__":
    main()
