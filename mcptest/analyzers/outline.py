"""How the objects of an input schema are put together: which stand for themselves, which come in pieces.

`allOf`, `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas` and `$ref` apply *in place*: their subschemas judge the
same value. An object whose properties come from several of them is a composition. No piece of it can say
`additionalProperties: false` without refusing what its siblings declare, so pieces are not judged alone. A schema that
only hands its value on (one `$ref`, a union of alternatives) delegates: the alternatives are whole objects, and are
judged as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from mcptest.analyzers import facts
from mcptest.analyzers.schema import PROPERTY, REFERENCES, ROOT, Part, Schema, types
from mcptest.catalogue import Tool
from mcptest.jsontext import pointer
from mcptest.rules import Inconclusive

MOST_STEPS = 100_000  # from piece to piece of compositions, in one schema
MOST_PARAMETERS = 10_000  # that the rules about descriptions look at


@lru_cache(maxsize=8)
def outline(tool: Tool) -> Outline:
    """The tool's input schema; the rules over one tool share it."""
    return Outline(tool.input_schema)


def within(part: Part) -> str:
    """Where a part of the input schema stands inside its tool."""
    return "/inputSchema" + part.pointer


class Outline:
    def __init__(self, root: Any) -> None:
        self.schema = Schema(root)
        self.over = self.schema.over
        self._memos: tuple[dict[int, bool], dict[int, int], dict[int, bool], dict[int, bool], dict[int, bool]]
        self._memos = {}, {}, {}, {}, {}
        self._delegating: set[int] = set()
        self._composed: set[int] = set()
        self._pieces: dict[int, Mapping[str, Any]] = {}  # a piece, and the properties that its object itself declares
        self._compose()

    def objects(self) -> Iterator[Part]:
        """The object schemas that stand for themselves."""
        for part in self.schema.parts:
            schema = part.schema
            if isinstance(schema, dict) and (
                part.role == ROOT or "object" in types(schema) or isinstance(schema.get("properties"), dict)
            ):
                key = id(schema)
                if key not in self._delegating and key not in self._composed and key not in self._pieces:
                    yield part
        self._finish()

    def compositions(self) -> Iterator[Part]:
        """The objects whose properties come in pieces."""
        for part in self.schema.parts:
            if id(part.schema) in self._composed and id(part.schema) not in self._pieces:
                yield part
        self._finish()

    def properties(self) -> Iterator[Part]:
        """Every property at any depth, where it is declared; a piece that only restates one does not declare it."""
        for part in self.schema.parts:
            if part.role == PROPERTY and part.parent is not None:
                stated = self._pieces.get(id(part.parent.schema))
                if stated is None or part.name not in stated:
                    yield part
        self._finish()

    def lost_references(self) -> Iterator[tuple[Part, str]]:
        """Each `$ref` that leads nowhere inside the schema."""
        for part in self.schema.parts:
            if isinstance(part.schema, dict):
                for keyword in REFERENCES:
                    ref = part.schema.get(keyword)
                    if isinstance(ref, str) and self.schema.resolve(ref) is None:
                        yield part, ref
        self._finish()

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """The tool's own arguments: the properties of the root and of its pieces."""
        found: dict[str, Any] = {}
        for schema in self.schema.closure([self.schema.root]):
            properties = schema.get("properties")
            if isinstance(properties, dict):
                for name, value in islice(properties.items(), MOST_PARAMETERS - len(found)):
                    found.setdefault(name, value)
        return found

    def parameter_within(self, name: str) -> str:
        """Where a parameter is declared inside the tool: the root's own properties, else the schema as a whole."""
        properties = self.schema.root.get("properties") if isinstance(self.schema.root, dict) else None
        own = isinstance(properties, dict) and name in properties
        return "/inputSchema" + (pointer("properties", name) if own else "")

    @cached_property
    def undescribed(self) -> Sequence[str]:
        """The arguments without a description."""
        return [name for name, schema in self.parameters.items() if not self.described(schema)]

    @cached_property
    def required(self) -> frozenset[str]:
        """The arguments that the root requires in every case."""
        names = self.schema.root.get("required") if isinstance(self.schema.root, dict) else None
        return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()

    def constrained(self, schema: Any) -> bool:
        """Does the schema say which type or which values it takes?"""
        return self.schema.fold(schema, self._memos[0], facts.constrained, False)

    def unbounded(self, schema: Any) -> int:
        """`facts.STRING` and `facts.ARRAY`, where such values may have any length."""
        return self.schema.fold(schema, self._memos[1], facts.unbounded, 0)

    def described(self, schema: Any) -> bool:
        """Does the schema, or one that it hands on to, have a description?"""
        return self.schema.fold(schema, self._memos[2], facts.described, False)

    def requires_in_pieces(self, schema: Any) -> bool:
        """Do pieces of this object say which properties are required, as in `anyOf: [{required: …}, …]`?"""
        return any(
            self.schema.fold(piece, self._memos[3], facts.requires, False) for _, piece in self.schema.in_place(schema)
        )

    def _declares(self, schema: Any) -> bool:
        return self.schema.fold(schema, self._memos[4], facts.declares, False)

    def _finish(self) -> None:
        if self.over:
            raise Inconclusive(self.over)

    def _compose(self) -> None:
        steps = 0
        for part in self.schema.parts:
            pieces = [(kw, piece) for kw, piece in self.schema.in_place(part.schema) if self._declares(piece)]
            if not pieces:
                continue
            own = any(part.schema.get(keyword) not in (None, {}) for keyword in facts.DECLARING)
            keywords = {keyword for keyword, _ in pieces}
            if not own and len(keywords) == 1 and (len(pieces) == 1 or keywords.pop() in facts.UNIONS):
                self._delegating.add(id(part.schema))
                continue
            stated = part.schema.get("properties")
            stated = stated if isinstance(stated, dict) else {}
            complete = True
            for piece in self.schema.closure([piece for _, piece in pieces]):
                steps += 1
                if steps > MOST_STEPS:
                    self.over = self.over or f"over budget: more than {MOST_STEPS:,} steps over composed objects"
                    return
                self._pieces.setdefault(id(piece), stated)
                names = piece.get("properties")
                complete = complete and all(name in stated for name in (names if isinstance(names, dict) else ()))
            if not complete:
                self._composed.add(id(part.schema))
