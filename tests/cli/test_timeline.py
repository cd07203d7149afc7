from __future__ import annotations

import json

import pytest

from mcptest.cli import timeline
from mcptest.cli.timeline import MISSING, Entry, chosen, entries
from mcptest.wire.frame import CONTINUED, STDIN
from tests.helpers.journals import Talk, sample


def found(talk: Talk, method: str | None = None, tool: str | None = None, errors: bool = False) -> list[Entry]:
    return list(filter(chosen(method, tool, errors), entries(talk.frames)))


def test_an_answer_carries_its_requests_method_tool_and_duration() -> None:
    [request, answer] = found(Talk().call(7, "add", after_ms=25, a=1))
    assert (request.method, request.tool, request.duration) == ("tools/call", "add", None)
    assert (answer.method, answer.tool, answer.duration) == ("tools/call", "add", 25_000_000)


def test_ids_of_different_types_and_directions_are_not_confused() -> None:
    talk = Talk().request(1, "a").request("1", "b")
    talk.server({"jsonrpc": "2.0", "id": 1, "method": "c"})
    talk.result("1").result(1).client({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert [entry.method for entry in found(talk)[3:]] == ["b", "a", "c"]


def test_an_answer_to_nothing_has_no_method() -> None:
    [entry] = found(Talk().result(99))
    assert (entry.method, entry.duration) == (None, None)


def test_a_clock_that_goes_backwards_gives_no_negative_duration() -> None:
    [_, answer] = found(Talk().request(1, "ping").result(1, after_ms=-50))
    assert answer.duration == 0


def test_a_batch_gives_an_entry_for_each_message() -> None:
    batch = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(3)]
    assert [entry.raw for entry in found(Talk().client(batch))] == [json.dumps(one).encode() for one in batch]


def test_noise_stderr_events_and_gaps_have_their_entries() -> None:
    kinds = [entry.kind for entry in found(sample())]
    assert kinds.count("malformed") == 1
    assert kinds.count("stderr") == 1
    assert kinds.count("gap") == 1
    assert kinds[0] == kinds[-1] == "event"
    assert "header" not in kinds


def test_sequence_numbers_that_are_not_there_are_told() -> None:
    [_, missing, _] = found(Talk().request(1, "a").add(STDIN, "{}", skip=5))
    assert missing.kind == MISSING
    assert missing.about == {"frames": 5}


def test_a_lost_beginning_is_told() -> None:
    assert next(entries(sample().frames[2:])).kind == MISSING


def test_a_line_in_several_records_is_one_message() -> None:
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "big", "params": {"x": "y" * 100}})
    talk = Talk().client(text[:40], flags=CONTINUED).stderr("between").client(text[40:80], flags=CONTINUED)
    talk.client(text[80:]).request(2, "next")
    assert [entry.method for entry in found(talk)] == [None, "big", "next"]


def test_a_method_is_chosen_with_its_answers() -> None:
    assert {entry.method for entry in found(sample(), method="tools/*") if entry.kind != "gap"} == {
        "tools/list",
        "tools/call",
    }
    assert len([entry for entry in found(sample(), method="ping") if entry.kind != "gap"]) == 1


def test_a_tool_is_chosen_with_its_answers() -> None:
    assert [entry.kind for entry in found(sample(), tool="fail")] == ["request", "response", "gap"]


def test_errors_are_error_answers_failed_tools_noise_and_losses() -> None:
    talk = sample().request(50, "tools/call", name="t").result(50, isError=True)
    assert [entry.error for entry in found(talk, errors=True)] == [
        "error -32602: Unknown tool: fail",
        "not JSON: Expecting value (column 1)",
        "lost",
        "tool error",
    ]


def test_hostile_messages_make_entries_like_any_other() -> None:
    talk = Talk()
    deep = '{"a":' * 900 + "1" + "}" * 900
    for line in (
        '{"id":1,"method":"tools/call","params":[]}',
        '{"id":{},"method":"tools/call","params":{"name":7}}',
        '{"id":1,"error":7}',
        '{"id":1,"error":{"code":' + deep + ',"message":' + deep + "}}",
        '{"id":[1],"result":7}',
        "[" * 100_000,
        "9" * 1_000_000,
        b"\xff\x00",
        "",
    ):
        talk.server(line)
    assert len(found(talk)) == 9
    assert all(isinstance(entry.error, str | None) for entry in found(talk))


def test_requests_that_are_never_answered_are_forgotten_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "_MOST_WAITING", 10)
    talk = Talk()
    for number in range(11):
        talk.request(number, "ping")
    talk.result(0).result(10)
    *_, oldest, newest = found(talk)
    assert (oldest.method, newest.method) == (None, "ping")
