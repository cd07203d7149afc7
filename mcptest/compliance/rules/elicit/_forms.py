"""Elicitations as the rules of this family look at them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from mcptest.compliance.kit import SERVER, Capabilities, Exchange, Part, inside, pointer, refusals
from mcptest.compliance.rules._asks import asked, told
from mcptest.protocol import errors

METHOD = "elicitation/create"
ASKED = asked(METHOD, "elicitations")
TOLD = told(METHOD, "answers")
PRIMITIVES = ("string", "number", "integer", "boolean")
_CONTROL = re.compile(r"[\s\x00-\x1f\x7f]")


def _of_error(exchange: Exchange) -> Iterator[Part]:
    for at, one in enumerate(elicitations_in(exchange)):
        if type(one) is dict and one.get("mode") == "url":
            assert exchange.answer is not None
            yield Part("elicitation", METHOD, one, exchange.answer, pointer("error", "data", "elicitations", at))


# Elicitations by URL: those asked for, and those that an error says are required first.
URLS = (*ASKED, inside(refusals().of(SERVER), _of_error, "elicitations"))


def elicitations_in(exchange: Exchange) -> list[Any]:
    """What an error lists as required."""
    if exchange.code != errors.URL_ELICITATION_REQUIRED:
        return []
    data = exchange.error.get("data")
    found = data.get("elicitations") if type(data) is dict else None
    return found if type(found) is list else []


def by_url(question: Part) -> bool:
    return question.members.get("mode") == "url"


def form(question: Part) -> Mapping[str, Any]:
    """The requested schema, empty where there is none."""
    found = question.members.get("requestedSchema")
    return found if type(found) is dict else {}


def fields(question: Part) -> Mapping[str, Any]:
    """The schemas of the form's fields, whatever they are, by name."""
    found = form(question).get("properties")
    return found if type(found) is dict else {}


def faults_of_form(question: Part) -> Iterator[tuple[str, str]]:
    """What is wrong with the frame of a form: a text and a pointer into the params."""
    params = question.members
    if type(params.get("message")) is not str:
        yield _missing(params, "message", "a string"), "/message"
    schema = params.get("requestedSchema")
    if type(schema) is not dict:
        yield _missing(params, "requestedSchema", "an object"), "/requestedSchema"
        return
    if schema.get("type") != "object":
        yield "requestedSchema is not of the type object", "/requestedSchema/type"
    if type(schema.get("properties")) is not dict:
        yield _missing(schema, "properties", "an object"), "/requestedSchema/properties"


def fault_of_field(schema: Any, arrays: bool) -> str | None:
    """Why a field is none that a form may have."""
    if type(schema) is not dict:
        return "is no schema with a type"
    if "$ref" in schema:
        return "is a $ref"
    kind = schema.get("type")
    if kind in PRIMITIVES:
        return None
    if kind == "array" and arrays:
        items = schema.get("items")
        chosen = ("enum", "anyOf", "oneOf", "const")
        known = type(items) is dict and items.get("type", "string") == "string" and any(key in items for key in chosen)
        return None if known else "is an array, but none of choices"
    return f"is of the type {kind}" if kind in ("array", "object", "null") else "has no primitive type"


def fault_of_url(url: Any) -> str | None:
    if type(url) is not str or not url:
        return "is no string with a URL"
    split = split_url(url)
    if split is None or not split.scheme or _CONTROL.search(url):
        return "is no valid URL"
    if split.scheme in ("http", "https") and not split.hostname:
        return "has no host"
    return None


def split_url(url: Any) -> SplitResult | None:
    try:
        split = urlsplit(url) if type(url) is str else None
        if split is not None:
            split.port  # noqa: B018  (raises where it is no number)
    except ValueError:
        return None
    return split


def modes(capabilities: Capabilities) -> frozenset[str]:
    """What the client takes: forms, where it names no mode."""
    found = capabilities.get("elicitation")
    named = {mode for mode in ("form", "url") if type(found) is dict and found.get(mode) not in (None, False)}
    return frozenset(named or {"form"})


def undeclared_mode(question: Part) -> str | None:
    """The mode that was asked for although the client, which takes elicitations, does not take it."""
    capabilities = question.message.client_capabilities
    if capabilities is None or not capabilities.declares("elicitation"):
        return None
    mode = question.members.get("mode", "form")
    return mode if mode in ("form", "url") and mode not in modes(capabilities) else None


def sound(question: Part) -> bool:
    """Is it a proper elicitation, in a mode that the client declared? Then there is no reason to refuse it."""
    capabilities = question.message.client_capabilities
    mode = question.members.get("mode", "form")
    if capabilities is None or not capabilities.declares("elicitation"):
        return False
    if mode not in tuple(modes(capabilities)):
        return False
    if mode == "url":
        params = question.members
        given = type(params.get("message")) is str and type(params.get("elicitationId")) is str
        return given and fault_of_url(params.get("url")) is None
    plain = all(fault_of_field(schema, arrays=True) is None for schema in fields(question).values())
    return plain and next(faults_of_form(question), None) is None


def asked_in(exchange: Exchange) -> Part:
    """The question of an exchange of the handshake era."""
    assert exchange.request.body is not None
    return Part("question", METHOD, exchange.request.body.get("params"), exchange.request, "/params")


def _missing(members: Mapping[str, Any], key: str, wanted: str) -> str:
    return f"{key} is not {wanted}" if key in members else f"{key} is missing"
