"""How fast catalogues are judged: `python -m benchmarks.lint`.

Prints the time for 1,000 tools, for each hostile schema, what a second process gains, and how fast the catalogue of a
long recording is found and judged, with the memory that it took. Shared machines are noisy:
each number is the best of several runs, processor time stands beside the wall clock's, and the ratio comes from runs
that take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import capture
from mcptest import catalogue
from mcptest.analyzers import Job, Plan, analyse, each, lint, load_rules, plan
from mcptest.capture import Place
from mcptest.config import Config

TOOLS = 1000
FILES = 12
LIMIT = 2.0  # seconds for a hostile schema, unless it is said to be over budget


def tool(number: int) -> dict[str, Any]:
    """A tool of ordinary size, with a few things to complain about."""
    return {
        "name": f"search_archive_{number}",
        "title": f"Search archive {number}",
        "description": f"Search archive number {number} for documents that match a query. " * 4
        + "Returns titles, ids and scores, the best match first. Use the filter to narrow by date, author or label.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words to look for, all of which must occur."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
                "order": {"enum": ["score", "date"], "description": "What comes first."},
                "filter": {"$ref": "#/$defs/Filter"},
                "after": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "After"},
                "anything": {"description": "Passed on as it is."},
            },
            "required": ["query"],
            "$defs": {
                "Filter": {
                    "type": "object",
                    "properties": {
                        "since": {"type": "string", "format": "date"},
                        "labels": {"type": "array", "items": {"type": "string", "maxLength": 40}},
                    },
                }
            },
        },
        "annotations": {"readOnlyHint": True},
    }


def catalogue_text(count: int) -> str:
    return json.dumps({"tools": [tool(number) for number in range(count)]}, indent=2)


def nested(opening: str, closing: str, depth: int = 100_000) -> str:
    return opening * depth + '{"type":"string"}' + closing * depth


def hostile() -> dict[str, str]:
    doubling = ",".join(
        f'"a{n}":{{"allOf":[{{"$ref":"#/$defs/a{n + 1}"}},{{"$ref":"#/$defs/a{n + 1}"}}]}}' for n in range(40)
    )
    properties = ",".join(f'"p{n}":{{}}' for n in range(100_000))
    return {
        "$ref to http": '{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:9/x"}}}',
        "$ref to a file": '{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}',
        "$schema at http": '{"$schema":"http://127.0.0.1:9/x","type":"object"}',
        "loop of references": '{"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}},"$ref":"#/$defs/x"}',
        "2^40 allOf by reference": '{"properties":{"a":{"$ref":"#/$defs/a0"}},"$defs":{' + doubling + ',"a40":{}}}',
        "ReDoS pattern": '{"properties":{"a":{"type":"string","pattern":"^(a+)+$","default":"' + "a" * 64 + '!"}}}',
        "100,000 properties": '{"type":"object","properties":{' + properties + "}}",
        "union of 50,000": '{"properties":{"a":{"anyOf":[' + ",".join(['{"type":"string"}'] * 50_000) + "]}}}",
        "100,000 levels of items": nested('{"items":', "}"),
        "100,000 levels of properties": nested('{"properties":{"x":', "}}"),
        "100,000 levels of anyOf": nested('{"anyOf":[', "]}"),
        "100,000 levels of allOf": nested('{"allOf":[{"properties":{"y":{}}},', "]}"),
        "100,000 levels of $defs": nested('{"$defs":{"x":', "}}"),
    }


class Seconds(NamedTuple):
    wall: float
    processor: float  # of this process

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s ({self.processor:.2f} s of processor)"


def best(runs: int, work: Callable[[], object]) -> Seconds:
    times = []
    for _ in range(runs):
        begin, used = time.perf_counter(), time.process_time()
        work()
        times.append(Seconds(time.perf_counter() - begin, time.process_time() - used))
    return Seconds(min(wall for wall, _ in times), min(used for _, used in times))


def thousand_tools(runs: int, folder: Path) -> None:
    text, rules = catalogue_text(TOOLS), load_rules()
    (folder / "tools.json").write_text(text, encoding="utf-8")
    found = lint(catalogue.read(text, "tools.json"), rules)
    findings = sum(len(verdict.findings) for verdict in found)
    seconds = best(runs, lambda: lint(catalogue.read(text, "tools.json"), rules))
    print(f"{TOOLS:,} tools, {len(text) / 1e6:.1f} MB, {len(rules)} rules, {findings:,} findings")
    print(f"  judged in one process            {seconds}, bar: 1 s")
    for command in (["schema-lint"], ["analyze"], ["analyze", "--format", "sarif"]):
        seconds = best(runs, lambda command=command: _command(*command, str(folder / "tools.json")))  # type: ignore[misc]
        print(f"  mcptest {' '.join(command):<24} {seconds.wall:6.2f} s with start-up and report")


def _command(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "mcptest", *arguments], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode in (0, 1), done.returncode


def hostile_schemas(runs: int) -> None:
    rules = load_rules()
    print("hostile schemas")
    for name, schema in hostile().items():
        text = f'[{{"name":"t","description":"Finds things.","inputSchema":{schema}}}]'
        found = {verdict.rule: verdict for verdict in lint(catalogue.read(text, "x"), rules)}
        seconds = best(runs, lambda text=text: lint(catalogue.read(text, "x"), rules))  # type: ignore[misc]
        over = "over budget" if found["SCH-005"].findings else ""
        verdict = over or ("ok" if min(seconds) <= LIMIT else "too slow")
        print(f"  {name:<32} {seconds}, {verdict}")


def two_processes(runs: int, folder: Path) -> None:
    names = []
    for number in range(FILES):
        path = folder / f"{number}.json"
        path.write_text(catalogue_text(TOOLS), encoding="utf-8")
        names.append(str(path))
    chosen: Plan = plan(Config(None, {}))
    one, two = [], []
    for _ in range(runs):
        one.append(best(1, lambda: list(each(names, Job(analyse, chosen), 1))).wall)
        two.append(best(1, lambda: list(each(names, Job(analyse, chosen), 2))).wall)
    ratio = min(one) / min(two)
    print(f"{FILES} files of {TOOLS:,} tools")
    print(f"  one process {min(one):.2f} s, two {min(two):.2f} s: {ratio:.2f} ×, bar: 1.6")


def _judge_recordings(folder: str) -> None:
    """In a process of its own, which tells what it took."""
    rules, place = load_rules(), Path(folder)
    began = time.process_time()
    for journal in sorted(place.iterdir()):
        analyse(str(journal), rules)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"seconds": time.process_time() - began, "memory": peak}))


def long_recordings(messages: int, folder: Path) -> None:
    size = capture.write(Place(folder / "capture.duckdb"), messages, [tool(number) for number in range(20)])
    command = [sys.executable, "-m", "benchmarks.lint", "--judge", str(folder / "capture.journals")]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    print(f"{messages:,} recorded messages, {size / 1e6:.0f} MB")
    rate = messages / told["seconds"]
    print(f"  all lint rules {rate:,.0f} messages/s of processor time, bar: 100,000; peak memory {told['memory']} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--judge", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.judge:
        _judge_recordings(options.judge)
        return
    runs = options.runs
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, best of {runs}")
    with tempfile.TemporaryDirectory() as name:
        thousand_tools(runs, Path(name))
        hostile_schemas(runs)
        two_processes(runs, Path(name))
        long_recordings(options.messages, Path(name) / "recorded")


if __name__ == "__main__":
    main()
