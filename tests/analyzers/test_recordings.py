"""The catalogues of a recorded session, for the lint and for comparisons."""

from __future__ import annotations

from mcptest.analyzers.recordings import catalogue_of
from tests.helpers.journals import Talk


def tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


def test_a_session_that_lists_nothing_has_no_catalogue():
    assert catalogue_of(Talk().handshake().end().frames, "session", "0") is None


def test_pages_are_one_catalogue_and_each_entry_knows_its_frame():
    talk = Talk().handshake()
    talk.request(1, "tools/list").result(1, tools=[tool("a"), tool("b")], nextCursor="more")
    talk.request(2, "tools/list", cursor="more").result(2, tools=[tool("c")])
    talk.request(3, "prompts/list").result(3, prompts=[{"name": "p"}])
    found = catalogue_of(talk.end().frames, "session", "0")
    assert found is not None
    assert [(one.name, one.pointer, one.source.frame) for one in found.tools] == [
        ("a", "/result/tools/0", 6),
        ("b", "/result/tools/1", 6),
        ("c", "/result/tools/0", 8),
    ]
    assert [one.name for one in found.prompts] == ["p"]
    assert found.earlier is None


def test_listing_the_same_again_is_no_second_catalogue_and_a_change_is():
    talk = Talk().handshake()
    for number in range(1, 4):
        talk.request(number, "tools/list").result(number, tools=[tool("a")])
    talk.request(4, "tools/list").result(4, tools=[tool("a", description="changed")])
    found = catalogue_of(talk.end().frames, "session", "0")
    assert found is not None
    assert found.tools[0].description == "changed"
    assert found.earlier is not None
    assert found.earlier.tools[0].description is None
    assert found.earlier.earlier is None
