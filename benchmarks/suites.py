"""What does a suite add to a server's own time?

    python -m benchmarks.suites [--calls 500] [--rounds 3] [--format text|json]

The same calls go to the same server, a small one on the SDK, twice: through pipes by a loop that does nothing but send
a line and wait for the answer, which is the server's own time; and as a suite with three expectations for each call,
recorded, one at a time and, as the policy usually has it, two. Both begin with the start of the server; `calls` leaves
that out. Machines are shared and noisy: of the rounds the best of each is taken, and `cpu` is what the suite's own
process used, which others on the machine change least.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mcptest import suites
from mcptest.capture import locate
from mcptest.policy import Policy

SERVER = [sys.executable, str(Path(__file__).parents[1] / "fixtures" / "servers" / "weather.py")]
REVISION = "2025-11-25"
INITIALIZE = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}


def own(calls: int) -> dict[str, float]:
    """The server's own time, seen from a pipe."""
    began = time.perf_counter()
    server = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert server.stdin is not None and server.stdout is not None

    def say(message: dict[str, Any]) -> None:
        assert server.stdin is not None
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()

    say({"id": "first", "method": "initialize", "params": INITIALIZE})
    server.stdout.readline()
    say({"method": "notifications/initialized"})
    ready = time.perf_counter()
    for number in range(calls):
        params = {"name": "forecast", "arguments": {"city": f"city {number}", "days": 2}}
        say({"id": number, "method": "tools/call", "params": params})
        server.stdout.readline()
    done = time.perf_counter()
    server.stdin.close()
    server.wait(10)
    return {"whole": time.perf_counter() - began, "calls": done - ready, "cpu": 0.0}


def suite(folder: Path, calls: int) -> suites.Suite:
    entries = [
        {
            "name": f"call {number}",
            "tool": "forecast",
            "args": {"city": f"city {number}", "days": 2},
            "expect": [
                {"target": "result.isError", "matcher": {"not": {"exact": True}}},
                {"target": "result.structuredContent.result[0].city", "matcher": {"exact": f"city {number}"}},
                {"target": "result.structuredContent", "matcher": {"schema": {"required": ["result"]}}},
            ],
        }
        for number in range(calls)
    ]
    path = folder / "suite.yml"
    path.write_text(
        json.dumps({"server": {"command": SERVER, "spec_version": REVISION}, "tools": entries}), encoding="utf-8"
    )
    return suites.load(path)


def run(found: suites.Suite, folder: Path, concurrency: int) -> dict[str, float]:
    done: list[float] = []

    def progress(result: suites.Result) -> None:
        if not done:
            done.append(time.perf_counter() - result.seconds)
        done.append(time.perf_counter())

    setting = suites.Setting(Policy(concurrency=concurrency), locate(folder / f"capture-{time.time_ns()}"))
    began = time.process_time()
    ran = asyncio.run(suites.run(found, found.entries, setting, progress=progress))
    assert ran.count(suites.Status.PASSED) == len(found.entries)
    return {"whole": ran.seconds, "calls": done[-1] - done[0], "cpu": time.process_time() - began}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        found = suite(folder, options.calls)
        loading = time.perf_counter() - began
        rounds = [
            {"own": own(options.calls), "one": run(found, folder, 1), "two": run(found, folder, 2)}
            for _ in range(options.rounds)
        ]
    best = {
        who: {what: min(one[who][what] for one in rounds) for what in ("whole", "calls", "cpu")} for who in rounds[0]
    }
    if options.format == "json":
        print(json.dumps({"loading": loading, **best}))
        return
    print(f"{options.calls} calls, seconds (and times the server's own); the suite was read in {loading:.2f} s")
    for label, who in (("server's own", "own"), ("suite, one at a time", "one"), ("suite, two at a time", "two")):
        cells = [
            f"{what} {best[who][what]:.2f} ({best[who][what] / best['own'][what]:.2f} ×)" for what in ("whole", "calls")
        ]
        print(f"{label:<22}{cells[0]:<24}{cells[1]:<24}cpu {best[who]['cpu']:.2f}")


if __name__ == "__main__":
    main()
