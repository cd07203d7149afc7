"""A JSON Schema taken apart into its subschemas, for schemas that came over the wire.

Nothing here recurses in Python, nothing is fetched, no pattern is run, and the work is bounded: of a schema with more
parts or levels than the budget, the part within the budget is there, and `over` says what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import unquote

from mcptest.jsontext import pointer, pointer_tokens

MOST_PARTS = 110_000
MOST_LEVELS = 128

# What a subschema is to the one that holds it.
ROOT, PROPERTY, ITEM, VALUE, PIECE, DEFINITION = "root", "property", "item", "value", "piece", "definition"

# Keywords whose subschemas assert something. `not`, `if` and `contains` only ask, and `propertyNames` is about keys.
_ONE = {
    "additionalProperties": VALUE,
    "unevaluatedProperties": VALUE,
    "items": ITEM,
    "additionalItems": ITEM,
    "unevaluatedItems": ITEM,
    "then": PIECE,
    "else": PIECE,
}
_MANY = {"items": ITEM, "prefixItems": ITEM, "allOf": PIECE, "anyOf": PIECE, "oneOf": PIECE}
_NAMED = {
    "properties": PROPERTY,
    "patternProperties": VALUE,
    "dependentSchemas": PIECE,
    "dependencies": PIECE,
    "$defs": DEFINITION,
    "definitions": DEFINITION,
}
REFERENCES = ("$ref", "$dynamicRef")
_IN_PLACE = frozenset(("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies", *REFERENCES))

_T = TypeVar("_T")


class Part:
    """One subschema and the way to it. `name` is the property's or definition's own name."""

    __slots__ = ("depth", "name", "parent", "role", "schema", "token")

    def __init__(
        self, schema: Any, role: str, parent: Part | None, token: str, name: str | None = None, depth: int = 0
    ) -> None:
        self.schema, self.role, self.parent, self.token, self.name = schema, role, parent, token, name
        self.depth = depth

    @property
    def pointer(self) -> str:
        """The JSON pointer from the schema's root. Made when asked for: deep schemas have long pointers."""
        tokens = []
        part: Part | None = self
        while part is not None:
            tokens.append(part.token)
            part = part.parent
        return "".join(reversed(tokens))


