"""What changed between two catalogues, and what of it breaks those who call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from mcptest.analyzers.compare import Difference, Effect, Way, compare
from mcptest.analyzers.prose import shown
from mcptest.catalogue import Catalogue, Entry, Prompt, Resource, Tool
from mcptest.findings import CHANGE, Evidence, Finding, Report, RuleInfo, Severity, Status, Verdict
from mcptest.jsontext import pointer, same
from mcptest.policy import HINTS

SEVERITIES = {Effect.BREAKING: Severity.ERROR, Effect.RISKY: Severity.WARNING, Effect.SAFE: Severity.INFO}
# What a client has to assume where a hint is missing: the value that asks for more care.
_CAREFUL = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}

KINDS = {
    "entry-removed": "Something that was offered is gone.",
    "entry-renamed": "Something that was offered seems to have a new name.",
    "entry-added": "Something new is offered.",
    "argument-removed": "A tool or prompt no longer takes an argument.",
    "argument-added": "A tool or prompt takes a new optional argument.",
    "argument-added-required": "A tool or prompt demands a new argument.",
    "argument-required": "An argument that could be left out is required.",
    "argument-optional": "An argument that was required can be left out.",
    "field-removed": "A result no longer has a field.",
    "field-added": "A result has a new field.",
    "field-required": "A field of a result is always there now.",
    "field-optional": "A field of a result may be missing now.",
    "type-narrowed": "A value is of fewer types.",
    "type-widened": "A value is of more types.",
    "type-changed": "A value is of another type.",
    "enum-narrowed": "A list of values has become shorter.",
    "enum-widened": "A list of values has become longer.",
    "bound-tightened": "A limit has become tighter.",
    "bound-loosened": "A limit has become looser.",
    "bound-changed": "A limit has changed in a way that cannot be ordered.",
    "object-closed": "An object no longer accepts undeclared fields.",
    "object-opened": "An object accepts undeclared fields.",
    "default-changed": "An argument that is left out means something else.",
    "schema-added": "A tool declares the shape of its result.",
    "schema-removed": "A tool no longer declares the shape of its result.",
    "schema-over-budget": "A schema is too large to be compared in full.",
    "annotation-changed": "A tool's annotations say something else.",
    "description-changed": "The text that a model chooses by has changed.",
    "parameter-description-changed": "The text that explains an argument or a field has changed.",
    "title-changed": "A name for people has changed.",
    "mime-type-changed": "A resource is of another kind.",
}

_MOST_PAIRS = 4_000  # of removed and added entries that are looked at for a likeness
_LIKENESS = 0.75


class Change(NamedTuple):
    """One difference between two catalogues. `entry` is where it can be seen: the newer one, unless that is gone."""

    kind: str
    effect: Effect
    message: str
    entry: Entry
    within: str = ""
    before: Any = None
    after: Any = None
    way: Way | None = None


def diff(old: Catalogue, new: Catalogue) -> list[Change]:
    """The changes from one catalogue to the next: breaking ones first, then in the order of the catalogues."""
    changes: list[Change] = []
    for before, after in (
        (old.tools, new.tools),
        (old.resources, new.resources),
        (old.templates, new.templates),
        (old.prompts, new.prompts),
    ):
        changes += _lists(before, after)
    order = list(Effect)
    return sorted(changes, key=lambda change: order.index(change.effect))


def _lists(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Change]:
    before, after = {entry.name: entry for entry in old}, {entry.name: entry for entry in new}
    removed = [entry for name, entry in before.items() if name not in after]
    added = [entry for name, entry in after.items() if name not in before]
    renamed = _renamed(removed, added)
    for entry in removed:
        heir = renamed.get(entry.name)
        if heir is None:
            yield Change("entry-removed", Effect.BREAKING, f"{entry.kind} {shown(entry.name)} was removed", entry)
        else:
            message = f"{entry.kind} {shown(entry.name)} looks renamed to {shown(heir.name)}"
            yield Change("entry-renamed", Effect.BREAKING, message, heir, before=entry.name, after=heir.name)
    heirs = {entry.name for entry in renamed.values()}
    for entry in added:
        if entry.name not in heirs:
            yield Change("entry-added", Effect.SAFE, f"{entry.kind} {shown(entry.name)} is new", entry)
    for name, entry in after.items():
        if name in before and not same(before[name].raw, entry.raw):
            yield from _entries(before[name], entry)


def _entries(old: Entry, new: Entry) -> Iterator[Change]:
    if old.description != new.description:
        yield _text("description-changed", Effect.RISKY, "description", old.description, new)
    if old.title != new.title:
        yield _text("title-changed", Effect.SAFE, "title", old.title, new)
    if isinstance(old, Tool) and isinstance(new, Tool):
        yield from _tools(old, new)
    elif isinstance(old, Resource) and isinstance(new, Resource):
        if old.mime_type != new.mime_type:
            yield _text("mime-type-changed", Effect.RISKY, "mimeType", old.mime_type, new)
    elif isinstance(old, Prompt) and isinstance(new, Prompt):
        yield from _prompts(old, new)


def _text(kind: str, effect: Effect, key: str, before: str | None, new: Entry) -> Change:
    after = new.raw.get(key) if isinstance(new.raw, dict) else None
    where = pointer(key) if after is not None else ""
    return Change(
        kind,
        effect,
        f"the {key} changed" if after and before else f"the {key} is {'new' if after else 'gone'}",
        new,
        where,
        before,
        after,
    )


def _tools(old: Tool, new: Tool) -> Iterator[Change]:
    yield from _wrap(compare(old.input_schema, new.input_schema, Way.INPUT, "/inputSchema"), new, Way.INPUT)
    if old.output_schema is None and new.output_schema is not None:
        yield Change("schema-added", Effect.SAFE, "an output schema was added", new, "/outputSchema", way=Way.OUTPUT)
    elif old.output_schema is not None and new.output_schema is None:
        yield Change("schema-removed", Effect.BREAKING, "the output schema was removed", new, way=Way.OUTPUT)
    elif old.output_schema is not None:
        yield from _wrap(compare(old.output_schema, new.output_schema, Way.OUTPUT, "/outputSchema"), new, Way.OUTPUT)
    yield from _annotations(old, new)


def _wrap(found: Iterator[Difference], entry: Entry, way: Way) -> Iterator[Change]:
    for item in found:
        yield Change(item.kind, item.effect, item.message, entry, item.within, item.before, item.after, way)


def _annotations(old: Tool, new: Tool) -> Iterator[Change]:
    before = old.annotations if isinstance(old.annotations, dict) else {}
    after = new.annotations if isinstance(new.annotations, dict) else {}
    for key in sorted({*before, *after}):
        one, other = before.get(key), after.get(key)
        if (key in before) == (key in after) and same(one, other):
            continue
        if key in HINTS:
            # Clients decide by these whether to ask the user first: a tool that asks for more care can surprise them,
            # and so can one that asks for less.
            careful = key not in after or other == _CAREFUL[key]
            effect = Effect.RISKY
            message = f"{key} went from {_hint(one)} to {_hint(other)}: calls need {'more' if careful else 'less'} care"
        else:
            effect, message = Effect.SAFE, f"annotation {shown(key, 40)} changed"
        yield Change("annotation-changed", effect, message, new, pointer("annotations", key), one, other)


def _hint(value: Any) -> str:
    return "unset" if value is None else str(value).lower()[:20]


def _prompts(old: Prompt, new: Prompt) -> Iterator[Change]:
    before = {argument["name"]: argument for argument in old.arguments}
    after = {argument["name"]: argument for argument in new.arguments}
    for name in before:
        if name not in after:
            yield Change("argument-removed", Effect.BREAKING, f"argument {shown(name)} was removed", new, "/arguments")
    for at, (name, argument) in enumerate(after.items()):
        where, needed = pointer("arguments", at), argument.get("required") is True
        if name not in before:
            if needed:
                message = f"new argument {shown(name)} is required"
                yield Change("argument-added-required", Effect.BREAKING, message, new, where)
            else:
                yield Change("argument-added", Effect.SAFE, f"new argument {shown(name)}", new, where)
            continue
        was_needed = before[name].get("required") is True
        if needed and not was_needed:
            yield Change("argument-required", Effect.BREAKING, f"argument {shown(name)} is required now", new, where)
        elif was_needed and not needed:
            yield Change("argument-optional", Effect.SAFE, f"argument {shown(name)} is optional now", new, where)
        if not same(before[name].get("description"), argument.get("description")):
            yield Change("parameter-description-changed", Effect.SAFE, "the description changed", new, where)


def _renamed(removed: Sequence[Entry], added: Sequence[Entry]) -> dict[str, Entry]:
    """Which removed entry seems to live on under which new name: the most alike pairs first."""
    if len(removed) * len(added) > _MOST_PAIRS:
        return {}
    pairs = [
        (likeness, one, other) for one in removed for other in added if (likeness := _likeness(one, other)) >= _LIKENESS
    ]
    found: dict[str, Entry] = {}
    taken: set[str] = set()
    for _, one, other in sorted(pairs, key=lambda pair: -pair[0]):
        if one.name not in found and other.name not in taken:
            found[one.name] = other
            taken.add(other.name)
    return found


def _likeness(one: Entry, other: Entry) -> float:
    texts = _alike(one.description, other.description)
    names = _alike(one.name, other.name)
    if isinstance(one, Tool) and isinstance(other, Tool):
        return 0.4 * _same_arguments(one, other) + 0.4 * texts + 0.2 * names
    return 0.6 * texts + 0.4 * names


def _same_arguments(one: Tool, other: Tool) -> float:
    if same(one.input_schema, other.input_schema):
        return 1.0
    before, after = (set(_properties(tool)) for tool in (one, other))
    return len(before & after) / len(before | after) if before | after else 0.0


def _properties(tool: Tool) -> Mapping[str, Any]:
    properties = tool.input_schema.get("properties") if isinstance(tool.input_schema, dict) else None
    return properties if isinstance(properties, dict) else {}


def _alike(one: str | None, other: str | None) -> float:
    if not one or not other:
        return 0.0
    return SequenceMatcher(None, one[:400].lower(), other[:400].lower(), autojunk=False).ratio()


def to_report(changes: Sequence[Change], old: str, new: str, fail_on: Effect = Effect.BREAKING) -> Report:
    """The changes as a report: each kind is a rule, and each finding's data says its class."""
    by_kind: dict[str, list[Finding]] = {}
    for change in changes:
        by_kind.setdefault(change.kind, []).append(_finding(change))
    verdicts = tuple(
        Verdict(kind, Status.FAILED, len(findings), len(findings), "changes", None, tuple(findings))
        for kind, findings in by_kind.items()
    )
    rules = {
        kind: RuleInfo(kind, max(finding.severity for finding in findings), KINDS[kind], "")
        for kind, findings in by_kind.items()
    }
    return Report(f"{old} → {new}", (old, new), verdicts, rules, fail_on=SEVERITIES[fail_on], noun=CHANGE)


def _finding(change: Change) -> Finding:
    entry = change.entry
    where = entry.pointer + change.within
    line, column = entry.source.position(where) or (None, None)
    frames = () if entry.source.frame is None else (entry.source.frame,)
    evidence = Evidence(entry.source.name, where, line, column, entry.source.session, frames)
    data: dict[str, Any] = {"class": change.effect.value}
    if change.way is not None:
        data["direction"] = change.way.value
    if change.before is not None or change.after is not None:
        data |= {"before": change.before, "after": change.after}
    severity = SEVERITIES[change.effect]
    return Finding(change.kind, severity, entry.kind, entry.name, change.message, evidence, change.within, data)
