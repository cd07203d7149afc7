"""Values that rightly differ from one run to the next: moments, durations, generated ids. What the built-in masks hide.

A mask hides a difference only where both values are of its kind: a time that became another time is masked, a time that
became `never` is drift.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

# ---- in texts

_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?|\d:[0-5]\d(?::[0-5]\d|(?=\s?[AaPp][Mm]\b)))"
_ZONE = r"(?:Z|\s?[+-]\d{2}:?\d{2}|\s?(?:UTC|GMT))?"
_DAY, _MONTH = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*", r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_TIMESTAMP = re.compile(
    rf"\b{_DATE}(?:[T ]{_CLOCK}{_ZONE})?(?![\d-])"  # ISO 8601, RFC 3339, and a date alone
    rf"|\b(?:{_DAY},? )?\d{{1,2}} {_MONTH} \d{{4}}(?: {_CLOCK}{_ZONE})?"  # RFC 1123
    rf"|\b(?:{_DAY},? )?{_MONTH} \d{{1,2}},? (?:{_CLOCK} )?\d{{4}}(?: {_CLOCK}{_ZONE})?"  # as C and Americans write it
    rf"|\b\d{{1,2}}/\d{{1,2}}/\d{{4}}(?:,? {_CLOCK}(?:\s?[AaPp][Mm]\b)?)?(?!\d)"  # as programs for people write it
    rf"|\b{_CLOCK}(?:\s?[AaPp][Mm]\b)?{_ZONE}(?![\d:])"
    r"|\b1[5-9]\d{8}(?:\d{3}){0,3}(?:\.\d{1,9})?\b"  # seconds to nanoseconds since 1970
)
_UUID = re.compile(r"\b[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}\b")
_GENERATED = re.compile(
    r"\b0x[0-9A-Fa-f]{6,16}\b"  # where something is in memory
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,128}\b"  # random bytes and digests
    r"|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b"  # ULID
)
_DURATION = re.compile(
    r"(?<![\w.-])\d+(?:\.\d+)?\s?(?:ns|µs|μs|us|ms|nanoseconds?|microseconds?|milliseconds?|millis)\b"
    r"|(?<![\w.-])\d+\.\d+\s?(?:s|secs?|seconds?|m|mins?|minutes?)\b"
    r"|(?i:(?<=took )|(?<=elapsed )|(?<=elapsed: )|(?<=uptime )|(?<=uptime: ))\d+(?:\.\d+)?\s?(?:s|secs?|seconds?)\b"
)

# ---- by the name of their key, for values that do not tell by themselves

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-. ]+")
_MOMENT_WORDS = {
    "timestamp",
    "time",
    "date",
    "now",
    "at",
    "created",
    "updated",
    "modified",
    "expires",
    "expiry",
    "mtime",
}
_MOMENT_WORDS |= {"ctime", "atime", "birthtime", "accessed", "started", "finished", "since"}
_DURATION_WORDS = {"duration", "elapsed", "took", "latency", "uptime", "runtime"}
_UNIT_WORDS = {"ms", "ns", "us", "millis", "milliseconds", "seconds", "secs"}
# Promises of the protocol, not measurements.
_PROMISES = {"ttlMs", "ttl", "pollInterval", "pollIntervalMs", "retry", "timeout", "timeoutMs"}
_ID_WORDS = {"id", "uuid", "guid", "cursor", "etag", "nonce", "pid", "hash", "sha", "digest"}
_MOMENTS = range(1_000_000_000, 4_102_444_800)  # seconds, from 2001 to 2099


def words_of(key: str) -> list[str]:
    return [word.lower() for word in _HUMP.split(key) if word]


def is_id_key(key: str) -> bool:
    words = words_of(key)
    return bool(words) and (words[-1] in _ID_WORDS or words[-1] in ("ids", "uuids"))


def looks_generated(value: str) -> bool:
    """Is this text a generated id through and through?"""
    return len(value) <= 128 and bool(_UUID.fullmatch(value) or _GENERATED.fullmatch(value))


def generated_parts(text: str) -> list[str]:
    """The generated ids that stand in a text."""
    return [match[0] for pattern in (_UUID, _GENERATED) for match in pattern.finditer(text)]


class Kind(NamedTuple):
    """A kind of varying value. `texts` is what it looks like inside a text; `pair` decides on two values that stand
    under a key."""

    name: str
    summary: str
    texts: re.Pattern[str] | None
    pair: Callable[[str, Any, Any], bool]


def _moments(key: str, one: Any, other: Any) -> bool:
    return bool(_MOMENT_WORDS & set(words_of(key))) and _is_moment(one) and _is_moment(other)


def _is_moment(value: Any) -> bool:
    if type(value) not in (int, float):
        return False
    return any(int(value / scale) in _MOMENTS for scale in (1, 1_000, 1_000_000, 1_000_000_000))


def _durations(key: str, one: Any, other: Any) -> bool:
    if key in _PROMISES or type(one) not in (int, float) or type(other) not in (int, float):
        return False
    words = words_of(key)
    return bool(_DURATION_WORDS & set(words)) or (len(words) > 1 and words[-1] in _UNIT_WORDS)


def _ids(key: str, one: Any, other: Any) -> bool:
    if not is_id_key(key):
        return False
    if type(one) is int and type(other) is int:
        return True
    return type(one) is str and type(other) is str and _has_random_look(one) and _has_random_look(other)


def _has_random_look(value: str) -> bool:
    """An id that a machine made has a digit in it; `weather-berlin` is somebody's choice."""
    return " " not in value and any(character.isdigit() for character in value)


def _never(_key: str, _one: Any, _other: Any) -> bool:
    return False


KINDS = (
    Kind("timestamps", "dates, times, moments since 1970", _TIMESTAMP, _moments),
    Kind("uuids", "UUIDs", _UUID, _never),
    Kind("ids", "generated ids: under keys that end in id, cursor, hash, …; long hexadecimal, ULIDs", _GENERATED, _ids),
    Kind("durations", "measured times: 12 ms, elapsed_ms, uptime", _DURATION, _durations),
)
