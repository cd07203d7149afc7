"""Run an HTTP mock: in this thread until it is told to stop, or in one of its own for the length of a test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable

from mcptest.errors import UsageError
from mcptest.replay.mocking.acts import Thinker
from mcptest.replay.mocking.forwarding import Forwarder
from mcptest.replay.mocking.guard import Address, Guard
from mcptest.replay.mocking.http import PATH, HttpMock
from mcptest.replay.mocking.serving import serve


class Running:
    """Where and how to serve."""

    def __init__(
        self,
        brain: Thinker,
        address: Address,
        *,
        allowed: Iterable[str] = (),
        latency: float = 0.0,
        forwarder: Forwarder | None = None,
    ) -> None:
        allowed = tuple(allowed)
        if not address.is_loopback and not allowed:
            raise UsageError(
                f"{address.host} is open to the network: name with --allow-host under which name clients reach it"
            )
        self._address = address
        self._mock = HttpMock(brain, Guard(allowed), latency=latency, forwarder=forwarder)

    async def run(self, ready: Callable[[str], None], stop: asyncio.Event) -> None:
        try:
            server = await serve(self._address.host, self._address.port, self._mock)
        except OSError as error:
            where = f"{self._address.host}:{self._address.port}"
            raise UsageError(f"cannot listen on {where}: {error.strerror or error}") from error
        try:
            host = f"[{self._address.host}]" if ":" in self._address.host else self._address.host
            ready(f"http://{host}:{server.port}{PATH}")
            await stop.wait()
        finally:
            await server.close()


class Background:
    """The same in a thread of its own."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.url = ""

    def start(self) -> None:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _work(self) -> None:
        def ready(url: str) -> None:
            self.url = url
            self._ready.set()

        try:
            self._loop.run_until_complete(self._running.run(ready, self._stop))
        except BaseException as error:  # noqa: BLE001 -- told to whoever started us
            self._error = error
        finally:
            self._loop.close()
            self._ready.set()
