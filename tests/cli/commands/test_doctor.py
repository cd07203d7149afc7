"""`mcptest doctor`, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.cli import PATIENCE, Cli

EXAMPLE = Path(__file__).parents[3] / "examples" / "migration-doctor"


@pytest.fixture(autouse=True)
def beside_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)


def findings(text: str) -> tuple[str, str]:
    """What was found and the sentence at the end; between them stands how many rules there are, which grows."""
    return text.partition("\nkept: ")[0], text.splitlines()[-1]


def test_the_example_is_told_what_it_must_change(cli: Cli) -> None:
    done = cli("doctor", "session.jsonl", "--to", "v2026-07-28")
    assert (done.code, done.err) == (1, "")
    assert findings(done.out) == findings((EXAMPLE / "expected.txt").read_text("utf-8"))


def test_the_examples_server_still_says_what_was_recorded() -> None:
    command = [sys.executable, "client.py", sys.executable, "server.py"]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_move_that_breaks_nothing_exits_0(cli: Cli) -> None:
    done = cli("doctor", "session.jsonl", "--to", "v2025-11-25")
    assert done.code == 0
    assert "include-context" in done.out
    assert cli("doctor", "session.jsonl", "--to", "v2025-11-25", "--fail-on", "warning").code == 1


def test_the_diagnosis_is_data_too(cli: Cli) -> None:
    document = json.loads(cli("doctor", "session.jsonl", "--format", "json").out)
    found = {finding["rule"]: finding for finding in document["findings"]}
    assert found["RES-007"]["severity"] == "error"
    assert found["RES-007"]["data"]["effect"] == "breaks"
    assert found["sampling"]["data"]["effect"] == "deprecated"


def test_it_goes_into_a_file_in_the_format_of_its_name(cli: Cli, tmp_path: Path) -> None:
    assert cli("doctor", "session.jsonl", "-o", str(tmp_path / "moves.md")).code == 1
    assert "RES" in (tmp_path / "moves.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "no session"),
        (["session.jsonl", "--to", "v2026-7-28"], "did you mean v2026-07-28?"),
        (["session.jsonl", "--to", "v2024-11-05"], "is older than v2025-11-25"),
        (["none.jsonl"], "there is no file none.jsonl"),
        (["--", "python3", "server.py"], "does not ask live servers yet"),
        (["--url", "http://localhost:1/mcp"], "does not ask live servers yet"),
    ],
)
def test_wrong_use_is_one_clear_line(cli: Cli, arguments: list[str], complaint: str) -> None:
    done = cli("doctor", *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.complaint
