"""Exercising live servers of both eras, sound ones and odd ones, and what the recording of it says."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from mcptest.capture import Place, journals, locate
from mcptest.compliance import Book, comply
from mcptest.findings import Status
from mcptest.live import Exercise, Keeping, Limits, Manner, exercise
from mcptest.transport import Target
from mcptest.transport.target import command, url
from tests.transport.test_http import free_port, sdk  # noqa: F401 -- a fixture

HERE = Path(__file__).parent
SERVERS = HERE.parents[1] / "fixtures" / "servers"
ARCHIVE = command([sys.executable, str(SERVERS / "archive.py")])
PLAIN = command([sys.executable, str(SERVERS / "plain.py")])


@pytest.fixture(scope="module")
def book() -> Book:
    return Book.load()


@pytest.fixture
def place(tmp_path) -> Place:
    return locate(tmp_path / "capture.duckdb")


def odd(habit: str, notes: Path | None = None) -> Target:
    return command([sys.executable, str(HERE / "odd.py"), habit, *([] if notes is None else [str(notes)])])


def go(target: Target, place: Place, *, revision=None, timeout=10.0, **limits) -> Exercise:
    manner = Manner(revision=revision, timeout=timeout)
    return asyncio.run(exercise(target, manner, keeping=Keeping(place), limits=Limits(**limits)))


def recorded(place: Place, session: str):
    (path,) = [path for path in journals.find(place.journals) if session in path.name]
    return [frame for stretch in journals.read(path) for frame in stretch.frames]


def judged(place: Place, found: Exercise, book: Book):
    assert found.session is not None
    return comply(recorded(place, found.session), book)


def failed(outcome) -> list[str]:
    return [verdict.rule for verdict in outcome.verdicts if verdict.status in (Status.FAILED, Status.CRASHED)]


def test_a_server_of_the_handshake_era_is_gone_through_from_list_to_list(place, tmp_path, book):
    notes = tmp_path / "notes"
    found = go(odd("sound", notes), place)
    assert (found.revision, found.lost, found.left) == ("2025-11-25", None, ())
    assert found.asked == {
        "ping": 1,
        "tools/list": 2,
        "resources/list": 2,
        "resources/templates/list": 1,
        "prompts/list": 1,
        "resources/read": 3,
        "completion/complete": 4,
        "prompts/get": 1,
        "mcptest/no-such-method": 1,
    }
    said = notes.read_text(encoding="utf-8")
    assert "tools/call" not in said
    assert 'arguments {"who": "Ada"}' in said
    assert failed(judged(place, found, book)) == []


def test_a_server_of_the_stateless_era_is_discovered_and_never_pinged(place, book):
    found = go(odd("modern"), place)
    assert (found.revision, found.refused, found.lost) == ("2026-07-28", None, None)
    assert "ping" not in found.asked
    outcome = judged(place, found, book)
    assert outcome.observed == ("2026-07-28",)
    assert failed(outcome) == []


@pytest.mark.parametrize("revision", [None, "v2025-11-25", "v2024-11-05"])
def test_the_sdks_own_server_has_no_failed_rule_in_either_era(place, book, revision):
    found = go(ARCHIVE, place, revision=revision)
    assert found.revision == (revision or "v2026-07-28").removeprefix("v")
    assert [
        (verdict.rule, finding.message)
        for verdict in judged(place, found, book).verdicts
        for finding in verdict.findings
        if finding.severity > 1
    ] == []


def test_a_refused_discovery_leaves_no_trace_in_the_session_that_is_judged(place, book):
    found = go(PLAIN, place)
    assert found.refused == "-32601 Method not found"
    assert judged(place, found, book).observed == ("2025-11-25",)
    assert len(journals.find(place.journals)) == 2


def test_our_own_side_of_the_session_is_not_judged(place, book):
    outcome = judged(place, go(PLAIN, place), book)
    verdicts = {verdict.rule: verdict for verdict in outcome.verdicts}
    for of_a_client in ("PROTO-003", "PROTO-004", "PAGE-002", "COMPLETE-002"):
        assert verdicts[of_a_client].status is Status.UNTESTED
    assert verdicts["JSONRPC-014"].status is Status.PASSED


@pytest.mark.parametrize("habit", ["dies-of-discovery", "ignores-discovery"])
def test_a_server_that_cannot_bear_discovery_is_met_again(place, habit, monkeypatch):
    monkeypatch.setattr("mcptest.live.opening._DISCOVERY", 0.5)
    found = go(odd(habit), place)
    assert (found.revision, found.lost) == ("2025-11-25", None)
    assert found.refused


def test_a_revision_that_is_asked_for_is_spoken(place):
    found = go(odd("sound"), place, revision="v2025-03-26")
    assert (found.revision, found.refused) == ("2025-03-26", None)


def test_a_server_that_offers_another_revision_is_taken_at_its_word(place):
    assert go(odd("older"), place).revision == "2025-06-18"


def test_a_server_without_discovery_does_not_speak_the_stateless_era(place):
    found = go(odd("sound"), place, revision="v2026-07-28")
    assert found.revision is None
    assert (
        found.lost == "the server does not speak 2026-07-28: it answered server/discover with -32601 Method not found"
    )
    assert found.session is not None


def test_a_server_that_dies_of_an_unknown_method_has_been_exercised_until_then(place, book):
    found = go(odd("dies-of-the-unknown"), place)
    assert found.revision == "2025-11-25"
    assert found.lost is not None
    assert "exit code 7" in found.lost
    assert "cannot go on" in found.lost
    assert found.asked["prompts/get"] == 1
    assert judged(place, found, book).observed == ("2025-11-25",)


def test_a_server_that_never_answers_is_given_up(place, monkeypatch):
    monkeypatch.setattr("mcptest.live.opening._DISCOVERY", 0.3)
    found = go(odd("mute"), place, timeout=0.5)
    assert (found.revision, found.lost) == (None, "the server did not answer initialize within 0.5 s")
    assert found.session is not None


def test_a_server_that_falls_silent_is_given_up_after_two_requests(place):
    found = go(odd("falls-silent"), place, timeout=0.3)
    assert found.lost is not None
    assert found.lost.startswith("the server does not answer any more: tools/list: no answer within 0.3 s")
    assert sum(found.asked.values()) == 3


def test_endless_pages_end_at_the_limit_and_that_is_said(place):
    found = go(odd("endless"), place, pages=5, reads=2)
    assert found.asked["tools/list"] == 5
    assert found.left == ("tools/list from page 6 on", "resources/list from page 6 on", "3 of 5 resources")
    assert "left out: tools/list from page 6 on" in found.line


def test_a_list_that_goes_in_circles_is_left(place):
    found = go(odd("circular"), place)
    assert found.asked["tools/list"] == 2
    assert found.lost is None


def test_a_limit_of_time_leaves_the_rest_out(place):
    found = go(odd("sound"), place, seconds=0.0)
    assert found.left == ("2 of 2 resources", "4 of 4 completions", "1 of 1 prompts")
    assert found.asked["mcptest/no-such-method"] == 1


@pytest.mark.parametrize("revision", [None, "2025-11-25"])
def test_a_server_behind_a_url_is_exercised_in_either_era(place, book, sdk, revision):  # noqa: F811
    found = go(url(sdk), place, revision=revision)
    assert (found.revision, found.lost) == (revision or "2026-07-28", None)
    assert found.asked["mcptest/no-such-method"] == 1
    outcome = judged(place, found, book)
    assert [rule for rule in failed(outcome) if not rule.startswith("RES-007")] == []


def test_a_command_that_cannot_be_started_leaves_no_recording(place):
    found = go(command(["/nowhere/at/all"]), place)
    assert (found.session, found.revision) == (None, None)
    assert found.lost == "cannot start '/nowhere/at/all': No such file or directory"


def test_a_url_where_nobody_listens_is_told(place):
    found = go(url(f"http://127.0.0.1:{free_port()}/mcp"), place)
    assert found.session is None
    assert found.lost


def test_a_url_that_is_no_endpoint_is_told_by_its_status(place, sdk):  # noqa: F811
    found = go(url(sdk.replace("/mcp", "/nowhere")), place)
    assert found.lost is not None
    assert "HTTP 404 Not Found" in found.lost
    assert "is this the URL of its MCP endpoint?" in found.lost
