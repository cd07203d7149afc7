"""Replays of a real recording: none of them drifts but where the server has changed, and then exactly there."""

from __future__ import annotations

import pytest

from mcptest.policy import Policy, Reason
from mcptest.replay import Compare, Judging, Kind, Manner, MaskSet, Status, exit_code
from mcptest.transport import Patience
from mcptest.transport.target import command
from tests.replay.recorded import PLAIN, changed, place_in, replay

LOOK = "/result/structuredContent"
CITIES = "/result/content/0/text#"
SEEDED = {
    "renamed-field": {(Kind.REMOVED, "look", f"{LOOK}/sky"), (Kind.ADDED, "look", f"{LOOK}/weather")},
    "changed-value": {(Kind.CONTENT, "look", f"{LOOK}/celsius")},
    "changed-type": {(Kind.SHAPE, "look", f"{LOOK}/celsius")},
    "null-instead-of-value": {(Kind.SHAPE, "look", f"{LOOK}/sky")},
    "removed-field": {(Kind.REMOVED, "look", f"{LOOK}/sky")},
    "added-field": {(Kind.ADDED, "look", f"{LOOK}/wind")},
    "no-text-mirror": {(Kind.REMOVED, "look", "/result/content/0")},
    "changed-error-message": {(Kind.CONTENT, "nonsense", "/error/message")},
    "changed-error-code": {(Kind.CONTENT, "nonsense", "/error/code")},
    "error-instead-of-result": {(Kind.ERROR, "picture", "")},
    "tool-error-instead-of-result": {(Kind.ERROR, "picture", "")},
    "result-instead-of-error": {(Kind.RESULT, "nonsense", "")},
    "result-instead-of-tool-error": {(Kind.RESULT, "fail", "")},
    "reordered-list": {(Kind.ORDER, "cities", CITIES)},
    "removed-item": {(Kind.REMOVED, "cities", f"{CITIES}/1")},
    "added-item": {(Kind.ADDED, "cities", f"{CITIES}/1")},
    "removed-tool": {(Kind.REMOVED, "tools/list", "/result/tools/8")},
    "added-tool": {(Kind.ADDED, "tools/list", "/result/tools/0")},
    "reordered-tools": {(Kind.ORDER, "tools/list", "/result/tools")},
    "changed-description": {(Kind.CONTENT, "tools/list", "/result/tools/1/description")},
    "new-required-argument": {(Kind.ADDED, "tools/list", "/result/tools/0/inputSchema/required/1")},
    "changed-version": {(Kind.CONTENT, "initialize", "/result/serverInfo/version")},
    "removed-capability": {(Kind.REMOVED, "initialize", "/result/capabilities/logging")},
    "changed-text": {(Kind.CONTENT, "survey", "/result/content/0/text")},
    "changed-picture": {(Kind.CONTENT, "picture", "/result/content/0/data")},
    "changed-mime-type": {(Kind.CONTENT, "plain://city/1", "/result/contents/0/mimeType")},
    "changed-prompt": {(Kind.CONTENT, "summary", "/result/messages/0/role")},
    "time-is-never": {(Kind.CONTENT, "create_note", "/result/structuredContent/created_at")},
    "missing-notification": {(Kind.NOTIFICATION, "cities", "")},
    "extra-notification": {(Kind.NOTIFICATION, "picture", "")},
    "changed-notification": {(Kind.NOTIFICATION, "cities", "/data")},
    "missing-progress": {(Kind.NOTIFICATION, "survey", "")},
    "extra-progress": {(Kind.NOTIFICATION, "survey", "")},
    "changed-question": {(Kind.REQUEST, "ask", "/message")},
    "no-question": {(Kind.REQUEST, "ask", "")},
}


def found(replayed):
    return {(one.kind, one.step.turn.name or one.step.turn.method, one.pointer) for one in replayed.drift}


def test_a_replay_of_an_unchanged_server_shows_no_drift(recording, tmp_path):
    replayed = replay(recording, command(PLAIN), place=place_in(tmp_path))
    assert found(replayed) == set()
    assert {outcome.status for outcome in replayed.run.outcomes} == {Status.RAN}
    assert exit_code(replayed) == 0


@pytest.mark.parametrize("change", SEEDED)
def test_one_change_gives_exactly_that_drift(recording, change):
    replayed = replay(recording, changed(change))
    assert found(replayed) == SEEDED[change]
    assert exit_code(replayed) == 1


