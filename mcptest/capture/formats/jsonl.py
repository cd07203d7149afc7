"""mcptest's own export: JSON lines, described in docs/export-format.md.

The first line holds the session's facts, each following one a frame, and the last how many frames there were, so that
a file cut short is noticed. The same session always gives the same bytes.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import orjson

from mcptest.errors import CaptureError
from mcptest.wire import Frame
from mcptest.wire.frame import CHANNEL_CODES, CHANNELS, CONTINUED, HEADER, PARTIAL, REDACTED, SENDERS
from mcptest.wire.journal import MAX_DATA
from mcptest.wire.message import json_type

VERSION = 1
_MARK = "mcptest-export"
_END = "end"
_FACTS = ("session", "name", "transport", "target", "started_at", "mcptest")
_FLAGS = {"redacted": REDACTED, "partial": PARTIAL, "continued": CONTINUED}
_START = re.compile(rb'\s*\{\s*"mcptest-export"\s*:')
_SESSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")  # it becomes part of a file's name
_LONGEST_LINE = 6 * MAX_DATA + (1 << 20)  # JSON may spend six characters on a byte
_U64, _U32 = (1 << 64) - 1, (1 << 32) - 1
_LONGEST_META = (1 << 16) - 1


def recognise(start: bytes) -> bool:
    return _START.match(start) is not None


# ---- writing


def write(frames: Iterable[Frame], file: BinaryIO) -> int:
    count = 0
    for frame in frames:
        if count == 0:
            file.write(_facts(frame))
        file.write(_line(frame))
        count += 1
    file.write(orjson.dumps({_END: True, "frames": count}) + b"\n")
    return count


def _facts(header: Frame) -> bytes:
    """Only these: whatever else a header may come to hold stays in its own frame."""
    body = json.loads(header.data)
    return orjson.dumps({_MARK: VERSION, **{fact: body.get(fact) for fact in _FACTS}}) + b"\n"


def _line(frame: Frame) -> bytes:
    line: dict[str, Any] = {
        "seq": frame.seq,
        "at": frame.at,
        "mono": frame.mono,
        "conn": frame.conn,
        "sender": SENDERS.get(frame.channel),
        "channel": CHANNELS.get(frame.channel, frame.channel),
        "flags": _flag_names(frame.flags),
    }
    _put(line, "text", "base64", frame.data)
    if frame.meta:
        _put(line, "meta", "meta-base64", frame.meta)
    return orjson.dumps(line) + b"\n"


def _put(line: dict[str, Any], text_key: str, base64_key: str, data: bytes) -> None:
    try:
        line[text_key] = data.decode("utf-8")
    except UnicodeDecodeError:
        line[base64_key] = base64.b64encode(data).decode("ascii")


def _flag_names(flags: int) -> list[str]:
    """By name; a bit that this version has no name for as its hexadecimal value, so that nothing is lost."""
    known = {bit: name for name, bit in _FLAGS.items()}
    return [known.get(1 << place, f"{1 << place:#x}") for place in range(8) if flags >> place & 1]


# ---- reading


def read(file: BinaryIO, where: str) -> Iterator[Frame]:
    lines = _lines(file, where)
    place, facts = next(lines, (f"{where}:1", {}))
    _check_version(facts, place)
    first = next(lines, None)
    if first is not None and first[1].get("channel") == CHANNELS[HEADER]:
        header, expected = _frame(first[1], first[0]), 1
        first = None
    else:
        header, expected = _header(facts, place), 0
    _check_header(header, facts, place)
    yield header
    last = header.seq
    for place, line in _chain(first, lines):
        if _END in line:
            if line.get("frames") != expected:
                raise CaptureError(
                    f"{place}: {expected} frames were read, but the file says {_say(line.get('frames'))}"
                )
            place, _ = next(lines, ("", None))
            if place:
                raise CaptureError(f"{place}: the file goes on behind its end")
            return
        frame = _frame(line, place)
        if frame.channel == HEADER:
            raise CaptureError(f"{place}: a second header")
        if frame.seq <= last:
            raise CaptureError(f"{place}: seq {frame.seq} does not follow {last}")
        last = frame.seq
        expected += 1
        yield frame
    raise CaptureError(f"{where} is cut short: its last line, which says how many frames there are, is missing")


def _lines(file: BinaryIO, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    while True:
        number += 1
        line = file.readline(_LONGEST_LINE + 1)
        if not line:
            return
        place = f"{where}:{number}"
        if len(line) > _LONGEST_LINE:
            raise CaptureError(f"{place}: the line is longer than any frame can be")
        if not line.strip():
            continue
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            what = "not JSON" if line.endswith(b"\n") else "the line is cut short"
            raise CaptureError(f"{place}: {what} ({error.msg}, column {error.colno})") from error
        if not isinstance(value, dict):
            raise CaptureError(f"{place}: not a JSON object")
        yield place, value


def _chain(
    first: tuple[str, dict[str, Any]] | None, rest: Iterator[tuple[str, dict[str, Any]]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    if first is not None:
        yield first
    yield from rest


def _check_version(facts: dict[str, Any], place: str) -> None:
    version = facts.get(_MARK)
    if type(version) is not int or version < 1:
        raise CaptureError(f"{place}: {_MARK} must be a version number, not {_say(version)}")
    if version > VERSION:
        raise CaptureError(f"{place}: export format {version}, this mcptest reads up to {VERSION}: upgrade mcptest")


def _header(facts: dict[str, Any], place: str) -> Frame:
    """For a file that somebody wrote without the header's own frame."""
    body = {fact: facts[fact] for fact in _FACTS if fact in facts}
    started = _integer(facts, "started_at", _U64, place)
    return Frame(0, started, 0, 0, HEADER, 0, json.dumps(body).encode())


