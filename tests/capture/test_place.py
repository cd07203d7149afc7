from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mcptest.capture import Place, locate, make_private_folder, salt
from mcptest.errors import CaptureError


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path / "capture.duckdb")
    place.journals.mkdir()
    return place


def test_a_capture_is_a_file_with_a_folder_of_journals_beside_it():
    place = Place(Path("/some/where/mine.duckdb"))
    assert place.journals == Path("/some/where/mine.journals")
    assert place.lock == Path("/some/where/mine.duckdb.lock")


def test_the_argument_goes_before_the_environment_before_the_users_own(tmp_path, monkeypatch):
    monkeypatch.setenv("MCPTEST_CAPTURE", str(tmp_path / "env.duckdb"))
    assert locate(tmp_path / "arg.duckdb").database == tmp_path / "arg.duckdb"
    assert locate().database == tmp_path / "env.duckdb"
    monkeypatch.setenv("MCPTEST_CAPTURE", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert locate().database == tmp_path / "mcptest" / "capture.duckdb"


def test_a_relative_path_or_one_with_a_tilde_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert locate("x.duckdb").database == tmp_path / "x.duckdb"
    assert locate("~/folder").database == tmp_path / "folder" / "capture.duckdb"


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    (tmp_path / "odd.duckdb").mkdir()
    assert locate(tmp_path / "odd.duckdb").database == tmp_path / "odd.duckdb" / "capture.duckdb"


def test_another_file_is_refused(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(CaptureError, match=r"notes\.txt is not a capture: give a \.duckdb file or a folder"):
        locate(tmp_path / "notes.txt")


def test_new_folders_are_private_and_old_ones_are_left_alone(tmp_path):
    os.chmod(tmp_path, 0o755)
    make_private_folder(tmp_path / "a" / "b")
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path, tmp_path / "a", tmp_path / "a" / "b")]
    assert modes == [0o755, 0o700, 0o700]
    make_private_folder(tmp_path / "a" / "b")


def test_everybody_gets_the_same_salt(place):
    got: list[bytes] = []
    threads = [threading.Thread(target=lambda: got.append(salt(place))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    code = (
        "import sys; from pathlib import Path; from mcptest.capture import Place, salt;"
        "print(salt(Place(Path(sys.argv[1]))).hex())"
    )
    child = subprocess.run(
        [sys.executable, "-c", code, str(place.database)], capture_output=True, text=True, check=True
    )
    assert {value.hex() for value in got} == {child.stdout.strip()}
    assert len(got[0]) == 32
    assert [path.name for path in place.journals.iterdir()] == ["salt"]
    assert (place.journals / "salt").stat().st_mode & 0o777 == 0o600


def test_another_capture_has_another_salt(place, tmp_path):
    other = Place(tmp_path / "other.duckdb")
    other.journals.mkdir()
    assert salt(place) != salt(other)


def test_a_damaged_salt_is_told_and_a_link_not_followed(place, tmp_path):
    (place.journals / "salt").write_bytes(b"short")
    with pytest.raises(CaptureError, match="is damaged"):
        salt(place)
    (place.journals / "salt").unlink()
    (tmp_path / "mine").write_bytes(b"s" * 32)
    (place.journals / "salt").symlink_to(tmp_path / "mine")
    with pytest.raises(OSError, match="symbolic links"):
        salt(place)
