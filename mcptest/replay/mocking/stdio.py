"""The mock as a stdio server: one client, one thread, lines in and lines out.

Reading, thinking and writing take turns, many lines at a time; what is due later waits in a heap.
"""

from __future__ import annotations

import heapq
import os
import select
import signal
import time
from itertools import count
from typing import NamedTuple

from mcptest.replay.mocking.acts import Act, Converser
from mcptest.replay.mocking.forwarding import Forwarder
from mcptest.wire import Lines

_CHUNK = 1 << 18
_LINGER = 1.5  # seconds; clients that close our input send SIGTERM after two
_WATCH = 1.0  # how often a wedged mock looks whether it still has a parent


class Wedged(Exception):  # noqa: N818 -- asked for
    """The mock is to stop doing anything at all."""


class Streams(NamedTuple):
    stdin: int = 0
    stdout: int = 1


class StdioMock:
    def __init__(
        self, conversation: Converser, *, latency: float = 0.0, forwarder: Forwarder | None = None,
        streams: Streams = Streams(),  # noqa: B008 -- immutable
    ) -> None:  # fmt: skip
        self._conversation, self._latency, self._forwarder = conversation, latency, forwarder
        self._streams = streams
        self._out: list[bytes] = []
        self._due: list[tuple[float, int, Act]] = []
        self._order = count()
        self._last: dict[str | None, float] = {}  # by request, when its last act is due
        self._cancelled: set[str | None] = set()
        self._over = False

    def run(self) -> None:
        """Until the client closes our input, or a fault ends it."""
        try:
            self._do(self._conversation.open())
            self._serve()
        except Wedged:
            _wedge()
        except BrokenPipeError:
            pass  # nobody reads what we say

    def _serve(self) -> None:
        lines = Lines()
        poller = select.poll()
        poller.register(self._streams.stdin, select.POLLIN)
        if self._forwarder is not None:
            poller.register(self._forwarder.wake, select.POLLIN)
        while not self._over:
            self._flush()
            if self._due or self._forwarder is not None:
                ready = {descriptor for descriptor, _ in poller.poll(self._until_due())}
                self._release()
                if self._forwarder is not None and self._forwarder.wake in ready:
                    self._do(self._forwarder.finished(self._conversation))
                if self._streams.stdin not in ready:
                    continue
            chunk = os.read(self._streams.stdin, _CHUNK)
            if not chunk:
                self._finish()
                break
            begun, block = lines.feed(chunk)
            if begun is not None:
                self._line(begun)
            if block is not None:
                for line in block.split(b"\n"):
                    self._line(line)
        self._flush()

    def _finish(self) -> None:
        """Our input has ended: what is on its way is still said, if that does not take too long."""
        deadline = time.monotonic() + _LINGER
        while self._due and self._due[0][0] <= deadline:
            self._flush()
            time.sleep(max(0.0, self._due[0][0] - time.monotonic()))
            self._release()
        while self._forwarder is not None and self._forwarder.pending:
            select.select([self._forwarder.wake], [], [])
            self._do(self._forwarder.finished(self._conversation))

    def _line(self, line: bytes) -> None:
        if not self._over and line.strip():
            self._do(self._conversation.receive(line))

    def _do(self, acts: list[Act]) -> None:
        for act in acts:
            if act.wedge:
                self._flush()
                raise Wedged
            if act.disconnect:
                self._over = True
                return
            if act.cancel:
                self._cancelled.add(act.request)
            elif act.forward is not None:
                if self._forwarder is not None:
                    self._forwarder.submit(act.forward)
            elif act.data and not self._latency and not act.late:
                self._out += (act.data, b"\n")
            elif act.data:
                self._later(act)

    def _later(self, act: Act) -> None:
        now = time.monotonic()
        begin = max(self._last.get(act.request, 0.0), now)
        due = begin + (act.delay * self._latency + act.late) / 1e9
        self._last[act.request] = due
        if act.is_answer:
            self._last.pop(act.request, None)
        heapq.heappush(self._due, (due, next(self._order), act))

    def _until_due(self) -> float | None:
        return max(0.0, (self._due[0][0] - time.monotonic()) * 1000) if self._due else None

    def _release(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            act = heapq.heappop(self._due)[2]
            if act.request is not None and act.request in self._cancelled:
                continue
            self._out += (act.data, b"\n")

    def _flush(self) -> None:
        if not self._out:
            return
        view = memoryview(b"".join(self._out))
        self._out.clear()
        while view:
            view = view[os.write(self._streams.stdout, view) :]


def _wedge() -> None:
    """Alive and deaf, also to SIGTERM, for as long as somebody is there who started us."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(_WATCH)
