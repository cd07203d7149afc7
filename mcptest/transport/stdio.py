"""A server as a child process: lines in, lines out, of any length."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from typing import Any, cast

from mcptest.errors import TargetError
from mcptest.transport.connection import Lost, Patience, Receiver, within
from mcptest.transport.tap import Tap, note
from mcptest.transport.target import Target
from mcptest.wire import Lines
from mcptest.wire.frame import CHANNELS, PARTIAL, STDERR, STDIN, STDOUT

_LAST_WORDS = 20  # lines of stderr to quote from when the server dies
_LONGEST_ERROR_LINE = 1 << 20  # a line of stderr is cut here


class Stdio(asyncio.SubprocessProtocol):
    """The process is the leader of its own group, so that what it started can be ended with it."""

    def __init__(self, tap: Tap, receiver: Receiver, patience: Patience) -> None:
        self._tap, self._receiver, self._patience = tap, receiver, patience
        self._lines = {STDOUT: Lines(), STDERR: Lines()}
        self._stderr: deque[str] = deque(maxlen=_LAST_WORDS)
        self._exited = asyncio.Event()
        self._drained = asyncio.Event()  # both of its streams have ended
        self._open = {1, 2}
        self._closing = False
        self._room = asyncio.Event()
        self._room.set()
        self._process: asyncio.SubprocessTransport

    @classmethod
    async def open(cls, target: Target, tap: Tap, receiver: Receiver, patience: Patience) -> Stdio:
        loop = asyncio.get_running_loop()
        try:
            _, made = await loop.subprocess_exec(
                lambda: cls(tap, receiver, patience),
                *target.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **dict(target.env)},
                cwd=target.cwd,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise TargetError(f"cannot start {target.command[0]!r}: {reason}") from error
        return made

    @property
    def pid(self) -> int:
        return self._process.get_pid()

    async def send(self, data: bytes, message: dict[str, Any] | None) -> None:  # noqa: ARG002 -- HTTP needs it
        pipe = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
        if pipe is None or pipe.is_closing() or self._exited.is_set():
            await within(self._exited, self._patience.term)  # it takes no input any more: how it ended is news soon
            raise Lost(self._obituary())
        self._tap(STDIN, data)
        pipe.write(data + b"\n")
        if not self._room.is_set():
            await self._room.wait()

    async def close(self) -> None:
        """As clients do it: end of input, then SIGTERM, then SIGKILL, to all that the server started."""
        self._closing = True
        pipe = self._process.get_pipe_transport(0)
        if pipe is not None and not pipe.is_closing():
            pipe.close()
            note(self._tap, event="eof", channel="stdin", by="sender")
        for signum, seconds in ((signal.SIGTERM, self._patience.end), (signal.SIGKILL, self._patience.term)):
            if await within(self._exited, seconds):
                break
            self._signal(signum)
            note(self._tap, event="signal", signal=int(signum))
        await within(self._exited, self._patience.term)
        self._signal(signal.SIGTERM)  # helpers that outlived the server
        await within(self._drained, self._patience.term)
        self._process.close()
        code = self._process.get_returncode()
        if code is not None:
            note(self._tap, event="exit", **({"code": code} if code >= 0 else {"signal": -code}))

    def _signal(self, signum: int) -> None:
        try:
            os.killpg(self.pid, signum)
        except (ProcessLookupError, PermissionError):
            pass

    # ---- what the loop tells us

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Before anything is heard of the process, even of one that ends at once."""
        self._process = cast(asyncio.SubprocessTransport, transport)
        note(self._tap, event="spawn", pid=self._process.get_pid())

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        channel = STDOUT if fd == 1 else STDERR
        begun, block = self._lines[channel].feed(data)
        if begun is not None:
            self._line(channel, begun)
        if block is not None:
            for line in block.split(b"\n"):
                self._line(channel, line)
        if channel == STDERR and self._lines[STDERR].pending > _LONGEST_ERROR_LINE:
            self._line(STDERR, self._lines[STDERR].take())

    def _line(self, channel: int, line: bytes) -> None:
        self._tap(channel, line)
        if channel == STDERR:
            self._stderr.append(line[:500].decode("utf-8", "replace"))
        elif line.strip():
            self._receiver.received(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(fd)
        if not self._open:
            self._drained.set()
        if fd not in (1, 2):
            self._room.set()
            return
        channel = STDOUT if fd == 1 else STDERR
        rest = self._lines[channel].take()
        if rest:
            self._tap(channel, rest, flags=PARTIAL)
            if channel == STDOUT:
                self._receiver.received(rest)
        note(self._tap, event="eof", channel=CHANNELS[channel], by="sender")
        if fd == 1 and not self._closing and self._exited.is_set():
            self._receiver.ended(self._obituary())

    def process_exited(self) -> None:
        self._exited.set()
        if 1 not in self._open and not self._closing:
            self._receiver.ended(self._obituary())

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()

    def _obituary(self) -> str:
        code = self._process.get_returncode()
        how = (
            "closed its output"
            if code is None
            else f"ended with exit code {code}"
            if code >= 0
            else f"died of signal {-code}"
        )
        last = next((line.strip() for line in reversed(self._stderr) if line.strip()), "")
        return f"the server {how}" + (f"; its last words: {last}" if last else "")
