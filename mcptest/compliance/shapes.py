"""Does a message have the shape that its revision gives it?

For 2025-11-25 and 2026-07-28 the shapes are those of `mcp-types`, read when they are first needed. The three older
revisions have small models of our own (`older_shapes`), open to members that nobody then had heard of: an older message
is never judged by a newer shape.

`mcp-types` is stricter than the specification in a few places and laxer in others; what it says is sifted here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from mcptest.compliance.older_shapes import OLDER, older_problems
from mcptest.jsontext import pointer
from mcptest.protocol import REVISIONS
from mcptest.schemas import Validator
from mcptest.wire.frame import CLIENT

REQUEST, NOTIFICATION, RESULT = "request", "notification", "result"
_MOST = 20


class Misfit(NamedTuple):
    """A place in the value, as a JSON pointer, and what is wrong there."""

    pointer: str
    message: str


def knows(revision: str, sender: str, method: str, part: str) -> bool:
    """Does the revision define this message of this sender? `method` of a result is the one it answers."""
    if revision in OLDER:
        return (part, sender, method) in OLDER[revision]
    return _types().find(_dated(revision), sender, method, part) is not None


def problems(revision: str, sender: str, method: str, part: str, value: Any) -> list[Misfit]:
    """What does not fit. `part` is `request` or `notification`, then `value` is its params (None: it has none), or
    `result`, then it is the result of a request of this method, and the sender who gave it. Nothing where the revision
    does not define such a message: that is for other rules."""
    if revision in OLDER:
        return [Misfit(*found) for found in older_problems(revision, sender, method, part, value)]
    shape = _types().find(_dated(revision), sender, method, part, _asks_for_input(part, value))
    if shape is None:
        return []
    if part != RESULT:
        body: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if part == REQUEST:
            body["id"] = 0
        if value is not None:
            body["params"] = value
        value = body
    return [] if shape.fits(value) else _sift(shape.validate, value, "" if part == RESULT else "params")


def _asks_for_input(part: str, value: Any) -> bool:
    return part == RESULT and isinstance(value, dict) and value.get("resultType") == "input_required"


def _dated(revision: str) -> str:
    """The draft has the shapes of the newest revision."""
    return revision if revision in REVISIONS else REVISIONS[-1]


# ---- mcp-types

Validate = Callable[[Any], None]


class _Shape:
    """A shape of `mcp-types`. Nearly all messages fit, and its JSON Schema tells so many times faster than the model
    does; what the model has to say is asked for only where the schema says no."""

    __slots__ = ("_schema", "validate")

    def __init__(self, adapter: Any) -> None:
        self._schema = Validator(adapter.json_schema(by_alias=True))

        def validate(value: Any) -> None:
            adapter.validate_python(value, strict=True, by_alias=True, by_name=False)

        self.validate: Validate = validate

    def fits(self, value: Any) -> bool:
        """False: perhaps not."""
        try:
            return self._schema.is_valid(value)
        except ValueError:  # deeper than the schema's engine goes, or text that is no Unicode
            return False


class _Types:
    """The tables of `mcp-types`: it takes a fifth of a second to import, so only who asks for shapes pays for it."""

    def __init__(self) -> None:
        from mcp_types import methods
        from pydantic import TypeAdapter

        self._adapt = TypeAdapter
        self._tables: Mapping[tuple[str, bool], Mapping[tuple[str, str], Any]] = {
            (REQUEST, True): methods.CLIENT_REQUESTS,
            (REQUEST, False): methods.SERVER_REQUESTS,
            (NOTIFICATION, True): methods.CLIENT_NOTIFICATIONS,
            (NOTIFICATION, False): methods.SERVER_NOTIFICATIONS,
            (RESULT, True): methods.CLIENT_RESULTS,
            (RESULT, False): methods.SERVER_RESULTS,
        }
        self._made: dict[tuple[str, str, str, str, bool], _Shape] = {}

    def find(self, revision: str, sender: str, method: str, part: str, asks_for_input: bool = False) -> _Shape | None:
        key = revision, sender, method, part, asks_for_input
        shape = self._made.get(key)
        if shape is None:
            table = self._tables[part, sender == CLIENT]
            if (method, revision) not in table:
                return None  # and not remembered: a peer may make up any number of methods
            shape = self._made[key] = _Shape(self._adapt(_arm(table[method, revision], asks_for_input)))
        return shape


def _arm(model: Any, asks_for_input: bool) -> Any:
    """Some results are either what was asked for or a question back; `resultType` says which."""
    arms = get_args(model)
    return next((arm for arm in arms if (arm.__name__ == "InputRequiredResult") is asks_for_input), model)


_LOADED: list[_Types] = []


def _types() -> _Types:
    if not _LOADED:
        _LOADED.append(_Types())
    return _LOADED[0]


_TAGS = (("type",), ("mode",), ("method",), ("resultType",))
_NO_SUCH = "no such shape"


class _Complaint(NamedTuple):
    """One complaint of the validator. `branches` are the tokens of its location that name no place but one of several
    shapes that were tried there, each with its index in the location."""

    place: tuple[str | int, ...]
    branches: tuple[tuple[int, str], ...]
    location: tuple[str | int, ...]
    kind: str
    given: Any
    message: str


def _sift(validate: Validate, body: Any, root: str) -> list[Misfit]:
    from pydantic import ValidationError

    try:
        validate(body)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False)
    else:
        return []
    complaints = [_complaint(one, body) for one in errors]
    # A shape that only a quirk speaks against is the one that was meant, so quirks go last.
    kept = [one for one in _meant(complaints, 0) if not _quirk(one)]
    misfits = [Misfit(pointer(*(one.place[1:] if root else one.place)), _say(one)) for one in kept]
    return list(dict.fromkeys(misfits))[:_MOST]


def _complaint(one: Any, body: Any) -> _Complaint:
    location, here = one["loc"], body
    place: list[str | int] = []
    branches: list[tuple[int, str]] = []
    for at, token in enumerate(location):
        if (isinstance(here, dict) and token in here) or (
            isinstance(here, list) and isinstance(token, int) and 0 <= token < len(here)
        ):
            place.append(token)
            here = here[token]
        elif at == len(location) - 1 and one["type"] == "missing":
            place.append(token)
        else:
            branches.append((at, str(token)))
    return _Complaint(tuple(place), tuple(branches), location, one["type"], one["input"], one["msg"])


def _meant(complaints: list[_Complaint], level: int) -> list[_Complaint]:
    """Where a value fits none of several shapes, each of them complains. What counts is the shape that was meant: not
    one that fails on its own name (`type`, `method`) or on the kind of value, and then the one that fits best."""
    kept = [one for one in complaints if len(one.branches) <= level]
    choices: dict[tuple[str | int, ...], dict[str, list[_Complaint]]] = {}
    for one in complaints:
        if len(one.branches) > level:
            at, name = one.branches[level]
            choices.setdefault(one.location[:at], {}).setdefault(name, []).append(one)
    for shapes in choices.values():
        best = min((_meant(found, level + 1) for found in shapes.values()), key=_unlikely)
        renamed = [one for one in best if _is_renamed(one)]
        kept += [renamed[0]._replace(kind=_NO_SUCH)] if renamed else best
    return kept


def _unlikely(complaints: list[_Complaint]) -> tuple[bool, bool, int]:
    renamed = any(map(_is_renamed, complaints))
    other_kind = any(
        one.location[-1:] == (one.branches[-1][1],) for one in complaints if one.branches and not _quirk(one)
    )
    return renamed, other_kind, sum(not _quirk(one) for one in complaints)


def _is_renamed(one: _Complaint) -> bool:
    return one.kind in ("literal_error", _NO_SUCH) and one.place[-1:] in _TAGS


def _quirk(one: _Complaint) -> bool:
    """Complaints that the specification does not share."""
    if one.kind in ("int_type", "int_from_float") and isinstance(one.given, float):
        # The specification's types know numbers only; that some are whole was made up on the way to JSON Schema.
        return True
    # `"properties": {"x": true}` is a schema like any other.
    return isinstance(one.given, bool) and "properties" in one.place


_WORDS = (("input should be ", ""), ("dictionary", "object"), ("list", "array"), ("integer", "whole number"))


def _say(one: _Complaint) -> str:
    if one.kind == "missing":
        return "it is missing"
    if one.kind == _NO_SUCH:
        return "it is none of the kinds that are allowed here"
    if one.kind == "model_type":
        return "it should be an object"
    if one.branches and one.location[-1:] == (one.branches[-1][1],):
        return "it is of no type that is allowed here"
    message = one.message[:1].lower() + one.message[1:]
    for theirs, ours in _WORDS:
        message = message.replace(theirs, ours)
    return f"it should be {message}"
