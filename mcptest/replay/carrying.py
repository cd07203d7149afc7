"""Values that a client took from an answer and sent back: cursors, task ids, resource URIs, generated ids.

A live server makes up others. Where a value of a request stood in an earlier answer of the recording, and the live
answer to that request no longer has it, the value at the same place of the live answer is sent instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson

from mcptest.replay.comparing import INSIDE_TOKEN, Path, document
from mcptest.replay.turns import Turn, body
from mcptest.replay.varying import generated_parts, is_id_key, looks_generated, words_of

_CARRIED = {"uri", "url", "href", "token", "handle", "ref"}  # last words of keys, besides those of ids
_OPAQUE = {"requestState"}
_MOST_LEAVES = 20_000  # of one answer
_LONGEST = 1 << 16  # of one value


class Carry(NamedTuple):
    """Put what stands at `source` in the answer to `step` to the place `to` of the params, where `old` stands. Of a
    longer text, `part` says which of the generated ids in it was taken; `within` that it became part of a longer
    one."""

    to: Path
    step: int
    source: Path
    old: str | int
    part: int | None = None
    within: bool = False


class Carrying:
    """Learns the recorded answers in the order in which they came."""

    def __init__(self) -> None:
        self._seen: dict[str | int, Carry] = {}

    def learn(self, step: int, turn: Turn) -> None:
        if turn.answer is None:
            return
        for path, value in islice(leaves(body(turn.answer)), _MOST_LEAVES):
            key = _key(path)
            if type(value) is int:
                if is_id_key(key):
                    self._seen[value] = Carry((), step, path, value)
            elif type(value) is str and 0 < len(value) <= _LONGEST:
                if _is_carried(key, value):
                    self._seen[value] = Carry((), step, path, value)
                for number, part in enumerate(generated_parts(value)):
                    if part != value:
                        self._seen[part] = Carry((), step, path, part, number)

    def into(self, turn: Turn) -> tuple[Carry, ...]:
        """What of this turn's params was taken from an answer that has been learnt."""
        if not self._seen:
            return ()
        params = turn.params
        found: list[Carry] = []
        for path, value in islice(leaves(params), _MOST_LEAVES):
            if path[:1] == ("_meta",):
                continue
            key = _key(path)
            known = self._seen.get(value) if type(value) in (str, int) else None
            if known is not None and (is_id_key(key) if type(value) is int else _is_carried(key, value)):
                found.append(known._replace(to=path))
            elif type(value) is str and len(value) <= _LONGEST:
                parts = [self._seen[part] for part in generated_parts(value) if part in self._seen]
                found += [part._replace(to=path, within=True) for part in parts]
        return tuple(found)


def apply(params: Any, carries: Sequence[Carry], answers: Mapping[int, dict[str, Any]]) -> Any:
    """The params as they are to be sent, given the live answers so far."""
    for carry in carries:
        live = answers.get(carry.step)
        if live is None or _still_there(carry, live):
            continue
        value = _new_value(carry, live)
        if value is not None:
            params = _put(params, carry, value)
    return params


def rekey(params: Any, recorded: dict[str, Any], live: dict[str, Any]) -> Any:
    """The input that a server asked for, under the keys that the live server chose: the n-th of a method for the
    n-th of that method."""
    responses = params.get("inputResponses") if type(params) is dict else None
    if type(responses) is not dict:
        return params
    ours, theirs = _input_requests(recorded), _input_requests(live)
    names = {key: key for key in theirs}
    for method in set(ours.values()):
        old = [key for key, value in ours.items() if value == method]
        new = [key for key, value in theirs.items() if value == method]
        names |= dict(zip(old, new, strict=False))
    return {**params, "inputResponses": {names.get(key, key): value for key, value in responses.items()}}


def _input_requests(answer: dict[str, Any]) -> dict[str, str]:
    result = answer.get("result")
    asked = result.get("inputRequests") if type(result) is dict else None
    if type(asked) is not dict:
        return {}
    return {key: str(value.get("method")) if type(value) is dict else "" for key, value in asked.items()}


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All scalars in a JSON value, also those of JSON that stands in a text."""
    stack = [(path, value)]
    while stack:
        path, value = stack.pop()
        if type(value) is dict:
            stack += [((*path, key), member) for key, member in reversed(value.items())]
        elif type(value) is list:
            stack += [((*path, index), item) for index, item in reversed(list(enumerate(value)))]
        else:
            inner = document(value) if type(value) is str and INSIDE_TOKEN not in path else None
            if inner is not None:
                stack.append(((*path, INSIDE_TOKEN), inner))
            else:
                yield path, value


def _key(path: Path) -> str:
    return next((token for token in reversed(path) if type(token) is str), "")


def _is_carried(key: str, value: str) -> bool:
    words = words_of(key)
    return key in _OPAQUE or is_id_key(key) or (bool(words) and words[-1] in _CARRIED) or looks_generated(value)


def _still_there(carry: Carry, live: dict[str, Any]) -> bool:
    old = carry.old
    for _, value in islice(leaves(live), _MOST_LEAVES):
        if type(value) is type(old) and (value == old or (carry.part is not None and str(old) in str(value))):
            return True
    return False


def _new_value(carry: Carry, live: dict[str, Any]) -> str | int | None:
    value: Any = live
    for token in carry.source:
        if token is INSIDE_TOKEN:
            value = document(value) if type(value) is str else None
        elif type(value) is dict:
            value = value.get(token)
        elif type(value) is list and type(token) is int and token < len(value):
            value = value[token]
        else:
            return None
    if carry.part is not None:
        parts = generated_parts(value) if type(value) is str else []
        return parts[carry.part] if carry.part < len(parts) else None
    return value if type(value) is type(carry.old) else None


def _put(value: Any, carry: Carry, new: str | int, depth: int = 0) -> Any:
    """A copy of the value with the carried one in its place."""
    if depth == len(carry.to):
        return value.replace(str(carry.old), str(new)) if type(value) is str and carry.within else new
    token: Any = carry.to[depth]
    if token is INSIDE_TOKEN:
        return orjson.dumps(_put(document(value), carry, new, depth + 1)).decode()
    if type(value) is dict:
        return {**value, token: _put(value[token], carry, new, depth + 1)}
    return [*value[:token], _put(value[token], carry, new, depth + 1), *value[token + 1 :]]
