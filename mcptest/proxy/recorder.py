"""The recorder: the process behind the relay that turns copied chunks into a journal.

It reads the link until the relay says that it is done, or has died: then it also sees to it that the server's
processes do not outlive their client. It ignores the signals that end the others (telling the relay that it got
them, see `relay.pass_on_signals`) and ends with the link. Afterwards it folds the finished journal into the capture,
with nobody waiting.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from mcptest.proxy import tree
from mcptest.proxy.link import DROPPED, END, HEAD
from mcptest.proxy.relay import DONE, FAULT

_READ = 1 << 18
_NAP = 0.004  # between two reads while traffic flows: batches the work and spares the relay from waking us each time
_BULK = 128 << 10  # a read this large means that data is streaming, and a nap would fill the link:
_AWAKE = 16  # no nap for so many reads
_WATCH = 1.0  # how often the server's process tree is looked at, for the case that the relay is killed
_FAREWELL = 0.2  # the relay's goodbye may still be in the link when its process is gone
_GRACE = 1.2  # after the relay was killed: time for the server to notice its end of input,
_TERM_PATIENCE = 1.0  # then for SIGTERM; all together less than 5 s


class Recorder(Protocol):
    """What a transport makes of the link's records."""

    def chunk(self, channel: int, conn: int, at: int, mono: int, data: bytes) -> None: ...

    def dropped(self, at: int, mono: int, data: bytes) -> None:
        """The relay could not copy some chunks."""

    def idle(self) -> float | None:
        """Everything that was read is handled. How long at most until it is to be called again, if there is no
        traffic."""

    def close(self, relay_died: bool) -> None: ...

    def fold(self) -> None:
        """The journals are finished and nobody waits any more."""


Start = Callable[[Callable[[str], None]], Recorder]


def serve(link: int, status: int, start: Start, mask: set[int | signal.Signals], server: int | None = None) -> None:
    """Runs in the forked child; never returns to its caller's code before the session is over. `start` makes the
    recorder; `server` is the process whose tree must not outlive the relay."""
    relay = os.getppid()
    _let_go_of_everything_but(link, status)
    _report_signals_to(status, mask)
    watch = _Watch(relay, server) if server is not None else None
    if watch is not None:
        watch.start()

    def complain(text: str) -> None:
        tell(status, FAULT, text.encode("utf-8", "replace"))

    recorder = None
    try:
        recorder, ended = record(link, lambda: start(complain))
        if watch is not None and ended:
            watch.stop()
        recorder.close(relay_died=not ended)
    except Exception as error:  # noqa: BLE001  (the relay tells the user, and goes on without us)
        recorder = None
        complain(f"recording stopped: {type(error).__name__}: {error}")
    _write(status, bytes((DONE,)))
    os.close(link)
    if watch is not None:
        watch.join()
    if recorder is not None:
        os.setsid()  # from here on nobody's child: the client may end its process group, the fold goes on
        recorder.fold()


def record(link: int, start: Callable[[], Recorder]) -> tuple[Recorder, bool]:
    """Feed a recorder until the link ends; says whether it ended with a goodbye."""
    recorder = start()
    ended = False
    for channel, conn, at, mono, data in _records(link, recorder.idle):
        if channel == END:
            ended = True
        elif channel == DROPPED:
            recorder.dropped(at, mono, data)
        else:
            recorder.chunk(channel, conn, at, mono, data)
    return recorder, ended


def _records(link: int, idle: Callable[[], float | None]) -> Iterator[tuple[int, int, int, int, bytes]]:
    """Each record of the link: channel, connection, times, bytes. Between reads, `idle` hands work to the disk."""
    size = HEAD.size
    buffer = bytearray(2 * _READ)
    view = memoryview(buffer)
    filled = awake = 0
    poller = select.poll()
    poller.register(link, select.POLLIN)
    patience = idle()
    while True:
        if patience is not None and not poller.poll(patience * 1000):
            patience = idle()
            continue
        got = os.readv(link, [view[filled : filled + _READ]])
        if not got:
            return
        filled += got
        position = needed = 0
        while filled - position >= size:
            channel, _, _, conn, length, at, mono = HEAD.unpack_from(buffer, position)
            after = position + size + length
            if after > filled:
                needed = after - position
                break
            yield channel, conn, at, mono, bytes(view[position + size : after])
            position = after
        buffer[: filled - position] = buffer[position:filled]
        filled -= position
        if needed > len(buffer):
            buffer = bytearray(buffer[:filled]).ljust(needed + _READ, b"\0")
            view = memoryview(buffer)
        patience = idle()
        awake = _AWAKE if got >= _BULK else awake - 1
        if awake <= 0:
            time.sleep(_NAP)


def _let_go_of_everything_but(*kept: int) -> None:
    """The client must not wait for our copies of its pipes to close, nor the server for ours of its own."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    low = 3
    for descriptor in sorted(kept):
        os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, 1 << 16)


def _report_signals_to(status: int, mask: set[int | signal.Signals]) -> None:
    os.set_blocking(status, False)
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(signum, lambda *_: None)
    signal.set_wakeup_fd(status, warn_on_full_buffer=False)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def tell(status: int, code: int, message: bytes) -> None:
    """Something for the relay: a code, and its message."""
    message = message[:1024]
    _write(status, bytes((code,)) + len(message).to_bytes(2, "little") + message)


def _write(status: int, message: bytes) -> None:
    try:
        os.write(status, message)
    except OSError:
        pass  # the relay is gone or does not read: nobody to tell


class _Watch(threading.Thread):
    """Looks after the server's process tree for the case that the relay is killed and no longer can.

    A thread of its own: a stalled disk must not keep it from its duty.
    """

    def __init__(self, relay: int, server: int) -> None:
        super().__init__(daemon=True)
        self._relay, self._session = relay, os.getsid(0)
        self._over = threading.Event()
        first = tree.process(server)
        self._seen = {first} if first else set()

    def stop(self) -> None:
        self._over.set()

    def run(self) -> None:
        while not self._over.wait(_WATCH):
            if os.getppid() != self._relay:
                if not self._over.wait(_FAREWELL):
                    self._end_server()
                return
            self._look()

    def _look(self) -> None:
        self._seen = {one for one in self._seen if tree.is_running(one)}
        self._seen |= tree.descendants(self._relay, excluding={os.getpid()})

    def _end_server(self) -> None:
        left = tree.wait_gone(self._family(), _GRACE)
        if left:
            tree.end(left | self._family(), _TERM_PATIENCE)

    def _family(self) -> set[tree.Process]:
        family = set(self._seen)
        for one in self._seen:
            family |= tree.descendants(one.pid, excluding={os.getpid()})
        return {one for one in tree.ours(family, self._session, ()) if one.pid != os.getpid()}
