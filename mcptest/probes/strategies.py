"""Arguments from an input schema: good ones, ones at the edges, and bad ones. The same seed gives the same list."""

from __future__ import annotations

import json
import os
import random
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import platformdirs

from mcptest.probes.examples import example, resolved, type_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_ONE_AT_A_TIME = threading.Lock()  # the same seed must make the same arguments, whoever else makes some
_DEEPEST = 4  # levels of a schema that are followed; below, anything goes
_LONGEST_TEXT, _LONGEST_LIST = 60, 5
_TEXTS = (
    "",
    " ",
    "\x00",
    "0",
    "-1",
    "null",
    "a" * 5000,
    "'\"`;--",
    "%s%n%d",
    "{{7*7}}${7*7}",
    "../../mcptest-no-such-file",
    "\u202e\u200b\ufeff",
    "e\u0301" * 50,
    "\U0001f600" * 20,
    "line\r\nline",
)
_WHOLE = (0, 1, -1, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 10**30)
_BROKEN = (0.0, -0.0, 0.1, -1.5, 1e308, -1e308, 5e-324, 1e-9)
_FORMATS = {
    "date": ("2026-02-28", "0001-01-01", "9999-12-31"),
    "date-time": ("2026-02-28T23:59:59Z", "1970-01-01T00:00:00+14:00"),
    "time": ("00:00:00Z", "23:59:60Z"),
    "email": ("a@mcptest.invalid",),
    "uri": ("https://mcptest.invalid/", "mailto:a@mcptest.invalid"),
    "url": ("https://mcptest.invalid/",),
    "uuid": ("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"),
}
# A pattern with a repeated group can take for ever to match, and it is the server that wrote it.
_REPEATED_GROUP = re.compile(r"\)[*+{]|\\[1-9]")
_LONGEST_PATTERN = 100


def arguments(schema: Mapping[str, Any], base: Mapping[str, Any] | None, cases: int, seed: int) -> list[dict[str, Any]]:
    """So many different arguments, or fewer where there are not so many."""
    with _ONE_AT_A_TIME:
        return _made(schema, base, cases, seed)


