"""Faults on demand."""

from __future__ import annotations

import json

import pytest

from mcptest.errors import UsageError
from mcptest.replay.mocking.faults import FAULTS, Faults, parse_fault
from mcptest.replay.mocking.faulty import Faulty
from tests.helpers.journals import Talk
from tests.replay.mocking.test_conversation import brain

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {}}}


def acts(*faults, count=1, message=CALL):
    mock = Faulty(brain(Talk().handshake().call(5, "t")), Faults(tuple(map(parse_fault, faults))))
    conversation = mock.converse()
    return [conversation.receive(json.dumps(message).encode()) for _ in range(count)]


def outcome(acts):
    if not acts:
        return "nothing"
    (act,) = acts
    if act.disconnect or act.wedge:
        return "disconnect" if act.disconnect else "wedge"
    try:
        answer = json.loads(act.data)
    except ValueError:
        return "malformed"
    return answer.get("error", {}).get("code", "answer")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("hang", ["nothing"] * 4),
        ("wedged", ["wedge"] * 4),
        ("recover-after:2", [-32603, -32603, "answer", "answer"]),
        ("malformed", ["malformed"] * 4),
        ("disconnect-after:3", ["answer", "answer", "answer", "disconnect"]),
        ("error:-32001", [-32001] * 4),
        ("drop:1", ["nothing"] * 4),
        ("drop:0", ["answer"] * 4),
    ],
)
def test_each_fault_does_what_it_says(fault, expected):
    assert [outcome(one) for one in acts(fault, count=4)] == expected


def test_a_slow_answer_is_late_by_so_much():
    assert acts("slow:250")[0][0].late == 250_000_000


def test_the_opening_is_left_alone():
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    assert outcome(acts("hang", message=opening)[0]) == "answer"


def test_chance_is_repeatable():
    runs = [[outcome(one) for one in acts("drop:0.5", count=30)] for _ in range(2)]
    assert runs[0] == runs[1]
    assert set(runs[0]) == {"answer", "nothing"}


@pytest.mark.parametrize("text", ["", "nonsense", "slow", "slow:", "slow:x", "drop:2", "hang:3", "disconnect-after:-1"])
def test_a_fault_that_is_none_is_refused_with_those_there_are(text):
    with pytest.raises(UsageError, match="fault"):
        parse_fault(text)


def test_every_fault_that_is_named_can_be_parsed():
    for fault in FAULTS:
        assert parse_fault(fault.replace("MS", "5").replace("N", "1").replace("P", "0.5").replace("CODE", "-1"))
