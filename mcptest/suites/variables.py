"""`${name}` in a suite's texts: a variable of the suite, else one of the environment.

A text that is nothing but `${name}` becomes the variable's value, with its type; inside a longer text it is written
out. `${name:-default}` has a default, and `$${` stands for `${` itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from mcptest.suites.shapes import together
from mcptest.suites.spots import Mistakes, Spot
from mcptest.yamltext import Document

KEY = "variables"
_USE = re.compile(r"\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{([^}]*)\}?")


class Variables:
    """The suite's own, in front of the environment's. `used` are the names that came from the environment."""

    def __init__(self, environment: Mapping[str, str], own: Mapping[str, Any] | None = None) -> None:
        self._environment, self._own = environment, dict(own or {})
        self.used: dict[str, str] = {}

    def fill(self, spot: Spot) -> Any:
        """The value with its variables filled in; Mistakes for those that there are not."""
        value = spot.value
        if isinstance(value, dict):
            filled = together([partial(self.fill, spot.at(key)) for key in value])
            return dict(zip(value, filled, strict=True))
        if isinstance(value, list):
            return together([partial(self.fill, one) for one in spot.items()])
        return self._text(value, spot) if isinstance(value, str) and "${" in value else value

    def _text(self, text: str, spot: Spot) -> Any:
        alone = _USE.fullmatch(text)
        if alone is not None and alone[1] is None:
            return self._value(alone, spot)
        return _USE.sub(lambda match: match[1] or _written(self._value(match, spot)), text)

    def _value(self, match: re.Match[str], spot: Spot) -> Any:
        name, default, nonsense = match[2], match[3], match[4]
        if nonsense is not None:
            raise spot.refuse(
                f"{match[0][:40]!r} names no variable: write ${{NAME}}, or $${{ for the characters themselves"
            )
        if name in self._own:
            return self._own[name]
        found = self._environment.get(name)
        if found:
            self.used[name] = found
            return found
        if default is not None:
            return default
        empty = "is empty" if found is not None else "is not set"
        raise spot.refuse(f"${{{name}}}: the suite has no such variable, and the environment variable {name} {empty}")


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def filled(document: Document, environment: Mapping[str, str], untouched: frozenset[str]) -> tuple[Document, Variables]:
    """The document with its variables filled in everywhere but in the blocks that are `untouched`."""
    root = Spot(document, (), document.value)
    variables = Variables(environment, _own(root, environment))
    touched = [key for key in root.value if key not in untouched]
    values = together([partial(variables.fill, root.at(key)) for key in touched])
    return document._replace(value={**root.value, **dict(zip(touched, values, strict=True))}), variables


def _own(root: Spot, environment: Mapping[str, str]) -> dict[str, Any]:
    """The suite's variables, each of which may use those before it."""
    if KEY not in root.value:
        return {}
    table = root.at(KEY)
    if not isinstance(table.value, dict):
        raise table.refuse(f"expected a mapping of names, found {table.kind}")
    found: dict[str, Any] = {}
    mistakes: list[Any] = []
    for name in table.value:
        try:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                raise table.refuse_key(name, f"{name!r} is no name for a variable: letters, digits and _ only")
            found[name] = Variables(environment, found).fill(table.at(name))
        except Mistakes as error:
            mistakes += error.found
    if mistakes:
        raise Mistakes(mistakes)
    return found
