"""What a user names becomes recorded sessions, whatever it is: a session, a journal, an export, a whole capture."""

from __future__ import annotations

import pytest

from mcptest.capture import Place, fold, formats, sources
from mcptest.errors import CaptureError, UsageError
from tests.helpers.journals import START, sample


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path / "capture.duckdb")
    for number, name in enumerate(("first", "second")):
        sample(f"{number:012x}", name=name, at=START + number * 10**9).write(found)
    fold(found)
    return found


def test_a_session_is_found_by_its_name(place):
    (found,) = sources.find("first", place)
    assert found.name == "first"
    assert [frame.seq for frame in found.frames()][:2] == [0, 1]


def test_a_journal_an_export_and_a_capture_are_recordings(place, tmp_path):
    (found,) = sources.find("last", place)
    export = tmp_path / "session.jsonl"
    with export.open("wb") as file:
        formats.get("jsonl").write(found.frames(), file)
    for path in (found.path, export):
        assert sources.is_recording(path)
        (again,) = sources.find(str(path), place)
        assert list(again.frames()) == list(found.frames())
    assert sources.is_recording(place.database)
    assert [one.name for one in sources.find(str(place.database), place)] == ["first", "second"]


def test_where_one_session_is_wanted_a_whole_capture_is_refused(place):
    assert sources.find_one("second", place).session == sources.find_one("000000000001", place).session
    with pytest.raises(UsageError, match="holds 2 sessions: name one of them"):
        sources.find_one(str(place.database), place)


def test_a_list_of_tools_is_no_recording(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text('{"tools": []}')
    assert not sources.is_recording(path)


@pytest.mark.parametrize("spec", ["missing.jsonl", "no/such/place", "missing.duckdb"])
def test_a_file_that_is_not_there_is_said_to_be_missing(place, spec):
    with pytest.raises(UsageError, match="there is no file"):
        sources.find(spec, place)


def test_a_folder_that_cannot_be_read_as_a_file_is_refused(tmp_path):
    with pytest.raises(CaptureError, match="cannot read"):
        sources.is_recording(tmp_path)


def test_a_capture_whose_database_was_not_made_yet_is_found_by_its_journals(place):
    place.database.unlink()
    assert [one.name for one in sources.find(str(place.database), place)] == ["first", "second"]
