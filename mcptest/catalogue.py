"""What a server offers: its tools, resources, resource templates and prompts, with the place of each in its source.

A server's mistakes are kept: an entry that is no object, or has no name, becomes an entry with faults for a judge to
report. A document that holds no catalogue at all is its owner's mistake, and refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from mcptest import jsontext
from mcptest.errors import UsageError
from mcptest.jsontext import pointer
from mcptest.wire.message import json_type

LISTS = ("tools", "resources", "resourceTemplates", "prompts")
_ADVICE = "give a tools/list result, a JSON-RPC response that holds one, or an array of tools"


@dataclass(frozen=True, eq=False)
class Source:
    """A document that a catalogue was read from: a file, or one message of a session."""

    name: str
    text: str | None = None
    session: str | None = None
    frame: int | None = None

    def position(self, where: str) -> tuple[int, int] | None:
        """Line and column of the value that a JSON pointer names, or of its nearest ancestor that is there."""
        if self.tree is None:
            return None
        while (node := self.tree.at(where)) is None:
            where = where.rpartition("/")[0]
        return self._lines.position(node.start)

    @cached_property
    def tree(self) -> jsontext.Node | None:
        """The spans of the document's values."""
        try:
            return None if self.text is None else jsontext.parse(self.text)
        except jsontext.NotJsonError:
            return None

    @cached_property
    def _lines(self) -> jsontext.Lines:
        return jsontext.Lines(self.text or "")


class Fault(NamedTuple):
    """What is wrong in the shape of an entry, at a pointer inside it."""

    message: str
    within: str = ""


@dataclass(frozen=True, eq=False)
class Tool:
    """`name` is what people call it: where the server gave none, a stand-in such as `tools[3]`."""

    name: str
    raw: Any
    source: Source
    pointer: str
    title: str | None = None
    description: str | None = None
    input_schema: Any = None
    output_schema: Any = None
    annotations: Any = None
    faults: tuple[Fault, ...] = ()
    kind: str = "tool"


@dataclass(frozen=True, eq=False)
class Resource:
    """A resource or a resource template, as `kind` says; `uri` is the URI or the template."""

    name: str
    raw: Any
    source: Source
    pointer: str
    uri: str | None = None
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    faults: tuple[Fault, ...] = ()
    kind: str = "resource"


@dataclass(frozen=True, eq=False)
class Prompt:
    name: str
    raw: Any
    source: Source
    pointer: str
    title: str | None = None
    description: str | None = None
    arguments: tuple[Mapping[str, Any], ...] = ()
    faults: tuple[Fault, ...] = ()
    kind: str = "prompt"


Entry = Tool | Resource | Prompt


@dataclass(frozen=True, eq=False)
class Catalogue:
    """One listing. `earlier` is the listing that the same session saw before it."""

    source: Source
    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    faults: tuple[Fault, ...] = ()
    earlier: Catalogue | None = field(default=None, repr=False)
    kind: str = "catalogue"
    pointer: str = ""

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (*self.tools, *self.resources, *self.templates, *self.prompts)


def read(text: str, name: str) -> Catalogue:
    """The catalogue in a document: a list result, a JSON-RPC response or a batch of them, a bare array of tools, one
    tool alone, or an object with any of tools, resources, resourceTemplates and prompts."""
    text = text.removeprefix("\ufeff")
    try:
        document = jsontext.read(text)
    except jsontext.NotJsonError as error:
        raise UsageError(f"{name} is not JSON: {error}") from error
    return from_document(document, Source(name, text))


def from_document(document: Any, source: Source) -> Catalogue:
    if isinstance(document, list):
        return _from_array(document, source)
    if not isinstance(document, dict):
        raise UsageError(f"{source.name} is not a catalogue but {a(document)}: {_ADVICE}")
    if _has_lists(document):
        return from_lists(document, source)
    result = document.get("result")
    if isinstance(result, dict) and _has_lists(result):
        return from_lists(result, source, "/result")
    if "error" in document:
        raise UsageError(f"{source.name} is an error response, which lists nothing: {_ADVICE}")
    if "inputSchema" in document:
        return _build(source, [("tools", "", document)])
    raise UsageError(f"{source.name} is not a catalogue, it has none of {', '.join(LISTS)}: {_ADVICE}")


def from_lists(lists: Mapping[str, Any], source: Source, where: str = "") -> Catalogue:
    """The catalogue of one result: an object with some of the four lists, at `where` in its source."""
    found: list[tuple[str, str, Any]] = []
    faults: list[Fault] = []
    for key in LISTS:
        items = lists.get(key, [])
        if isinstance(items, list):
            found += [(key, where + pointer(key, at), item) for at, item in enumerate(items)]
        else:
            faults.append(Fault(f"{key} is {a(items)}, not an array", where + pointer(key)))
    return _build(source, found, faults)


