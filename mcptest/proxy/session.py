"""One recording: from copied chunks to frames in a journal."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from mcptest.capture import journals
from mcptest.capture.place import Place, locate, make_private_folder, salt
from mcptest.config import load as load_config
from mcptest.proxy.journaling import Journaling
from mcptest.proxy.link import Pulse
from mcptest.proxy.options import Options
from mcptest.wire import Frame, Lines
from mcptest.wire.frame import (
    CHANNEL_CODES,
    CHANNELS,
    CONTINUED,
    EVENT,
    GAP,
    LINES,
    PARTIAL,
    REDACTED,
    STDERR,
    STDIN,
    STDOUT,
)

if TYPE_CHECKING:
    from mcptest.wire.redaction import Redactor

# A line longer than this is kept in several records. On stderr, where floods without a newline happen, earlier.
_LONGEST = {STDIN: 72 << 20, STDOUT: 72 << 20, STDERR: 1 << 20}
_CUT_WINDOW = 64 << 10


class Recording:
    """Feed it chunks; it keeps frames. A fault of its own is reported once and never reaches the traffic."""

    def __init__(self, command: list[str], options: Options, pulse: Pulse, complain: Callable[[str], None]) -> None:
        self._lines = {channel: Lines() for channel in (STDIN, STDOUT, STDERR)}
        self._skipping: set[int] = set()  # channels whose next line is the end of one that was dropped
        self._seq = 0
        self._complain = complain
        self._redactor: Redactor | None = None
        self._journal: Journaling | None = None
        self._place: Place | None = None
        try:
            self._open(command, options, pulse)
        except Exception as error:  # noqa: BLE001  (whatever keeps us from recording, traffic goes on)
            self._journal = None
            reason = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)
            complain(f"not recording: {reason or type(error).__name__}")

    def _open(self, command: list[str], options: Options, pulse: Pulse) -> None:
        self._place = place = locate(options.capture)
        make_private_folder(place.journals)
        if options.redact:
            from mcptest.wire.redaction import Redactor, environment_secrets, from_config

            keys = (*from_config(load_config()), *options.redact_keys)
            self._redactor = Redactor(salt(place), keys=keys, secrets=environment_secrets(os.environ))
        argv = self._redactor.argv(command) if self._redactor else command
        session = journals.new_session_id()
        header = journals.header_frame(
            session,
            at=options.started_at,
            mono=options.started_mono,
            transport="stdio",
            target={"argv": argv},
            name=options.name,
            redaction=options.redact,
        )
        path = journals.path_for(place.journals, session, header.at)
        self._journal = Journaling(path, pulse, self._complain)
        self._keep(header)

    # ---- what the relay sends

    def chunk(self, channel: int, conn: int, at: int, mono: int, data: bytes) -> None:
        if self._journal is None:
            return
        if channel == EVENT:
            self._end_stream(at, mono, data)
            self._add(at, mono, EVENT, 0, data)
            return
        framing = self._lines[channel]
        begun, block = framing.feed(data)
        if begun is not None:
            if channel in self._skipping:
                self._skipping.discard(channel)
            else:
                self._add_one(at, mono, channel, 0, begun)
        if block is not None:
            self._add_block(at, mono, channel, block)
        if framing.pending > _LONGEST[channel]:
            self._cut(at, mono, channel, framing)

    def dropped(self, at: int, mono: int, data: bytes) -> None:
        """The relay could not copy some chunks: say how many frames are missing and find the next whole line."""
        for number, (frames, size, cut) in json.loads(data).items():
            channel = int(number)
            if channel not in self._lines:
                continue
            self._lines[channel].take()
            if cut:
                frames += 1
                self._skipping.add(channel)
            self._gap(at, mono, channel, frames, size, "the journal made no progress")

    def close(self, relay_died: bool) -> None:
        if self._journal is None:
            return
        at, mono = time.time_ns(), time.monotonic_ns()
        for channel in self._lines:
            self._add_rest(at, mono, channel)
        if relay_died:
            self._event(at, mono, {"event": "killed"})
        self._event(at, mono, {"event": "end"})
        self._journal.close()

    def idle(self) -> None:
        if self._journal is not None:
            self._journal.flush()

    def fold(self) -> None:
        """Best effort: whoever opens the capture next does it otherwise."""
        if self._journal is None or self._place is None:
            return
        with suppress(Exception):
            os.nice(10)
            from mcptest.capture import fold

            fold(self._place)

    # ---- frames

    def _add_block(self, at: int, mono: int, channel: int, block: bytes) -> None:
        """Whole lines that came together: one record, unless one of them may hold a secret."""
        if channel in self._skipping:
            self._skipping.discard(channel)
            _, newline, block = block.partition(b"\n")
            if not newline:
                return
        if self._redactor is not None and self._redactor.suspects(block):
            for line in block.split(b"\n"):
                self._add_one(at, mono, channel, 0, line)
            return
        more = block.count(b"\n")
        self._add(at, mono, channel, LINES if more else 0, block)
        self._seq += more

    def _add_one(self, at: int, mono: int, channel: int, flags: int, line: bytes) -> None:
        """One line through redaction; if that fails, the line is not stored and the gap says so."""
        if self._redactor is not None:
            try:
                clean = self._redactor.frame(line) if self._redactor.suspects(line) else line
            except Exception as error:  # noqa: BLE001  (a line that could hold a secret is never stored unredacted)
                self._gap(at, mono, channel, 1, len(line), f"redaction failed: {type(error).__name__}")
                self._complain("redaction failed on a line: it was not recorded")
                return
            if clean is not line:
                line = clean
                flags |= REDACTED
        self._add(at, mono, channel, flags, line)

    def _end_stream(self, at: int, mono: int, event: bytes) -> None:
        """A last line without a newline is kept where its stream ended."""
        body = json.loads(event)
        if body["event"] == "eof":
            self._add_rest(at, mono, CHANNEL_CODES[body["channel"]])

    def _add_rest(self, at: int, mono: int, channel: int) -> None:
        rest = self._lines[channel].take()
        if rest and channel not in self._skipping:
            self._add_one(at, mono, channel, PARTIAL, rest)

    def _cut(self, at: int, mono: int, channel: int, framing: Lines) -> None:
        """Keep a part of an over-long line, cut where a secret is least likely to be."""
        data = framing.take()
        if channel in self._skipping:
            return
        at_end = max(data.rfind(b" ", len(data) - _CUT_WINDOW), data.rfind(b',"', len(data) - _CUT_WINDOW))
        cut = at_end if at_end > 0 else len(data)
        self._add_one(at, mono, channel, CONTINUED, data[:cut])
        if cut < len(data):
            framing.feed(data[cut:])

    def _event(self, at: int, mono: int, body: dict[str, object]) -> None:
        self._add(at, mono, EVENT, 0, json.dumps(body).encode())

    def _gap(self, at: int, mono: int, channel: int, frames: int, size: int, reason: str) -> None:
        body = {"channel": CHANNELS[channel], "frames": frames, "bytes": size, "reason": reason}
        self._add(at, mono, GAP, 0, json.dumps(body).encode())

    def _add(self, at: int, mono: int, channel: int, flags: int, data: bytes) -> None:
        self._keep(Frame(self._seq, at, mono, 0, channel, flags, data))

    def _keep(self, frame: Frame) -> None:
        assert self._journal is not None
        self._seq = frame.seq + 1
        self._journal.add(frame)
