"""A request that the recording does not hold: what comes nearest to it, and in what it differs."""

from __future__ import annotations

from typing import Any

from mcptest.protocol import NAMES
from mcptest.protocol.errors import INVALID_PARAMS, METHOD_NOT_FOUND
from mcptest.replay.canonical import shown, without_meta
from mcptest.replay.comparing import Difference, differences
from mcptest.replay.masks import Masks
from mcptest.replay.mocking.library import Library
from mcptest.replay.turns import Turn

_COMPARED = 500  # recorded requests that are looked at
_NAMED = 3  # differences in the message; all of them are in the data, up to
_LISTED = 20
_SHOWN = 60  # characters of a value

_NOTHING_MASKED = Masks((), ())


def explain(library: Library, method: str, params: Any) -> dict[str, Any]:
    """The JSON-RPC error for a request that nothing was recorded for."""
    library.read_all()
    same_method = [turn for turn in library.turns if turn.method == method]
    if not same_method:
        known = sorted({turn.method for turn in library.turns})
        text = f"the recording holds no {method}; it holds {', '.join(known) or 'no request'}"
        return {"code": METHOD_NOT_FOUND, "message": text}
    name = _name(method, params)
    same_name = [turn for turn in same_method if turn.name == name]
    if name is not None and not same_name:
        known = sorted({turn.name for turn in same_method if turn.name is not None})
        text = f"the recording holds no {method} of {name!r}; it holds {', '.join(map(repr, known[:_LISTED]))}"
        return {"code": INVALID_PARAMS, "message": text}
    nearest, found = _nearest(same_name or same_method, params)
    named = "; ".join(_say(one) for one in found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
    what = f"{method} of {name!r}" if name is not None else method
    text = f"the recording holds no {what} with these params; the nearest one, frame {nearest.seq}, differs: {named}"
    data = {
        "nearest": {"frame": nearest.seq, "params": nearest.params},
        "differences": [
            {"pointer": one.pointer, "recorded": one.recorded, "asked": one.replayed} for one in found[:_LISTED]
        ],
    }
    return {"code": INVALID_PARAMS, "message": text, "data": data}


def _name(method: str, params: Any) -> str | None:
    key = NAMES.get(method)
    name = params.get(key) if key is not None and type(params) is dict else None
    return name if type(name) is str else None


def _nearest(turns: list[Turn], params: Any) -> tuple[Turn, list[Difference]]:
    asked = without_meta(params) or {}
    compared = [
        (turn, list(differences(without_meta(turn.params) or {}, asked, _NOTHING_MASKED))) for turn in turns[:_COMPARED]
    ]
    return min(compared, key=lambda pair: len(pair[1]))


def _say(one: Difference) -> str:
    recorded = "nothing" if one.recorded is None else shown(one.recorded, _SHOWN)
    asked = "nothing" if one.replayed is None else shown(one.replayed, _SHOWN)
    return f"at {one.pointer or '/'} recorded {recorded}, asked {asked}"
