"""Published servers, exercised live: they are gone through to the end, and no rule fails that is not known to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.published import EVERYTHING, from_npm, from_pypi
from tests.helpers.cli import Outcome, start


def judged(server: list[str], tmp_path: Path, *options: str) -> tuple[Outcome, set[str]]:
    done = start("compliance", "run", "--format", "json", *options, "--", *server, capture=tmp_path / "capture.duckdb")
    found = {one["rule"] for one in json.loads(done.out)["findings"] if one["severity"] in ("warning", "error")}
    return done, found


def exercised(done: Outcome) -> str:
    (line,) = [note for note in json.loads(done.out)["notes"] if note.startswith("exercised over ")]
    return str(line)


@pytest.mark.parametrize(
    ("options", "revision"), [((), "2026-07-28"), (("--spec", "v2025-11-25"), "2025-11-25")], ids=["newest", "pinned"]
)
def test_a_server_from_pypi_is_sound_in_both_eras(tmp_path: Path, options: tuple[str, ...], revision: str) -> None:
    done, found = judged(from_pypi("mcp_server_time"), tmp_path, *options)
    assert exercised(done).startswith(f"exercised over {revision}: ")
    # The SDK refuses a missing resource with -32602 in the older era as well, where -32002 is recommended.
    assert found <= {"RES-007"}
    assert done.err == ""


def test_a_server_from_npm_that_uses_all_of_mcp_is_gone_through(tmp_path: Path) -> None:
    done, found = judged(from_npm(EVERYTHING), tmp_path)
    line = exercised(done)
    for method in ("ping", "prompts/get", "completion/complete", "resources/read", "mcptest/no-such-method"):
        assert method in line
    assert "left out" not in line
    assert found <= {"RES-007"}
