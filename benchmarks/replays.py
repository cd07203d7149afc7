"""Published servers, replayed and mocked: `python -m benchmarks.replays [NAME…]` prints the table of docs/replay.md.

The SDK's client talks to each server through `mcptest record`. The recording is replayed against a fresh start of the
same server, where nothing may drift, and then served by the mock over stdio and over HTTP, from which the same client
must get the same. The servers come from their registries, into `.cache`; nothing of their text is kept.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest

import mcptest
from mcptest.policy import Policy
from tests.e2e.conversation import with_weather
from tests.e2e.demanding import BOOKING, SECRET, with_booking
from tests.e2e.everything_said import say_everything
from tests.e2e.http_peers import free_port, running
from tests.e2e.published import EVERYTHING, from_npm
from tests.e2e.servers import SERVERS
from tests.proxy.http.proxied import Proxied
from tests.proxy.wrapped import MCPTEST

WEATHER = [sys.executable, str(Path(__file__).parents[1] / "fixtures" / "servers" / "weather.py")]
POLICY = Policy(call_delay=0)

Talk = Callable[[Any], Any]
Start = Callable[[], Any]


class Subject(NamedTuple):
    """`start` gives a fresh server as a context: its command line or URL. `talk` is the client's side."""

    name: str
    start: Start
    talk: Talk


class Row(NamedTuple):
    server: str
    requests: int
    skipped: int
    drift: list[str]
    over_stdio: bool
    over_http: bool


def published(home: Path) -> Iterator[Subject]:
    for name, server in SERVERS.items():
        folder = home / name

        async def talk(target: Any, server: Any = server, folder: Path = folder) -> Any:
            return await say_everything(target, server.calls(folder), server.reads, server.prompts)

        yield Subject(name, lambda server=server, folder=folder: _command(server.start(folder)), talk)  # type: ignore[misc]

    async def over_http(target: Any) -> Any:
        server = SERVERS["everything"]
        return await say_everything(target, server.calls(home), server.reads, server.prompts, "legacy")

    yield Subject(
        "everything, over HTTP", lambda: _listening(lambda _: from_npm(EVERYTHING, "streamableHttp")), over_http
    )
    for era in ("legacy", "2026-07-28"):
        said = "2025-11-25" if era == "legacy" else era

        async def weather(target: Any, era: str = era) -> Any:
            return await with_weather(target, era)

        async def booking(target: Any, era: str = era) -> Any:
            return await with_booking(target, era)

        yield Subject(f"fixtures/weather, {said}", lambda: _command(WEATHER), weather)
        yield Subject(f"fixtures/booking, {said}", lambda: _command(BOOKING), booking)
        yield Subject(f"fixtures/booking, {said}, over HTTP", lambda: _listening(lambda p: [*BOOKING, str(p)]), booking)


@contextmanager
def _command(command: list[str]) -> Iterator[list[str]]:
    yield command


@contextmanager
def _listening(command: Callable[[int], list[str]]) -> Iterator[str]:
    port = free_port()
    with running(command(port), port, env={**os.environ, "PORT": str(port)}):
        yield f"http://127.0.0.1:{port}/mcp"


def measure(subject: Subject, folder: Path) -> Row:
    capture = folder / "capture.duckdb"
    with subject.start() as target:
        real = _record(subject, target, folder)
    secrets = _secrets(folder)
    with (
        subject.start() as target,
        mcptest.replay("last", target, capture=capture, policy=POLICY, secrets=secrets) as replayed,
    ):
        drift = [f"{one.kind.value} {one.step.label} {one.pointer}" for one in replayed.drift]
        drift += [replayed.stopped] if replayed.stopped else []
        skipped = len(replayed.skipped)
        requests = sum(outcome.step.turn.kind == "request" for outcome in replayed.whole.run.outcomes)
    with mcptest.mock("last", capture=capture, strict=True) as mock:
        same = [anyio.run(subject.talk, served) == real for served in (mock.command, mock.url)]
    return Row(subject.name, requests, skipped, drift, *same)


def _record(subject: Subject, target: Any, folder: Path) -> Any:
    if isinstance(target, list):
        return anyio.run(subject.talk, [*MCPTEST, "record", "--capture", str(folder / "capture.duckdb"), "--", *target])
    proxy = Proxied(folder, target)
    said = anyio.run(subject.talk, proxy.url)
    proxy.stop()
    return said


def _secrets(folder: Path) -> dict[str, str]:
    """The one secret that these conversations hold, by its placeholder."""
    from mcptest.capture import locate
    from mcptest.replay import find, placeholders, read

    turns = read(find("last", locate(folder / "capture.duckdb")).frames()).turns
    return {found: SECRET for turn in turns for found in placeholders(turn.params)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    wanted = parser.parse_args().names
    print("| server | requests | held back by the policy | drift | mock over stdio | mock over HTTP |")
    print("|---|---:|---:|---|---|---|", flush=True)
    bad = 0
    with tempfile.TemporaryDirectory() as home:
        for number, subject in enumerate(published(Path(home))):
            if wanted and not any(name in subject.name for name in wanted):
                continue
            try:
                row = measure(subject, Path(home) / f"run-{number}")
            except pytest.skip.Exception as skipped:
                print(f"| {subject.name} | | | not measured: {skipped} | | |", flush=True)
                continue
            drift = "<br>".join(row.drift) or "none"
            ways = ("same results" if same else "**other results**" for same in row[4:])
            print(f"| {row.server} | {row.requests} | {row.skipped} | {drift} | {' | '.join(ways)} |", flush=True)
            bad += bool(row.drift) or not all(row[4:])
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