def test_values_that_an_answer_gave_are_carried_into_later_requests(recording):
    """The note's id and the cursors are others in each run: without them the server answers with errors."""
    replayed = replay(recording, command(PLAIN))
    answers = {outcome.step.label: outcome.answer for outcome in replayed.run.outcomes}
    assert answers["tools/call read_note"]["result"]["content"][0]["text"] == "buy an umbrella"


def test_a_slower_answer_is_drift_only_where_that_was_asked_for(recording):
    gated = replay(recording, changed("slower"), judging=Judging(slower=20.0, gate_latency=True))
    assert (Kind.LATENCY, "picture", "") in found(gated)
    assert exit_code(gated) == 1
    noted = replay(recording, changed("slower"))
    assert found(noted) == {(Kind.LATENCY, "picture", "")}
    assert exit_code(noted) == 0


def test_without_masks_what_varies_is_drift(recording):
    replayed = replay(recording, command(PLAIN), judging=Judging(MaskSet((), ())))
    places = {pointer for _, name, pointer in found(replayed) if name == "create_note"}
    assert places == {f"{LOOK}/id", f"{LOOK}/created_at", f"{LOOK}/took_ms"}


@pytest.mark.parametrize(
    ("change", "compare", "drifts"),
    [
        ("changed-value", Compare.SHAPE, False),
        ("changed-type", Compare.SHAPE, True),
        ("added-field", Compare.SHAPE, True),
        ("reordered-list", Compare.SHAPE, False),
        ("added-field", Compare.SCHEMA, False),
        ("removed-field", Compare.SCHEMA, False),
        ("changed-type", Compare.SCHEMA, True),
        ("added-tool", Compare.SCHEMA, False),
        ("changed-type", Compare.STATUS, False),
        ("error-instead-of-result", Compare.STATUS, True),
        ("changed-error-code", Compare.STATUS, True),
        ("changed-error-message", Compare.STATUS, False),
        ("missing-notification", Compare.STATUS, False),
    ],
)
def test_how_closely_answers_are_compared_can_be_chosen(recording, change, compare, drifts):
    replayed = replay(recording, changed(change), judging=Judging(compare=compare))
    assert bool(found(replayed)) is drifts


def test_a_server_that_dies_stops_the_replay_with_what_ran(recording):
    replayed = replay(recording, changed("dies"))
    assert "exit code 7" in replayed.run.stopped
    assert "out of film" in replayed.run.stopped
    statuses = {outcome.step.label: outcome.status for outcome in replayed.run.outcomes}
    assert statuses["tools/call look"] is Status.RAN
    assert statuses["tools/call picture"] is Status.UNANSWERED
    assert statuses["ping"] is Status.NOT_RUN
    assert exit_code(replayed) == 3


def test_a_server_that_hangs_stops_the_replay(recording):
    replayed = replay(recording, changed("silent"), manner=Manner(timeout=0.5), patience=Patience(end=0.2, term=0.2))
    assert replayed.run.stopped == "no answer to tools/call picture within 0.5 s"
    assert exit_code(replayed) == 3


def test_a_server_that_dies_at_once_is_no_pass(recording):
    assert exit_code(replay(recording, changed("dies-at-once"))) == 3


def test_the_same_overlap_can_be_kept(recording):
    replayed = replay(recording, command(PLAIN), manner=Manner(parallel=True))
    assert found(replayed) == set()


def test_what_reads_is_asked_twice_to_learn_what_varies_and_nothing_else(recording, tmp_path, monkeypatch):
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    replayed = replay(recording, command(PLAIN), manner=Manner(twice=True), judging=Judging(MaskSet((), ())))
    calls = (tmp_path / "calls").read_text(encoding="utf-8").split()
    assert calls.count("look") == 2
    assert calls.count("create_note") == 1
    from mcptest.replay import learnt

    places = {(step.turn.method, pointer) for step, pointer in learnt(replayed.run, replayed.judging.masks)}
    assert places == set()


def test_a_call_budget_ends_the_calls_and_the_rest_is_skipped(recording, tmp_path, monkeypatch):
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    replayed = replay(recording, command(PLAIN), policy=Policy(max_calls=2))
    assert (tmp_path / "calls").read_text(encoding="utf-8").split() == ["look", "cities"]
    assert {outcome.refused for outcome in replayed.skipped} == {Reason.BUDGET}
    assert exit_code(replayed) == 0
