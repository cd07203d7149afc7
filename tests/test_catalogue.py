from __future__ import annotations

import json

import pytest

from mcptest import catalogue
from mcptest.errors import UsageError

TOOL = {"name": "search", "title": "Search", "description": "d", "inputSchema": {"type": "object"}}
RESULT = {"tools": [TOOL], "nextCursor": "x"}


def read(document: object, **how: object) -> catalogue.Catalogue:
    return catalogue.read(json.dumps(document, **how), "tools.json")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        (RESULT, "/tools/0"),
        ({"jsonrpc": "2.0", "id": 1, "result": RESULT}, "/result/tools/0"),
        (
            [{"jsonrpc": "2.0", "id": 1, "result": {}}, {"jsonrpc": "2.0", "id": 2, "result": RESULT}],
            "/1/result/tools/0",
        ),
        ([TOOL], "/0"),
        (TOOL, ""),
    ],
    ids=["result", "response", "batch", "array", "tool"],
)
def test_a_tool_is_found_in_every_kind_of_document(document: object, pointer: str) -> None:
    (tool,) = read(document).tools
    assert (tool.name, tool.title, tool.description, tool.input_schema) == ("search", "Search", "d", {"type": "object"})
    assert tool.pointer == pointer
    assert not tool.faults


def test_the_other_lists_are_read_too() -> None:
    found = read(
        {
            "resources": [{"uri": "file:///a", "name": "a", "mimeType": "text/plain"}],
            "resourceTemplates": [{"uriTemplate": "file:///{x}", "name": "t"}],
            "prompts": [{"name": "p", "arguments": [{"name": "who", "required": True}]}],
        }
    )
    assert [(entry.kind, entry.name) for entry in found.entries] == [
        ("resource", "file:///a"),
        ("template", "file:///{x}"),
        ("prompt", "p"),
    ]
    assert found.prompts[0].arguments == ({"name": "who", "required": True},)


def test_pages_become_one_catalogue() -> None:
    pages = [read({"tools": [{**TOOL, "name": name}]}) for name in "ab"]
    merged = catalogue.merge(pages, pages[0].source)
    assert [tool.name for tool in merged.tools] == ["a", "b"]
    assert merged.tools[1].source is pages[1].source


def test_a_server_s_mistakes_become_faults_and_the_rest_is_kept() -> None:
    found = read({"tools": [5, {"name": "", "inputSchema": {}}, {"description": 1}, TOOL], "prompts": "none"})
    assert [tool.name for tool in found.tools] == ["tools[0]", "tools[1]", "tools[2]", "search"]
    assert [[fault.message for fault in tool.faults] for tool in found.tools] == [
        ["the entry is a number, not an object"],
        ["name is empty"],
        ["name is missing", "description is a number, not a string"],
        [],
    ]
    assert [(fault.message, fault.within) for fault in found.faults] == [
        ("prompts is a string, not an array", "/prompts")
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not JSON: the document ends too early (line 1, column 2)"),
        ("", "is not JSON: the document is empty"),
        ('"tools"', "is not a catalogue but a string"),
        ("5", "is not a catalogue but a number"),
        ("null", "is not a catalogue but null"),
        ('["a", "b"]', "an array without any object"),
        ('{"name": "x"}', "it has none of tools, resources, resourceTemplates, prompts"),
        ('{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}', "is an error response"),
        ('[{"jsonrpc": "2.0", "method": "tools/list", "id": 1}]', "no list result among them"),
    ],
)
def test_a_file_that_holds_no_catalogue_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        catalogue.read(text, "tools.json")
    assert str(caught.value).startswith("tools.json ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_list_is_a_catalogue_without_tools() -> None:
    assert read([]).tools == ()
    assert read({"tools": []}).tools == ()


def test_positions_are_those_of_the_text() -> None:
    found = read(RESULT, indent=2)
    assert found.source.position("/tools/0/description") == (6, 22)
    assert found.source.position("/tools/0/description/of/nothing") == (6, 22)
    assert catalogue.Source("session", None).position("/tools") is None


def test_a_byte_order_mark_does_not_matter() -> None:
    assert catalogue.read("\ufeff" + json.dumps([TOOL]), "x").tools[0].name == "search"
