"""The stdio relay: stand between a client and a server without changing a byte.

Three threads copy bytes, one per stream; the main thread looks after signals, the server's end and the client's
disappearance, and is the only one that closes descriptors. Everything else (framing, redaction, the journal) is
in the recorder's process, see `link` and `recorder`.

What a client can observe is kept as it would be without the relay: bytes and their order, half-closes in both
directions, back pressure, environment, working directory, process group, signals (once each, whether they were
sent to the process or to its group) and the exit code (128 + n for a signal). When the client is gone, nothing of
the server's process tree is left behind.

Only light modules are imported here: a client waits for this process to start.
"""

import os
import select
import signal
import time
from _thread import start_new_thread
from collections.abc import Callable

from mcptest.proxy import tree
from mcptest.proxy.link import Link, Pulse, open_pipe
from mcptest.proxy.options import Options
from mcptest.proxy.spawn import Server, keep_standard_streams, spawn

_CHUNK = 64 << 10

# Channel numbers as in mcptest.wire.frame, which is not imported here to start quickly (a test compares them).
STDIN, STDOUT, STDERR, EVENT = 1, 2, 3, 4

# Status bytes from the recorder; smaller ones are signals that it has received itself.
FAULT, DONE = 0xFF, 0xFE

_FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_ECHO = 0.05  # how long to wait for the recorder to say that it got the same signal: then the group was signalled
_TICK = 1.0  # lost wake-ups are the only reason to wake up at all
_LAST_WORDS = 0.05  # a helper that outlives the server and holds only its stderr is not waited for longer
_GRACE = 1.0  # after the client is gone: time for the server to end by itself, as after EOF
_TERM_PATIENCE = 0.6  # and to react to SIGTERM; both together keep the promise to be gone within 2 s
_FINISH = 0.04  # for the recorder to take the last bytes; it goes on by itself afterwards
_EXIT_TARGET = 3


def run_stdio(command: list[str], options: Options) -> int:
    """Run the server with its standard streams passed through and recorded; returns its exit code."""
    keep_standard_streams()
    tree.become_subreaper()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*_FORWARDED, signal.SIGCHLD})
    try:
        server = spawn(command, mask)
    except OSError as error:
        _say(f"cannot start {command[0]!r}: {error.strerror}")
        return _EXIT_TARGET
    relay = _Relay(server)
    relay.start_recorder(command, options, mask)
    return relay.run(mask)


