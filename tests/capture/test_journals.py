from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from mcptest.capture import Place, journals
from mcptest.errors import CaptureError
from mcptest.wire import Frame, journal
from mcptest.wire.frame import STDOUT
from tests.helpers.captures import Recorder
from tests.helpers.journals import START, Talk, sample


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def test_a_new_journal_is_private_locked_and_never_an_old_one(tmp_path):
    path = tmp_path / "a.mcpj"
    old = os.umask(0)
    try:
        descriptor = journals.create(path)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    assert journals.is_live(path)
    os.close(descriptor)
    assert not journals.is_live(path)
    with pytest.raises(FileExistsError):
        journals.create(path)
    (tmp_path / "link.mcpj").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        journals.create(tmp_path / "link.mcpj")
    assert not (tmp_path / "elsewhere").exists()


def test_asking_whether_a_journal_is_live_never_keeps_a_recorder_from_its_lock(tmp_path):
    asking = threading.Event()

    def ask() -> None:
        while not asking.is_set():
            for path in journals.find(tmp_path):
                journals.is_live(path)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(150):
            os.close(journals.create(tmp_path / f"{number}.mcpj"))
    finally:
        asking.set()
        for thread in threads:
            thread.join()


def test_what_is_no_journal_is_not_live(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    assert [journals.is_live(tmp_path / name) for name in ("pipe", "link", "missing")] == [False, False, False]


def test_a_journal_read_in_blocks_of_any_size_gives_the_same_frames(place):
    talk = sample().server("x" * 5000)
    path = talk.write(place)
    for block in (1, 7, 64, 1000, 1 << 20):
        stretches = list(journals.read(path, block=block))
        assert [frame for stretch in stretches for frame in stretch.frames] == talk.frames
        assert stretches[-1].offset == path.stat().st_size


def test_reading_goes_on_from_where_it_stopped(place):
    talk = sample()
    path = talk.write(place)
    got, offset = [], 0
    while offset < path.stat().st_size:
        stretch = next(journals.read(path, offset, block=200))
        got += stretch.frames
        offset = stretch.offset
    assert got == talk.frames


def test_nothing_behind_a_limit_is_read(place):
    talk = sample()
    path = talk.write(place)
    sizes = [sum(map(len, journal.encode(frame, 0))) for frame in talk.frames]
    third, fourth = (journal.PREAMBLE_SIZE + sum(sizes[:count]) for count in (3, 4))
    for limit in (third, third + 1, fourth - 1):
        stretches = list(journals.read(path, final=False, until=limit))
        assert [frame for stretch in stretches for frame in stretch.frames] == talk.frames[:3]
        assert stretches[-1].offset == third
    assert list(journals.read(path, final=False, until=10)) == []


def test_a_record_that_is_being_written_is_left_for_the_next_time(place):
    recorder = Recorder(place, Talk().frames)
    record = b"".join(journal.encode(Frame(1, 2, 3, 0, STDOUT, 0, b"line"), recorder.seed))
    for size in range(1, len(record)):
        recorder.write(record[size - 1 : size])
        assert sum(len(stretch.frames) for stretch in journals.read(recorder.path, final=False)) == 1
    recorder.write(record[-1:])
    assert sum(len(stretch.frames) for stretch in journals.read(recorder.path, final=False)) == 2
    recorder.close()


def test_a_journal_of_a_64_mebibyte_line_is_read(place):
    talk = Talk().server(b"x" * (64 << 20)).end()
    path = talk.write(place)
    got = [(frame.seq, len(frame.data)) for stretch in journals.read(path) for frame in stretch.frames]
    assert got == [(frame.seq, len(frame.data)) for frame in talk.frames]


def test_a_whole_journal_appears_at_once_or_not_at_all(place):
    def failing():
        yield Talk().request(1, "a").frames[1]
        assert [path.name for path in journals.find(place.journals)] == []
        raise OSError(28, "No space left on device")

    place.journals.mkdir()
    with pytest.raises(OSError, match="No space"):
        journals.write_whole(place.journals, failing(), Talk().frames[0])
    assert list(place.journals.iterdir()) == []


def test_journals_are_found_oldest_first_and_nothing_else(place):
    later = sample("aaa", at=START + 10**12).write(place)
    first = sample("bbb", at=START).write(place)
    for name in ("salt", ".x.mcpj.part", ".y.mcpj", "notes.txt", "z.mcpj~"):
        (place.journals / name).touch()
    assert journals.find(place.journals) == [first, later]
    assert journals.find(place.journals / "nowhere") == []


def test_the_header_names_the_session(place):
    path = sample(name="n", argv=("a", "b c")).write(place)
    header = journals.read_header(path)
    assert header is not None
    assert (header.session, header.name, header.transport) == ("0123456789ab", "n", "stdio")
    assert (header.target, header.started_at) == ({"argv": ["a", "b c"]}, START)


def test_a_journal_that_has_just_begun_has_no_header(tmp_path):
    path = tmp_path / "a.mcpj"
    for content in (b"", b"mcptest-journ", journal.preamble(1), journal.preamble(1) + b"half"):
        path.write_bytes(content)
        assert journals.read_header(path) is None
    assert journals.read_seed(path) == 1
    path.write_bytes(b"mcptest")
    assert journals.read_seed(path) is None


@pytest.mark.parametrize("body", [b"[]", b"{}", b"no json", json.dumps({"session": 5, "started_at": "x"}).encode()])
def test_a_header_that_makes_no_sense_is_refused(tmp_path, body):
    path = tmp_path / "a.mcpj"
    path.write_bytes(journal.preamble(1) + b"".join(journal.encode(Frame(0, 1, 1, 0, 0, 0, body), 1)))
    with pytest.raises(CaptureError, match="header cannot be read"):
        journals.read_header(path)


def test_what_cannot_be_read_is_said_in_one_line(tmp_path):
    os.mkfifo(tmp_path / "pipe.mcpj")
    (tmp_path / "folder.mcpj").mkdir()
    (tmp_path / "link.mcpj").symlink_to(tmp_path / "pipe.mcpj")
    for name, reason in [
        ("pipe.mcpj", "not a regular file"),
        ("folder.mcpj", "not a regular file"),
        ("link.mcpj", "symbolic links"),
        ("gone.mcpj", "No such file"),
    ]:
        with pytest.raises(CaptureError, match=reason):
            list(journals.read(tmp_path / name))
