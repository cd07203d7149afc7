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
        ([], "name a session"),
        (["session.jsonl", "--to", "v2026-7-28"], "did you mean v2026-07-28?"),
        (["session.jsonl", "--to", "v2024-11-05"], "is older than v2025-11-25"),
        (["none.jsonl"], "there is no file none.jsonl"),
        (["--url", "http://localhost:1/mcp", "--", "x"], "not both"),
        (["--to", "v2026-7-28", "--", "python3", "server.py"], "did you mean v2026-07-28?"),
    ],
)
def test_wrong_use_is_one_clear_line(cli: Cli, arguments: list[str], complaint: str) -> None:
    done = cli("doctor", *arguments)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.complaint


SERVER = [sys.executable, "server.py"]
ODD = str(Path(__file__).parents[2] / "live" / "odd.py")


def test_a_live_server_is_asked_itself(cli: Cli) -> None:
    done = cli("doctor", "--to", "v2026-07-28", "--", *SERVER)
    assert (done.code, done.err) == (1, "")
    assert "missing resource: failed: a missing resource was refused with -32002" in " ".join(done.out.split())
    assert "discovery: failed: server/discover was answered with -32601" in done.out
    assert "handshake: The handshake is gone" in done.out
    assert "client:" not in done.out, "the client was ours"
    assert "`ping` is gone" not in done.out


def test_a_server_that_has_moved_has_nothing_to_do(cli: Cli) -> None:
    done = cli("doctor", "--", sys.executable, ODD, "modern")
    assert done.code == 0
    assert "discovery: passed: the server supports 2026-07-28" in done.out
    assert "missing resource: passed" in done.out
    assert "nothing in this session stands in the way" in done.out


def test_a_server_of_today_can_be_asked_about_an_older_move(cli: Cli) -> None:
    done = cli("doctor", "--to", "v2025-11-25", "--", sys.executable, ODD, "older")
    assert "v2025-06-18 → v2025-11-25" in done.out
    assert "discovery:" not in done.out


def test_beside_a_session_the_server_tells_what_the_session_does_not(cli: Cli) -> None:
    done = cli("doctor", "session.jsonl", "--", sys.executable, ODD, "modern")
    assert done.code == 1
    assert "discovery: passed" in done.out
    assert "missing resource: passed" in done.out
    assert "`ping` is gone" in done.out, "which the session's own client has to know"


def test_a_server_that_dies_exits_3_after_what_is_known(cli: Cli) -> None:
    done = cli("doctor", "--", sys.executable, ODD, "dies-of-the-unknown")
    assert done.code == 3
    assert "handshake: The handshake is gone" in done.out
    assert "only what was seen until then is told: the server ended with exit code 7" in done.complaint


def test_a_server_that_cannot_be_started_exits_3(cli: Cli) -> None:
    done = cli("doctor", "--", "/nowhere/at/all")
    assert (done.code, done.out) == (3, "")
    assert "cannot start" in done.complaint
