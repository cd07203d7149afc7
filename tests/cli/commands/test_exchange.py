"""Export and import, together and apart."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from mcptest.capture import Place, journals
from tests.helpers.cli import PATIENCE, PROGRAM, Cli, environment, start
from tests.helpers.journals import Talk, read_frames, sample


@pytest.fixture
def original(place: Place) -> Path:
    talk = sample(name="weather").server(b"\xff\x00").client("last words", flags=2)
    return talk.write(place)


def test_a_session_is_handed_on_unchanged(cli: Cli, original: Path, tmp_path: Path) -> None:
    first, second, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl", str(tmp_path / "other")
    assert cli("export", "last", "-o", str(first)) == (0, "", "")
    count = len(read_frames(original))
    imported = cli("import", str(first), "--capture", other)
    assert imported == (0, f"0123456789ab imported: {count} frames from {first}\n", "")
    assert cli("export", "weather", "-o", str(second), "--capture", other).code == 0
    assert first.read_bytes() == second.read_bytes()
    [copy] = journals.find(tmp_path / "other" / "capture.journals")
    assert read_frames(copy) == read_frames(original)


def test_an_imported_session_answers_the_same_questions(cli: Cli, original: Path, tmp_path: Path) -> None:
    cli("export", "last", "-o", str(tmp_path / "x"))
    cli("import", str(tmp_path / "x"), "--capture", str(tmp_path / "other"))
    for question in ("from messages order by seq", "from sessions", "from tool_calls order by seq"):
        ours = cli("sql", question, "--format", "json")
        theirs = cli("sql", question, "--format", "json", "--capture", str(tmp_path / "other"))
        assert ours == theirs
        assert len(json.loads(ours.out)) > 0


def test_a_session_passes_through_a_pipe(place: Place, original: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with subprocess.Popen(
        [*PROGRAM, "export", "last", "-o", "-"], env=environment(place.database), stdout=subprocess.PIPE
    ) as export:
        done = subprocess.run(
            [*PROGRAM, "import", "-", "--name", "copy"],
            env=environment(other),
            stdin=export.stdout,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 0
    assert done.stdout.startswith("0123456789ab imported: ")
    assert start("show", "copy", capture=other).out.startswith('0123456789ab "copy" ')


def test_importing_twice_says_that_it_is_there(cli: Cli, original: Path, tmp_path: Path) -> None:
    cli("export", "last", "-o", str(tmp_path / "x"))
    done = cli("import", str(tmp_path / "x"))
    assert done.code == 0
    assert done.out.startswith("0123456789ab is already there: ")


def test_another_session_of_the_same_id_is_refused(cli: Cli, original: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    Talk().handshake().write(Place(other / "capture.duckdb"))
    cli("export", "last", "-o", str(tmp_path / "x"), "--capture", str(other))
    before = original.read_bytes()
    done = cli("import", str(tmp_path / "x"))
    assert done.code == 2
    assert "another session 0123456789ab" in done.complaint
    assert original.read_bytes() == before


def test_several_files_are_imported_in_turn(cli: Cli, place: Place, tmp_path: Path) -> None:
    names = ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]
    for name in names:
        sample(name).write(place)
        cli("export", name, "-o", str(tmp_path / name))
    other = str(tmp_path / "other")
    done = cli("import", *(str(tmp_path / name) for name in names), "--capture", other)
    assert [line.split()[0] for line in done.out.splitlines()] == names
    assert cli("import", *(str(tmp_path / name) for name in names), "--name", "x").code == 2


def test_an_export_never_overwrites_without_force(cli: Cli, original: Path, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("precious", encoding="utf-8")
    done = cli("export", "last", "-o", str(path))
    assert done.code == 2
    assert "--force" in done.complaint
    assert path.read_text(encoding="utf-8") == "precious"
    assert cli("export", "last", "-o", str(path), "--force").code == 0
    assert path.read_text(encoding="utf-8").startswith('{"mcptest-export":1')


@pytest.mark.parametrize("target", ["/dev/null", "/dev/full", "/nowhere/x", "/"])
def test_an_export_goes_into_files_only(cli: Cli, original: Path, target: str) -> None:
    done = cli("export", "last", "-o", target, "--force")
    assert (done.code, done.out) == (2, "")
    assert target.rstrip("/x") in done.complaint


def test_an_unknown_session_or_format_is_told_before_anything_is_written(
    cli: Cli, original: Path, tmp_path: Path
) -> None:
    assert "'nobody'" in cli("export", "nobody", "-o", str(tmp_path / "x")).complaint
    assert "jsonl" in cli("export", "last", "-o", str(tmp_path / "x"), "--format", "har").complaint
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"", "empty"),
        (b"hello\n", "mcptest export"),
        (b'{"log":{}}\n', "mcptest export"),
        (b'{"mcptest-export":2}\n', "upgrade"),
        (b'{"mcptest-export":1}\n', "started_at must be"),
        (b'{"mcptest-export":1', "cut short"),
        (b"mcptest-journal 1.0 seed=00000000", "journal"),
        (b"\x1f\x8b", "decompress"),
    ],
)
def test_an_import_of_the_wrong_kind_is_one_line_and_exit_2(
    cli: Cli, tmp_path: Path, content: bytes, hint: str, place: Place
) -> None:
    (tmp_path / "x").write_bytes(content)
    done = cli("import", str(tmp_path / "x"))
    assert (done.code, done.out) == (2, "")
    assert hint in done.complaint
    assert not place.journals.exists()


@pytest.mark.parametrize(("path", "hint"), [("/nowhere", "No such file"), ("/", "Is a directory")])
def test_a_file_that_cannot_be_read_is_told(cli: Cli, path: str, hint: str) -> None:
    done = cli("import", path)
    assert done.code == 2
    assert hint in done.complaint


def test_a_capture_in_the_way_is_not_overwritten_by_an_import(cli: Cli, original: Path, tmp_path: Path) -> None:
    cli("export", "last", "-o", str(tmp_path / "x"))
    (tmp_path / "capture.txt").write_text("not a capture", encoding="utf-8")
    done = cli("import", str(tmp_path / "x"), "--capture", str(tmp_path / "capture.txt"))
    assert done.code == 2
    assert (tmp_path / "capture.txt").read_text(encoding="utf-8") == "not a capture"


def test_a_damaged_session_is_exported_with_a_warning(cli: Cli, place: Place, tmp_path: Path) -> None:
    path = sample().write(place)
    data = bytearray(path.read_bytes())
    data[data.index(b"tools/list")] ^= 1
    path.write_bytes(data)
    done = cli("export", "last", "-o", str(tmp_path / "x"))
    assert done.code == 0
    assert "damaged" in done.complaint
    assert cli("import", str(tmp_path / "x"), "--capture", str(tmp_path / "other")).code == 0


def test_a_session_whose_header_is_lost_can_still_be_handed_on(cli: Cli, place: Place, tmp_path: Path) -> None:
    path = sample(name="weather").write(place)
    data = bytearray(path.read_bytes())
    data[data.index(b'"session"')] ^= 1
    path.write_bytes(data)
    assert cli("export", "last", "-o", str(tmp_path / "x")).code == 0
    assert cli("import", str(tmp_path / "x"), "--capture", str(tmp_path / "other")).code == 0
    [copy] = journals.find(tmp_path / "other" / "capture.journals")
    assert read_frames(copy)[1:] == sample().frames[1:]


def test_a_session_that_still_goes_on_is_exported_so_far(cli: Cli, place: Place, tmp_path: Path) -> None:
    path = sample().write(place)
    descriptor = os.open(path, os.O_RDWR)
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
        done = cli("export", "last", "-o", str(tmp_path / "x"))
    finally:
        os.close(descriptor)
    assert done.code == 0
    assert "still goes on" in done.complaint
