"""A schema as the alternatives that it amounts to, so that two ways of writing the same thing compare as equal.

`$ref` and `allOf` are merged into what they stand beside, `anyOf`, `oneOf` and lists of types are spread out into
alternatives of one type each: `Optional[str]` is a string or null however it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcptest.analyzers.facts import UNIONS
from mcptest.analyzers.schema import REFERENCES, Schema, types

MOST_ALTERNATIVES = 64
MOST_MERGES = 256
ANY = "any"

_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_SPREAD = frozenset((*UNIONS, "allOf", "type", *REFERENCES, "$defs", "definitions", "$schema", "$id"))

Shape = dict[str, Any]


def alternatives(document: Schema, schema: Any) -> list[tuple[str, Shape]]:
    """The alternatives of a schema as pairs of a type and the keywords that go with it."""
    found: list[tuple[str, Shape]] = []
    for shape in _spread(document, schema):
        names = types(shape) or _implied(shape)
        rest = {key: value for key, value in shape.items() if key not in _SPREAD}
        found += [(name, rest) for name in sorted(names)]
    return found[:MOST_ALTERNATIVES]


def _spread(document: Schema, start: Any) -> Iterator[Shape]:
    todo: list[tuple[Any, int]] = [(start, 0)]
    given = 0
    while todo and given < MOST_ALTERNATIVES:
        schema, merges = todo.pop()
        if schema is True or schema is None:
            schema = {}
        if not isinstance(schema, Mapping):
            continue  # false: nothing fits, so it is no alternative
        reference = next((key for key in REFERENCES if isinstance(schema.get(key), str)), None)
        union = next((key for key in UNIONS if isinstance(schema.get(key), list) and schema[key]), None)
        if merges >= MOST_MERGES or (reference is None and union is None and not schema.get("allOf")):
            given += 1
            yield dict(schema)
        elif reference is not None:
            rest = {key: value for key, value in schema.items() if key != reference}
            target = document.resolve(schema[reference])
            todo.append((merge(rest, target) if isinstance(target, dict) else rest, merges + 1))
        elif isinstance(schema.get("allOf"), list):
            merged = {key: value for key, value in schema.items() if key != "allOf"}
            for branch in schema["allOf"][:MOST_MERGES]:
                if isinstance(branch, dict):
                    merged = merge(merged, branch)
            todo.append((merged, merges + 1))
        elif union is not None:
            rest = {key: value for key, value in schema.items() if key != union}
            todo += [
                (merge(rest, branch) if isinstance(branch, dict) else branch, merges + 1)
                for branch in reversed(schema[union][:MOST_ALTERNATIVES])
            ]
        else:
            yield dict(schema)


def merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> Shape:
    """Both at once: the properties of both, the requirements of both, the tighter of two limits."""
    merged: Shape = dict(one)
    for key, value in other.items():
        here = merged.get(key)
        if key not in merged:
            merged[key] = value
        elif key in ("properties", "patternProperties", "$defs") and isinstance(here, dict) and isinstance(value, dict):
            merged[key] = {**value, **here}
        elif key in ("required", "allOf") and isinstance(here, list) and isinstance(value, list):
            merged[key] = here + [item for item in value if key == "allOf" or item not in here]
        elif key in _LOWEST and _numbers(here, value):
            merged[key] = min(here, value)
        elif key in _HIGHEST and _numbers(here, value):
            merged[key] = max(here, value)
        elif key in UNIONS or key in REFERENCES:
            # A second union cannot be merged into the first; kept apart, it is spread out on its own.
            merged["allOf"] = [*merged.get("allOf", []), {key: value}]
        elif key == "type":
            both = types(merged) & types(other)
            merged[key] = sorted(both) if both else here
        elif key == "additionalProperties" and value is False:
            merged[key] = False
    return merged


def _implied(shape: Mapping[str, Any]) -> set[str]:
    """What a shape without a type is about, where its keywords say so."""
    values = shape.get("enum", [shape["const"]] if "const" in shape else None)
    if isinstance(values, list) and values:
        return {_type_of(value) for value in values}
    return {"object"} if isinstance(shape.get("properties"), dict) else {ANY}


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return {str: "string", float: "number", list: "array", dict: "object", type(None): "null"}.get(type(value), ANY)


def _numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