def _check_header(header: Frame, facts: dict[str, Any], place: str) -> None:
    try:
        body = json.loads(header.data)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise CaptureError(f"{place}: the session's header is no JSON object")
    session = body.get("session")
    if not isinstance(session, str) or not _SESSION.fullmatch(session):
        raise CaptureError(f"{place}: session must be letters and digits, 64 at most, not {_say(session)}")
    _check_type(body, "name", (str, type(None)), "a string or null", place)
    _check_type(body, "transport", (str,), "a string", place)
    _check_type(body, "target", (dict,), "an object", place)
    _integer(body, "started_at", _U64, place)
    try:
        shown = orjson.loads(_facts(header))
    except orjson.JSONEncodeError as error:
        raise CaptureError(f"{place}: the session's header cannot be kept ({error})") from error
    for fact in _FACTS:
        if shown[fact] != facts.get(fact):
            raise CaptureError(f"{place}: the first line and the header's frame differ in {fact}")


def _check_type(body: dict[str, Any], key: str, types: tuple[type, ...], wanted: str, place: str) -> None:
    if not isinstance(body.get(key), types):
        raise CaptureError(f"{place}: {key} must be {wanted}, not {_say(body.get(key))}")


def _frame(line: dict[str, Any], place: str) -> Frame:
    channel = line.get("channel")
    code = CHANNEL_CODES.get(channel) if isinstance(channel, str) else channel
    if type(code) is not int or not 0 <= code <= 255:
        raise CaptureError(f"{place}: channel {_say(channel)} is unknown; known: {', '.join(CHANNEL_CODES)}")
    if line.get("sender", SENDERS.get(code)) != SENDERS.get(code):
        raise CaptureError(f"{place}: sender {_say(line['sender'])} cannot be on channel {_say(channel)}")
    data = _take(line, "text", "base64", MAX_DATA, place)
    if data is None:
        raise CaptureError(f"{place}: the frame has neither text nor base64")
    return Frame(
        seq=_integer(line, "seq", _U64, place),
        at=_integer(line, "at", _U64, place),
        mono=_integer(line, "mono", _U64, place),
        conn=_integer(line, "conn", _U32, place),
        channel=code,
        flags=_flags(line.get("flags", []), place),
        data=data,
        meta=_take(line, "meta", "meta-base64", _LONGEST_META, place) or b"",
    )


def _take(line: dict[str, Any], text_key: str, base64_key: str, longest: int, place: str) -> bytes | None:
    if text_key in line and base64_key in line:
        raise CaptureError(f"{place}: both {text_key} and {base64_key}")
    key = text_key if text_key in line else base64_key
    if key not in line:
        return None
    value = line[key]
    if not isinstance(value, str):
        raise CaptureError(f"{place}: {key} must be a string, not {_say(value)}")
    if key == text_key:
        data = value.encode("utf-8")
    else:
        try:
            data = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError) as error:
            raise CaptureError(f"{place}: {key} is no base64 ({error})") from error
    if len(data) > longest:
        raise CaptureError(f"{place}: {key} holds {len(data)} bytes, {longest} at most")
    return data


def _flags(value: Any, place: str) -> int:
    flags = 0
    for name in value if isinstance(value, list) else [value]:
        bit = _FLAGS.get(name) if isinstance(name, str) else None
        if bit is None and isinstance(name, str) and re.fullmatch(r"0x[1248]0?", name):
            bit = int(name, 16)
        if bit is None:
            raise CaptureError(f"{place}: flag {_say(name)} is unknown; known: {', '.join(_FLAGS)}")
        flags |= bit
    return flags


def _integer(line: dict[str, Any], key: str, largest: int, place: str) -> int:
    value = line.get(key)
    if type(value) is not int or not 0 <= value <= largest:
        raise CaptureError(f"{place}: {key} must be a whole number from 0 to {largest}, not {_say(value)}")
    return value


def _say(value: Any) -> str:
    """A value from the file in an error message: short, and ASCII only."""
    if isinstance(value, dict | list):
        return f"an {json_type(value)}"
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."
