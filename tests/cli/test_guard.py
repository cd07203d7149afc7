"""How commands end: the exit code, and one line if something is wrong."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mcptest
from mcptest.capture import Place
from mcptest.cli import guard, main
from mcptest.errors import McptestError, TargetError
from tests.helpers.cli import PATIENCE, PROGRAM, Cli, environment, start
from tests.helpers.journals import Talk, sample


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: list[str]) -> int:
        raise error

    monkeypatch.setattr(guard, "_run", run)


def test_the_version_is_told() -> None:
    assert start("--version") == (0, f"mcptest {mcptest.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_without_a_command_there_is_help(cli: Cli, arguments: list[str]) -> None:
    done = cli(*arguments)
    assert done.code == 0
    assert done.err == ""
    for command in ("capture", "export", "import", "query", "record", "sessions", "show", "sql"):
        assert f"\n  {command} " in done.out


@pytest.mark.parametrize("command", ["capture", "export", "import", "query", "sessions", "show", "sql"])
def test_every_command_has_help_that_fits_a_terminal(cli: Cli, command: str) -> None:
    done = cli(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: mcptest {command} ")
    assert max(map(len, done.out.splitlines())) <= 100


def test_the_help_of_record_is_its_own(cli: Cli) -> None:
    assert "COMMAND [ARG]" in start("record", "--help").out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["frobnicate"], "no such command 'frobnicate' (see mcptest --help)"),
        (["session"], "see mcptest --help"),
        (["--colour"], "no such option: --colour"),
        (["sql", "--nope"], "(see mcptest sql --help)"),
        (["show"], "missing argument 'SESSION' (see mcptest show --help)"),
        (["export", "last"], "missing option '--output' / '-o'"),
        (["import"], "missing argument 'FILE'"),
        (["sessions", "--format", "xml"], "--format"),
        (["sessions", "--limit", "0"], "--limit"),
        (["sessions", "--limit", "many"], "--limit"),
        (["sessions", "extra"], "extra"),
        (["capture"], "missing command (see mcptest capture --help)"),
        (["capture", "explode"], "no such command 'explode' (see mcptest capture --help)"),
        (["capture", "prune"], "missing option '--older-than'"),
        (["show", "last", "--follow", "--format", "json"], "ndjson"),
        (["\x1b[2J"], "\\x1b[2J"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(cli: Cli, arguments: list[str], hint: str) -> None:
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")
    assert hint in done.complaint


def test_an_error_of_ours_is_one_line_with_its_own_exit_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(TargetError("the server\ndied \x1b[31m"), monkeypatch)
    assert cli("sessions") == (3, "", "mcptest: the server died \\x1b[31m\n")


def test_a_fault_of_ours_is_one_line_that_says_how_to_learn_more(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(ZeroDivisionError("division\nby zero"), monkeypatch)
    done = cli("sessions")
    assert done.code == 4
    assert done.complaint == (
        "internal error: ZeroDivisionError: division by zero (run with MCPTEST_DEBUG=1 for the traceback)"
    )


def test_a_fault_of_ours_shows_its_traceback_on_request(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(ZeroDivisionError("division by zero"), monkeypatch)
    monkeypatch.setenv("MCPTEST_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli("sessions")


def test_an_interruption_ends_quietly(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(KeyboardInterrupt(), monkeypatch)
    assert cli("sessions") == (130, "", "")


def test_a_message_that_cannot_be_encoded_is_still_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stderr", stream)
    fail_with(McptestError("grün \udc80"), monkeypatch)
    assert main(["sessions"]) == 4
    assert stream.buffer.getvalue() == b"mcptest: gr\\xfcn \\udc80\n"  # type: ignore[attr-defined]


# ---- with real descriptors


@pytest.fixture
def busy(place: Place) -> Path:
    """A capture with more to show than a pipe holds."""
    talk = Talk().handshake()
    for number in range(3000):
        talk.call(number + 1, "add", a="x" * 50)
    talk.end().write(place)
    return place.database


@pytest.mark.parametrize(
    "command",
    [["show", "0123"], ["sql", "from messages"], ["export", "0123", "-o", "-"]],
)
def test_a_reader_that_goes_away_ends_the_command_quietly(busy: Path, command: list[str]) -> None:
    with subprocess.Popen(
        [*PROGRAM, *command], env=environment(busy), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 141


@pytest.mark.parametrize(
    "command",
    [
        ["show", "0123"],
        ["sql", "from messages"],
        ["export", "0123", "-o", "-"],
        ["--help"],
    ],
)
def test_a_full_disk_under_stdout_is_one_line_and_exit_4(busy: Path, command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = start(*command, capture=busy, stdout=full)
    assert done.code == 4
    assert done.complaint == "cannot write the output: No space left on device"


def test_a_closed_stdout_never_receives_a_file_of_ours(place: Place) -> None:
    sample().write(place)
    command = f"exec {' '.join(PROGRAM)} sessions >&-"
    done = subprocess.run(
        ["sh", "-c", command], env=environment(place.database), capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.stderr == b""
    assert done.returncode == 0
    assert start("sessions", capture=place.database).out.count("0123456") == 1


def test_nothing_needs_a_home_or_a_locale(place: Place) -> None:
    sample(name="grün").write(place)
    done = start(
        "sessions", capture=place.database, env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "HOME": "/nowhere"}
    )
    assert (done.code, done.err) == (0, "")


def test_a_module_in_the_working_directory_is_not_imported_by_the_query(place: Place, tmp_path: Path) -> None:
    sample().write(place)
    for name in ("duckdb", "orjson", "mcptest"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(99)", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mcptest", "sql", "select 1 as one", "--format", "csv"],
        env=environment(place.database),
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout == b"one\n1\n"


def test_the_door_is_light() -> None:
    code = "import sys, mcptest.cli; print(sorted({'typer', 'duckdb', 'rich', 'mcptest.capture'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "[]\n"


def test_the_parent_of_a_query_does_not_load_duckdb(place: Place) -> None:
    sample().write(place)
    code = (
        "import sys, mcptest.cli; mcptest.cli.main(['sql', 'select 1']);"
        " print(sorted({'duckdb', 'numpy', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(place.database),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert os.path.exists(place.database)