class Schema:
    """A schema document: `parts` in the order of the text, and ways to follow its references and combinators."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.over: str | None = None
        self.parts: list[Part] = []
        self._anchors: dict[str, Any] | None = None
        self._walk()
        # Over budget, what was not walked is not followed either: references and combinators lead no further.
        self._known = frozenset(id(part.schema) for part in self.parts) if self.is_over else None

    @property
    def is_over(self) -> bool:
        return self.over is not None

    def resolve(self, ref: str) -> Any:
        """The schema that a reference inside this document means; None where it leads elsewhere or nowhere."""
        base, _, fragment = ref.partition("#")
        target = self.root if not base else self._named(base)
        if target is None or not fragment:
            return target
        if not fragment.startswith("/"):
            return self._named(f"#{fragment}")
        for name in pointer_tokens(unquote(fragment)):
            if isinstance(target, dict) and name in target:
                target = target[name]
            elif isinstance(target, list) and name.isascii() and name.isdecimal() and int(name) < len(target):
                target = target[int(name)]
            else:
                return None
        return target if isinstance(target, dict | bool) else None

    def in_place(self, schema: Any) -> Sequence[tuple[str, Any]]:
        """The subschemas that judge the same value as this one, with their keywords; None for a lost reference."""
        if not isinstance(schema, dict) or _IN_PLACE.isdisjoint(schema):
            return ()
        found: list[tuple[str, Any]] = []
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = schema.get(keyword)
            if isinstance(branches, list):
                found += [(keyword, branch) for branch in branches if isinstance(branch, dict | bool)]
        for keyword in ("then", "else"):
            if isinstance(schema.get(keyword), dict | bool):
                found.append((keyword, schema[keyword]))
        for keyword in ("dependentSchemas", "dependencies"):
            if isinstance(schema.get(keyword), dict):
                found += [(keyword, branch) for branch in schema[keyword].values() if isinstance(branch, dict | bool)]
        for keyword in REFERENCES:
            if isinstance(schema.get(keyword), str):
                found.append((keyword, self.resolve(schema[keyword])))
        if self._known is not None:
            return [(keyword, child) for keyword, child in found if id(child) in self._known]
        return found

    def closure(self, start: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """These schemas and all that apply in place below them, each once."""
        seen: set[int] = set()
        stack = list(start[::-1])
        while stack:
            schema = stack.pop()
            if isinstance(schema, dict) and id(schema) not in seen:
                seen.add(id(schema))
                yield schema
                stack.extend(child for _, child in reversed(self.in_place(schema)))

    def fold(self, start: Any, memo: dict[int, _T], combine: Callable[[Any, Fold[_T]], _T], cycle: _T) -> _T:
        """Evaluate a schema after all that apply in place below it, each once; a loop counts as `cycle`.

        `combine` gets a schema and its in-place subschemas as pairs of keyword and result.
        """
        if id(start) in memo:
            return memo[id(start)]
        if not self.in_place(start):  # as most are
            memo[id(start)] = combine(start, ())
            return memo[id(start)]
        stack = [start]
        entered: set[int] = set()
        while stack:
            schema = stack[-1]
            key = id(schema)
            if key not in memo:
                memo[key] = cycle
                entered.add(key)
                below = [child for _, child in self.in_place(schema) if id(child) not in memo]
                if below:
                    stack += below
                    continue
            stack.pop()
            if key in entered:
                entered.discard(key)
                memo[key] = combine(schema, [(keyword, memo[id(child)]) for keyword, child in self.in_place(schema)])
        return memo[id(start)]

    def _walk(self) -> None:
        stack = [Part(self.root, ROOT, None, "")]
        while stack:
            part = stack.pop()
            self.parts.append(part)
            if len(self.parts) >= MOST_PARTS:
                self.over = f"over budget: more than {MOST_PARTS:,} subschemas"
                return
            if not isinstance(part.schema, dict):
                continue
            children = list(_children(part))
            if children and part.depth >= MOST_LEVELS:
                self.over = f"over budget: nested deeper than {MOST_LEVELS} levels"
                continue
            children.reverse()
            stack += children

    def _named(self, name: str) -> Any:
        if self._anchors is None:
            self._anchors = {}
            for part in self.parts:
                if isinstance(part.schema, dict):
                    for keyword, prefix in (("$id", ""), ("$anchor", "#"), ("$dynamicAnchor", "#")):
                        label = part.schema.get(keyword)
                        if isinstance(label, str):
                            self._anchors.setdefault(prefix + label.removesuffix("#"), part.schema)
        return self._anchors.get(name)


Fold = Sequence[tuple[str, _T]]


def _children(part: Part) -> Iterator[Part]:
    depth = part.depth + 1
    for keyword, value in part.schema.items():
        if isinstance(value, dict):
            if keyword in _NAMED:
                role = _NAMED[keyword]
                for name, child in value.items():
                    if isinstance(child, dict) or (isinstance(child, bool) and role == PROPERTY):
                        yield Part(child, role, part, pointer(keyword, name), name, depth)
            elif keyword in _ONE:
                yield Part(value, _ONE[keyword], part, pointer(keyword), None, depth)
        elif isinstance(value, list) and keyword in _MANY:
            for at, child in enumerate(value):
                if isinstance(child, dict):
                    yield Part(child, _MANY[keyword], part, pointer(keyword, at), None, depth)


def types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema's own `type` names; empty where it names none."""
    named = schema.get("type")
    if isinstance(named, str):
        return {named}
    return {name for name in named if isinstance(name, str)} if isinstance(named, list) else set()
