"""From frames to rows: messages, exchanges, catalogues and the facts of a session.

The one place where a recording is understood: a capture folds what comes out of here into its tables, and a `Session`
is built from the same rows, so SQL and judges never disagree. It takes a session's frames in stretches of any length,
and can be put aside between two of them: `state` is small and JSON, and the few larger things it needs again (requests
still waiting, parts of an unfinished line) are among the rows it gave out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import orjson

from mcptest.protocol import LISTS, methods
from mcptest.wire.catalogue import Catalogues
from mcptest.wire.facts import LATEST, Facts
from mcptest.wire.frame import (
    CLIENT,
    CONTINUED,
    EVENT,
    GAP,
    HEADER,
    HTTP_CHANNELS,
    SENDERS,
    SERVER,
    STDIN,
    STDOUT,
    Frame,
)
from mcptest.wire.http import Http
from mcptest.wire.journal import Damage
from mcptest.wire.message import MALFORMED, NOTIFICATION, REQUEST, RESPONSE, Id, parse, sort_out
from mcptest.wire.pairing import OTHER, Early, Exchange, Pairing, Waiting, error_of, is_error, shorten, text_of
from mcptest.wire.rows import DamageRow, GapRow, MessageRow, Repair, Rows

LARGEST_SEQ = 1 << 62  # beyond it a sequence number is damage, whatever its CRC says
LONGEST_LINE = 512 << 20  # a line that was recorded in parts is joined up to this length,
MOST_PARTS = 1000  # and from this many parts; a recorder makes them of many megabytes each

_STDIO = {STDIN: CLIENT, STDOUT: SERVER}
_TELLING = {*LISTS, methods.INITIALIZE}  # methods whose results say something about the server
_KIND, _SIZE = MessageRow._fields.index("kind"), MessageRow._fields.index("size")
_METHOD = Exchange._fields.index("method")


class Recall(NamedTuple):
    """How to get back from the rows what `state` only points at."""

    waiting: Callable[[], Iterable[Exchange]]  # the exchanges without an answer, in order
    frame: Callable[[int], bytes]  # a frame's data
    message: Callable[[int, int | None], bytes]  # a message's text


class _Parts:
    """The beginning of a line that was recorded in several records."""

    def __init__(self) -> None:
        self.seqs: list[int] = []
        self.data: list[bytes] = []
        self.size = 0

    def add(self, seq: int, data: bytes) -> None:
        self.seqs.append(seq)
        self.data.append(data)
        self.size += len(data)


class Deriver:
    """Derives one session. Feed it the frames in order, each stretch once."""

    def __init__(self, state: dict[str, Any] | None = None, recall: Recall | None = None) -> None:
        state = state or {}
        self.facts = Facts(**state.get("facts", {}))
        self.catalogues = Catalogues(state.get("catalogues"))
        self.pairing = Pairing()
        self.http = Http(state.get("http"))
        self.next_seq: int = state.get("next_seq", 0)
        self._parts: dict[tuple[int, int], _Parts] = {}  # of unfinished lines, by connection and channel
        self._rows = Rows()
        self._add = self._rows.messages.append
        if recall is not None:
            self.pairing.restore(recall.waiting())
            for conn, channel, seqs in state.get("parts", ()):
                parts = self._parts[conn, channel] = _Parts()
                for seq in seqs:
                    parts.add(seq, recall.frame(seq))
            for conn, sender, id_type, text, seq, batch, mono in state.get("early", ()):
                body = parse(recall.message(seq, batch))[0].body
                if body is not None:
                    self.pairing.early[conn, sender, Id(id_type, text)] = Early(seq, batch, mono, body)

    def state(self) -> dict[str, Any]:
        """What is needed, besides the rows, to go on with the next frame."""
        return {
            "next_seq": self.next_seq,
            "facts": self.facts.as_dict(),
            "catalogues": self.catalogues.state(),
            "http": self.http.state(),
            "parts": [[*key, parts.seqs] for key, parts in self._parts.items()],
            "early": [
                [conn, sender, *identity, early.seq, early.batch, early.mono]
                for (conn, sender, identity), early in self.pairing.early.items()
            ],
        }

    def feed(self, frames: Iterable[Frame], damage: Iterable[Damage] = ()) -> Rows:
        """The rows of the session's next frames, and of the damage that was found among them."""
        rows = self._rows = Rows()
        self._add = rows.messages.append
        rows.damage += [DamageRow("corrupt", found.offset, found.length, None, None) for found in damage]
        loads, refused, message, parts = orjson.loads, orjson.JSONDecodeError, self._message, self._parts
        expected, count, at = self.next_seq, 0, self.facts.last_at
        for frame in frames:
            seq, at, mono, conn, channel, flags, data, meta = frame
            if seq != expected:
                if not expected <= seq < LARGEST_SEQ:
                    rows.damage.append(DamageRow("repeated", None, None, seq, seq))
                    continue
                rows.damage.append(DamageRow("missing", None, None, expected, seq - 1))
            expected = seq + 1
            count += 1
            if channel not in _STDIO or flags & CONTINUED or parts:
                self._other(frame)
                continue
            try:
                body = loads(data)
            except refused:
                body = None
            if type(body) is dict:
                message(seq, None, at, mono, conn, channel, flags, meta, _STDIO[channel], body, data, True)
            else:
                self._take_apart(frame, data, whole=True)
        self.next_seq = expected
        rows.exchanges, rows.changed = self.pairing.collect()
        rows.http, rows.http_known = self.http.collect()
        self._count(count, at)
        return rows

    def _message(
        self,
        seq: int,
        batch: int | None,
        at: int,
        mono: int,
        conn: int,
        channel: int,
        flags: int,
        meta: bytes,
        sender: str,
        body: dict[str, Any],
        data: bytes,
        whole: bool,
    ) -> None:
        """One message that is a JSON object: pair it, learn from it, write its row."""
        kind, identity, method, reason = sort_out(body, data)
        answers = None
        if kind is REQUEST:
            waiting = Waiting(seq, batch, conn, sender, method, identity, at, mono)  # type: ignore[arg-type]
            self.pairing.ask(waiting, body, data)
            if waiting.revision is not None or method == methods.INITIALIZE:
                self.facts.request(waiting, body)
            if self.pairing.early:
                self._answer_early(waiting)
        elif kind is RESPONSE:
            request = None
            if identity is not None:
                request = self.pairing.answer((conn, OTHER[sender], identity), body, seq, batch, mono)
            if request is not None:
                answers = request.method
                if request.revision is not None or answers in _TELLING:
                    self._learn(request, body)
            if "error" in body or request is None or request.is_error:
                self._fault(body, seq, batch, at, sender)
        elif kind is NOTIFICATION:
            if method == methods.PROGRESS or method == methods.CANCELLED:
                self._notification(method, body, data, conn, sender, seq)
        else:
            self._rows.errors.append((seq, batch, at, sender, "malformed", None, reason))
        id_type, id_text = (None, None) if identity is None else identity
        self._add(
            (
                seq,
                batch,
                at,
                mono,
                conn,
                channel,
                flags,
                kind,
                id_type,
                id_text,
                method,
                answers,
                len(data),
                reason,
                data.decode(),
                whole,
                meta.decode("utf-8", "replace") if meta else None,
            )
        )

    def _answer_early(self, asked: Waiting) -> None:
        found = self.pairing.answer_early(asked)
        if found is not None:
            request, early = found
            self._learn(request, early.body)
            self._repair(Repair(request.method, early.seq, early.batch))

    def _learn(self, request: Waiting, body: dict[str, Any]) -> None:
        """What the answer to a request says about the server and what it offers."""
        result = body.get("result")
        if request.failed or type(result) is not dict:
            return
        if request.revision is not None or request.method == methods.INITIALIZE:
            self.facts.result(request, result)
        if request.method in LISTS:
            assert request.answer is not None
            for item, text in self.catalogues.page(request, result, request.answer, request.answer_batch):
                self._rows.items.append(item)
                self._rows.definitions[item.digest] = text

    def _notification(self, method: str, body: dict[str, Any], data: bytes, conn: int, sender: str, seq: int) -> None:
        params = body.get("params")
        if type(params) is dict:
            if method == methods.PROGRESS:
                self.pairing.advance(conn, sender, params, data)
            else:
                self.pairing.cancel(conn, sender, params, data, seq)

    def _fault(self, body: dict[str, Any], seq: int, batch: int | None, at: int, sender: str) -> None:
        """A response that says that something went wrong, whether or not anybody had asked."""
        if is_error(body):
            code, text = error_of(body["error"])
            self._rows.errors.append((seq, batch, at, sender, "protocol", code, text))
            return
        result = body.get("result")
        if type(result) is dict and result.get("isError") is True:
            self._rows.errors.append((seq, batch, at, sender, "tool", None, _first_text(result)))

    def _repair(self, repair: Repair) -> None:
        """Correct a row of this stretch in place; one given out earlier must be corrected where it went."""
        rows = self._rows.messages
        index = len(rows) - 1
        while index >= 0 and rows[index][0] >= repair.seq:
            if rows[index][:2] == repair[1:]:
                rows[index] = MessageRow(*rows[index])._replace(answers=repair.answers)
                return
            index -= 1
        self._rows.repairs.append(repair)

    # ---- frames that are not simply one message on one line

    def _other(self, frame: Frame) -> None:
        channel = frame.channel
        if channel in _STDIO:
            self._part(frame)
            return
        if channel == HEADER:
            self.facts.head(frame)
        elif channel == EVENT:
            self.facts.event(frame.data)
            asked = self.http.happened(frame)
            if asked is not None:
                self.pairing.abandon(asked, frame.seq)
        elif channel == GAP:
            gap = _gap(frame)
            self._rows.gaps.append(gap)
            self.facts.lost += gap.frames
        elif channel in HTTP_CHANNELS:
            payload = self.http.follow(frame)
            if self.http.names_endpoint:
                self.facts.transport = "sse"
            if payload is not None and payload.strip():
                self._take_apart(frame, payload, whole=payload is frame.data)
                if payload is frame.data:
                    return
        self._keep(frame)

    def _part(self, frame: Frame) -> None:
        """A line that came in several records: each is kept as it is, and the last one completes the message."""
        key = (frame.conn, frame.channel)
        parts = self._parts.get(key)
        if not frame.flags & CONTINUED and parts is None:
            self._take_apart(frame, frame.data, whole=True)
            return
        self._keep(frame)
        if parts is None:
            parts = self._parts[key] = _Parts()
        parts.add(frame.seq, frame.data)
        if frame.flags & CONTINUED and parts.size < LONGEST_LINE and len(parts.seqs) < MOST_PARTS:
            return
        del self._parts[key]
        self._take_apart(frame, b"".join(parts.data), whole=False)

    def _take_apart(self, frame: Frame, data: bytes, *, whole: bool) -> None:
        """Whatever the line holds: a message, a batch of them, or something else."""
        seq, at, mono, conn, channel, flags, _, meta = frame
        sender = SENDERS[channel]
        messages = parse(data)
        batch = len(messages) > 1 or messages[0].batch is not None
        readable = batch or _is_text(data)
        if whole and (batch or not readable):
            self._keep(frame)
            whole = False
        for message in messages:
            raw = data if message.raw is None else message.raw
            if message.body is not None:
                self._rows.unclean = True  # the standard parser lets half a surrogate pair pass
                self._message(
                    seq, message.batch, at, mono, conn, channel, flags, meta, sender, message.body, raw, whole
                )
                continue
            self._rows.errors.append((seq, message.batch, at, sender, "malformed", None, message.reason))
            row = MessageRow(
                seq, message.batch, at, mono, conn, channel, flags, MALFORMED, None, None, None, None, len(raw),
                message.reason, raw.decode() if readable else None, whole, meta.decode("utf-8", "replace") or None,
            )  # fmt: skip
            self._rows.messages.append(row)

    def _keep(self, frame: Frame) -> None:
        seq, at, mono, conn, channel, flags, data, meta = frame
        text = data.decode() if _is_text(data) else None
        self._rows.size += len(data)
        self._rows.frames.append(
            (
                seq,
                at,
                mono,
                conn,
                channel,
                flags,
                text,
                data if text is None else None,
                meta.decode("utf-8", "replace") or None,
            )
        )

    def _count(self, frames: int, at: int | None) -> None:
        facts, rows = self.facts, self._rows
        facts.last_at = at if at is None else min(at, LATEST)
        facts.frames += frames
        facts.messages += len(rows.messages)
        kinds = Counter([row[_KIND] for row in rows.messages])
        facts.requests += kinds[REQUEST]
        facts.responses += kinds[RESPONSE]
        facts.notifications += kinds[NOTIFICATION]
        facts.malformed += kinds[MALFORMED]
        size = sum([row[_SIZE] for row in rows.messages])
        facts.size += size
        rows.size += size
        facts.errors += len(rows.errors)
        facts.damage += len(rows.damage)
        facts.tool_calls += [row[_METHOD] for row in rows.exchanges].count(methods.CALL_TOOL)


def _is_text(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _gap(frame: Frame) -> GapRow:
    try:
        body = orjson.loads(frame.data)
    except orjson.JSONDecodeError:
        body = {}
    if type(body) is not dict:
        body = {}
    return GapRow(
        frame.seq,
        frame.at,
        text_of(body.get("channel")),
        _amount(body.get("frames"), 1),
        _amount(body.get("bytes"), 0),
        text_of(body.get("reason")),
    )


def _amount(value: Any, default: int) -> int:
    return value if type(value) is int and 0 <= value < 1 << 53 else default


def _first_text(result: dict[str, Any]) -> str | None:
    content = result.get("content")
    for block in content if type(content) is list else ():
        if type(block) is dict and type(block.get("text")) is str:
            return shorten(block["text"])
    return None
