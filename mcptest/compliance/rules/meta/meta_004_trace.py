"""Trace keys of `_meta` hold what W3C Trace Context and W3C Baggage say.

`traceparent` has a version, a trace id and a parent id that are not all zeros, and flags; `tracestate` at most 32
members `key=value`; `baggage` a list of members, each with properties if it likes. Open where the capture was redacted.
"""

import re
from typing import Any

from mcptest.compliance.kit import Inconclusive, Part, Remarks, a, pointer, remark
from mcptest.compliance.rules.meta._places import metas

ID = "META-004"
ON = metas
_PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")
_STATE = re.compile(r"[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,256}")
_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_VALUE = r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"
_BAGGAGE = re.compile(rf"{_WORD}\s*=\s*{_VALUE}(\s*;\s*{_WORD}(\s*=\s*{_VALUE})?)*")
_MOST_STATES = 32


def applies(part: Part) -> bool:
    return not part.members.keys().isdisjoint(_CHECKS)


def check(part: Part) -> Remarks:
    for key, holds in _CHECKS.items():
        if key not in part.members:
            continue
        value: Any = part.members[key]
        if type(value) is not str:
            yield remark(f"{key} is {a(value)}, not a string", pointer(key))
        elif not holds(value):
            if part.message.redacted:
                raise Inconclusive("a part of the message was redacted")
            yield remark(f"{key} is not what W3C says: {value[:120]!r}", pointer(key))


def _parent(text: str) -> bool:
    return _PARENT.fullmatch(text) is not None and not (text.startswith("00") and len(text) != 55)


def _state(text: str) -> bool:
    members = [member for member in (one.strip(" \t") for one in text.split(",")) if member]
    return len(members) <= _MOST_STATES and all(_STATE.fullmatch(member) for member in members)


def _baggage(text: str) -> bool:
    return not text.strip() or all(_BAGGAGE.fullmatch(member.strip(" \t")) for member in text.split(","))


_CHECKS = {"traceparent": _parent, "tracestate": _state, "baggage": _baggage}
