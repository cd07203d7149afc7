"""JSON Schema validation, the one place that makes validators.

Schemas that came over the wire are validated by an engine that runs in linear time, and nothing that they refer to is
ever fetched: not a `$ref`, not a `$schema`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from mcptest.jsontext import pointer

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
DIALECTS = (
    DEFAULT_DIALECT,
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-04/schema",
)


class Problem(NamedTuple):
    """Why a value does not fit, at a JSON pointer inside the value."""

    message: str
    pointer: str


class SchemaError(ValueError):
    """The schema itself cannot be used: it is invalid, too deep, or refers outside of itself."""


class Validator:
    """Checks values against one schema. `formats` are asserted only where asked for, as the newer dialects have it."""

    def __init__(self, schema: Any, *, formats: bool = False) -> None:
        import jsonschema_rs

        known = not isinstance(schema, Mapping) or dialect(schema) is not None
        make = jsonschema_rs.validator_for if known else jsonschema_rs.Draft202012Validator
        try:
            self._validator = make(schema, retriever=_refuse, validate_formats=formats)
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError, TypeError) as error:
            raise SchemaError(str(error).partition("\n")[0]) from error

    def is_valid(self, value: Any) -> bool:
        return bool(self._validator.is_valid(value))

    def problems(self, value: Any, most: int = 100) -> list[Problem]:
        found = []
        for error in self._validator.iter_errors(value):
            found.append(Problem(str(error.message), pointer(*error.instance_path)))
            if len(found) == most:
                break
        return found


class Pattern:
    """A regular expression that is looked for in texts by an engine that takes linear time, whatever the text: it knows
    no lookaround and no back references."""

    def __init__(self, pattern: str) -> None:
        import jsonschema_rs

        schema = {"type": "string", "pattern": pattern}
        try:
            self._validator = jsonschema_rs.Draft202012Validator(
                schema, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions()
            )
        except (jsonschema_rs.ValidationError, ValueError) as error:
            raise SchemaError(f"{pattern!r} is no regular expression of the linear kind") from error

    def is_in(self, text: str) -> bool:
        return bool(self._validator.is_valid(text))


def dialect(schema: Mapping[str, Any]) -> str | None:
    """The dialect that a schema is written in: what `$schema` says, None where that is none that we know."""
    named = schema.get("$schema", DEFAULT_DIALECT)
    if not isinstance(named, str):
        return None
    named = named.removesuffix("#")
    # The scheme of these names carries no meaning, and people write both.
    return next((known for known in DIALECTS if known.partition(":")[2] == named.partition(":")[2]), None)


_META: dict[str, Validator] = {}


def meta(name: str = DEFAULT_DIALECT) -> Validator:
    """The validator of schemas themselves, for one of the DIALECTS."""
    if name not in _META:
        _META[name] = Validator({"$schema": name, "$ref": name})
    return _META[name]


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched")
