"""What a suite counts on that its revision has deprecated, or does not have any more.

The same `moves.yaml` that the doctor reads tells it: a method that is named, a capability that is declared, a value, a
transport, a family of rules. Arguments, answers and texts are the user's own and are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from mcptest.compliance.corpora import Corpora, page_url, revision_of
from mcptest.compliance.moves import Effect, Move, moves
from mcptest.errors import UsageError
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Status, Verdict
from mcptest.jsontext import pointer
from mcptest.yamltext import Document

_OWN = frozenset({"args", "arguments", "response", "text", "description", "env", "headers", "variables", "name"})
_METHOD, _CAPABILITIES, _TRANSPORT, _URL, _SSE = "method", "capabilities", "transport", "url", "sse"

Path = tuple[str | int, ...]


class _Spot(NamedTuple):
    """A place that shows the feature, and what stands there."""

    at: Path
    what: str


def lint_suite(document: Document, corpora: Corpora, spec: str | None = None) -> Report:
    """Judge a suite by the revision that it pins, or by `spec`, or else by the newest published one."""
    content = document.value
    if not isinstance(content, dict):
        raise UsageError(f"{document.where('')}: a suite is a mapping")
    pin = corpora.named(spec or _pin(document) or _newest(corpora)).name
    verdicts, info = [], {}
    for move in moves():
        if revision_of(move.since) > revision_of(pin):
            continue
        severity = Severity.ERROR if move.effect is Effect.BREAKS else Severity.WARNING
        found = list(dict.fromkeys(_spots(move, content)))
        todo = " ".join(f"{side.capitalize()}: {text}" for side, text in move.todo.items())
        findings = tuple(_finding(document, move, severity, spot, pin) for spot in found)
        status = Status.FAILED if found else Status.PASSED
        verdicts.append(Verdict(move.name, status, 1, int(bool(found)), "suites", findings=findings))
        info[move.name] = RuleInfo(move.name, severity, move.title, todo, page_url(move.since, move.page))
    return Report(
        f"deprecated features in {document.name}",
        (document.name,),
        tuple(verdicts),
        info,
        notes=(f"{document.name}: judged by {pin}",),
    )


def _pin(document: Document) -> str | None:
    for block in ("compliance", "server"):
        given = document.value.get(block)
        if isinstance(given, dict) and given.get("spec_version") is not None:
            return str(given["spec_version"])
    return None


def _newest(corpora: Corpora) -> str:
    return [name for name in corpora.names if name.startswith("v")][-1]


def _finding(document: Document, move: Move, severity: Severity, spot: _Spot, pin: str) -> Finding:
    at = pointer(*spot.at)
    line, column = document.keys.get(at) or document.position(at)
    gone = "is gone" if move.effect is Effect.BREAKS else "is deprecated"
    since = "" if move.since == pin else f" since {move.since}"
    message = f"{spot.what} {gone} in {pin}{since}: {move.title}"
    evidence = Evidence(document.name, at, line, column)
    data = {"effect": move.effect.value, "since": move.since, "todo": dict(move.todo)}
    return Finding(move.name, severity, "suite", document.name, message, evidence, within=at, data=data)


def _spots(move: Move, content: dict[str, Any]) -> Iterator[_Spot]:
    seen = move.seen
    sent = {method for methods in seen.get("sends", {}).values() for method in methods}
    declared = {name for names in seen.get("declares", {}).values() for name in names}
    transports = set(seen.get("transport", ())) if move.effect is Effect.DEPRECATED else set()
    value = seen.get("value")
    for at, item in _walk((), content):
        key = at[-1] if at and isinstance(at[-1], str) else None
        if at and len(at) > 1 and at[-2] == _CAPABILITIES and key in declared:
            yield _Spot(at, f"the capability {key}")
        if key is not None and "/" in key and key in sent:
            yield _Spot(at, key)
        if value is not None and key == value["at"][-1] and ("is" not in value or item in value["is"]):
            yield _Spot(at, str(key) if "is" not in value else f"{key} {item}")
        if isinstance(item, str):
            if item in sent and ("/" in item or _key(at) == _METHOD):
                yield _Spot(at, item)
            elif item in transports and _key(at) == _TRANSPORT:
                yield _Spot(at, f"the transport {item}")
            elif _SSE in transports and key == _URL and _path(item).rstrip("/").endswith("/sse"):
                yield _Spot(at, item)
        if type(item) in (str, int) and any(_is(item, word) for word in (*move.suite, *seen.get("errors", ()))):
            yield _Spot(at, f"what {item} judges" if isinstance(item, str) and item.isupper() else str(item))


def _walk(at: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    yield at, value
    if isinstance(value, dict):
        for key, inner in value.items():
            # A test of the compliance block has its rule as its name; other names are anybody's.
            if key not in _OWN or (key == "name" and "compliance" in at):
                yield from _walk((*at, key), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _walk((*at, number), inner)


def _key(at: Sequence[str | int]) -> str | int | None:
    """The key that a value stands under, also as an item of a list."""
    return next((one for one in reversed(at) if isinstance(one, str)), None)


def _is(item: str | int, word: str | int) -> bool:
    """The word itself or, of a family, one of its rules."""
    if isinstance(item, str) and isinstance(word, str):
        return item == word or (word.isupper() and item.startswith(f"{word}-"))
    return type(item) is type(word) and item == word


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
