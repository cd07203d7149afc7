"""A mock from a manifest."""

from __future__ import annotations

import json

import pytest

from mcptest import yamltext
from mcptest.errors import UsageError
from mcptest.protocol import methods
from mcptest.replay.mocking.imagined import Imagined
from mcptest.replay.mocking.manifest import from_document, schema
from mcptest.replay.mocking.templates import fill
from mcptest.schemas import Validator, meta

MANIFEST = """
mock_server:
  name: records
  tools:
    - name: search_records
      description: "Find records matching a query."
      annotations:
        readOnlyHint: true
      input_schema:
        type: object
        properties: {query: {type: string}, limit: {type: integer}}
        required: [query]
      response:
        content:
          - type: text
            text: "0 records for ${args.query}"
        structuredContent: {query: "${args.query}", limit: "${args.limit}"}
    - name: delete_record
      description: "Delete a record by id."
      response:
        content:
          - type: text
            text: "deleted"
    - name: broken
      error: {code: -32000, message: "out of order"}
    - name: hello
      response: "hello $${name} ${args.name}"
  resources:
    - uri: records://all
      mime_type: text/plain
      text: none
  prompts:
    - name: ask
      arguments: [{name: what, required: true}]
      response: "Tell me about ${args.what}."
"""


def load(text=MANIFEST):
    return from_document(yamltext.read(text, "records.yaml"))


def ask(method, meta=None, **params):
    if meta:
        params["_meta"] = meta
    (act,) = (
        Imagined(load())
        .converse()
        .receive(json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode())
    )
    answer = json.loads(act.data)
    assert answer["id"] == 7
    return answer.get("result", answer.get("error"))


def call(tool, **arguments):
    return ask("tools/call", name=tool, arguments=arguments)


def test_the_example_of_the_policy_is_served_with_its_annotations():
    tools = {tool["name"]: tool for tool in ask("tools/list")["tools"]}
    assert tools["search_records"]["annotations"] == {"readOnlyHint": True}
    assert "annotations" not in tools["delete_record"]
    assert call("delete_record")["content"][0]["text"] == "deleted"


def test_arguments_stand_in_the_answer_with_their_type():
    found = call("search_records", query="cats", limit=3)
    assert found["content"][0]["text"] == "0 records for cats"
    assert found["structuredContent"] == {"query": "cats", "limit": 3}


def test_arguments_are_validated():
    found = call("search_records", limit="many")
    assert found["isError"] is True
    assert "query" in found["content"][0]["text"]
    assert call("nonsense")["message"] == "Unknown tool: nonsense"


def test_errors_texts_resources_and_prompts():
    assert call("broken") == {"code": -32000, "message": "out of order"}
    assert call("hello", name="you")["content"][0]["text"] == "hello ${name} you"
    assert ask("resources/list")["resources"] == [
        {"uri": "records://all", "name": "records://all", "mimeType": "text/plain"}
    ]
    assert ask("resources/read", uri="records://all")["contents"][0]["text"] == "none"
    assert ask("resources/read", uri="records://no")["code"] == -32002
    assert ask("prompts/get", name="ask", arguments={"what": "cats"})["messages"][0]["content"]["text"] == (
        "Tell me about cats."
    )
    assert ask("prompts/get", name="ask", arguments={})["code"] == -32602


def test_both_eras_are_spoken():
    opened = ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={})
    assert opened["protocolVersion"] == "2025-06-18"
    assert set(opened["capabilities"]) == {"tools", "resources", "prompts"}
    modern = {methods.PROTOCOL_VERSION: "2026-07-28", methods.CLIENT_CAPABILITIES: {}}
    found = ask("server/discover", meta=modern)
    assert found["supportedVersions"] == ["2026-07-28"]
    listed = ask("tools/list", meta=modern)
    assert (listed["resultType"], listed["cacheScope"]) == ("complete", "private")
    assert ask("initialize", meta=modern)["code"] == -32601


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "f.yml:1:1"),
        ("mock_server: {}", "f.yml:1:14"),
        ("mock_server:\n  name: x\n  tool: []\n", "f.yml:2:3"),
        ("mock_server:\n  name: x\n  tools:\n    - name: 3\n", "f.yml:4:13"),
        ("mock_server:\n  name: x\n  tools:\n    - name: a\n    - name: a\n", "f.yml:5:13: tool 'a' stands twice"),
        ("mock_server:\n  name: x\n  tools:\n    - name: a\n      input_schema: {type: 7}\n", "f.yml:5:21"),
        ("mock_server: &a [*a]", "aliases"),
        ("mock_server:\n  name: x\n  name: y\n", "f.yml:3:3: 'name' stands twice"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_column(text, where):
    with pytest.raises(UsageError) as error:
        from_document(yamltext.read(text, "f.yml"))
    assert where in str(error.value)


def test_the_manifests_own_schema_is_one_and_takes_the_example():
    assert meta().problems(schema()) == []
    assert Validator(schema()).problems(yamltext.read(MANIFEST, "x").value) == []


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("${args.a}", [1, {"b": "x"}]),
        ("${args.a[1].b}!", "x!"),
        ("${args.a[0]}", 1),
        ("${args.missing}", None),
        ("<${args.missing}>", "<>"),
        ("$${args.a}", "${args.a}"),
        ("${other}", "${other}"),
        ({"k": ["${args.a[0]}"]}, {"k": [1]}),
    ],
)
def test_places_for_arguments(template, filled):
    assert fill(template, {"a": [1, {"b": "x"}]}) == filled
