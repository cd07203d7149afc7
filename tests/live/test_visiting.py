"""Opening conversations of our own: which era, over which connection, and what the recording keeps of it."""

from __future__ import annotations

import asyncio
import json

import pytest

from mcptest.capture import journals
from mcptest.errors import TargetError, UsageError
from mcptest.live import Keeping, Manner, NotOpened, Refusal, visit
from mcptest.transport.target import command
from mcptest.wire.frame import REQUEST, REQUEST_BODY, STDIN
from tests.live.test_exercising import odd, place, recorded  # noqa: F401 -- a fixture
from tests.transport.test_http import sdk, url  # noqa: F401 -- a fixture


def opened(target, **given):
    async def scene():
        async with visit(target, Manner(**{"timeout": 5.0, **given})) as client:
            return client.opening

    return asyncio.run(scene())


def test_the_newest_era_that_the_server_knows_is_spoken():
    assert opened(odd("modern")).revision == "2026-07-28"
    assert opened(odd("sound")).revision == "2025-11-25"


def test_who_is_there_is_known_in_either_era():
    for habit in ("modern", "sound"):
        opening = opened(odd(habit))
        assert opening.server == {"name": "odd", "version": "1"}
        assert "tools" in opening.capabilities


def test_the_handshake_follows_a_refused_discovery_over_the_same_connection(place):  # noqa: F811
    async def scene():
        async with visit(odd("sound"), keeping=Keeping(place)) as client:
            return client.session, client.opening.refused

    session, refused = asyncio.run(scene())
    assert refused == "-32601 Method not found"
    sent = [json.loads(frame.data) for frame in recorded(place, session) if frame.channel == STDIN]
    assert [one["method"] for one in sent] == ["server/discover", "initialize", "notifications/initialized"]
    assert sent[0]["id"] != sent[1]["id"]


def test_a_discovery_that_was_ignored_is_taken_back(place, monkeypatch):  # noqa: F811
    monkeypatch.setattr("mcptest.live.opening._DISCOVERY", 0.3)

    async def scene():
        async with visit(odd("ignores-discovery"), keeping=Keeping(place)) as client:
            return client.session

    sent = [json.loads(frame.data) for frame in recorded(place, asyncio.run(scene())) if frame.channel == STDIN]
    assert [one["method"] for one in sent][-1] == "notifications/cancelled"
    assert sent[-1]["params"]["requestId"] == sent[0]["id"]


@pytest.mark.parametrize(("habit", "revision"), [("slow-modern", "2026-07-28"), ("slow-sound", "2025-11-25")])
def test_a_server_that_is_slow_to_start_is_spoken_to_in_its_own_era(habit, revision, monkeypatch):
    monkeypatch.setattr("mcptest.live.opening._DISCOVERY", 0.2)
    assert opened(odd(habit)).revision == revision


def test_a_server_that_is_slow_to_start_has_the_whole_time_for_the_era_that_is_asked_for(monkeypatch):
    monkeypatch.setattr("mcptest.live.opening._DISCOVERY", 0.2)
    assert opened(odd("slow-modern"), revision="v2026-07-28").revision == "2026-07-28"


def test_what_we_say_is_marked_as_ours_and_what_we_hear_is_not(place, sdk):  # noqa: F811
    async def scene(target):
        async with visit(target, keeping=Keeping(place)) as client:
            await client.tools()
            return client.session

    for target, ours in ((odd("modern"), {STDIN}), (url(sdk), {REQUEST, REQUEST_BODY})):
        frames = recorded(place, asyncio.run(scene(target)))
        marked = [frame for frame in frames if b'"synthetic":true' in frame.meta]
        assert {frame.channel for frame in marked} == ours
        assert len(marked) == sum(frame.channel in ours for frame in frames)
        assert all(json.loads(frame.meta)["synthetic"] is True for frame in marked)


def test_secrets_in_the_servers_environment_are_not_recorded(place):  # noqa: F811
    server = "import os, sys\nprint(os.environ['WEATHER_TOKEN'], file=sys.stderr, flush=True)\nsys.stdin.read()"
    target = command(["python3", "-c", server], env={"WEATHER_TOKEN": "sunny-3f9a77c1e2"})
    with pytest.raises(NotOpened) as refusal:
        asyncio.run(_visit(target, place, revision="v2025-11-25", timeout=0.5))
    frames = recorded(place, refusal.value.session)
    assert any(frame.channel_name == "stderr" for frame in frames)
    assert not any(b"sunny-3f9a77c1e2" in frame.data for frame in frames)


async def _visit(target, where, **manner):
    async with visit(target, Manner(**manner), keeping=Keeping(where)):
        pass


@pytest.mark.parametrize("manner", [{}, {"revision": "v2025-11-25"}, {"revision": "draft"}])
def test_a_server_that_is_gone_at_once_is_not_opened_and_its_recording_is_named(place, manner):  # noqa: F811
    with pytest.raises(NotOpened, match="exit code 1") as refusal:
        asyncio.run(_visit(command(["false"]), place, **manner))
    assert refusal.value.exit_code == 3
    assert recorded(place, refusal.value.session)


def test_a_failure_of_the_visitor_is_its_own(place):  # noqa: F811
    async def scene():
        async with visit(odd("sound"), keeping=Keeping(place)) as client:
            await client.result("mcptest/no-such-method")

    with pytest.raises(Refusal) as refusal:
        asyncio.run(scene())
    assert refusal.value.error["code"] == -32601


def test_a_revision_that_nobody_knows_is_refused_before_anything_starts(place):  # noqa: F811
    with pytest.raises(UsageError, match="unknown revision"):
        asyncio.run(_visit(odd("sound"), place, revision="v2023-01-01"))
    assert journals.find(place.journals) == []


# ---- the client


def scene_with(habit, act):
    async def scene():
        async with visit(odd(habit), Manner(timeout=0.5)) as client:
            return await act(client)

    return asyncio.run(scene())


def test_a_list_is_read_over_all_its_pages():
    assert [tool["name"] for tool in scene_with("sound", lambda client: client.tools())] == ["burn0", "burn1"]


def test_a_list_that_goes_in_circles_comes_to_an_end():
    assert len(scene_with("circular", lambda client: client.listed("resources/list"))) == 2


def test_a_result_that_does_not_come_is_an_error_that_names_the_method():
    with pytest.raises(TargetError, match=r"tools/list was not answered within 0\.5 s"):
        scene_with("falls-silent", lambda client: client.tools())


def test_each_request_of_the_stateless_era_says_who_asks():
    async def act(client):
        return client.request("tools/list", {"cursor": "1", "_meta": {"progressToken": 3}})

    params = scene_with("modern", act)["params"]
    assert params["cursor"] == "1"
    assert params["_meta"]["progressToken"] == 3
    assert params["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert scene_with("sound", act)["params"] == {"cursor": "1", "_meta": {"progressToken": 3}}


def test_ids_are_never_used_twice():
    async def act(client):
        return [client.request("ping")["id"] for _ in range(3)]

    found = scene_with("sound", act)
    assert len(set(found)) == 3
