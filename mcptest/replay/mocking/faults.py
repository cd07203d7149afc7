"""Faults on demand: how a mock misbehaves, so that its client can be seen to cope. The opening of a conversation and
notifications are left alone, so that there is a conversation to break.

    hang                  requests are read and never answered
    wedged                nothing is read any more, not even the end of input
    slow:MS               answers come so many milliseconds late
    recover-after:N       the first N requests fail, then all is well
    drop:P                an answer is lost with probability P, from 0 to 1
    malformed             answers are cut short: no JSON
    disconnect-after:N    the connection ends instead of answer N + 1
    error:CODE            requests are answered with this error
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from mcptest.errors import UsageError
from mcptest.protocol.errors import INTERNAL_ERROR

_MS = 1_000_000
FAULTS = ("hang", "wedged", "slow:MS", "recover-after:N", "drop:P", "malformed", "disconnect-after:N", "error:CODE")


class Effect(NamedTuple):
    """What happens to one answer."""

    answer: bool = True
    error: int | None = None
    late: int = 0  # nanoseconds
    malformed: bool = False
    disconnect: bool = False
    wedge: bool = False


NONE = Effect()


class Fault(NamedTuple):
    kind: str
    number: float = 0.0


def parse_fault(text: str) -> Fault:
    kind, colon, value = text.partition(":")
    known = {fault.partition(":")[0]: ":" in fault for fault in FAULTS}
    if kind not in known:
        raise UsageError(f"--fault {text!r}: no such fault; there is: {', '.join(FAULTS)}")
    if known[kind] is not bool(colon) or (colon and not re.fullmatch(r"-?\d+(\.\d+)?", value)):
        wanted = next(fault for fault in FAULTS if fault.partition(":")[0] == kind)
        raise UsageError(f"--fault {text!r}: write it as {wanted}, with a number")
    number = float(value) if colon else 0.0
    if kind == "drop" and not 0 <= number <= 1:
        raise UsageError(f"--fault {text!r}: a probability is from 0 to 1")
    if kind in ("slow", "recover-after", "disconnect-after") and number < 0:
        raise UsageError(f"--fault {text!r}: the number must not be negative")
    return Fault(kind, number)


class Faults:
    """Decides the fate of one answer after the other. The same seed gives the same fates."""

    def __init__(self, faults: tuple[Fault, ...] = (), seed: int = 0) -> None:
        self._faults = faults
        self._random = random.Random(seed)  # noqa: S311 -- no secret
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._faults)

    def next(self) -> Effect:
        self._count += 1
        effect = NONE
        for kind, number in self._faults:
            if kind == "hang":
                effect = effect._replace(answer=False)
            elif kind == "wedged":
                effect = effect._replace(wedge=True, answer=False)
            elif kind == "slow":
                effect = effect._replace(late=effect.late + int(number * _MS))
            elif kind == "recover-after" and self._count <= number:
                effect = effect._replace(error=INTERNAL_ERROR)
            elif kind == "drop" and self._random.random() < number:
                effect = effect._replace(answer=False)
            elif kind == "malformed":
                effect = effect._replace(malformed=True)
            elif kind == "disconnect-after" and self._count > number:
                effect = effect._replace(disconnect=True)
            elif kind == "error":
                effect = effect._replace(error=int(number))
        return effect
