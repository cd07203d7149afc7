"""The mechanical fix of SCH-001 and SCH-002: text in, the same text with more constraints out.

On every object that one of the two rules complains about, `additionalProperties` becomes false and `required` lists
every declared property. Nothing else changes, not a space: the text is edited at the spans of the values concerned, in
the style of what stands around them. No type, length or count is invented; the right value is the author's to choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcptest import catalogue, jsontext
from mcptest.analyzers.outline import Outline, within
from mcptest.analyzers.rules import sch_001_no_required, sch_002_open_object
from mcptest.analyzers.schema import Part
from mcptest.jsontext import ARRAY, OBJECT, SCALAR, Node

_MARK = "\ufeff"


class Fixed(NamedTuple):
    """The new text, which tools it changed, and which were left alone because they are over budget."""

    text: str
    changed: tuple[str, ...]
    skipped: tuple[str, ...]


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def fix(text: str, name: str = "catalogue") -> Fixed:
    """Tighten every tool of a catalogue document; UsageError where it is none."""
    mark, text = (_MARK, text[1:]) if text.startswith(_MARK) else ("", text)
    found = catalogue.read(text, name)
    tree = found.source.tree
    assert tree is not None
    style = _Style(text, tree)
    edits: list[_Edit] = []
    changed: list[str] = []
    skipped: list[str] = []
    for tool in found.tools:
        node = tree.at(tool.pointer)
        if node is None or not isinstance(tool.input_schema, dict):
            continue
        view = Outline(tool.input_schema)
        if view.over:
            skipped.append(tool.name)
            continue
        before = len(edits)
        for part in view.objects():
            target = node.at(within(part))
            if target is not None:
                edits += _tighten(view, part, target, text, style)
        if len(edits) > before:
            changed.append(tool.name)
    return Fixed(mark + _apply(text, edits), tuple(changed), tuple(skipped))


def _tighten(view: Outline, part: Part, node: Node, text: str, style: _Style) -> Iterator[_Edit]:
    open_ = sch_002_open_object.is_open(view, part) and not sch_002_open_object.is_free_form(part)
    if not open_ and not sch_001_no_required.lacks_required(view, part):
        return
    new: list[tuple[str, str]] = []
    properties = node.member("properties")
    if properties is not None and properties.node.members and not view.requires_in_pieces(part.schema):
        names = {member.key: text[member.key_start : member.key_end] for member in properties.node.members}
        required = node.member("required")
        if required is None:
            new.append(("required", style.array(node, list(names.values()))))
        else:
            yield from _extend(required.node, names, text, style, node)
    if open_:
        rest = node.member("additionalProperties")
        if rest is None:
            new.append(("additionalProperties", "false"))
        else:
            yield _Edit(rest.node.start, rest.node.end, "false")
    if new:
        yield style.append(node, new)


def _extend(array: Node, names: dict[str, str], text: str, style: _Style, holder: Node) -> Iterator[_Edit]:
    """Add the missing names to a list that is there, in its own style."""
    present = {jsontext.value(item, text) for item in array.items if item.kind == SCALAR}
    missing = [raw for name, raw in names.items() if name not in present]
    if not missing:
        return
    if array.kind != ARRAY or not array.items:
        yield _Edit(array.start, array.end, style.array(holder, list(names.values())))
        return
    lead = text[array.start + 1 : array.items[0].start]
    between = "," + lead if "\n" in lead else _between(array.items, text) or style.comma
    yield _Edit(array.items[-1].end, array.items[-1].end, "".join(between + raw for raw in missing))


def _between(items: Sequence[Node], text: str) -> str | None:
    return text[items[0].end : items[1].start] if len(items) > 1 else None


class _Style:
    """How this document is written: what stands between members, and whether short arrays go on one line."""

    def __init__(self, text: str, tree: Node) -> None:
        self.text = text
        self.comma = ", "
        self.spread = True
        self._read(tree)

    def append(self, node: Node, members: Sequence[tuple[str, str]]) -> _Edit:
        """Members added at the end of an object."""
        if not node.members:
            inside = self.comma.join(f'"{key}": {value}' for key, value in members)
            return _Edit(node.start, node.end, f"{{{inside}}}")
        last = node.members[-1]
        colon = self.text[last.key_end : last.node.start]
        comma = self._lead(node)
        if comma is None:
            comma = self._between_members(node) or self.comma
        else:
            comma = "," + comma
        return _Edit(last.node.end, last.node.end, "".join(f'{comma}"{key}"{colon}{value}' for key, value in members))

    def array(self, holder: Node, items: Sequence[str]) -> str:
        """A new array as the value of a member of `holder`."""
        lead = self._lead(holder)
        if lead is None or not self.spread:
            return f"[{self.comma.join(items)}]"
        closing = self.text[holder.members[-1].node.end : holder.end - 1]
        inner = lead + lead.removeprefix(closing)
        return f"[{inner}{(',' + inner).join(items)}{lead}]"

    def _lead(self, node: Node) -> str | None:
        """What stands before an object's first key, where that begins a line."""
        lead = self.text[node.start + 1 : node.members[0].key_start] if node.members else ""
        return lead if "\n" in lead else None

    def _between_members(self, node: Node) -> str | None:
        if len(node.members) < 2:
            return None
        return self.text[node.members[0].node.end : node.members[1].key_start]

    def _read(self, tree: Node) -> None:
        """Learn from the first object and the first array of scalars that show it."""
        comma: str | None = None
        spread: bool | None = None
        todo = [tree]
        while todo and (comma is None or spread is None):
            node = todo.pop()
            if node.kind == OBJECT:
                if comma is None and node.members and self._lead(node) is None:
                    comma = self._between_members(node)
                todo.extend(member.node for member in reversed(node.members))
            elif node.kind == ARRAY and node.items:
                if all(item.kind == SCALAR for item in node.items):
                    inline = "\n" not in self.text[node.start : node.items[0].start]
                    spread = not inline if spread is None else spread
                    comma = comma or (_between(node.items, self.text) if inline else None)
                todo.extend(reversed(node.items))
        self.comma = comma or ", "
        self.spread = True if spread is None else spread


def _apply(text: str, edits: Sequence[_Edit]) -> str:
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start < position:
            continue  # inside a value that was replaced as a whole
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])
