"""Writing a journal that is being recorded: in the background, again when it fails, and told apart when it stalls.

Records are collected and handed to a writer thread in batches, so that a slow disk is ridden out in memory. A write
that fails is taken back (the file ends with a whole record again) and tried once more after a pause: a disk that
is full for a moment costs nothing. Only when too much waits does the recorder stop reading its link; the relay then
sees, in the shared pulse, that the disk makes no progress, and begins to count what it drops.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from mcptest.capture import journals
from mcptest.proxy.link import Pulse
from mcptest.wire import Frame, journal
from mcptest.wire.frame import CHANNELS, EVENT, GAP

_MOST_WAITING = 24 << 20  # bytes of records in memory
_BATCH = 256 << 10  # hand over at least this often, in bytes
_SMALL = 16 << 10  # parts below this are joined before writing, larger ones are not copied
_STRIDE = 1 << 20  # bytes to one system call, about: between two of them, progress is seen
_GATHER = 512  # parts to one system call; the kernel takes 1024
_RETRY = 0.05
_PATIENCE = 0.5  # failing for longer is worth a line to the user
_SYNC = 1.0
_LAST_TRY = 2.0  # when the session is over and the disk still fails


class _Batch(NamedTuple):
    parts: list[bytes]
    size: int


class Journaling:
    def __init__(self, path: Path, pulse: Pulse, complain: Callable[[str], None]) -> None:
        self._path, self._pulse, self._complain = path, pulse, complain
        self._seed = journals.new_seed()
        preamble = journal.preamble(self._seed)
        self._fd = journals.create(path, preamble)
        self._parts: list[bytes] = []
        self._size = 0
        self._queue: deque[_Batch] = deque()
        self._waiting = 0
        self._changed = threading.Condition()
        self._closing = False
        self._failing = False
        self._relay, self._hopeless = os.getppid(), False
        self._written = len(preamble)  # length of the file: always a whole number of records
        self._synced = time.monotonic()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    def add(self, frame: Frame) -> None:
        self._parts += journal.encode(frame, self._seed)
        self._size += len(frame.data)
        if self._size >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Hand what was collected to the writer; waits only while too much is waiting already."""
        if not self._parts:
            return
        batch = _Batch(self._parts, self._size)
        self._parts, self._size = [], 0
        with self._changed:
            self._queue.append(batch)
            self._waiting += batch.size
            self._changed.notify_all()
            while self._waiting > _MOST_WAITING and not self._hopeless:
                self._changed.wait(_SYNC)
                # Whoever carries the traffic has ended, and will never see that the disk makes no progress.
                self._hopeless = self._failing and os.getppid() != self._relay

    def close(self) -> None:
        self.flush()
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._writer.join()
        os.close(self._fd)

    # ---- the writer thread

    def _write(self) -> None:
        while True:
            with self._changed:
                while not self._queue and not self._closing:
                    self._changed.wait(_SYNC)
                    if time.monotonic() - self._synced > _SYNC:
                        break
                batch = self._queue[0] if self._queue else None
                if batch is None and self._closing:
                    break
            if batch:
                if not self._keep_trying(batch):
                    self._give_up()
                    return
                with self._changed:
                    self._queue.popleft()
                    self._waiting -= batch.size
                    self._changed.notify_all()
            self._look_after_file()
        self._synced = 0.0
        self._look_after_file()

    def _keep_trying(self, batch: _Batch) -> bool:
        """False only when nothing more comes and the disk still refuses."""
        began = time.monotonic()
        last_try = None
        complained = False
        self._pulse.set_disk_since(time.monotonic_ns())
        while True:
            try:
                self._append(batch.parts)
            except OSError as error:
                now = time.monotonic()
                self._failing = True
                if self._closing or self._hopeless:
                    last_try = last_try or now + _LAST_TRY
                    if now > last_try:
                        return False
                if not complained and (self._closing or now - began > _PATIENCE):
                    complained = True
                    self._complain(f"recording is failing, traffic goes on: {error.strerror}: {self._path}")
                with self._changed:
                    self._changed.wait(_RETRY)
                continue
            self._failing = False
            self._pulse.set_disk_since(0)
            return True

    def _append(self, parts: list[bytes]) -> None:
        """All of the parts or, after an error, none of them."""
        sent = 0
        try:
            for some in _gather(parts):
                while some:
                    written = os.writev(self._fd, some)
                    sent += written
                    some = _without(some, written)
                    if not self._failing:
                        self._pulse.set_disk_since(time.monotonic_ns())  # slow is not stalled
        except OSError:
            try:
                os.ftruncate(self._fd, self._written)
            except OSError:
                self._written += sent  # the torn record stays where it is; readers skip it
            raise
        self._written += sent

    def _give_up(self) -> None:
        """What is left has no room on the disk; an account of it may have."""
        records = b"".join(part for batch in self._queue for part in batch.parts)
        lost = journal.decode(records, self._seed, final=True).frames
        try:
            self._append([part for frame in _account(lost) for part in journal.encode(frame, self._seed)])
        except OSError:
            pass
        self._complain(f"{len(lost)} frames could not be written: {self._path}")

    def _look_after_file(self) -> None:
        now = time.monotonic()
        if now - self._synced < _SYNC:
            return
        self._sync()
        self._synced = now
        if os.fstat(self._fd).st_nlink == 0:
            self._restore()

    def _sync(self) -> None:
        """Power loss costs a second at most; an error here says nothing that a later write will not."""
        try:
            os.fdatasync(self._fd)
        except OSError:
            pass

    def _restore(self) -> None:
        """Somebody deleted the journal while it was being written: what it held is copied into a new one."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = journals.create(self._path)
            os.lseek(self._fd, 0, os.SEEK_SET)
            while block := os.read(self._fd, 1 << 20):
                view = memoryview(block)
                while view:
                    view = view[os.write(descriptor, view) :]
        except OSError as error:
            self._complain(f"the journal was deleted while recording: {error.strerror}: {self._path}")
            return
        os.close(self._fd)
        self._fd = descriptor


def _account(lost: list[Frame]) -> list[Frame]:
    """Frames that could not be written, in short: counted for each stream, what happened to the session in full."""
    counts: dict[tuple[int, int], list[Frame]] = {}
    for frame in lost:
        if frame.channel not in (EVENT, GAP):
            counts.setdefault((frame.channel, frame.conn), []).append(frame)
    told = []
    for (channel, conn), frames in counts.items():
        size = sum(len(frame.data) for frame in frames)
        body = {"channel": CHANNELS[channel], "frames": len(frames), "bytes": size, "reason": "no room in the journal"}
        told.append(Frame(0, frames[0].at, frames[0].mono, conn, GAP, 0, json.dumps(body).encode()))
    told += [frame for frame in lost if frame.channel in (EVENT, GAP)]
    return [frame._replace(seq=seq) for seq, frame in enumerate(told, lost[0].seq if lost else 0)]


def _gather(parts: list[bytes]) -> Iterator[list[bytes | memoryview]]:
    """Small parts joined, large ones not copied, in lists that one system call takes in a short time."""
    small: list[bytes] = []
    ready: list[bytes | memoryview] = []
    size = 0
    for part in parts:
        if len(part) < _SMALL:
            small.append(part)
            continue
        whole = memoryview(part)
        for start in range(0, len(part), _STRIDE):
            ready += [b"".join(small), whole[start : start + _STRIDE]]
            small = []
            size += len(ready[-1])
            if size >= _STRIDE or len(ready) >= _GATHER:
                yield ready
                ready, size = [], 0
    if small:
        ready.append(b"".join(small))
    if ready:
        yield ready


def _without(parts: list[bytes | memoryview], written: int) -> list[bytes | memoryview]:
    """What is left of these parts after a short write."""
    for index, part in enumerate(parts):
        if written < len(part):
            return [part[written:], *parts[index + 1 :]]
        written -= len(part)
    return []
