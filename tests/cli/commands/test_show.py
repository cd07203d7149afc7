from __future__ import annotations

import json
import os
import subprocess

import pytest

from mcptest.capture import Place, journals, make_private_folder
from mcptest.wire import journal
from tests.helpers.cli import PATIENCE, PROGRAM, Cli, environment
from tests.helpers.journals import Talk, sample

HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x9b31m\r\u202e"


@pytest.fixture(autouse=True)
def _recorded(place: Place) -> None:
    sample(name="weather").write(place)


def test_a_session_is_shown_line_by_line(cli: Cli) -> None:
    done = cli("show", "last")
    assert (done.code, done.err) == (0, "")
    title, first, *_, last = done.out.splitlines()
    assert title == '0123456789ab "weather" stdio srv'
    assert first == "    0.001 · spawn  pid 42"
    assert last == "    0.076 · end"


@pytest.mark.parametrize("spec", ["last", "last:1", "weather", "0123", "0123456789ab"])
def test_a_session_can_be_named_in_many_ways(cli: Cli, spec: str) -> None:
    assert cli("show", spec).out.startswith("0123456789ab ")


@pytest.mark.parametrize("spec", ["nobody", "last:2", "last:0", "", "../x", "9", "\x1b[2J"])
def test_an_unknown_session_is_one_line_and_exit_2(cli: Cli, spec: str) -> None:
    done = cli("show", spec)
    assert (done.code, done.out) == (2, "")
    assert done.complaint.isprintable()


def test_the_whole_content_is_laid_out_below_its_line(cli: Cli) -> None:
    lines = cli("show", "last", "--full", "--method", "ping").out.splitlines()
    at = next(number for number, line in enumerate(lines) if "→ ping" in line)
    assert [line.strip() for line in lines[at + 1 :]] == [
        "{",
        '"jsonrpc": "2.0",',
        '"id": 4,',
        '"method": "ping",',
        '"params": {}',
        "}",
    ]


def test_what_is_shown_can_be_chosen(cli: Cli) -> None:
    shown = [line[12:] for line in cli("show", "last", "--tool", "fail").out.splitlines()[1:]]
    assert [line.split("  ")[0] for line in shown] == [
        "tools/call fail #3",
        "tools/call fail #3 1.0 ms",
        "gap: 12 frames of stdout not recorded",
    ]
    assert len(cli("show", "last", "--errors").out.splitlines()) == 1 + 3
    assert len(cli("show", "last", "--errors", "--method", "tools/*").out.splitlines()) == 1 + 2


def test_json_is_an_array_and_ndjson_a_line_each(cli: Cli) -> None:
    array = json.loads(cli("show", "last", "--format", "json").out)
    lines = [json.loads(line) for line in cli("show", "last", "--format", "ndjson").out.splitlines()]
    assert array == lines
    assert len(array) == 18
    assert array[7]["duration_ms"] == 20.0
    assert (
        json.loads(cli("show", "last", "--format", "json", "--method", "none", "--tool", "x").out)[0]["kind"] == "gap"
    )


def test_nothing_to_show_is_an_empty_array(cli: Cli, place: Place) -> None:
    Talk("abcdef012345").event("end").write(place)
    assert json.loads(cli("show", "abcdef", "--format", "json", "--errors").out) == []


def test_captured_text_is_escaped(cli: Cli, place: Place) -> None:
    talk = Talk("abcdef012345", name=HOSTILE, argv=(HOSTILE,)).request(1, HOSTILE, x=HOSTILE).server(HOSTILE)
    talk.stderr(HOSTILE).write(place)
    assert cli("show", "abcdef", "--full").out.replace("\n", "").isprintable()


def test_a_journal_that_breaks_off_is_shown_with_a_warning(cli: Cli, place: Place) -> None:
    path = sample("abcdef012345").write(place)
    os.truncate(path, path.stat().st_size - 5)
    done = cli("show", "abcdef")
    assert done.code == 0
    assert "    0.075 · exit  code 0" in done.out
    assert "incomplete record" in done.err


def test_a_damaged_middle_is_shown_where_it_is(cli: Cli, place: Place) -> None:
    path = sample("abcdef012345").write(place)
    data = bytearray(path.read_bytes())
    data[data.index(b"tools/list")] ^= 1
    path.write_bytes(data)
    done = cli("show", "abcdef")
    assert done.code == 0
    assert "✗ 1 frames missing" in done.out


def test_a_deleted_journal_is_one_line_and_exit_2(cli: Cli, place: Place) -> None:
    cli("sessions")
    journals.find(place.journals)[0].unlink()
    done = cli("show", "last")
    assert done.code == 2


def test_following_a_session_that_is_over_just_shows_it(cli: Cli) -> None:
    assert cli("show", "last", "--follow").out == cli("show", "last").out


class Recorder:
    """Writes a journal as a recorder does: locked, record by record."""

    def __init__(self, place: Place, talk: Talk) -> None:
        make_private_folder(place.journals)
        self._path = journals.path_for(place.journals, talk.session, talk.frames[0].at)
        self._descriptor = journals.create(self._path)
        self._frames = iter(talk.frames)
        os.write(self._descriptor, journal.preamble(7))

    def write(self, count: int) -> None:
        for _, frame in zip(range(count), self._frames, strict=False):
            os.write(self._descriptor, b"".join(journal.encode(frame, 7)))

    def close(self) -> None:
        os.close(self._descriptor)


@pytest.mark.parametrize("ending", ["properly", "killed"])
def test_following_a_session_shows_lines_as_they_come_and_ends_with_it(place: Place, ending: str) -> None:
    talk = sample("abcdef012345")
    recorder = Recorder(place, talk)
    recorder.write(4)
    with subprocess.Popen(
        [*PROGRAM, "show", "abcdef", "--follow", "--format", "ndjson"],
        env=environment(place.database),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            seen = [json.loads(process.stdout.readline()) for _ in range(3)]
            assert [entry["method"] for entry in seen] == [None, "initialize", "initialize"]
            recorder.write(1)
            assert json.loads(process.stdout.readline())["method"] == "notifications/initialized"
            if ending == "properly":
                recorder.write(100)
                assert json.loads(process.stdout.readlines()[-1])["kind"] == "event"
            else:
                recorder.close()
                assert process.stdout.read() == ""
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
    if ending == "properly":
        recorder.close()
