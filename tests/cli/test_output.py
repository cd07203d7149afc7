from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcptest.cli import output
from mcptest.errors import McptestError, UsageError


def write(path: Path, text: str = "new", *, force: bool = False) -> None:
    with output.opened(str(path), force=force) as sink:
        sink.write(text)


def test_a_new_file_holds_what_was_written_and_is_private(tmp_path: Path) -> None:
    write(tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["out"]


def test_an_existing_file_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old", encoding="utf-8")
    with pytest.raises(UsageError, match="--force"):
        write(tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "old"


def test_an_existing_file_is_overwritten_by_force(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old", encoding="utf-8")
    write(tmp_path / "out", force=True)
    assert (tmp_path / "out").read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_through_a_link(tmp_path: Path, force: bool) -> None:
    (tmp_path / "target").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("link", "dangling"):
        with pytest.raises(UsageError, match="symbolic link"):
            write(tmp_path / name, force=force)
    assert (tmp_path / "target").read_text(encoding="utf-8") == "old"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_onto_a_device_a_pipe_or_a_folder(tmp_path: Path, force: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/null"), tmp_path / "pipe", tmp_path):
        with pytest.raises(UsageError):
            write(path, force=force)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        write(tmp_path / "no" / "out")


def test_after_an_error_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), output.opened(str(tmp_path / "out")) as sink:
        sink.write("half")
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == []


def test_after_an_error_the_old_file_is_still_there(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old", encoding="utf-8")
    with pytest.raises(ZeroDivisionError), output.opened(str(tmp_path / "out"), force=True) as sink:
        sink.write("half")
        raise ZeroDivisionError
    assert (tmp_path / "out").read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(UsageError, match="--force"), output.opened(str(path)) as sink:
        sink.write("ours")
        path.write_text("theirs", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == "theirs"
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_that_appears_meanwhile_is_not_followed_even_by_force(tmp_path: Path) -> None:
    path, target = tmp_path / "out", tmp_path / "target"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(McptestError), output.opened(str(path), force=True) as sink:
        sink.write("ours")
        path.symlink_to(target)
    assert target.read_text(encoding="utf-8") == "old"


@pytest.mark.skipif(os.getuid() == 0, reason="root writes anywhere")
def test_a_folder_without_permission_is_a_clear_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="Permission denied"):
        write(tmp_path / "out")
