"""A mock server from a manifest: what it offers, and what it answers, written down by a person."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mcptest import yamltext
from mcptest.errors import UsageError
from mcptest.schemas import SchemaError, Validator

SCHEMA = Path(__file__).with_name("manifest.schema.json")
_KEY = "mock_server"
_ANY_OBJECT = {"type": "object"}


class Tool(NamedTuple):
    """`definition` is what tools/list says of it; `answer` has its `result` or `error`, with `${args.x}` in it."""

    definition: dict[str, Any]
    arguments: Validator
    answer: dict[str, Any]


class Prompt(NamedTuple):
    definition: dict[str, Any]
    required: frozenset[str]
    result: dict[str, Any]


class Manifest(NamedTuple):
    name: str
    version: str
    instructions: str | None
    tools: dict[str, Tool]
    resources: dict[str, dict[str, Any]]  # by URI: definition and contents
    prompts: dict[str, Prompt]


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The manifest's own JSON Schema, for editors and for us."""
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


def load(path: Path) -> Manifest:
    """UsageError with file, line and column of the first mistake."""
    return from_document(yamltext.load(path))


def from_document(document: yamltext.Document) -> Manifest:
    for problem in Validator(schema()).problems(document.value, most=1):
        raise UsageError(f"{document.where(problem.pointer)}: {problem.pointer or 'the file'}: {problem.message}")
    server = document.value[_KEY]
    tools: dict[str, Tool] = {}
    for index, entry in enumerate(server.get("tools", ())):
        where = f"/{_KEY}/tools/{index}"
        _once(tools, entry["name"], "tool", document.where(f"{where}/name"))
        tools[entry["name"]] = _tool(entry, document, where)
    resources: dict[str, dict[str, Any]] = {}
    for index, entry in enumerate(server.get("resources", ())):
        _once(resources, entry["uri"], "resource", document.where(f"/{_KEY}/resources/{index}/uri"))
        resources[entry["uri"]] = _resource(entry)
    prompts: dict[str, Prompt] = {}
    for index, entry in enumerate(server.get("prompts", ())):
        _once(prompts, entry["name"], "prompt", document.where(f"/{_KEY}/prompts/{index}/name"))
        prompts[entry["name"]] = _prompt(entry)
    version = server.get("version", "1.0.0")
    return Manifest(server["name"], version, server.get("instructions"), tools, resources, prompts)


def _once(known: dict[str, Any], name: str, kind: str, where: str) -> None:
    if name in known:
        raise UsageError(f"{where}: {kind} {name!r} stands twice")


def _tool(entry: dict[str, Any], document: yamltext.Document, where: str) -> Tool:
    given = entry.get("input_schema", _ANY_OBJECT)
    try:
        arguments = Validator(given)
    except SchemaError as error:
        raise UsageError(f"{document.where(f'{where}/input_schema')}: no JSON Schema: {error}") from error
    definition = _renamed(entry, ("name", "title", "description")) | {"inputSchema": given}
    definition |= {"outputSchema": entry["output_schema"]} if "output_schema" in entry else {}
    definition |= {"annotations": entry["annotations"]} if "annotations" in entry else {}
    if "error" in entry:
        return Tool(definition, arguments, {"error": entry["error"]})
    response = entry.get("response", {})
    result = {"content": [{"type": "text", "text": response}]} if isinstance(response, str) else dict(response)
    result.setdefault("content", [])
    return Tool(definition, arguments, {"result": result})


def _resource(entry: dict[str, Any]) -> dict[str, Any]:
    definition = {"uri": entry["uri"], "name": entry.get("name", entry["uri"])}
    definition |= _renamed(entry, ("title", "description"))
    definition |= {"mimeType": entry["mime_type"]} if "mime_type" in entry else {}
    contents = {"uri": entry["uri"], **({"mimeType": entry["mime_type"]} if "mime_type" in entry else {})}
    contents |= {"blob": entry["blob"]} if "blob" in entry else {"text": entry.get("text", "")}
    return {"definition": definition, "contents": contents}


def _prompt(entry: dict[str, Any]) -> Prompt:
    definition = _renamed(entry, ("name", "title", "description", "arguments"))
    required = frozenset(argument["name"] for argument in entry.get("arguments", ()) if argument.get("required"))
    response = entry.get("response", "")
    if isinstance(response, str):
        response = {"messages": [{"role": "user", "content": {"type": "text", "text": response}}]}
    return Prompt(definition, required, _renamed(entry, ("description",)) | response)


def _renamed(entry: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: entry[key] for key in keys if key in entry}
