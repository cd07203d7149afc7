"""For tests: `mcptest.replay` and `mcptest.mock` as context managers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.capture import locate
from mcptest.policy import Policy
from mcptest.replay.drift import Compare, Drift, Judging
from mcptest.replay.masks import Mask, MaskSet, parse_mask
from mcptest.replay.mocking.conversation import OnExhausted
from mcptest.replay.mocking.faults import parse_fault
from mcptest.replay.mocking.guard import Address
from mcptest.replay.mocking.running import Background, Running
from mcptest.replay.outcomes import Outcome
from mcptest.replay.plan import read
from mcptest.replay.player import Manner
from mcptest.replay.regressing import Replayed, regress
from mcptest.replay.reports import counts, exit_code, label
from mcptest.replay.serving import Assembled, Setup, from_manifest, from_recording
from mcptest.replay.sources import find
from mcptest.replay.turns import Turn
from mcptest.transport import Target
from mcptest.transport import target as targets


class Replay(NamedTuple):
    """What came of a replay. `drift` is what fails it, `skipped` what the safety policy left out, `stopped` why it
    ended early, `session` the id of its own recording."""

    drift: tuple[Drift, ...]
    skipped: tuple[Outcome, ...]
    stopped: str | None
    session: str | None
    exit_code: int
    whole: Replayed

    def check(self) -> None:
        """AssertionError with all that drifted, if anything did or the replay could not be finished."""
        lines = [f"{label(one.step)} {one.kind.value} {one.pointer} {one.message}" for one in self.drift]
        lines += [f"stopped: {self.stopped}"] if self.stopped is not None else []
        if lines:
            raise AssertionError("\n".join(["the server drifted from its recording:", *lines]))


@contextmanager
def replay(
    recording: str | Path,
    target: Sequence[str] | str,
    *,
    compare: str = "exact",
    masks: Sequence[str | Mask] = (),
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    parallel: bool = False,
    timeout: float = 30.0,
    secrets: Mapping[str, str] | None = None,
    policy: Policy | None = None,
    capture: str | Path | None = None,
    record: bool = True,
) -> Iterator[Replay]:
    """Replay a recording (an exported file, or a session of the capture) against a server: a command as a list, a URL,
    or a command line. The replay is over when the block begins."""
    place = locate(capture)
    source = find(str(recording), place)
    played = read(source.frames())
    hidden = tuple(mask if isinstance(mask, Mask) else parse_mask(mask) for mask in masks)
    replayed = _run(
        regress(
            played,
            _target(target, headers, env, cwd),
            policy=policy or Policy(),
            manner=Manner(parallel=parallel, timeout=timeout, secrets=secrets or {}),
            judging=Judging(MaskSet(hidden), Compare(compare)),
            place=place if record else None,
            name=f"replay of {played.facts.name or played.session or source.name}",
            replay_of=played.session or source.name,
        )
    )
    failing = tuple(one for one in replayed.drift if counts(replayed, one))
    run = replayed.run
    yield Replay(failing, tuple(replayed.skipped), run.stopped, run.session, exit_code(replayed), replayed)


def _run(work: Coroutine[Any, Any, Replayed]) -> Replayed:
    """Also in a test that has an event loop of its own, which stands still meanwhile."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def _target(
    target: Sequence[str] | str,
    headers: Mapping[str, str] | None,
    env: Mapping[str, str] | None,
    cwd: str | Path | None,
) -> Target:
    made = targets.parse(target) if isinstance(target, str) else targets.command(target)
    if made.url is not None:
        return targets.url(made.url, headers=tuple((headers or {}).items()))
    return targets.command(made.command, env=env, cwd=cwd)


class Mock:
    """A mock that is running. `url` serves it over HTTP; `command` is the command line that serves it over stdio."""

    def __init__(self, url: str, command: list[str], assembled: Assembled) -> None:
        self.url, self.command, self._assembled = url, command, assembled

    @property
    def unasked(self) -> list[Turn]:
        """The recorded requests that nobody has asked for over HTTP."""
        return self._assembled.unasked()


@contextmanager
def mock(
    recording: str | Path | None = None,
    *,
    tools_from: str | Path | None = None,
    match: str = "ignoring-paths",
    ignore: Sequence[str] = (),
    on_exhausted: str = "last",
    faults: Sequence[str] = (),
    latency: float = 0.0,
    seed: int = 0,
    strict: bool = False,
    port: int = 0,
    capture: str | Path | None = None,
) -> Iterator[Mock]:
    """Serve a recording, or a manifest, for the length of the block. With `strict`, AssertionError at its end if
    recorded requests were never asked for."""
    if (recording is None) == (tools_from is None):
        raise TypeError("give either a recording or tools_from")
    setup = Setup(
        match=match,
        ignored=tuple(parse_mask(path) for path in ignore),
        on_exhausted=OnExhausted(on_exhausted),
        faults=tuple(map(parse_fault, faults)),
        seed=seed,
        latency=latency,
    )
    if tools_from is not None:
        assembled = from_manifest(Path(tools_from), setup)
        what = ["--tools-from", str(tools_from)]
    else:
        source = find(str(recording), locate(capture))
        assembled = from_recording(source, setup)
        what = [str(source.path)]
    command = [sys.executable, "-m", "mcptest", "mock", *what, "--match", match, "--on-exhausted", on_exhausted]
    command += [word for fault in faults for word in ("--fault", fault)]
    command += [word for path in ignore for word in ("--ignore", path)]
    command += ["--seed", str(seed), *(["--latency", f"{latency:g}xrecorded"] if latency else [])]
    server = Background(Running(assembled.brain, Address("127.0.0.1", port), latency=latency))
    server.start()
    try:
        yield Mock(server.url, command, assembled)
    finally:
        server.stop()
        assembled.close()
    if strict and assembled.unasked():
        names = ", ".join(f"{turn.method} {turn.name or ''}".strip() for turn in assembled.unasked())
        raise AssertionError(f"recorded requests were never asked for: {names}")
