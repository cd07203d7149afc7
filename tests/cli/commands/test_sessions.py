from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from mcptest.capture import Place
from mcptest.cli.commands import sessions
from tests.helpers.cli import Cli, start
from tests.helpers.journals import START, Talk, sample

HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x9b31m\r\u202e"


@pytest.fixture
def two(place: Place) -> Place:
    sample(name="weather").write(place)
    sample("abcdef012345", at=START + 10**12, argv=("npx", "-y", "server")).write(place)
    return place


def test_the_newest_session_comes_first_with_what_is_known_of_it(cli: Cli, two: Place) -> None:
    done = cli("sessions")
    head, _, newest, oldest = done.out.splitlines()
    names = "session name started duration transport target client server revision messages errors exit marks"
    assert " ".join(head.split()) == names
    assert newest.startswith("abcdef01 ")
    assert "npx -y server" in newest
    assert oldest.startswith("01234567  weather ")
    assert oldest.split()[-5:] == ["13", "2", "0", "12", "lost"]
    assert "some client 1.0" in oldest
    assert "some server 2.0" in oldest
    assert "2025-11-25" in oldest


def test_columns_without_anything_in_them_are_left_out(cli: Cli, place: Place) -> None:
    Talk().event("end").write(place)
    head = cli("sessions").out.splitlines()[0]
    assert head.split() == ["session", "started", "duration", "transport", "target", "messages"]


def test_a_narrow_terminal_gets_fewer_columns(cli: Cli, two: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "columns_of", lambda _: 100)
    lines = cli("sessions").out.splitlines()
    assert max(map(len, lines)) <= 100
    assert "transport" not in lines[0]
    assert lines[0].startswith("session ")


def test_the_number_of_sessions_can_be_limited(cli: Cli, two: Place) -> None:
    assert [row["id"] for row in json.loads(cli("sessions", "--format", "json", "-n", "1").out)] == ["abcdef012345"]


def test_json_holds_everything(cli: Cli, two: Place) -> None:
    newest, oldest = json.loads(cli("sessions", "--format", "json").out)
    assert newest["id"] == "abcdef012345"
    assert oldest["started_at"] == "2025-10-09T08:53:20Z"
    assert (oldest["messages"], oldest["exit_code"], oldest["gaps"], oldest["state"]) == (13, 0, 12, "ended")
    assert oldest["client_name"] == "some client"


def test_csv_and_markdown_hold_everything_too(cli: Cli, two: Place) -> None:
    rows = list(csv.DictReader(io.StringIO(cli("sessions", "--format", "csv").out)))
    assert [row["id"] for row in rows] == ["abcdef012345", "0123456789ab"]
    assert cli("sessions", "--format", "markdown").out.startswith("| id | name | state |")


def test_what_a_session_calls_itself_never_reaches_the_terminal_raw(cli: Cli, place: Place) -> None:
    talk = Talk(name=HOSTILE, argv=(HOSTILE,))
    info = {"name": HOSTILE, "version": HOSTILE}
    talk.request(0, "initialize", protocolVersion=HOSTILE, clientInfo=info)
    talk.result(0, protocolVersion=HOSTILE, serverInfo=info).write(place)
    for form in ("table", "json", "markdown"):
        done = cli("sessions", "--format", form)
        assert (
            done.out.replace("\n", "")
            .replace("\x9b", "" if form == "json" else "!")
            .replace("\u202e", "" if form == "json" else "!")
            .isprintable()
        )


def test_a_session_that_was_cut_off_says_so(cli: Cli, place: Place) -> None:
    Talk().handshake().write(place)
    assert "interrupted" in cli("sessions").out


def test_an_empty_capture_of_ones_own_is_no_error(tmp_path: Path) -> None:
    for form, out in (("table", ""), ("json", "[]\n")):
        done = start("sessions", "--format", form, env={"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)})
        assert (done.code, done.out) == (0, out)
        assert "mcptest record --" in done.complaint


def test_a_capture_that_was_named_and_is_not_there_is_an_error(cli: Cli, tmp_path: Path) -> None:
    done = cli("sessions", "--capture", str(tmp_path / "nowhere"))
    assert (done.code, done.out) == (2, "")
    assert "nowhere" in done.complaint
    assert not (tmp_path / "nowhere").exists()