def _made(schema: Mapping[str, Any], base: Mapping[str, Any] | None, cases: int, seed: int) -> list[dict[str, Any]]:
    if "hypothesis" not in sys.modules:
        # Else its tables would be put into the folder in which the user happens to be.
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", platformdirs.user_cache_dir("mcptest"))
    import hypothesis
    from hypothesis import HealthCheck, Phase, Verbosity

    found: dict[str, dict[str, Any]] = {}
    for made in _systematic(schema, dict(base or {}), seed)[: cases * 2 // 3]:
        found.setdefault(json.dumps(made, sort_keys=True), made)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=max(cases - len(found), 1) * 3 // 2 + 20,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(_arguments(schema, dict(base or {})))
    def collect(made: dict[str, Any]) -> None:
        if len(found) < cases:
            found.setdefault(json.dumps(made, sort_keys=True), made)

    with _nothing_of_ours():
        collect()
    return list(found.values())


@contextmanager
def _nothing_of_ours() -> Iterator[None]:
    """Hypothesis likes to draw constants that it finds in the code around it, and what code is loaded differs from run
    to run: the same seed would not make the same arguments. It has no switch for that."""
    from hypothesis.internal.conjecture import providers

    provider: Any = getattr(providers, "HypothesisProvider", None)
    draw = getattr(provider, "_maybe_draw_constant", None)
    if draw is None:  # another version, which may have no such liking
        yield
        return
    provider._maybe_draw_constant = lambda *_, **__: None
    try:
        yield
    finally:
        provider._maybe_draw_constant = draw


def _systematic(schema: Mapping[str, Any], base: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """What chance might leave out: each argument missing, null, and at each of its edges, everything else good. In an
    order of its own for each seed, since there may be more of them than cases."""
    start = base or example(schema)
    start = start if isinstance(start, dict) else {}
    found = []
    for name, declared in _mapping(schema.get("properties")).items():
        found += [{key: value for key, value in start.items() if key != name}, {**start, name: None}]
        found += [{**start, name: value} for value in edge_values(resolved(declared, schema))]
    random.Random(seed).shuffle(found)  # noqa: S311 -- not for secrets
    return found


def _arguments(schema: Mapping[str, Any], base: dict[str, Any]) -> SearchStrategy[dict[str, Any]]:
    from hypothesis import strategies as st

    good = fitting(schema, schema)
    properties = schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}

    @st.composite
    def made(draw: Any) -> dict[str, Any]:
        kind = draw(st.sampled_from(("valid", "boundary", "invalid")))
        drawn = draw(good)
        found = dict(drawn) if isinstance(drawn, dict) else {}
        if base and draw(st.booleans()):
            found = {**found, **base}
        if kind == "valid":
            return found
        for _ in range(draw(st.integers(1, 2))):
            names = sorted({*known, *found}) or ["mcptest_unexpected"]
            name = draw(st.sampled_from(names))
            if kind == "boundary":
                found[name] = draw(edges(resolved(known.get(name, {}), schema)))
                continue
            way = draw(st.sampled_from(("missing", "null", "anything", "unexpected")))
            if way == "missing":
                found.pop(name, None)
            elif way == "unexpected":
                found["mcptest_unexpected"] = draw(anything())
            else:
                found[name] = None if way == "null" else draw(anything())
        return found

    return made()


def anything() -> SearchStrategy[Any]:
    """Any JSON."""
    from hypothesis import strategies as st

    plain = st.one_of(
        st.none(), st.booleans(), st.sampled_from(_WHOLE), st.sampled_from(_BROKEN), st.sampled_from(_TEXTS), _text()
    )
    return st.recursive(
        plain,
        lambda inner: st.one_of(
            st.lists(inner, max_size=_LONGEST_LIST), st.dictionaries(_text(), inner, max_size=_LONGEST_LIST)
        ),
        max_leaves=8,
    )


def edges(schema: Any) -> SearchStrategy[Any]:
    """Values of the right type where code tends to break."""
    from hypothesis import strategies as st

    values = edge_values(schema)
    return st.sampled_from(values) if values else anything()


def edge_values(schema: Any) -> list[Any]:
    """Around limits, empty, long, odd; nothing for a type that has no edges."""
    if not isinstance(schema, Mapping):
        return []
    kind = type_of(schema)
    if kind in ("integer", "number"):
        near = _around(schema, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        return [*_WHOLE, *near] if kind == "integer" else [*_WHOLE, *_BROKEN, *near]
    if kind == "string":
        lengths = _around(schema, "minLength", "maxLength")
        near_texts = ["x" * int(length) for length in lengths if 0 <= length <= 100_000]
        return [*_TEXTS, *near_texts, *_FORMATS.get(str(schema.get("format")), ())]
    if kind == "array":
        return [[], [None], [[]], [""] * 500]
    return [{}, {"": None}, {"__proto__": {"x": 1}}] if kind == "object" else []


def fitting(schema: Any, root: Mapping[str, Any], depth: int = 0) -> SearchStrategy[Any]:
    """Values that the schema asks for, as far as it speaks plainly."""
    from hypothesis import strategies as st

    schema = resolved(schema, root)
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return st.one_of(st.none(), st.booleans(), st.integers(-9, 9), _text())
    if "const" in schema:
        return st.just(schema["const"])
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return st.sampled_from(schema["enum"])
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list) and options:
            rest = {name: value for name, value in schema.items() if name != key}
            return st.one_of([fitting({**rest, **_mapping(resolved(one, root))}, root, depth + 1) for one in options])
    if isinstance(schema.get("allOf"), list):
        merged = {name: value for name, value in schema.items() if name != "allOf"}
        for part in schema["allOf"]:
            merged.update(_mapping(resolved(part, root)))
        return fitting(merged, root, depth + 1)
    kinds = schema.get("type")
    if isinstance(kinds, list) and kinds:
        return st.one_of([fitting({**schema, "type": kind}, root, depth + 1) for kind in kinds])
    return _of_type(schema, root, depth)


def _of_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    kind = type_of(schema)
    if kind == "object":
        return _object(schema, root, depth)
    if kind == "array":
        least, most = _size(schema, "minItems", "maxItems", _LONGEST_LIST)
        items = fitting(schema.get("items", {}), root, depth + 1)
        return st.lists(items, min_size=least, max_size=most)
    if kind == "integer":
        low, high = _range(schema)
        return st.integers(int(low), max(int(low), int(high)))
    if kind == "number":
        low, high = _range(schema)
        return st.one_of(
            st.integers(int(low), max(int(low), int(high))), st.floats(low, max(low, high), allow_nan=False)
        )
    if kind == "boolean":
        return st.booleans()
    if kind == "null":
        return st.none()
    return _string(schema) if kind == "string" else anything()


def _object(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    properties, required = _mapping(schema.get("properties")), schema.get("required")
    needed = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return st.fixed_dictionaries(
        {name: fitting(properties.get(name, {}), root, depth + 1) for name in needed},
        optional={name: fitting(value, root, depth + 1) for name, value in properties.items() if name not in needed},
    )


def _string(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if schema.get("format") in _FORMATS:
        return st.sampled_from(_FORMATS[schema["format"]])
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and len(pattern) <= _LONGEST_PATTERN and not _REPEATED_GROUP.search(pattern):
        try:
            return st.from_regex(re.compile(pattern))
        except (re.error, OverflowError):
            pass
    least, most = _size(schema, "minLength", "maxLength", _LONGEST_TEXT)
    return _text(least, most)


def _text(least: int = 0, most: int = 20) -> SearchStrategy[str]:
    from hypothesis import strategies as st

    return st.text(min_size=least, max_size=most)


def _size(schema: Mapping[str, Any], lowest: str, highest: str, usual: int) -> tuple[int, int]:
    least = min(int(schema[lowest]), 1000) if _is_number(schema.get(lowest)) and schema[lowest] > 0 else 0
    most = int(schema[highest]) if _is_number(schema.get(highest)) and schema[highest] >= 0 else least + usual
    return least, max(least, min(most, least + usual))


def _range(schema: Mapping[str, Any]) -> tuple[float, float]:
    lows = [schema[key] for key in ("minimum", "exclusiveMinimum") if _is_number(schema.get(key))]
    highs = [schema[key] for key in ("maximum", "exclusiveMaximum") if _is_number(schema.get(key))]
    low = max(lows) if lows else (min(highs) - 1000 if highs else -1000)
    return low, min(highs) if highs else max(low + 1000, 1000)


def _around(schema: Mapping[str, Any], *keys: str) -> list[float]:
    """The limits that a schema sets, and what is next to them."""
    return [schema[key] + step for key in keys if _is_number(schema.get(key)) for step in (-1, 0, 1)]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
