"""What a probe of a tool works on: the tool's descriptor, and good arguments to spoil."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from mcptest.policy import Classified, classify
from mcptest.probes.examples import example, resolved
from mcptest.schemas import SchemaError, Validator


class Skip(Exception):  # noqa: N818 -- not an error: the probe does not apply
    """Why a probe does not apply here."""


class Spoilt(NamedTuple):
    """A bad call. `what` says in words what is bad about it; `strict`: it must be refused, else any answer will do;
    `answered` False: to be survived is enough."""

    arguments: Any
    what: str
    strict: bool = True
    answered: bool = True


class Subject:
    """A tool as its server lists it, with base arguments: those of a suite or of a recorded call, else made up from the
    input schema."""

    def __init__(
        self, tool: Mapping[str, Any], base: Mapping[str, Any] | None = None, oversized: int = 1 << 20
    ) -> None:
        name = tool.get("name")
        self.name = name if isinstance(name, str) else ""
        self.tool = tool
        self.oversized = oversized
        schema = tool.get("inputSchema")
        self.schema: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
        self._given = base

    @property
    def classified(self) -> Classified:
        return classify(self.name, self.tool.get("annotations"))

    @cached_property
    def base(self) -> dict[str, Any]:
        """Good arguments, as far as can be known."""
        made = example(self.schema) if self._given is None else self._given
        return dict(made) if isinstance(made, Mapping) else {}

    @cached_property
    def validator(self) -> Validator | None:
        """None where the input schema cannot be used."""
        try:
            return Validator(dict(self.schema))
        except SchemaError:
            return None

    @property
    def properties(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The declared arguments and their schemas, those that are required first: to leave them out is worst."""
        found = self.schema.get("properties")
        if not isinstance(found, Mapping):
            return
        required = self.required
        for name in sorted(found, key=lambda name: name not in required):
            schema = resolved(found[name], self.schema)
            yield name, schema if isinstance(schema, Mapping) else {}

    @property
    def required(self) -> list[str]:
        found = self.schema.get("required")
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    def refuses(self, arguments: Any) -> bool:
        """Does the tool's own schema say that these are bad?"""
        return self.validator is not None and not self.validator.is_valid(arguments)

    def with_(self, name: str, value: Any) -> dict[str, Any]:
        return {**self.base, name: value}

    def need_schema(self) -> None:
        if self.validator is None:
            raise Skip("its input schema cannot be used to tell good arguments from bad ones")
        if not any(True for _ in self.properties):
            raise Skip("it declares no arguments")
