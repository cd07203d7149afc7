"""The link: how the process that carries traffic hands copies of it to the process that records.

The relay does nothing but read, copy into a pipe, and write. Framing, redaction, checksums and the disk are the
recorder's, in another process, so none of them can delay or break the traffic, and a relay that is killed has lost
nothing: what it had copied is in the pipe, and the recorder reads it to the end.

A chunk is copied before it is forwarded. That is one bounded copy into the kernel, no lock that is held over a wait
in normal operation, and it buys two certainties: no byte reaches a peer without being on its way to the journal, and
a request always stands before its answer.

When the pipe is full the recorder is behind. As long as it makes progress the relay waits, which slows the traffic
in bounded memory. Only when the journal makes no progress at all (a stalled, full or failing disk) are chunks
dropped, counted, and the count sent as soon as there is room again.
"""

import mmap
import os
import select
import struct
import time
from _thread import allocate_lock

# channel:u8 flags:u8 unused:u16 conn:u32 length:u32 at:u64 mono:u64
HEAD = struct.Struct("<BBHIIQQ")
DROPPED = 254  # a count of what was not copied, as JSON
END = 255  # the relay is done; without it, the end of the pipe means that the relay was killed

_PIPE_SIZE = 256 << 10  # small enough that what waits in it is on disk within 50 ms, large enough for bursts
_WAIT = 0.02  # how often a waiting relay looks whether the recorder still makes progress
_STALLED = 0.15  # a single disk write that takes longer counts as a stalled disk
_HUNG = 5.0  # without any sign of life for this long the recorder counts as hung, not as slow

_SINCE = struct.Struct("<Q")


class Pulse:
    """Shared memory in which the recorder says since when it has been waiting for the disk (0: it is not)."""

    def __init__(self, descriptor: int = -1) -> None:
        """Shared with forked processes or, with a descriptor of `shared_memory`, with others."""
        self._memory = mmap.mmap(descriptor, mmap.PAGESIZE)

    def disk_since(self) -> int:
        since: int = _SINCE.unpack_from(self._memory, 0)[0]
        return since

    def set_disk_since(self, mono: int) -> None:
        _SINCE.pack_into(self._memory, 0, mono)


class Link:
    """The relay's end. Safe to use from several threads."""

    def __init__(self, descriptor: int, pulse: Pulse) -> None:
        self._fd = descriptor
        self._pulse = pulse
        self._lock = allocate_lock()
        self._tail = memoryview(b"")  # the rest of a record that was cut off by a full pipe
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)
        self._lost: dict[tuple[int, int], list[int]] = {}  # channel, conn -> lines, bytes, last one cut?, chunks
        self._stalled = False
        self.broken = False  # the recorder is gone
        self.dropped_frames = 0

    def copy(self, channel: int, chunk: bytes, conn: int = 0) -> None:
        with self._lock:
            if self.broken:
                self._count(channel, chunk, conn)
                return
            if self._stalled and not self._resume():
                self._count(channel, chunk, conn)
                return
            self._put(HEAD.pack(channel, 0, 0, conn, len(chunk), time.time_ns(), time.monotonic_ns()), chunk)

    def finish(self, patience: float) -> None:
        """Say goodbye, waiting no longer than this for a recorder that is behind."""
        with self._lock:
            deadline = time.monotonic() + patience
            while (self._tail or self._lost) and not self.broken and time.monotonic() < deadline:
                if not self._resume():
                    time.sleep(0.001)
            if not self._tail and not self.broken:
                self._put(HEAD.pack(END, 0, 0, 0, 0, time.time_ns(), time.monotonic_ns()), b"")
            os.close(self._fd)
            self.broken = True

    def _put(self, head: bytes, body: bytes) -> None:
        try:
            sent = os.writev(self._fd, (head, body))
        except BlockingIOError:
            sent = 0
        except OSError:
            self.broken = True
            return
        if sent == len(head) + len(body):
            return
        self._tail = memoryview(body)[sent - len(head) :] if sent >= len(head) else memoryview(head + body)[sent:]
        self._stalled = not self._wait_for_room()

    def _wait_for_room(self) -> bool:
        """Send the tail, waiting for a recorder that is merely behind; False if it makes no progress."""
        progress = time.monotonic()
        while self._tail and not self.broken:
            self._room.poll(_WAIT * 1000)
            if self._flush():
                progress = time.monotonic()
                continue
            since = self._pulse.disk_since()
            if since and time.monotonic_ns() - since > _STALLED * 1e9:
                return False
            if time.monotonic() - progress > _HUNG:
                return False
        return True

    def _flush(self) -> int:
        try:
            sent = os.write(self._fd, self._tail)
        except BlockingIOError:
            return 0
        except OSError:
            self.broken = True
            return 0
        self._tail = self._tail[sent:]
        return sent

    def _resume(self) -> bool:
        """After a stall: is there room again? Never waits."""
        if self._tail:
            self._flush()
        if self._tail or self.broken:
            return False
        self._stalled = False
        if self._lost:
            import json

            body = json.dumps([[*where, *counts] for where, counts in self._lost.items()]).encode()
            self._lost.clear()
            self._put(HEAD.pack(DROPPED, 0, 0, 0, len(body), time.time_ns(), time.monotonic_ns()), body)
        return not self._stalled

    def _count(self, channel: int, chunk: bytes, conn: int) -> None:
        counts = self._lost.setdefault((channel, conn), [0, 0, 0, 0])
        newlines = chunk.count(b"\n")
        counts[0] += newlines
        counts[1] += len(chunk)
        counts[2] = int(not chunk.endswith(b"\n"))
        counts[3] += 1
        self.dropped_frames += newlines


def shared_memory() -> int:
    """A descriptor to make a Pulse of, for a process that is not forked from this one."""
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.truncate(mmap.PAGESIZE)
        descriptor = os.dup(file.fileno())
    os.set_inheritable(descriptor, True)
    return descriptor


def open_pipe() -> tuple[int, int]:
    """Reading and writing end; the writing end never blocks."""
    import fcntl

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
    except (AttributeError, OSError):
        pass  # a smaller pipe works too
    return reader, writer
