"""A recorded session that can be edited: messages as values, with their frames written anew afterwards."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from mcptest.wire import Frame
from mcptest.wire.frame import CLIENT, EVENT, SENDERS, SERVER, STDIN, STDOUT

_CHANNEL = {CLIENT: STDIN, SERVER: STDOUT}
_MISSING = object()


class Entry:
    """One frame. `body` is its message (None where it holds none); `raw`, when set, is written in its place."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.body: Any = None
        self.raw: bytes | None = None
        self.pause = 0  # ns before it
        if frame.channel in (STDIN, STDOUT):
            self.body = json.loads(frame.data)

    @property
    def sender(self) -> str:
        return SENDERS[self.frame.channel]

    def set(self, pointer: str, value: Any) -> Entry:
        """Put a value where the pointer says."""
        holder, last = self._holder(pointer)
        if type(holder) is list:
            holder[int(last)] = value
        else:
            holder[last] = value
        return self

    def drop(self, pointer: str) -> Entry:
        holder, last = self._holder(pointer)
        del holder[int(last) if type(holder) is list else last]
        return self

    def get(self, pointer: str) -> Any:
        holder, last = self._holder(pointer)
        return holder[int(last) if type(holder) is list else last]

    def _holder(self, pointer: str) -> tuple[Any, str]:
        *path, last = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
        holder = self.body
        for part in path:
            holder = holder[int(part)] if type(holder) is list else holder.setdefault(part, {})
        return holder, last


class Tape:
    def __init__(self, frames: Sequence[Frame]) -> None:
        self.entries = [Entry(frame) for frame in frames]

    def find(self, sender: str | None = None, nth: int = 0, **members: Any) -> Entry:
        """The nth message of this sender whose body has these members."""
        found = [
            entry
            for entry in self.entries
            if type(entry.body) is dict
            and (sender is None or entry.sender == sender)
            and all(entry.body.get(key, _MISSING) == value for key, value in members.items())
        ]
        return found[nth]

    def request(self, method: str, nth: int = 0, **params: Any) -> Entry:
        """The nth request or notification of this method, among those with these params."""
        found = [
            entry
            for entry in self.entries
            if type(entry.body) is dict
            and entry.body.get("method") == method
            and all((entry.body.get("params") or {}).get(key) == value for key, value in params.items())
        ]
        return found[nth]

    def answer(self, method: str, nth: int = 0, **params: Any) -> Entry:
        request = self.request(method, nth, **params)
        other = SERVER if request.sender == CLIENT else CLIENT
        after = self.entries[self.entries.index(request) :]
        return next(
            entry
            for entry in after
            if type(entry.body) is dict
            and entry.sender == other
            and "method" not in entry.body
            and entry.body["id"] == request.body["id"]
        )

    def event(self, what: str) -> Entry:
        return next(
            entry
            for entry in self.entries
            if entry.frame.channel == EVENT and json.loads(entry.frame.data)["event"] == what
        )

    def call(self, name: str) -> Entry:
        return self.request("tools/call", name=name)

    def result(self, name: str, nth: int = 0) -> Entry:
        return self.answer("tools/call", nth, name=name)

    def remove(self, entry: Entry) -> None:
        self.entries.remove(entry)

    def move(self, entry: Entry, *, before: Entry) -> None:
        self.entries.remove(entry)
        self.entries.insert(self.entries.index(before), entry)

    def add(self, sender: str, body: Any, *, after: Entry) -> Entry:
        """Another message; bytes are written as they are."""
        made = copy.copy(after)
        made.pause = 0
        made.frame = after.frame._replace(channel=_CHANNEL[sender], meta=b"", flags=0)
        made.body, made.raw = (None, body) if isinstance(body, bytes) else (body, None)
        self.entries.insert(self.entries.index(after) + 1, made)
        return made

    def again(self, entry: Entry, *, after: Entry | None = None) -> Entry:
        return self.add(entry.sender, copy.deepcopy(entry.body), after=after or entry)

    def ask(self, sender: str, method: str, params: Any = None, *, after: Entry, answer: Any = None) -> Entry:
        """A request that nobody made, with an answer if one is given."""
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": f"added {method}", "method": method}
        if params is not None:
            body["params"] = params
        asked = self.add(sender, body, after=after)
        if answer is not None:
            other = SERVER if sender == CLIENT else CLIENT
            self.add(other, {"jsonrpc": "2.0", "id": body["id"], **answer}, after=asked)
        return asked

    def frames(self) -> list[Frame]:
        found, later = [], 0
        for seq, entry in enumerate(self.entries):
            later += entry.pause
            data = entry.frame.data
            if entry.raw is not None:
                data = entry.raw
            elif entry.body is not None:
                data = json.dumps(entry.body, ensure_ascii=False, separators=(",", ":")).encode()
            found.append(entry.frame._replace(seq=seq, mono=entry.frame.mono + later, data=data))
        return found
