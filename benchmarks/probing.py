"""What probes and fuzzing say about published servers: `python -m benchmarks.probing [NAME…] [--again] [--fuzz N]`.

Each server is installed as `benchmarks.published` does it, and probed by the command line as a user would, with every
probe there is, in a folder and a capture of its own. Printed is a table of counts. With --again the line that is
printed with each finding is run once more, and must find it again.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.published import SERVERS, Published, installed

# Those that need no service behind them, or say at once that they cannot reach it.
CHOSEN = (
    "mcp-server-time",
    "mcp-server-fetch",
    "mcp-server-git",
    "mcp-server-calculator",
    "excel-mcp-server",
    "@modelcontextprotocol/server-everything",
    "@modelcontextprotocol/server-filesystem",
    "@modelcontextprotocol/server-memory",
    "@modelcontextprotocol/server-sequential-thinking",
    "@playwright/mcp",
)
VERDICTS = ("failed_silent_acceptance", "protocol_violation", "crashed", "hung")
LONGEST = 1200  # seconds for one server
MCPTEST = [sys.executable, "-m", "mcptest"]


class Ran(NamedTuple):
    code: int
    report: dict[str, Any]
    seconds: float


def run(words: Sequence[str], server: Published, folder: str) -> Ran:
    began = time.monotonic()
    environment = {**os.environ, **dict(server.environment), "MCPTEST_CAPTURE": f"{folder}/capture.duckdb"}
    done = subprocess.run(
        [*MCPTEST, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    report = json.loads(done.stdout) if done.stdout else {"findings": [], "verdicts": [], "summary": {}}
    if done.returncode not in (0, 1):
        print(f"{server.package}: exit code {done.returncode}: {done.stderr.strip()[-300:]}", file=sys.stderr)
    return Ran(done.returncode, report, time.monotonic() - began)


def row(server: Published, cases: int, *, again: bool) -> str:
    command = installed(server)
    with tempfile.TemporaryDirectory() as folder:
        ran = run(["probe", "--check", "all", "--format", "json", "--", *command], server, folder)
        fuzzed = run(["fuzz", "--cases", str(cases), "--seed", "7", "--format", "json", "--", *command], server, folder)
        found = [*ran.report["findings"], *fuzzed.report["findings"]]
        shown = sum(shows_again(finding, server, folder) for finding in found) if again else None
    verdicts = Counter(finding["data"]["verdict"] for finding in ran.report["findings"])
    flaws = Counter(finding["within"].strip("/") for finding in fuzzed.report["findings"])
    probes = sum(verdict["checked"] for verdict in ran.report["verdicts"])
    cells = [
        server.package,
        server.registry,
        str(probes),
        *(str(verdicts[verdict]) for verdict in VERDICTS),
        ", ".join(f"{count} {flaw}" for flaw, count in sorted(flaws.items())) or "clean",
        "" if shown is None else f"{shown} of {len(found)}",
        f"{ran.seconds + fuzzed.seconds:.0f} s",
    ]
    return f"| {' | '.join(cells)} |"


def shows_again(finding: dict[str, Any], server: Published, folder: str) -> bool:
    """Does the printed line find the same once more?"""
    words = shlex.split(finding["data"]["reproduce"])[1:]
    found = run([words[0], "--format", "json", *words[1:]], server, folder).report["findings"]
    same = any(one["rule"] == finding["rule"] for one in found)
    if not same:
        print(f"not again: {finding['data']['reproduce'][:300]}", file=sys.stderr)
    return same


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="packages; ten of them without any")
    parser.add_argument("--again", action="store_true", help="run the line of each finding once more")
    parser.add_argument("--fuzz", type=int, default=30, metavar="N", help="cases for each tool that only reads")
    chosen = parser.parse_args(arguments)
    print("| server | registry | probes | accepted | violated | crashed | hung | fuzzing | again | time |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for server in SERVERS:
        if server.package in (chosen.names or CHOSEN):
            try:
                print(row(server, chosen.fuzz, again=chosen.again))
            except (OSError, subprocess.SubprocessError) as error:
                print(f"{server.package}: {type(error).__name__}: {error}", file=sys.stderr)
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
