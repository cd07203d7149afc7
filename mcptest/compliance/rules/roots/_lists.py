"""Roots as the rules of this family look at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import Part
from mcptest.compliance.rules._asks import asked, told

METHOD = "roots/list"
ASKED = asked(METHOD, "questions for roots")
TOLD = told(METHOD, "lists of roots")


def uris(answer: Part) -> Iterator[tuple[int, str]]:
    """The URIs of the roots, each with its place in the list."""
    for number, root in enumerate(entries(answer)):
        uri = root.get("uri") if type(root) is dict else None
        if type(uri) is str:
            yield number, uri


def entries(answer: Part) -> list[Any]:
    found = answer.members.get("roots")
    return found if type(found) is list else []
