"""Published servers: a replay against the same server does not drift, and a mock is not to be told from the server."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

import mcptest
from tests.e2e.everything_said import say_everything
from tests.e2e.servers import SERVERS
from tests.proxy.wrapped import MCPTEST

_SAMPLE = ("time", "sqlite", "memory")  # of the servers, where time is short
NAMES = [name if name in _SAMPLE else pytest.param(name, marks=pytest.mark.full) for name in SERVERS]


@pytest.mark.network
@pytest.mark.parametrize("name", NAMES)
def test_a_published_server_replays_without_drift_and_is_mocked_faithfully(tmp_path: Path, name: str):
    published, home, capture = SERVERS[name], tmp_path / "home", tmp_path / "capture"
    talk = (published.calls(home), published.reads, published.prompts)
    recorder = [*MCPTEST, "record", "--name", name, "--capture", str(capture), "--"]
    real = anyio.run(say_everything, [*recorder, *published.start(home)], *talk)

    with mcptest.replay(name, published.start(home), capture=capture) as replayed:
        assert replayed.stopped is None
        replayed.check()

    mock = [sys.executable, "-m", "mcptest", "mock", name, "--capture", str(capture), "--strict"]
    assert anyio.run(say_everything, mock, *talk) == real
    with mcptest.mock(name, capture=capture, strict=True) as served:
        assert anyio.run(say_everything, served.url, *talk) == real
