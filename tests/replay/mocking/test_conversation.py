"""The mock's brain: messages in, acts out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcptest.protocol import methods
from mcptest.replay.masks import Mask, MaskSet
from mcptest.replay.matchers import chain, names
from mcptest.replay.mocking.conversation import Brain, Conversation, OnExhausted
from mcptest.replay.mocking.library import Library
from tests.helpers.journals import Talk


def note(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def brain(talk: Talk, match: str = "ignoring-paths", ignored: tuple[str, ...] = (), **options: Any) -> Brain:
    masks = MaskSet(tuple(Mask(pointer=pointer) for pointer in ignored))
    return Brain(Library(iter(talk.frames), chain(match), masks), **options)


class Client:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.id = 100

    def send(self, message: Any) -> list[Any]:
        return [json.loads(act.data) for act in self.conversation.receive(json.dumps(message).encode()) if act.data]

    def ask(self, method: str, **params: Any) -> list[Any]:
        self.id += 1
        return self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=tool, arguments=arguments)[-1]


def client(talk: Talk, **options: Any) -> Client:
    return Client(brain(talk, **options).converse())


def text(answer: Any) -> str:
    return answer["result"]["content"][0]["text"]


def answers(talk: Talk, tool: str, arguments: dict[str, Any], *texts: str) -> Talk:
    for number, one in enumerate(texts):
        identity = len(talk.frames) * 10 + number
        talk.request(identity, "tools/call", name=tool, arguments=arguments)
        talk.result(identity, content=[{"type": "text", "text": one}])
    return talk


def test_an_answer_comes_under_the_id_of_the_request():
    talk = answers(Talk().handshake(), "look", {"city": "Berlin"}, "clear")
    conversation = brain(talk).converse()
    for identity in (1, "1", 2**70, 'quo"te'):
        request = {"jsonrpc": "2.0", "id": identity, "method": "tools/call",
                   "params": {"name": "look", "arguments": {"city": "Berlin"}}}  # fmt: skip
        (act,) = conversation.receive(json.dumps(request).encode())
        assert json.loads(act.data)["id"] == identity
        assert text(json.loads(act.data)) == "clear"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (OnExhausted.LAST, ["one", "two", "two", "two"]),
        (OnExhausted.CYCLE, ["one", "two", "one", "two"]),
        (OnExhausted.ERROR, ["one", "two", None, None]),
    ],
)
def test_a_repeated_call_is_answered_in_recorded_order(policy, expected):
    asking = client(answers(Talk(), "next", {}, "one", "two"), on_exhausted=policy)
    found = [asking.call("next") for _ in range(4)]
    assert [text(answer) if "result" in answer else None for answer in found] == expected


def test_conversations_do_not_use_up_each_others_answers():
    mock = brain(answers(Talk(), "next", {}, "one", "two"))
    assert [text(Client(mock.converse()).call("next")) for _ in range(2)] == ["one", "one"]


def test_the_params_may_come_in_any_order_and_meta_does_not_count():
    asking = client(answers(Talk(), "look", {"a": 1, "b": [2.0]}, "found"))
    for params in (
        {"arguments": {"b": [2.0], "a": 1}, "name": "look"},
        {"name": "look", "arguments": {"a": 1, "b": [2.0]}, "_meta": {"progressToken": 3}},
        {"name": "look", "arguments": {"a": 1, "b": [2]}},
    ):
        assert text(asking.ask("tools/call", **params)[-1]) == "found"


def test_the_strictest_matcher_that_knows_a_request_decides():
    talk = answers(Talk(), "look", {"city": "Berlin", "at": "2026-01-01T00:00:00Z"}, "january")
    answers(talk, "look", {"city": "Berlin", "at": "2026-02-01T00:00:00Z"}, "february")
    asking = client(talk)
    assert text(asking.call("look", city="Berlin", at="2026-02-01T00:00:00Z")) == "february"
    assert text(asking.call("look", city="Berlin", at="2026-03-01T00:00:00Z")) == "january"


@pytest.mark.parametrize(
    ("match", "city", "known"),
    [
        ("exact-params", "Paris", False),
        ("tool-and-arguments", "Paris", False),
        ("ignoring-paths", "Paris", False),
        ("tool-only", "Paris", True),
        ("method-only", "Paris", True),
    ],
)
def test_how_loosely_a_request_is_matched_can_be_chosen(match, city, known):
    asking = client(answers(Talk(), "look", {"city": "Berlin"}, "clear"), match=match)
    assert ("result" in asking.call("look", city=city)) is known


def test_all_matchers_are_known_from_the_strictest_on():
    assert names() == ["exact-params", "tool-and-arguments", "ignoring-paths", "tool-only", "method-only"]


def test_places_of_the_params_can_be_ignored():
    talk = answers(Talk(), "look", {"city": "Berlin", "session": "s1"}, "clear")
    assert text(client(talk, ignored=("/arguments/session",)).call("look", city="Berlin", session="other")) == "clear"


def test_a_miss_names_the_nearest_recording_and_what_differs():
    talk = answers(Talk(), "look", {"city": "Berlin", "days": 1}, "clear")
    answers(talk, "look", {"city": "Rome", "days": 3}, "rain")
    error = client(talk).call("look", city="Rome", days=2)["error"]
    assert "'look'" in error["message"]
    assert "at /arguments/days recorded 3, asked 2" in error["message"]
    assert error["data"]["differences"] == [{"pointer": "/arguments/days", "recorded": 3, "asked": 2}]


def test_a_miss_says_what_there_is():
    asking = client(answers(Talk(), "look", {}, "clear"))
    assert "holds 'look'" in asking.call("peek")["error"]["message"]
    (answer,) = asking.ask("prompts/list")
    assert answer["error"]["code"] == -32601
    assert "holds tools/call" in answer["error"]["message"]


def test_ping_is_answered_though_it_was_not_recorded():
    assert client(Talk()).ask("ping")[0]["result"] == {}


def test_progress_goes_to_the_live_token_and_only_where_it_was_asked_for():
    talk = Talk().request(1, "tools/call", name="t", arguments={}, _meta={"progressToken": 7})
    talk.server(note("notifications/progress", progressToken=7, progress=1))
    talk.server(note("notifications/message", data="hello")).result(1, content=[])
    asking = client(talk)
    found = asking.ask("tools/call", name="t", arguments={}, _meta={"progressToken": "mine"})
    assert [one.get("method") for one in found] == ["notifications/progress", "notifications/message", None]
    assert found[0]["params"]["progressToken"] == "mine"
    found = asking.ask("tools/call", name="t", arguments={})
    assert [one.get("method") for one in found] == ["notifications/message", None]


def test_a_request_of_the_servers_is_asked_and_the_answer_waits_for_the_reply():
    talk = Talk().request(1, "tools/call", name="t", arguments={})
    talk.server({"jsonrpc": "2.0", "id": 0, "method": "roots/list"})
    talk.client({"jsonrpc": "2.0", "id": 0, "result": {"roots": []}})
    talk.server(note("notifications/message", data="thanks")).result(1, content=[])
    asking = client(talk)
    (asked,) = asking.ask("tools/call", name="t", arguments={})
    assert asked["method"] == "roots/list"
    rest = asking.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}})
    assert [one.get("method", "answer") for one in rest] == ["notifications/message", "answer"]
    assert rest[-1]["id"] == asking.id


def test_what_followed_a_notification_follows_it_again():
    talk = Talk().handshake().server({"jsonrpc": "2.0", "id": 0, "method": "roots/list"})
    talk.client({"jsonrpc": "2.0", "id": 0, "result": {"roots": []}})
    assert client(talk).send(note("notifications/initialized"))[0]["method"] == "roots/list"


def test_what_the_server_said_first_is_said_first():
    talk = Talk().server(note("notifications/message", data="hello")).request(1, "ping").result(1)
    (act,) = brain(talk).converse().open()
    assert json.loads(act.data)["params"]["data"] == "hello"


def test_an_older_client_is_answered_in_its_own_revision():
    asking = client(Talk().handshake())
    for asked, agreed in (("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("2099-01-01", "2025-11-25")):
        (answer,) = asking.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "x"})
        assert answer["result"]["protocolVersion"] == agreed


def test_a_batch_is_answered_with_a_batch():
    asking = client(answers(Talk(), "look", {}, "clear"))
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "look", "arguments": {}}}
    (batch,) = asking.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, call])
    assert [one["id"] for one in batch] == [1, 2]


def test_an_early_request_is_answered_before_all_of_a_recording_is_read():
    talk = answers(Talk(), "first", {}, "here")
    for number in range(3000):
        talk.call(number + 1000, f"tool{number}")
    read = 0

    def frames():
        nonlocal read
        for frame in talk.frames:
            read += 1
            yield frame

    library = Library(frames(), chain())
    assert text(Client(Brain(library).converse()).call("first")) == "here"
    assert read < len(talk.frames) / 2
    assert text(Client(Brain(library).converse()).call("tool2999")) == "tool2999 is done"


def test_requests_that_were_never_asked_for_are_known():
    talk = answers(answers(Talk(), "a", {}, "1"), "b", {}, "2")
    mock = brain(talk)
    Client(mock.converse()).call("b")
    mock.library.read_all()
    assert [turn.name for turn in mock.library.turns if turn.seq not in mock.library.asked] == ["a"]


def test_garbage_gets_a_parse_error():
    (act,) = client(Talk()).conversation.receive(b"{nonsense")
    assert json.loads(act.data)["error"]["code"] == -32700


def test_a_request_that_the_recorded_client_cancelled_is_answered_when_it_is_cancelled_again():
    talk = Talk().request(1, "tools/call", name="t", arguments={}, _meta={"progressToken": 1})
    talk.server(note("notifications/progress", progressToken=1, progress=1))
    talk.client(note("notifications/cancelled", requestId=1))
    talk.server({"jsonrpc": "2.0", "id": 1, "error": {"code": -32800, "message": "Request cancelled"}})
    asking = client(talk)
    (progress,) = asking.ask("tools/call", name="t", arguments={}, _meta={"progressToken": 1})
    assert progress["method"] == "notifications/progress"
    (answer,) = asking.send(note("notifications/cancelled", requestId=asking.id))
    assert (answer["id"], answer["error"]["code"]) == (asking.id, -32800)


def secret(**more):
    return {"api_key": "redacted-0123456789ab", **more}


def test_a_request_is_found_whatever_stands_where_its_secret_was_redacted():
    talk = answers(Talk().handshake(), "enter", secret(user="Ada"), "hello Ada", "hello again")
    answers(talk, "enter", secret(user="Bob"), "hello Bob")
    asking = client(talk)
    assert text(asking.call("enter", api_key="s3cret", user="Bob")) == "hello Bob"
    assert text(asking.call("enter", api_key="s3cret", user="Ada")) == "hello Ada"
    assert text(asking.call("enter", api_key="0ther", user="Ada")) == "hello again"
    assert 'recorded "Ada", asked "Eve"' in asking.call("enter", api_key="s3cret", user="Eve")["error"]["message"]
    assert "error" in asking.call("enter", api_key=["no", "text"], user="Ada")


@pytest.mark.parametrize(("match", "known"), [("exact-params", False), ("ignoring-paths", True)])
def test_besides_its_secret_a_request_is_matched_as_strictly_as_any(match, known):
    talk = answers(Talk().handshake(), "enter", secret(at="2026-01-01T10:00:00Z"), "hello")
    answer = client(talk, match=match).call("enter", api_key="s3cret", at="2026-02-02T11:11:11Z")
    assert ("result" in answer) is known


def test_news_of_a_subscription_come_when_they_came_and_under_its_live_id():
    def news(method):
        return note(method, _meta={methods.SUBSCRIPTION_ID: "l-1"})

    talk = Talk().request("l-1", methods.LISTEN, notifications={"toolsListChanged": True})
    talk.server(news("notifications/subscriptions/acknowledged"))
    talk.request(2, "tools/call", name="change", arguments={}).result(2, content=[])
    talk.server(news("notifications/tools/list_changed"))
    asking = client(talk)
    (acknowledged,) = asking.ask(methods.LISTEN, notifications={"toolsListChanged": True})
    listening = asking.id
    _, changed = asking.ask("tools/call", name="change", arguments={})
    for one in (acknowledged, changed):
        assert one["params"]["_meta"][methods.SUBSCRIPTION_ID] == listening
    assert len(client(talk).ask("tools/call", name="change", arguments={})) == 1  # nobody listens
