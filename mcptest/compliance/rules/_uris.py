"""URIs and URI templates as peers write them: the same one may be spelt in several ways."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from mcptest.compliance.kit import Exchange

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_VARIABLE = re.compile(
    r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9][0-9]{0,3})?"
)
_OPERATORS, _RESERVED = "+#./;?&", "=,!@|"
_ENDS = re.compile(r"[/?#]")


def key(uri: str) -> str:
    """A spelling to compare by; more URIs are the same by it than really are."""
    return unquote(uri).lower().rstrip("/")


def covered(uri: str, keys: Container[str]) -> bool:
    """Is this URI, or one that it lies below, among these?"""
    found = key(uri)
    return found in keys or any(found[: end.start()].rstrip("/") in keys for end in _ENDS.finditer(found))


class Template(NamedTuple):
    """A template's literal text and, between its pieces, the operators of its expressions ("" for a plain one)."""

    literals: tuple[str, ...]
    operators: tuple[str, ...]
    problem: str | None = None
    reserved: str | None = None

    def values(self, uri: str) -> list[str] | None:
        """What stands in the expressions' places if the pieces are found from left to right; None: they are not."""
        first, *rest = self.literals
        if not uri.startswith(first):
            return None
        if not rest:
            return [] if uri == first else None
        at, last, found = len(first), rest.pop(), []
        for literal in rest:
            start = uri.find(literal, at)
            if start < 0:
                return None
            found.append(uri[at:start])
            at = start + len(literal)
        if not uri.endswith(last) or len(uri) - len(last) < at:
            return None
        return [*found, uri[at : len(uri) - len(last)]]


@lru_cache(maxsize=4096)
def template(text: str) -> Template:
    """Take a template apart by RFC 6570, as far as it can be."""
    literals, operators, at = [], [], 0
    problem = reserved = None
    for found in re.finditer(r"\{([^{}]*)\}", text):
        literals.append(text[at : found.start()])
        at = found.end()
        operator = found[1][:1] if found[1][:1] in (*_OPERATORS, *_RESERVED) else ""
        operators.append(operator)
        if operator and operator in _RESERVED:
            reserved = reserved or found[0]
        elif not all(_VARIABLE.fullmatch(name) for name in found[1][len(operator) :].split(",")):
            problem = problem or f"the expression {found[0][:80]!r} is not one of RFC 6570"
    literals.append(text[at:])
    if any("{" in literal or "}" in literal for literal in literals):
        problem = "its braces do not match"
    return Template(tuple(literals), tuple(operators), problem, reserved)


def may_fit(text: str, uri: str) -> bool:
    """Could the URI come of this template? Yes where that cannot be told."""
    parts = template(text)
    if parts.problem or parts.reserved:
        return True
    loose = parts._replace(literals=tuple(unquote(literal).lower() for literal in parts.literals))
    plain = unquote(uri).lower()
    return any(loose.values(spelt) is not None for spelt in (plain, plain.rstrip("/"), plain + "/"))


def expands_to(text: str, uri: str) -> bool:
    """Does the URI surely come of this template?"""
    parts = template(text)
    values = None if parts.problem or parts.reserved or not parts.operators else parts.values(uri)
    return values is not None and all(map(_stands_for, parts.operators, values))


def _stands_for(operator: str, value: str) -> bool:
    if operator == "+":
        return bool(value)
    if operator == "":
        return bool(value) and not _ENDS.search(value)
    return not value or (value[0] == operator and (operator in "#/" or "/" not in value))


def offered(exchange: Exchange, uri: str) -> bool:
    """May the server offer this URI, by what it listed before the request? It lies below something that is listed, or
    fits a template."""
    known = exchange.known
    return covered(uri, {key(listed) for listed in known.resources.entries}) or any(
        may_fit(text, uri) for text in known.templates.entries
    )


def not_offered(exchange: Exchange) -> bool:
    """Did the server list all it has, and nothing that the URI of this request could be?"""
    uri, known = exchange.params.get("uri"), exchange.known
    if type(uri) is not str or not (known.resources.lacks(uri) and known.templates.lacks(uri)):
        return False
    return not offered(exchange, uri)


def origins(exchange: Exchange) -> Iterator[str]:
    """The listed templates that the URI of this request surely comes of."""
    uri, known = exchange.params.get("uri"), exchange.known
    if type(uri) is str and uri not in known.resources:
        yield from (text for text in known.templates.entries if expands_to(text, uri))
