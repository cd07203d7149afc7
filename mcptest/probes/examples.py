"""Good arguments for a tool that nobody was recorded calling: the plainest value that its input schema asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DEEPEST = 12
_FORMATS = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
_WORD = "example"


def resolved(schema: Any, root: Mapping[str, Any]) -> Any:
    """The schema that a local `$ref` names, with what stands beside the reference; anything else as it is."""
    for _ in range(_DEEPEST):
        if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
            return schema
        found: Any = root
        reference = schema["$ref"]
        if reference != "#" and not reference.startswith("#/"):
            return schema
        for token in reference[2:].split("/") if reference != "#" else ():
            token = token.replace("~1", "/").replace("~0", "~")
            found = found.get(token) if isinstance(found, Mapping) else None
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        if not isinstance(found, Mapping):
            return rest
        schema = {**found, **rest}
    return schema


def example(schema: Mapping[str, Any]) -> Any:
    """A value that fits, as far as plain means can find one: required members only."""
    return _example(schema, schema, 0)


def _example(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    schema = resolved(schema, root)
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return _WORD
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        if isinstance(schema.get(key), list) and schema[key]:
            return schema[key][0]
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list) and schema[key] and "type" not in schema:
            return _example(schema[key][0], root, depth + 1)
    if isinstance(schema.get("allOf"), list):
        schema = _merged([resolved(part, root) for part in schema["allOf"]], schema)
    return _of_type(schema, root, depth)


def _of_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    kind = type_of(schema)
    if kind == "object":
        properties, required = schema.get("properties"), schema.get("required")
        known = properties if isinstance(properties, Mapping) else {}
        wanted = required if isinstance(required, list) else []
        return {name: _example(known.get(name, {}), root, depth + 1) for name in wanted if isinstance(name, str)}
    if kind == "array":
        least = _whole(schema.get("minItems"))
        return [_example(schema.get("items", {}), root, depth + 1) for _ in range(min(least, 100))]
    if kind in ("integer", "number"):
        return _number(schema, whole=kind == "integer")
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    text: str = _FORMATS.get(str(schema.get("format")), _WORD)
    least, most = _whole(schema.get("minLength")), schema.get("maxLength")
    text = text + "x" * (min(least, 10_000) - len(text))
    return text[: int(most)] if isinstance(most, int | float) and most >= 0 else text


def type_of(schema: Mapping[str, Any]) -> str | None:
    """The type that a value should have; the first where several are allowed, None where none is named."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), kind[0] if kind else None)
    if isinstance(kind, str):
        return kind
    if "properties" in schema or "required" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else None


def _number(schema: Mapping[str, Any], *, whole: bool) -> Any:
    lowest = [schema[key] for key in ("minimum", "exclusiveMinimum") if _is_number(schema.get(key))]
    highest = [schema[key] for key in ("maximum", "exclusiveMaximum") if _is_number(schema.get(key))]
    value: Any = 1
    if lowest and value <= max(lowest):
        value = max(lowest) + (1 if "exclusiveMinimum" in schema else 0)
    if highest and value >= min(highest):
        value = min(highest) - (1 if "exclusiveMaximum" in schema else 0)
    step = schema.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        value = -(-value // step) * step
    return int(value) if whole else value


def _merged(parts: list[Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    merged: dict[str, Any] = {"properties": {}, "required": []}
    for part in (*parts, {key: value for key, value in schema.items() if key != "allOf"}):
        if not isinstance(part, Mapping):
            continue
        properties, required = part.get("properties"), part.get("required")
        merged["properties"].update(properties if isinstance(properties, Mapping) else {})
        merged["required"] += required if isinstance(required, list) else []
        merged.update({key: value for key, value in part.items() if key not in ("properties", "required")})
    if not merged["properties"] and not merged["required"]:
        del merged["properties"], merged["required"]
    return merged


def _whole(value: Any) -> int:
    return int(value) if _is_number(value) and value > 0 else 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
