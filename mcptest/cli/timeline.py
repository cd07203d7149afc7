"""A session's frames as the entries of a timeline: each message with its method, tool and, if an answer, its duration.

Works on a stream, since a session may be long or still going on: an answer is matched with the request that waits
for it, and an entry comes as soon as its frame does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from mcptest.wire import Frame, Id, Message, parse
from mcptest.wire.frame import CHANNELS, CLIENT, CONTINUED, EVENT, GAP, HEADER, HTTP_CHANNELS, MESSAGE_CHANNELS, SERVER
from mcptest.wire.http import Http
from mcptest.wire.message import MALFORMED, REQUEST, RESPONSE, json_type

MISSING = "missing"  # the kind of an entry for sequence numbers that the journal does not have
LOST = (CHANNELS[GAP], MISSING)
_MOST_WAITING = 100_000  # requests without an answer that are remembered
_LONGEST = 256 << 20  # a line in several records is put together up to this size


class Entry(NamedTuple):
    """`kind` is the message's kind, or else the channel's name; `about` the JSON of an event or a gap."""

    frame: Frame
    kind: str
    message: Message | None = None
    method: str | None = None
    tool: str | None = None
    duration: int | None = None  # nanoseconds from the request to this answer
    about: dict[str, Any] | None = None

    @property
    def raw(self) -> bytes:
        """The message's own text, also where it is one of a batch."""
        if self.message is not None and self.message.raw is not None:
            return self.message.raw
        return self.frame.data

    @property
    def error(self) -> str | None:
        """What went wrong here, None if nothing did."""
        if self.kind in LOST:
            return "lost"
        if self.message is None:
            return None
        return self.message.reason if self.kind == MALFORMED else _error(self.message)


def entries(frames: Iterable[Frame]) -> Iterator[Entry]:
    waiting: dict[tuple[int, str, Id], _Waiting] = {}
    parts = _Parts()
    http = Http(rows=False)
    expected = 0
    for frame in frames:
        if frame.seq > expected:
            yield Entry(frame, MISSING, about={"frames": frame.seq - expected})
        expected = frame.seq + 1
        if frame.channel in HTTP_CHANNELS:
            yield from _over_http(frame, http, waiting)
        elif frame.channel in MESSAGE_CHANNELS:
            whole = parts.join(frame)
            if whole is not None:
                for message in parse(whole.data):
                    yield _entry(whole, message, waiting)
        elif frame.channel in (EVENT, GAP):
            http.happened(frame)
            yield Entry(frame, frame.channel_name, about=_object(frame.data))
        elif frame.channel != HEADER:
            yield Entry(frame, CHANNELS.get(frame.channel, f"channel {frame.channel}"))


def _over_http(frame: Frame, http: Http, waiting: dict[tuple[int, str, Id], _Waiting]) -> Iterator[Entry]:
    """A head, a body or an event: the messages in it or, if there are none, the frame itself."""
    payload = http.follow(frame)
    if payload is None or not payload.strip():
        yield Entry(frame, frame.channel_name)
        return
    for message in parse(payload):
        own = message if message.raw is not None or payload is frame.data else message._replace(raw=payload)
        yield _entry(frame, own, waiting)


def chosen(method: str | None, tool: str | None, errors: bool) -> Callable[[Entry], bool]:
    """Whether an entry is asked for. What was lost always is, since it might have been."""

    def wanted(entry: Entry) -> bool:
        if entry.kind in LOST:
            return True
        if errors and entry.error is None:
            return False
        if method is not None and not (entry.method is not None and fnmatchcase(entry.method, method)):
            return False
        return tool is None or entry.tool == tool

    return wanted


class _Waiting(NamedTuple):
    mono: int
    method: str | None
    tool: str | None


class _Parts:
    """Puts lines together that were too long for one record."""

    def __init__(self) -> None:
        self._parts: dict[tuple[int, int], list[bytes]] = {}
        self._size: dict[tuple[int, int], int] = {}

    def join(self, frame: Frame) -> Frame | None:
        key = (frame.conn, frame.channel)
        if key not in self._parts and not frame.flags & CONTINUED:
            return frame
        parts = self._parts.setdefault(key, [])
        size = self._size[key] = self._size.get(key, 0) + len(frame.data)
        if size <= _LONGEST:
            parts.append(frame.data)
        if frame.flags & CONTINUED:
            return None
        del self._parts[key], self._size[key]
        return frame._replace(data=b"".join(parts))


def _entry(frame: Frame, message: Message, waiting: dict[tuple[int, str, Id], _Waiting]) -> Entry:
    method, tool, duration = message.method, None, None
    if message.kind == REQUEST and message.id is not None:
        tool = _tool_name(message)
        if len(waiting) >= _MOST_WAITING:
            del waiting[next(iter(waiting))]
        waiting[frame.conn, frame.sender, message.id] = _Waiting(frame.mono, method, tool)
    elif message.kind == RESPONSE and message.id is not None:
        asker = SERVER if frame.sender == CLIENT else CLIENT
        asked = waiting.pop((frame.conn, asker, message.id), None)
        if asked is not None:
            method, tool, duration = asked.method, asked.tool, max(0, frame.mono - asked.mono)
    return Entry(frame, message.kind, message, method, tool, duration)


def _tool_name(message: Message) -> str | None:
    if message.method != "tools/call" or message.body is None:
        return None
    params = message.body.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    return name if isinstance(name, str) else None


def _error(message: Message) -> str | None:
    body = message.body or {}
    if message.kind != RESPONSE:
        return None
    if "error" in body:
        error = body["error"]
        if not isinstance(error, dict):
            return "error"
        return f"error {plain(error.get('code'))}: {plain(error.get('message'))}"
    result = body.get("result")
    return "tool error" if isinstance(result, dict) and result.get("isError") is True else None


def plain(value: Any) -> str:
    """A JSON value in running text. What should be a word may be a document a thousand levels deep."""
    return f"({json_type(value)})" if isinstance(value, dict | list) else str(value)


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