class _Relay:
    def __init__(self, server: Server) -> None:
        self.server = server.pid
        self.to_server, self.from_server, self.errors_from_server = server.stdin, server.stdout, server.stderr
        self.pipes = [os.fstat(fd).st_ino for fd in (server.stdin, server.stdout, server.stderr)]
        self.wake_reader, self.wake_writer = os.pipe()
        os.set_blocking(self.wake_reader, False)
        os.set_blocking(self.wake_writer, False)
        self.null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self.signals: list[int] = []
        self.echoes: list[int] = []
        self.ended: dict[int, bool] = {}  # channel -> was it the receiving side that went away?
        self.closed: set[int] = set()
        self.ends_at = 0.0
        self.exit_status: int | None = None
        self.exited_at = 0.0
        self.gone_at = 0.0  # when the client turned out to be gone
        self.killed = 0  # how far the ending of a server without a client has come
        self.said = False
        self.recorder = 0
        self.done = False  # the recorder has everything on disk

    # ---- the recorder

    def start_recorder(self, command: list[str], options: Options, mask: "set[int | signal.Signals]") -> None:
        pulse = Pulse()
        link_reader, link_writer = open_pipe()
        self.status, status_writer = os.pipe()
        self.recorder = os.fork()
        if self.recorder == 0:
            try:
                from mcptest.proxy.recorder import Recorder, serve

                def start(complain: "Callable[[str], None]") -> Recorder:
                    from mcptest.proxy.stdio import StdioRecorder

                    return StdioRecorder(command, options, pulse, complain)

                serve(link_reader, status_writer, start, mask, self.server)
            finally:
                os._exit(0)
        os.close(link_reader)
        os.close(status_writer)
        os.set_blocking(self.status, False)
        self.link = Link(link_writer, pulse)

    def event(self, text: str) -> None:
        self.link.copy(EVENT, text.encode())

    def read_status(self) -> bool:
        """What the recorder has to say; True once it has everything on disk or is gone."""
        try:
            news = os.read(self.status, 4096)
        except BlockingIOError:
            return False
        except OSError:
            return True
        if not news:
            if not self.done:
                self.say_once("the recorder ended early: traffic goes on unrecorded")
            return True
        position = 0
        while position < len(news):
            code = news[position]
            position += 1
            if code == FAULT:
                length = int.from_bytes(news[position : position + 2], "little")
                position += 2
                self.say_once(news[position : position + length].decode("utf-8", "replace"))
                position += length
            elif code == DONE:
                self.done = True
            else:
                self.echoes.append(code)
        return self.done

    def say_once(self, text: str) -> None:
        if not self.said:
            self.said = True
            _say(text)

    # ---- the pumps, one thread each

    def pump(self, source: int, sink: int, channel: int) -> None:
        read, copy = os.read, self.link.copy
        receiver_gone = False
        try:
            while True:
                try:
                    chunk = read(source, _CHUNK)
                except BlockingIOError:
                    _wait(source, select.POLLIN)
                    continue
                except OSError:  # a reset socket or a vanished terminal ends a stream like any end
                    break
                if not chunk:
                    break
                try:
                    copy(channel, chunk)
                except Exception as error:  # noqa: BLE001  (whatever recording does, traffic goes on)
                    self.link.broken = True
                    self.say_once(f"recording stopped: {error}")
                try:
                    _send(sink, chunk)
                except OSError:
                    receiver_gone = True
                    break
        finally:
            self.ended[channel] = receiver_gone
            os.write(self.wake_writer, b"\0")

    # ---- the main thread

    def run(self, mask: "set[int | signal.Signals]") -> int:
        self.catch_signals(mask)
        start_new_thread(self.pump, (self.from_server, 1, STDOUT))
        start_new_thread(self.pump, (0, self.to_server, STDIN))
        start_new_thread(self.pump, (self.errors_from_server, 2, STDERR))
        self.event(f'{{"event": "spawn", "pid": {self.server}}}')
        poller = select.poll()
        poller.register(self.wake_reader, select.POLLIN)
        poller.register(self.status, select.POLLIN)
        poller.register(1, 0)  # an error there: nobody reads our stdout any more
        while not self.is_over():
            for descriptor, _ in poller.poll(self.next_look() * 1000):
                if descriptor == self.wake_reader:
                    _drain(self.wake_reader)
                elif descriptor == self.status:
                    if self.read_status():
                        poller.unregister(self.status)
                elif descriptor == 1:
                    poller.unregister(1)
                    self.lose_client()
            self.reap()
            self.pass_on_ends(poller)
            self.pass_on_signals()
            self.end_orphaned_server()
        return self.finish()

    def catch_signals(self, mask: "set[int | signal.Signals]") -> None:
        def note(signum: int, _frame: object) -> None:
            self.signals.append(signum)

        for signum in _FORWARDED:
            if signal.getsignal(signum) != signal.SIG_IGN:
                signal.signal(signum, note)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.wake_writer, warn_on_full_buffer=False)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def next_look(self) -> float:
        if self.gone_at or (self.exit_status is not None):
            return 0.02
        return _TICK

    def is_over(self) -> bool:
        if self.exit_status is None:
            return False
        if self.gone_at:
            return True
        if STDOUT in self.ended:
            return STDERR in self.ended or time.monotonic() - self.exited_at > _LAST_WORDS
        # The server has ended but a process that it left behind can still talk to the client: so it may,
        # until the client has closed its side.
        return STDIN in self.ended and time.monotonic() - max(self.exited_at, self.ends_at) > _GRACE

    def reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.server:
                self.exit_status = os.waitstatus_to_exitcode(status)
                self.exited_at = time.monotonic()
            elif pid == self.recorder:
                self.recorder = 0

    def pass_on_ends(self, poller: select.poll) -> None:
        """A stream that ended on one side is closed on the other; one that nobody takes is closed at its source."""
        for channel, receiver_gone in list(self.ended.items()):
            if channel in self.closed:
                continue
            self.closed.add(channel)
            self.ends_at = time.monotonic()
            source, sink, name = {
                STDIN: (0, self.to_server, "stdin"),
                STDOUT: (self.from_server, 1, "stdout"),
                STDERR: (self.errors_from_server, 2, "stderr"),
            }[channel]
            if channel == STDOUT and not receiver_gone:
                try:
                    poller.unregister(1)
                except KeyError:
                    pass
            if channel != STDERR or receiver_gone:
                os.dup2(self.null, source if receiver_gone else sink)
            side = "receiver" if receiver_gone else "sender"
            self.event(f'{{"event": "eof", "channel": "{name}", "by": "{side}"}}')
            if channel == STDOUT and receiver_gone:
                self.lose_client()

    def pass_on_signals(self) -> None:
        """Once each: what was sent to the whole group has reached the server already, and the recorder too."""
        while self.signals:
            signum = self.signals.pop(0)
            deadline = time.monotonic() + _ECHO
            while signum not in self.echoes and self.recorder and time.monotonic() < deadline:
                _wait(self.status, select.POLLIN, max(0.0, deadline - time.monotonic()))
                if self.read_status():
                    break
            group = signum in self.echoes
            if group:
                self.echoes.remove(signum)
            elif self.exit_status is None:
                try:
                    os.kill(self.server, signum)
                except ProcessLookupError:
                    pass
            self.event(f'{{"event": "signal", "signal": {signum}, "forwarded": {"false" if group else "true"}}}')

    def lose_client(self) -> None:
        """The client no longer reads: end its conversation with the server on both sides."""
        if not self.gone_at:
            self.gone_at = time.monotonic()
            os.dup2(self.null, self.from_server)
            if STDIN not in self.closed:
                os.dup2(self.null, self.to_server)
            self.event('{"event": "client gone"}')

    def end_orphaned_server(self) -> None:
        if not self.gone_at or self.exit_status is not None:
            return
        waited = time.monotonic() - self.gone_at
        for step, (after, signum) in enumerate(
            ((_GRACE, signal.SIGTERM), (_GRACE + _TERM_PATIENCE, signal.SIGKILL)), start=1
        ):
            if self.killed < step and waited > after:
                self.killed = step
                tree.send(self.left_behind(), signum)

    def left_behind(self) -> set[tree.Process]:
        below = tree.descendants(os.getpid(), excluding={self.recorder})
        return tree.ours(below, os.getsid(0), [f"pipe:[{inode}]" for inode in self.pipes])

    def finish(self) -> int:
        status = self.exit_status if self.exit_status is not None else 0
        what = f'"code": {status}' if status >= 0 else f'"signal": {-status}'
        self.event(f'{{"event": "exit", {what}}}')
        if STDIN in self.ended or self.gone_at:
            left = self.left_behind()
            if left:
                tree.end(left, _TERM_PATIENCE)
        self.link.finish(_FINISH)
        deadline = time.monotonic() + _FINISH
        while self.recorder and time.monotonic() < deadline:
            _wait(self.status, select.POLLIN, max(0.0, deadline - time.monotonic()))
            if self.read_status():
                break
        if self.link.dropped_frames:
            self.say_once(f"{self.link.dropped_frames} messages could not be recorded")
        return status if status >= 0 else 128 - status


# ---- small things


def _wait(descriptor: int, events: int, seconds: float | None = None) -> None:
    poller = select.poll()
    poller.register(descriptor, events)
    poller.poll(None if seconds is None else seconds * 1000)


def _send(sink: int, chunk: bytes) -> None:
    """All of it, also through a descriptor that its owner set to non-blocking."""
    while True:
        try:
            sent = os.write(sink, chunk)
        except BlockingIOError:
            _wait(sink, select.POLLOUT)
            continue
        if sent == len(chunk):
            return
        chunk = chunk[sent:]


def _drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 4096):
            pass
    except BlockingIOError:
        pass


def _say(text: str) -> None:
    try:
        os.write(2, f"mcptest: {text}\n".encode("utf-8", "replace"))
    except OSError:
        pass
