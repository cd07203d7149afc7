from __future__ import annotations

import io
import json
import os
import resource
from pathlib import Path

import pytest

from mcptest.capture import Place, formats, incoming, journals
from mcptest.errors import CaptureError, McptestError
from tests.helpers.journals import Talk, read_frames, sample


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def export(talk: Talk) -> io.BytesIO:
    file = io.BytesIO()
    formats.get("jsonl").write(iter(talk.frames), file)
    file.seek(0)
    return file


def only_journal(place: Place) -> Path:
    [path] = journals.find(place.journals)
    return path


def test_an_imported_session_has_the_same_frames(place: Place) -> None:
    imported = incoming.bring_in(place, export(sample()), "file")
    assert imported == ("0123456789ab", len(sample().frames), False)
    assert read_frames(only_journal(place)) == sample().frames


def test_a_journal_comes_through_export_and_import_unchanged(place: Place, tmp_path: Path) -> None:
    original = sample().server(b"\xff\xfe").write(Place(tmp_path / "other.duckdb"))
    file = io.BytesIO()
    formats.get("jsonl").write(read_frames(original), file)
    file.seek(0)
    incoming.bring_in(place, file, "file")
    assert read_frames(only_journal(place)) == read_frames(original)


def test_the_capture_is_for_its_user_only(place: Place) -> None:
    incoming.bring_in(place, export(sample()), "file")
    assert only_journal(place).stat().st_mode & 0o777 == 0o600
    assert place.journals.stat().st_mode & 0o777 == 0o700


def test_a_session_can_be_given_another_name(place: Place) -> None:
    incoming.bring_in(place, export(sample(name="old")), "file", name="new")
    header, *frames = read_frames(only_journal(place))
    assert json.loads(header.data)["name"] == "new"
    assert frames == sample().frames[1:]


@pytest.mark.parametrize("name", [None, "other"])
def test_importing_the_same_session_again_changes_nothing(place: Place, name: str | None) -> None:
    incoming.bring_in(place, export(sample()), "file")
    before = only_journal(place).read_bytes()
    assert incoming.bring_in(place, export(sample()), "file", name=name).known
    assert only_journal(place).read_bytes() == before


@pytest.mark.parametrize("change", ["longer", "shorter", "different"])
def test_another_session_with_the_same_id_is_refused(place: Place, change: str) -> None:
    incoming.bring_in(place, export(sample()), "file")
    before = only_journal(place).read_bytes()
    other = sample()
    if change == "longer":
        other.event("more")
    elif change == "shorter":
        other.frames.pop()
    else:
        other.frames[3] = other.frames[3]._replace(data=b"{}")
    with pytest.raises(CaptureError, match="another session 0123456789ab already"):
        incoming.bring_in(place, export(other), "file")
    assert only_journal(place).read_bytes() == before


def test_a_damaged_copy_of_a_known_session_is_not_called_known(place: Place) -> None:
    incoming.bring_in(place, export(sample()), "file")
    data = export(sample()).getvalue()
    with pytest.raises(CaptureError, match="cut short"):
        incoming.bring_in(place, io.BytesIO(data[: data.rindex(b'{"end"')]), "file")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_a_file_that_turns_out_to_be_damaged_leaves_nothing_behind(place: Place, part: float) -> None:
    data = export(sample()).getvalue()
    with pytest.raises(CaptureError):
        incoming.bring_in(place, io.BytesIO(data[: int(len(data) * part)]), "file")
    assert not place.journals.exists() or os.listdir(place.journals) == []


def test_what_an_interrupted_import_left_is_cleared_away(place: Place) -> None:
    place.journals.mkdir()
    path = journals.path_for(place.journals, "0123456789ab", sample().frames[0].at)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(b"half")
    part.with_name(f".{part.name}.new").touch()
    incoming.bring_in(place, export(sample()), "file")
    assert os.listdir(place.journals) == [path.name]


def test_an_import_that_is_under_way_is_left_alone(place: Place) -> None:
    place.journals.mkdir()
    path = journals.path_for(place.journals, "0123456789ab", sample().frames[0].at)
    part = path.with_name(f".{path.name}.part")
    descriptor = journals.create(part)
    try:
        with pytest.raises(CaptureError, match="right now"):
            incoming.bring_in(place, export(sample()), "file")
        assert part.exists()
    finally:
        os.close(descriptor)


def test_a_pipe_that_gives_a_few_bytes_at_a_time_is_read_whole(place: Place) -> None:
    reading, writing = os.pipe()
    data = export(sample()).getvalue()
    if os.fork() == 0:
        os.close(reading)
        for start in range(0, len(data), 100):
            os.write(writing, data[start : start + 100])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        incoming.bring_in(place, file, "standard input")
    os.wait()
    assert read_frames(only_journal(place)) == sample().frames


def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CaptureError, match="Not a directory"):
        incoming.bring_in(Place(tmp_path / "file" / "capture.duckdb"), export(sample()), "file")


def test_a_full_disk_is_a_clear_error_and_leaves_nothing_behind(place: Place) -> None:
    talk = Talk().client(b"x" * 1000)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, resource.RLIM_INFINITY))
    try:
        with pytest.raises(McptestError, match=r"cannot write into .*: File too large"):
            incoming.bring_in(place, export(talk), "file")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert os.listdir(place.journals) == []
