"""Entries of a timeline as text for reading, or as JSON objects for programs."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from mcptest.cli.terminal import decode, escape, fit, paint, preview, width
from mcptest.cli.timeline import MISSING, Entry, plain
from mcptest.wire.frame import (
    CHANNELS,
    CLIENT,
    EVENT,
    GAP,
    HTTP_CHANNELS,
    PARTIAL,
    REDACTED,
    REQUEST,
    RESPONSE,
    SENDERS,
    SERVER,
    STDERR,
)
from mcptest.wire.heads import parse_head
from mcptest.wire.message import MALFORMED, Id
from mcptest.wire.message import RESPONSE as ANSWER

_ARROWS = {CLIENT: "→", SERVER: "←"}
_INDENT = " " * 12
_DEEPEST = 60  # levels of JSON that are still indented; deeper ones stay on that level
_LONGEST_START = 60  # of a request's method and target
_LONGEST_WORD = 40  # of a method, tool or id, which a peer chooses
_PARSED_PREVIEW = 64 << 10  # larger messages are cut from their text without being written out again
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|"', re.DOTALL)


def text_line(entry: Entry, start: int, columns: int, *, colour: bool) -> str:
    """One line: time since the start, direction, what, and as much of the content as fits."""
    offset = (entry.frame.mono - start) / 1e9
    what, tone, detail = _words(entry)
    head = f"{offset:9.3f} {_arrow(entry)} {what}"
    room = columns - (len(head) if what.isascii() else width(head)) - 2  # the arrow is one column wide
    line = f"{head}  {preview(detail, room)}" if detail and room > 8 else fit(head, columns)
    return paint(line, tone) if colour and tone else line


def full_text(entry: Entry) -> str:
    """The content below the line: JSON laid out, anything else as it is, all of it escaped."""
    if entry.message is None and entry.frame.channel != STDERR:
        return ""
    text = decode(entry.raw)
    laid_out = lay_out(text) if entry.message is not None and entry.kind != MALFORMED else text
    return "".join(f"{_INDENT}{escape(line)}\n" for line in laid_out.split("\n"))


def as_object(entry: Entry, start: int) -> dict[str, Any]:
    frame, message = entry.frame, entry.message
    moment = datetime.fromtimestamp(frame.at // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    found: dict[str, Any] = {
        "seq": frame.seq,
        "at": f"{moment}.{frame.at % 1_000_000_000:09d}Z",
        "offset_ms": (frame.mono - start) / 1e6,
        "conn": frame.conn,
        "sender": SENDERS.get(frame.channel),
        "kind": entry.kind,
        "method": entry.method,
        "tool": entry.tool,
        "id": message.id.text if message and message.id else None,
        "id_type": message.id.type if message and message.id else None,
        "duration_ms": entry.duration / 1e6 if entry.duration is not None else None,
        "error": entry.error,
        "redacted": bool(frame.flags & REDACTED),
        "partial": bool(frame.flags & PARTIAL),
    }
    if entry.kind == MISSING:
        return {**found, "about": entry.about}
    try:
        found["text"] = entry.raw.decode("utf-8")
    except UnicodeDecodeError:
        found["base64"] = base64.b64encode(entry.raw).decode("ascii")
    return found


def lay_out(document: str) -> str:
    """JSON with a line per member. Works on the text: numbers, doubled keys and their order stay as they were sent."""
    return "".join(_laid_out(document))


def _laid_out(document: str) -> Iterator[str]:
    depth = 0
    opened = False  # the last piece opened an object or array, which may turn out to be empty
    for match in _PIECE.finditer(document):
        piece = match[0]
        if piece in "}]":
            depth -= 1
            yield piece if opened else _line_break(depth) + piece
            opened = False
            continue
        if opened:
            yield _line_break(depth)
            opened = False
        if piece in "{[":
            depth += 1
            opened = True
            yield piece
        elif piece == ",":
            yield piece + _line_break(depth)
        else:
            yield ": " if piece == ":" else piece


def _line_break(depth: int) -> str:
    return "\n" + "  " * min(max(depth, 0), _DEEPEST)


# ---- the words of a line


def _arrow(entry: Entry) -> str:
    if entry.message is not None or entry.frame.channel in HTTP_CHANNELS:
        return _ARROWS[entry.frame.sender] if entry.kind != MISSING else "✗"
    return {STDERR: "!", EVENT: "·", GAP: "✗"}.get(entry.frame.channel, " ") if entry.kind != MISSING else "✗"


def _words(entry: Entry) -> tuple[str, str | None, str]:
    """What happened, the colour it is painted in, and the content."""
    if entry.kind == MISSING:
        count = (entry.about or {}).get("frames")
        return f"{count} frames missing", "red", "the journal is damaged here (mcptest capture verify)"
    if entry.message is None:
        return _other_words(entry)
    error = entry.error
    if entry.kind == MALFORMED:
        return f"malformed: {_word(error)}", "red", decode(entry.raw[:4096])
    parts = [_word(entry.method) if entry.method else entry.kind]
    if entry.tool is not None:
        parts.append(_word(entry.tool))
    if entry.message.id is not None:
        parts.append(_say_id(entry.message.id))
    if entry.duration is not None:
        parts.append(say_duration(entry.duration))
    elif entry.kind == ANSWER:
        parts.append("(answers nothing)")
    if entry.frame.flags & PARTIAL:
        parts.append("(no newline)")
    detail = _content(entry)
    if error is not None:
        return " ".join(parts), "red", error if error != "tool error" else f"{error} {detail}"
    return " ".join(parts), None, detail


def _other_words(entry: Entry) -> tuple[str, str | None, str]:
    about = entry.about or {}
    text = decode(entry.frame.data[:4096])
    if entry.frame.channel == STDERR:
        return "stderr", "yellow", text
    if entry.frame.channel in (REQUEST, RESPONSE):
        head = parse_head(entry.frame.data)
        start = head.start.decode("latin-1")
        what = start.partition(" ")[2] if entry.frame.channel == RESPONSE else start.rpartition(" ")[0]
        return preview(what, _LONGEST_START), "dim", head.content_type
    if entry.frame.channel == GAP:
        what = f"gap: {_number(about.get('frames'))} frames of {_word(about.get('channel'))} not recorded"
        return what, "red", plain(about.get("reason", text))
    if entry.frame.channel == EVENT and isinstance(about.get("event"), str):
        details = [f"{name} {plain(value)}" for name, value in about.items() if name != "event"]
        return _word(about["event"]), "dim", ", ".join(details)
    return CHANNELS.get(entry.frame.channel, entry.kind), "dim", text


def _content(entry: Entry) -> str:
    """The part that matters of a message: its params or result."""
    body = entry.message.body if entry.message else None
    key = "params" if entry.kind != ANSWER else "result"
    if body is not None and len(entry.raw) <= _PARSED_PREVIEW:
        try:
            return json.dumps(body[key], ensure_ascii=False) if key in body else ""
        except (ValueError, RecursionError):
            pass
    at = entry.raw.find(b'"%s"' % key.encode())
    return decode(entry.raw[max(at, 0) :][:4096])


def _word(value: object) -> str:
    return preview(plain(value), _LONGEST_WORD)


def _number(value: object) -> str:
    return str(value) if isinstance(value, int) else "?"


def _say_id(identity: Id) -> str:
    text = f'"{identity.text}"' if identity.type == "string" else identity.text
    return "#" + _word(text)


def say_duration(nanoseconds: int) -> str:
    milliseconds = nanoseconds / 1e6
    if milliseconds < 10:
        return f"{milliseconds:.1f} ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:.1f} s"
