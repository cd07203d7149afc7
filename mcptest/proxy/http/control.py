"""What an engine hears from its recorder, and what it tells the user."""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from mcptest.proxy.relay import DONE, FAULT

# Status bytes besides those of the stdio relay, with JSON behind them.
NEWS = 0xFD  # counts
READY = 0xFC  # from the mitmproxy engine: the address it listens on
_WITH_MESSAGE = (FAULT, NEWS, READY)

ENDED_EARLY = "the recorder ended early: traffic goes on unrecorded"
_NOT_DONE = "the recorder is not done yet: it goes on in the background"


class Desk(Protocol):
    """The user's side: the command line."""

    def ready(self, url: str) -> None:
        """The client can be pointed at this address."""

    def say(self, text: str) -> None:
        """One line about something that went wrong, or should be known."""

    def news(self, sessions: int, requests: int, errors: int) -> None: ...


class Status:
    """The recorder's messages."""

    def __init__(self, descriptor: int, desk: Desk) -> None:
        self.descriptor, self._desk = descriptor, desk
        self._buffer = b""
        self.counts = {"sessions": 0, "requests": 0, "errors": 0}
        self.done = False
        self.is_open = True  # somebody can still write here
        self.address: tuple[str, int] | None = None
        os.set_blocking(descriptor, False)

    def read(self) -> bool:
        """Handle what has come; False if the recorder is gone."""
        try:
            news = os.read(self.descriptor, 64 << 10)
        except BlockingIOError:
            return True
        except OSError:
            news = b""
        self.is_open = bool(news)
        self._buffer += news
        for code, message in self._messages():
            if code == DONE:
                self.done = True
            elif code == FAULT:
                self._desk.say(message.decode("utf-8", "replace"))
            elif code == NEWS:
                self.counts.update(json.loads(message))
                self._desk.news(**self.counts)
            elif code == READY:
                host, port = json.loads(message)
                self.address = (host, port)
        return self.is_open

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Handle messages until something has come true; False if that did not happen in time."""
        deadline = time.monotonic() + seconds
        poller = select.poll()
        poller.register(self.descriptor, select.POLLIN)
        while not condition():
            left = deadline - time.monotonic()
            if left <= 0 or (poller.poll(left * 1000) and not self.read()):
                return condition()
        return True

    def wait_done(self, seconds: float) -> bool:
        """Wait for the recorder's last words; if there are none, the user is told."""
        if not self.wait(lambda: self.done, seconds):
            self._desk.say(_NOT_DONE if self.is_open else ENDED_EARLY)
        return self.done

    def _messages(self) -> Iterator[tuple[int, bytes]]:
        while self._buffer:
            code = self._buffer[0]
            if code not in _WITH_MESSAGE:
                self._buffer = self._buffer[1:]
                yield code, b""
                continue
            end = 3 + int.from_bytes(self._buffer[1:3], "little")
            if len(self._buffer) < max(3, end):
                return
            message, self._buffer = self._buffer[3:end], self._buffer[end:]
            yield code, message
