"""Serve a recording: a server that answers as the recorded one did, over stdio or HTTP.

A request is looked up by its method and params, then by looser matchers up to --match; what is asked again is answered
in recorded order. Notifications, progress and the server's own requests are played as recorded. A request that was not
recorded gets an error that names the nearest one and what differs, or goes to a live server with --on-miss forward.

With --tools-from, the server is described by a manifest instead of a recording.
"""

from __future__ import annotations

import asyncio
import gc
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mcptest.capture import locate
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption
from mcptest.cli.targets import (
    BearerOption,
    CallDelayOption,
    ConcurrencyOption,
    DestructiveOption,
    HeaderOption,
    MaxCallsOption,
    policy,
)
from mcptest.cli.terminal import escape
from mcptest.errors import EXIT_FINDINGS, EXIT_FINE, UsageError

if TYPE_CHECKING:
    from mcptest.replay.serving import Assembled, Setup
    from mcptest.transport import Target

_SHOWN = 20  # requests that were never asked for
# Turns are many, and hold no cycles: to look for some among them again and again costs more than it frees.
_COLLECT = (200_000, 20, 20)


def run(
    recording: Annotated[
        str | None,
        typer.Argument(
            metavar="[SESSION|FILE]", help="A recording: a session's id, name, last, last:2; or an exported file."
        ),
    ] = None,
    tools_from: Annotated[
        str | None, typer.Option("--tools-from", metavar="FILE", help="Serve the mock_server of this YAML manifest.")
    ] = None,
    http: Annotated[
        str | None, typer.Option("--http", metavar="HOST:PORT", help="Serve HTTP at /mcp instead of stdio.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Also serve requests for this host name. Repeatable."),
    ] = None,
    capture: CaptureOption = None,
    match: Annotated[
        str,
        typer.Option(
            "--match",
            metavar="exact-params|tool-and-arguments|ignoring-paths|tool-only|method-only",
            help="The loosest matcher to use.",
        ),
    ] = "ignoring-paths",
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="[TOOL:]POINTER", help="Ignore this place of params, e.g. /arguments/now."),
    ] = None,
    on_exhausted: Annotated[
        Literal["last", "error", "cycle"],
        typer.Option("--on-exhausted", help="What is asked more often than recorded gets."),
    ] = "last",
    on_miss: Annotated[
        Literal["error", "forward"], typer.Option("--on-miss", help="What was not recorded gets.")
    ] = "error",
    to: Annotated[
        str | None, typer.Option("--to", metavar="TARGET", help="Forward to this URL or command line, and record it.")
    ] = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    latency: Annotated[
        str, typer.Option("--latency", metavar="none|recorded|FACTORxrecorded", help="How long answers take.")
    ] = "none",
    fault: Annotated[
        list[str] | None,
        typer.Option(
            "--fault",
            metavar="FAULT",
            help="Misbehave: hang, wedged, slow:MS, recover-after:N, drop:P, malformed, disconnect-after:N, "
            "error:CODE. Repeatable.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="For faults by chance.")] = 0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if recorded requests were never asked for.")
    ] = False,
    execute_destructive: DestructiveOption = False,
    max_calls: MaxCallsOption = None,
    concurrency: ConcurrencyOption = 2,
    call_delay: CallDelayOption = 100,
) -> int:
    from mcptest.replay.serving import Forwarding, from_manifest, from_recording

    gc.set_threshold(*_COLLECT)
    setup = _setup(match, ignore, on_exhausted, fault, seed, latency)
    if (recording is None) == (tools_from is None):
        raise UsageError("give either a recording or --tools-from FILE")
    if (on_miss == "forward") is not (to is not None):
        raise UsageError("--on-miss forward and --to TARGET belong together")
    if tools_from is not None:
        if to is not None or strict:
            raise UsageError("--on-miss and --strict are about recordings, not manifests")
        made = from_manifest(Path(tools_from), setup)
    else:
        from mcptest.replay import find

        forwarding: Forwarding | None = None
        place = locate(capture)
        if to is not None:
            rules = policy(execute_destructive, max_calls, concurrency, call_delay)
            forwarding = Forwarding(_target(to, header, bearer_env), rules, place, complain)
        made = from_recording(find(recording or "", place), setup, forwarding)
    try:
        if http is not None:
            _serve_http(made, http, allow_host or [], setup)
        else:
            _serve_stdio(made, setup)
    finally:
        made.close()
    return _verdict(made) if strict else EXIT_FINE


def _setup(
    match: str, ignore: list[str] | None, on_exhausted: str, fault: list[str] | None, seed: int, latency: str
) -> Setup:
    from mcptest.replay.masks import parse_mask
    from mcptest.replay.matchers import chain
    from mcptest.replay.mocking.conversation import OnExhausted
    from mcptest.replay.mocking.faults import parse_fault
    from mcptest.replay.serving import Setup

    chain(match)
    faults = tuple(map(parse_fault, fault or ()))
    ignored = tuple(map(parse_mask, ignore or ()))
    return Setup(match, ignored, OnExhausted(on_exhausted), faults, seed, _latency(latency))


def _latency(text: str) -> float:
    if text == "none":
        return 0.0
    match = re.fullmatch(r"(?:(\d+(?:\.\d+)?)x)?recorded", text)
    if match is None:
        raise UsageError(f"--latency is none, recorded or FACTORxrecorded such as 0.5xrecorded, not {text!r}")
    return float(match[1] or 1)


def _target(to: str, header: list[str] | None, bearer_env: str | None) -> Target:
    from mcptest.cli.targets import chosen
    from mcptest.transport.target import parse

    found = parse(to)
    return chosen(found.command, found.url, header, bearer_env)


def _serve_stdio(made: Assembled, setup: Setup) -> None:
    from mcptest.replay.mocking.stdio import StdioMock

    signal.signal(signal.SIGTERM, _interrupt)
    try:
        StdioMock(made.brain.converse(), latency=setup.latency, forwarder=made.forwarder).run()
    except KeyboardInterrupt:
        pass


def _interrupt(_signum: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _serve_http(made: Assembled, where: str, allowed: list[str], setup: Setup) -> None:
    from mcptest.replay.mocking.guard import parse_address
    from mcptest.replay.mocking.running import Running

    running = Running(
        made.brain, parse_address(where), allowed=allowed, latency=setup.latency, forwarder=made.forwarder
    )

    def ready(url: str) -> None:
        print(url, flush=True)

    async def serve() -> None:
        stop = asyncio.Event()
        for signum in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(signum, stop.set)
        await running.run(ready, stop)

    asyncio.run(serve())


def _verdict(made: Assembled) -> int:
    left = made.unasked()
    for turn in left[:_SHOWN]:
        print(escape(f"never asked for: {turn.method} {turn.name or ''}".rstrip()), file=sys.stderr)
    if len(left) > _SHOWN:
        print(f"… and {len(left) - _SHOWN} more", file=sys.stderr)
    return EXIT_FINDINGS if left else EXIT_FINE
