"""What of a request's params does not count when it is looked up in a recording."""

from __future__ import annotations

from typing import Any

from mcptest.replay.comparing import Path
from mcptest.replay.masks import Masks, MaskSet
from mcptest.replay.varying import is_id_key, looks_generated

_DEEPEST = 100


def ignoring(masks: MaskSet) -> Any:
    """A function (method, params) → params with everything masked taken out or written as what it is."""

    def strip(method: str, params: Any) -> Any:
        name = params.get("name") if type(params) is dict else None
        hidden = masks.of(method, name if type(name) is str else None)
        return _strip(params, hidden, ("params",))

    return strip


def _strip(value: Any, masks: Masks, path: Path) -> Any:
    if len(path) > _DEEPEST:
        return value
    if type(value) is dict:
        return {
            key: _strip(member, masks, (*path, key)) for key, member in value.items() if not masks.hides((*path, key))
        }
    if type(value) is list:
        return [
            _strip(item, masks, (*path, index)) for index, item in enumerate(value) if not masks.hides((*path, index))
        ]
    if type(value) is str:
        key = next((token for token in reversed(path) if type(token) is str), "")
        return "<ids>" if is_id_key(key) and looks_generated(value) else masks.scrub(value)
    return value
