"""Values that later requests took from earlier answers."""

from __future__ import annotations

import json

import pytest

from mcptest.replay.carrying import apply, rekey
from mcptest.replay.plan import plan, read
from tests.helpers.journals import Talk

UUIDS = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002"]


def carried(first_result, params, live_result):
    """What is sent for `params`, when the first answer of the replay is another than the recorded one."""
    talk = Talk().request(1, "first").server({"jsonrpc": "2.0", "id": 1, "result": first_result})
    talk.request(2, "second", **params).result(2)
    step = plan(read(talk.frames))[1]
    return apply(step.turn.params, step.carries, {0: {"result": live_result}})


@pytest.mark.parametrize(
    ("recorded", "params", "live", "sent"),
    [
        ({"nextCursor": "c1"}, {"cursor": "c1"}, {"nextCursor": "c2"}, {"cursor": "c2"}),
        ({"task": {"taskId": "t1"}}, {"taskId": "t1"}, {"task": {"taskId": "t9"}}, {"taskId": "t9"}),
        ({"requestState": "opaque"}, {"requestState": "opaque"}, {"requestState": "new"}, {"requestState": "new"}),
        ({"resources": [{"uri": "a://1"}]}, {"uri": "a://1"}, {"resources": [{"uri": "a://2"}]}, {"uri": "a://2"}),
        # Still there, if elsewhere: it was not renamed, the list was reordered.
        ({"resources": [{"uri": "a://1"}, {"uri": "a://2"}]}, {"uri": "a://1"},
         {"resources": [{"uri": "a://2"}, {"uri": "a://1"}]}, {"uri": "a://1"}),
        # What a client chose itself stays, also where an answer happens to hold it.
        ({"city": "Berlin"}, {"arguments": {"city": "Berlin"}}, {"city": "Paris"}, {"arguments": {"city": "Berlin"}}),
        ({"id": 7}, {"arguments": {"note_id": 7}}, {"id": 8}, {"arguments": {"note_id": 8}}),
        ({"id": 7}, {"arguments": {"count": 7}}, {"id": 8}, {"arguments": {"count": 7}}),
        # In JSON inside a text, in the midst of a text, and as a part of a longer value.
        ({"content": [{"text": json.dumps({"id": "n-1"})}]}, {"arguments": {"id": "n-1"}},
         {"content": [{"text": json.dumps({"id": "n-2"})}]}, {"arguments": {"id": "n-2"}}),
        ({"content": [{"text": f"made {UUIDS[0]} for you"}]}, {"arguments": {"note": UUIDS[0]}},
         {"content": [{"text": f"made {UUIDS[1]} for you"}]}, {"arguments": {"note": UUIDS[1]}}),
        ({"id": UUIDS[0]}, {"uri": f"note://{UUIDS[0]}/text"}, {"id": UUIDS[1]}, {"uri": f"note://{UUIDS[1]}/text"}),
        # Where the live answer has nothing in that place, the recorded value is sent.
        ({"nextCursor": "c1"}, {"cursor": "c1"}, {}, {"cursor": "c1"}),
    ],
)  # fmt: skip
def test_a_value_is_carried_where_the_live_server_made_up_another(recorded, params, live, sent):
    assert carried(recorded, params, live) == sent


def test_only_answers_that_had_come_can_have_given_a_value():
    talk = Talk().request(1, "first").request(2, "second", cursor="c1").result(1, nextCursor="c1").result(2)
    assert plan(read(talk.frames))[1].carries == ()


def test_input_goes_under_the_keys_that_the_live_server_chose():
    def answer(**asked):
        return {
            "result": {"resultType": "input_required", "inputRequests": {k: {"method": m} for k, m in asked.items()}}
        }

    recorded = answer(a="elicitation/create", b="roots/list", c="elicitation/create")
    live = answer(x="roots/list", y="elicitation/create", z="elicitation/create")
    params = {"inputResponses": {"a": 1, "b": 2, "c": 3}, "name": "t"}
    assert rekey(params, recorded, live) == {"inputResponses": {"y": 1, "x": 2, "z": 3}, "name": "t"}
