"""What a schema lets in, found by combining its own keywords with those of all that apply in place."""

from __future__ import annotations

from typing import Any

from mcptest.analyzers.patterns import is_bounded
from mcptest.analyzers.schema import REFERENCES, Fold, types

UNIONS = ("anyOf", "oneOf")
DECLARING = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties")

# Kinds of value that may be too long.
STRING, ARRAY = 1, 2

# Formats whose values have a greatest length by their own grammar, or by a limit that their users keep to.
BOUNDED_FORMATS = frozenset(
    {"date", "time", "date-time", "duration", "uuid", "email", "idn-email", "hostname", "idn-hostname"}
    | {"ipv4", "ipv6", "ipvanyaddress", "ipv4network", "ipv6network", "ipv4interface", "ipv6interface"}
    | {"cidrv4", "cidrv6", "mac", "cuid", "cuid2", "ulid", "nanoid", "xid", "ksuid", "e164", "emoji"}
)


def constrained(schema: Any, below: Fold[bool]) -> bool:
    """Does the schema say which type or which values it takes? A lost reference is another rule's business."""
    if not isinstance(schema, dict):
        return schema is not True
    if "enum" in schema or "const" in schema or types(schema):
        return True
    for union in UNIONS:
        branches = [result for keyword, result in below if keyword == union]
        if branches and all(branches):
            return True
    return any(result for keyword, result in below if keyword == "allOf" or keyword in REFERENCES)


def unbounded(schema: Any, below: Fold[int]) -> int:
    """The kinds of value that the schema lets in at any length."""
    if not isinstance(schema, dict):
        return STRING | ARRAY if schema is True else 0
    if "enum" in schema or "const" in schema:
        return 0
    named = types(schema)
    kinds = STRING | ARRAY
    if (named and "string" not in named) or _bounds_string(schema):
        kinds &= ~STRING
    if (named and "array" not in named) or _is_number(schema.get("maxItems")) or _is_tuple(schema):
        kinds &= ~ARRAY
    for union in UNIONS:
        branches = [result for keyword, result in below if keyword == union]
        if branches:
            any_branch = 0
            for branch in branches:
                any_branch |= branch
            kinds &= any_branch
    for keyword, result in below:
        if keyword == "allOf" or keyword in REFERENCES:
            kinds &= result
    return kinds


def described(schema: Any, below: Fold[bool]) -> bool:
    if isinstance(schema, dict) and isinstance(schema.get("description"), str) and schema["description"].strip():
        return True
    return any(result for _, result in below)


def declares(schema: Any, below: Fold[bool]) -> bool:
    """Does the schema, or a piece of it, say which properties an object has?"""
    if isinstance(schema, dict) and any(keyword in schema for keyword in DECLARING):
        return True
    return any(result for _, result in below)


def requires(schema: Any, below: Fold[bool]) -> bool:
    if isinstance(schema, dict) and isinstance(schema.get("required"), list) and schema["required"]:
        return True
    return any(result for _, result in below)


def _bounds_string(schema: dict[str, Any]) -> bool:
    if _is_number(schema.get("maxLength")):
        return True
    label, pattern = schema.get("format"), schema.get("pattern")
    return (isinstance(label, str) and label in BOUNDED_FORMATS) or (isinstance(pattern, str) and is_bounded(pattern))


def _is_tuple(schema: dict[str, Any]) -> bool:
    """An array that is its `prefixItems` and nothing more."""
    return (isinstance(schema.get("prefixItems"), list) and schema.get("items") is False) or (
        isinstance(schema.get("items"), list) and schema.get("additionalItems") is False
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
