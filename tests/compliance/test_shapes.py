"""Shapes of messages, in each revision."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from mcptest.compliance import shapes
from mcptest.compliance.older_shapes import OLDER
from mcptest.compliance.shapes import knows, problems
from mcptest.protocol import REVISIONS, methods_of
from mcptest.wire.frame import CLIENT, SENDERS, SERVER, STDIN, STDOUT
from tests.compliance.talks import recorded

OTHER = {CLIENT: SERVER, SERVER: CLIENT}


def pointers(*what):
    return [misfit.pointer for misfit in problems(*what)]


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("sender", [CLIENT, SERVER])
def test_every_message_of_a_revision_has_a_shape(revision, sender):
    for method in methods_of(revision, "request", sender):
        if not method.startswith("tasks/"):
            assert knows(revision, sender, method, "request"), method
            assert knows(revision, OTHER[sender], method, "result"), method
    for method in methods_of(revision, "notification", sender):
        if "tasks" not in method:
            assert knows(revision, sender, method, "notification"), method


def test_an_older_revision_has_no_messages_of_a_newer_one():
    for revision in OLDER:
        for part, sender, method in OLDER[revision]:
            asker = OTHER[sender] if part == "result" else sender
            kind = "notification" if part == "notification" else "request"
            assert method in methods_of(revision, kind, asker)


@pytest.mark.parametrize("revision", REVISIONS[:4])
def test_members_that_nobody_knows_are_welcome(revision):
    tool = {"name": "a", "inputSchema": {"type": "object", "x": 1}, "later": {"x": 1}}
    assert problems(revision, SERVER, "tools/list", "result", {"tools": [tool], "other": 1}) == []


@pytest.mark.parametrize("revision", REVISIONS[:4])
def test_what_is_missing_or_mistyped_is_pointed_at(revision):
    found = pointers(
        revision, SERVER, "tools/call", "result", {"content": [{"type": "text", "text": 7}], "isError": "no"}
    )
    assert sorted(found) == ["/content/0/text", "/isError"]
    assert pointers(revision, CLIENT, "tools/call", "request", {}) in (["/name"], [""])
    assert problems(revision, CLIENT, "tools/call", "request", None) != []
    assert problems(revision, CLIENT, "tools/list", "request", None) == []


def test_newer_content_is_not_judged_by_an_older_revision():
    link = {"content": [{"type": "resource_link"}]}
    assert problems("2025-03-26", SERVER, "tools/call", "result", link) == []
    assert problems("2025-06-18", SERVER, "tools/call", "result", link) != []


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_quirks_of_generated_schemas_are_forgiven(revision):
    result = {"tools": [{"name": "a", "inputSchema": {"type": "object", "properties": {"x": True}}}]}
    if revision == "2026-07-28":
        result |= {"resultType": "complete", "ttlMs": 1.0, "cacheScope": "public"}
    assert problems(revision, SERVER, "tools/list", "result", result) == []
    if revision != "2026-07-28":
        answer = {"action": "accept", "content": {"ratio": 3.5}}
        assert problems(revision, CLIENT, "elicitation/create", "result", answer) == []


def test_of_several_shapes_the_one_that_was_meant_complains():
    block = {"content": [{"type": "image", "data": "x"}]}
    assert pointers("2025-11-25", SERVER, "tools/call", "result", block) == ["/content/0/mimeType"]
    asking = {"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": {}}}}
    found = pointers("2026-07-28", SERVER, "tools/call", "result", asking)
    assert found
    assert all(pointer.startswith("/inputRequests/a/params") for pointer in found)


def test_a_block_of_an_unknown_kind_is_told_once():
    found = problems("2025-11-25", SERVER, "tools/call", "result", {"content": [{"type": "hologram"}]})
    assert [misfit.pointer for misfit in found] == ["/content/0/type"]


def test_strings_do_not_pass_for_numbers():
    params = {"progressToken": 1, "progress": "1"}
    assert pointers("2025-11-25", SERVER, "notifications/progress", "notification", params) == ["/progress"]


def test_a_message_that_the_revision_does_not_define_is_not_judged():
    assert problems("2024-11-05", SERVER, "elicitation/create", "request", {}) == []
    assert problems("2026-07-28", CLIENT, "ping", "request", {}) == []
    assert not knows("2026-07-28", CLIENT, "ping", "request")


def test_the_draft_has_the_shapes_of_the_newest_revision():
    assert pointers("draft", CLIENT, "tools/list", "request", {}) == ["/_meta"]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_a_quirk_in_one_of_several_shapes_does_not_make_it_another(revision):
    link = {"content": [{"type": "resource_link", "uri": "a:b", "name": "b", "size": 1.5}]}
    if revision == "2026-07-28":
        link["resultType"] = "complete"
    assert problems(revision, SERVER, "tools/call", "result", link) == []


# ---- the quick way says what the thorough one says

VALUES: list[Any] = [None, 1, 1.5, "x", True, [], {}, [None], [{}], {"a": 1}]


def broken(value: Any, whole: Any, at: tuple[Any, ...] = ()) -> Iterator[Any]:
    """The whole, with each of its members left out or replaced."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        for other in (..., *VALUES):
            made = copy.deepcopy(whole)
            holder = made
            for step in at:
                holder = holder[step]
            if other is ...:
                del holder[key]
            else:
                holder[key] = other
            yield made
        yield from broken(value[key], whole, (*at, key))


def spoken(revision: str) -> dict[tuple[str, str, str], Any]:
    """Each message of a recorded session once, by sender, method and part."""
    found: dict[tuple[str, str, str], Any] = {}
    asked: dict[tuple[str, Any], str] = {}
    for frame in recorded("archive", "auto" if revision == REVISIONS[-1] else revision):
        if frame.channel not in (STDIN, STDOUT):
            continue
        body, sender = json.loads(frame.data), SENDERS[frame.channel]
        if "method" in body:
            asked[sender, body.get("id")] = body["method"]
            found.setdefault((sender, body["method"], "request" if "id" in body else "notification"), body)
        elif "result" in body:
            found.setdefault((sender, asked[OTHER[sender], body["id"]], "result"), body["result"])
    return found


@pytest.mark.parametrize("revision", REVISIONS[3:])
def test_what_fits_by_the_schema_fits_by_the_model(revision):
    said = spoken(revision)
    assert len(said) > 20
    for (sender, method, part), whole in said.items():
        shape = shapes._types().find(revision, sender, method, part)
        assert shape is not None, method
        assert shape.fits(whole)
        for value in broken(whole, whole):
            if shape.fits(value):
                assert not shapes._sift(shape.validate, value, ""), (method, value)