def merge(pages: Sequence[Catalogue], source: Source, earlier: Catalogue | None = None) -> Catalogue:
    """The pages of one listing, or the lists of one server, as one catalogue."""
    return Catalogue(
        source,
        tuple(tool for page in pages for tool in page.tools),
        tuple(resource for page in pages for resource in page.resources),
        tuple(template for page in pages for template in page.templates),
        tuple(prompt for page in pages for prompt in page.prompts),
        tuple(fault for page in pages for fault in page.faults),
        earlier,
    )


def a(value: Any) -> str:
    """A JSON value's type with its article."""
    kind = json_type(value)
    if kind == "null":
        return kind
    return f"an {kind}" if kind[0] in "ao" else f"a {kind}"


def _from_array(items: list[Any], source: Source) -> Catalogue:
    if any(isinstance(item, dict) and "jsonrpc" in item for item in items):
        results = [(at, item.get("result")) for at, item in enumerate(items) if isinstance(item, dict)]
        pages = [
            from_lists(result, source, pointer(at, "result"))
            for at, result in results
            if isinstance(result, dict) and _has_lists(result)
        ]
        if not pages:
            raise UsageError(f"{source.name} holds JSON-RPC messages, but no list result among them: {_ADVICE}")
        return merge(pages, source)
    if items and not any(isinstance(item, dict) for item in items):
        raise UsageError(f"{source.name} is not a catalogue but an array without any object: {_ADVICE}")
    return _build(source, [("tools", pointer(at), item) for at, item in enumerate(items)])


def _has_lists(value: Mapping[str, Any]) -> bool:
    return any(key in value for key in LISTS)


def _build(source: Source, found: Sequence[tuple[str, str, Any]], faults: Sequence[Fault] = ()) -> Catalogue:
    tools: list[Tool] = []
    resources: list[Resource] = []
    templates: list[Resource] = []
    prompts: list[Prompt] = []
    for key, where, raw in found:
        if key == "tools":
            tools.append(_tool(raw, source, where, len(tools)))
        elif key == "prompts":
            prompts.append(_prompt(raw, source, where, len(prompts)))
        elif key == "resources":
            resources.append(_resource(raw, source, where, len(resources), "resource", "uri"))
        else:
            templates.append(_resource(raw, source, where, len(templates), "template", "uriTemplate"))
    return Catalogue(source, tuple(tools), tuple(resources), tuple(templates), tuple(prompts), tuple(faults))


class _Reader:
    """Reads members of one raw entry and keeps what is wrong with them."""

    def __init__(self, raw: Any) -> None:
        self.faults: list[Fault] = []
        self.members: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        self._shapeless = not isinstance(raw, dict)
        if self._shapeless:
            self.faults.append(Fault(f"the entry is {a(raw)}, not an object"))

    def text(self, key: str, *, needed: bool = False) -> str | None:
        value = self.members.get(key)
        if isinstance(value, str) and (value or not needed):
            return value
        if value == "":
            self.faults.append(Fault(f"{key} is empty", pointer(key)))
        elif key in self.members:
            self.faults.append(Fault(f"{key} is {a(value)}, not a string", pointer(key)))
        elif needed and not self._shapeless:
            self.faults.append(Fault(f"{key} is missing"))
        return None


def _tool(raw: Any, source: Source, where: str, at: int) -> Tool:
    reader = _Reader(raw)
    name = reader.text("name", needed=True)
    return Tool(
        name or f"tools[{at}]",
        raw,
        source,
        where,
        reader.text("title"),
        reader.text("description"),
        reader.members.get("inputSchema"),
        reader.members.get("outputSchema"),
        reader.members.get("annotations"),
        tuple(reader.faults),
    )


def _resource(raw: Any, source: Source, where: str, at: int, kind: str, key: str) -> Resource:
    reader = _Reader(raw)
    uri = reader.text(key, needed=True)
    name = reader.text("name", needed=True)
    return Resource(
        uri or name or f"{kind}s[{at}]",
        raw,
        source,
        where,
        uri,
        reader.text("title"),
        reader.text("description"),
        reader.text("mimeType"),
        tuple(reader.faults),
        kind,
    )


def _prompt(raw: Any, source: Source, where: str, at: int) -> Prompt:
    reader = _Reader(raw)
    name = reader.text("name", needed=True)
    title, description = reader.text("title"), reader.text("description")
    arguments = reader.members.get("arguments") or []
    kept: list[Mapping[str, Any]] = []
    if not isinstance(arguments, list):
        reader.faults.append(Fault(f"arguments is {a(arguments)}, not an array", "/arguments"))
        arguments = []
    for index, argument in enumerate(arguments):
        if isinstance(argument, dict) and isinstance(argument.get("name"), str):
            kept.append(argument)
        else:
            reader.faults.append(Fault("the argument is no object with a name", pointer("arguments", index)))
    return Prompt(name or f"prompts[{at}]", raw, source, where, title, description, tuple(kept), tuple(reader.faults))
