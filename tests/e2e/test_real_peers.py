"""Real clients and servers through `mcptest record`: the same results as without it."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

from tests.e2e.conversation import with_any, with_weather
from tests.e2e.published import EVERYTHING, from_npm, from_pypi
from tests.proxy.wrapped import MCPTEST, events, frames, stream

WEATHER = [sys.executable, str(Path(__file__).parents[2] / "fixtures" / "servers" / "weather.py")]


def wrapped(folder: Path, command: list[str]) -> list[str]:
    return [*MCPTEST, "record", "--capture", str(folder / "capture.duckdb"), "--", *command]


@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")])
def test_the_sdks_client_and_server_notice_nothing_in_either_era(tmp_path, mode, revision):
    direct = anyio.run(with_weather, WEATHER, mode)
    through = anyio.run(with_weather, wrapped(tmp_path, WEATHER), mode)
    assert through == direct
    assert through["revision"] == revision
    assert [message for _, _, message in through["progress"]] == ["Berlin", "Paris", "Rome"]
    recorded = frames(tmp_path)
    assert stream(recorded, "stderr").startswith(b"weather server ready")
    assert events(recorded)[-1] == {"event": "end"}


def test_a_published_server_from_pypi_behaves_as_without_the_wrapper(tmp_path):
    command = from_pypi("mcp_server_time", "--local-timezone", "UTC")
    calls = [
        ("convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
        ("convert_time", {"source_timezone": "Nowhere", "time": "12:00", "target_timezone": "UTC"}),
    ]
    direct = anyio.run(with_any, command, calls)
    assert anyio.run(with_any, wrapped(tmp_path, command), calls) == direct
    assert b"convert_time" in stream(frames(tmp_path), "stdin")


def test_a_published_server_from_npm_behaves_as_without_the_wrapper(tmp_path):
    command = from_npm(EVERYTHING, "stdio")
    calls = [("echo", {"message": "hello"}), ("get-sum", {"a": 2, "b": 40}), ("get-tiny-image", {})]
    direct = anyio.run(with_any, command, calls)
    assert anyio.run(with_any, wrapped(tmp_path, command), calls) == direct
    assert b"get-tiny-image" in stream(frames(tmp_path), "stdin")
