"""Recording stdio: from copied chunks to lines, from lines to frames."""

from __future__ import annotations

import json
import time

from mcptest.proxy.link import Pulse
from mcptest.proxy.options import Options
from mcptest.proxy.session import Complain, Recording, complain_of, fold, prepare
from mcptest.wire import Lines
from mcptest.wire.frame import CHANNEL_CODES, CONTINUED, EVENT, PARTIAL, STDERR, STDIN, STDOUT

# A line longer than this is kept in several records. On stderr, where floods without a newline happen, earlier.
_LONGEST = {STDIN: 72 << 20, STDOUT: 72 << 20, STDERR: 1 << 20}
_CUT_WINDOW = 64 << 10


class StdioRecorder:
    """Feed it chunks; it keeps frames. A fault of its own is reported once and never reaches the traffic."""

    def __init__(self, command: list[str], options: Options, pulse: Pulse, complain: Complain) -> None:
        self._lines = {channel: Lines() for channel in (STDIN, STDOUT, STDERR)}
        self._skipping: set[int] = set()  # channels whose next line is the end of one that was dropped
        self._recording: Recording | None = None
        try:
            setting = prepare(options, pulse, complain)
            argv = setting.redactor.argv(command) if setting.redactor else command
            header = {"transport": "stdio", "target": {"argv": argv}, "name": options.name}
            self._recording = Recording(setting, header, options.started_at, options.started_mono)
            self._place = setting.place
        except Exception as error:  # noqa: BLE001  (whatever keeps us from recording, traffic goes on)
            complain_of(error, complain)

    # ---- what the relay sends

    def chunk(self, channel: int, _conn: int, at: int, mono: int, data: bytes) -> None:
        if self._recording is None:
            return
        if channel == EVENT:
            self._end_stream(self._recording, at, mono, data)
            self._recording.add(at, mono, EVENT, 0, data)
            return
        framing = self._lines[channel]
        begun, block = framing.feed(data)
        if begun is not None:
            if channel in self._skipping:
                self._skipping.discard(channel)
            else:
                self._recording.add_clean(at, mono, channel, 0, begun)
        if block is not None:
            self._add_block(self._recording, at, mono, channel, block)
        if framing.pending > _LONGEST[channel]:
            self._cut(self._recording, at, mono, channel, framing)

    def dropped(self, at: int, mono: int, data: bytes) -> None:
        """The relay could not copy some chunks: say how many frames are missing and find the next whole line."""
        if self._recording is None:
            return
        for channel, _, frames, size, cut, _ in json.loads(data):
            if channel not in self._lines:
                continue
            self._lines[channel].take()
            if cut:
                frames += 1
                self._skipping.add(channel)
            self._recording.gap(at, mono, channel, frames, size, "the journal made no progress")

    def close(self, relay_died: bool) -> None:
        if self._recording is None:
            return
        at, mono = time.time_ns(), time.monotonic_ns()
        for channel in self._lines:
            self._add_rest(self._recording, at, mono, channel)
        self._recording.close(killed=relay_died)

    def idle(self) -> None:
        if self._recording is not None:
            self._recording.flush()

    def fold(self) -> None:
        if self._recording is not None:
            fold(self._place)

    # ---- frames

    def _add_block(self, recording: Recording, at: int, mono: int, channel: int, block: bytes) -> None:
        """Whole lines that came together: one record, unless one of them may hold a secret."""
        if channel in self._skipping:
            self._skipping.discard(channel)
            _, newline, block = block.partition(b"\n")
            if not newline:
                return
        if recording.redactor is not None and recording.redactor.suspects(block):
            for line in block.split(b"\n"):
                recording.add_clean(at, mono, channel, 0, line)
            return
        recording.add_block(at, mono, channel, block)

    def _end_stream(self, recording: Recording, at: int, mono: int, event: bytes) -> None:
        """A last line without a newline is kept where its stream ended."""
        body = json.loads(event)
        if body["event"] == "eof":
            self._add_rest(recording, at, mono, CHANNEL_CODES[body["channel"]])

    def _add_rest(self, recording: Recording, at: int, mono: int, channel: int) -> None:
        rest = self._lines[channel].take()
        if rest and channel not in self._skipping:
            recording.add_clean(at, mono, channel, PARTIAL, rest)

    def _cut(self, recording: Recording, at: int, mono: int, channel: int, framing: Lines) -> None:
        """Keep a part of an over-long line, cut where a secret is least likely to be."""
        data = framing.take()
        if channel in self._skipping:
            return
        at_end = max(data.rfind(b" ", len(data) - _CUT_WINDOW), data.rfind(b',"', len(data) - _CUT_WINDOW))
        cut = at_end if at_end > 0 else len(data)
        recording.add_clean(at, mono, channel, CONTINUED, data[:cut])
        if cut < len(data):
            framing.feed(data[cut:])
