"""Real servers, real processes: each test meets a small server that is started for it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcptest.live import Keeping, Manner
from mcptest.policy import Gate, Policy
from mcptest.probes import (
    CHECKS,
    FuzzReport,
    FuzzSettings,
    ProbeReport,
    Settings,
    Visits,
    fuzz_tool,
    known,
    probe_tool,
)
from mcptest.transport import Target, target

DEFECTS = Path(__file__).parents[2] / "fixtures" / "servers" / "defects"
SECRET = "hunter2-open-sesame-4711"
PATIENT, FREE, NEWEST = Settings(timeout=20.0), Policy(call_delay=0), Manner()


def stdio(name: str, *arguments: str) -> Target:
    command = [sys.executable, "-S", str(DEFECTS / name), *arguments]
    if name.startswith("sound"):
        command.remove("-S")  # the SDK is among the site packages
    return target.command(command, env={"BOOKS_PASSWORD": SECRET})


@contextmanager
def over_http(name: str, *arguments: str) -> Iterator[Target]:
    """A server that prints its URL when it is ready."""
    server = subprocess.Popen(
        [sys.executable, str(DEFECTS / name), *arguments], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert server.stdout is not None
    try:
        yield target.url(server.stdout.readline().strip())
    finally:
        server.kill()
        server.wait(10)
        server.stdout.close()


def probed(
    where: Target,
    *checks: str,
    policy: Policy = FREE,
    base: dict[str, Any] | None = None,
    settings: Settings = PATIENT,
    tool: dict[str, Any] | None = None,
    manner: Manner = NEWEST,
    keeping: Keeping | None = None,
) -> ProbeReport:
    async def run() -> ProbeReport:
        async with Visits(where, manner, keeping=keeping) as visits:
            found = tool or (await (await visits.client()).tools())[0]
            gate = Gate(policy, http=where.is_http)
            return await probe_tool(visits, found, base, known(checks or list(CHECKS)), settings, gate)

    return asyncio.run(run())


def fuzzed(
    where: Target,
    cases: int = 100,
    seed: int = 7,
    policy: Policy = FREE,
    tool: dict[str, Any] | None = None,
    timeout: float = 20.0,
) -> FuzzReport:
    async def run() -> FuzzReport:
        async with Visits(where) as visits:
            found = tool or (await (await visits.client()).tools())[0]
            return await fuzz_tool(visits, found, None, FuzzSettings(cases, seed, timeout), Gate(policy))

    return asyncio.run(run())
