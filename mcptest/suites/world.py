"""The servers of a run: started once, met again if one dies, and what jobs may do with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple

from mcptest import __version__
from mcptest.capture import Place
from mcptest.errors import TargetError
from mcptest.live import Client, Keeping, Manner
from mcptest.policy import CallBudget, Classified, Gate, Policy, classify
from mcptest.probes import Visits
from mcptest.suites.nouns import Server, Suite
from mcptest.suites.snapshots import Snapshots
from mcptest.transport import Patience, Target
from mcptest.transport import target as targets

_ANY_PORT = 0


class Setting(NamedTuple):
    """How a suite is run. `place` is the capture that the traffic is recorded into, None for none."""

    policy: Policy = Policy()
    place: Place | None = None
    update_snapshots: bool = False
    complain: Callable[[str], None] = lambda _: None


class Unreachable(TargetError):  # noqa: N818
    """A server that could not be started or reached; `server` is its name in the suite."""

    def __init__(self, server: str, why: str) -> None:
        super().__init__(f"{server}: {why}")
        self.server = server


class _Live:
    """One server: its target, its conversation for calls, another for probes, which may break theirs."""

    def __init__(self, server: Server, target: Target, setting: Setting, suite: Suite, budget: CallBudget) -> None:
        live = server.live
        self.server, self.target = server, target
        self.timeout = live.timeout if live is not None else 30.0
        manner = Manner(live.revision if live else None, version=__version__, timeout=live.start if live else 20.0)
        keeping = None
        if setting.place is not None:
            # Whoever asks for the last session means one of a client's, so this is marked like a replay.
            about = {"replay_of": f"suite {suite.path.name}"}
            name = f"{suite.path.stem} {server.name}"
            keeping = Keeping(setting.place, name, complain=setting.complain, about=about)
        patience = Patience(connect=manner.timeout)
        self._visits = partial(Visits, target, manner, keeping=keeping, patience=patience)
        self.calls, self.probes = [self._visits()], self._visits()
        http = target.is_http and server.mock is None
        self.gate = Gate(setting.policy._replace(repeat_mutating=True), http=http)
        self.probing = Gate(setting.policy, http=http)
        self.gate.budget = self.probing.budget = budget
        self.opening, self.turn = asyncio.Lock(), asyncio.Lock()
        self.tools: dict[str, dict[str, Any]] | None = None
        self.current: Client | None = None
        self.gone: str | None = None

    async def client(self) -> Client:
        self.current = await self.calls[-1].client()
        return self.current

    def begin_anew(self, client: Client) -> None:
        """The next call opens another conversation; whoever still waits in this one may go on waiting."""
        if self.current is client:
            self.current = None
            self.calls.append(self._visits())


class World:
    """`async with World(suite, setting) as world: await world.start(names)`."""

    def __init__(self, suite: Suite, setting: Setting) -> None:
        self.suite, self.setting = suite, setting
        self.snapshots = Snapshots(suite.folder, update=setting.update_snapshots)
        self.budget = CallBudget(setting.policy.max_calls)
        self._live: dict[str, _Live] = {}
        self._stack = AsyncExitStack()
        self._more: dict[str, list[str]] = {}  # sessions that were not ours to make

    async def __aenter__(self) -> World:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()
        await self._stack.aclose()

    async def start(self, names: list[str]) -> None:
        """Start these servers and open a conversation with each; Unreachable for the first that cannot be."""
        for name in names:
            server = self.suite.servers[name]
            target = await self._play(server) if server.live is None else server.live.target
            self._live[name] = _Live(server, target, self.setting, self.suite, self.budget)
        opened = await asyncio.gather(*(self.client(name) for name in names), return_exceptions=True)
        for outcome in opened:
            if isinstance(outcome, BaseException):
                raise outcome

    async def _play(self, server: Server) -> Target:
        """Serve a mock in this process; its target is where it listens."""
        from mcptest.replay.mocking.guard import Address
        from mcptest.replay.mocking.imagined import Imagined
        from mcptest.replay.mocking.running import Running

        assert server.mock is not None
        url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        stop = asyncio.Event()
        running = Running(Imagined(server.mock), Address("127.0.0.1", _ANY_PORT))
        task = asyncio.create_task(running.run(url.set_result, stop))
        waited: list[asyncio.Future[Any]] = [task, url]
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            await task

        async def end() -> None:
            stop.set()
            await task

        self._stack.push_async_callback(end)
        return targets.url(url.result())

    async def leave(self) -> None:
        """End all conversations; what was recorded of them is whole then."""
        for live in self._live.values():
            for visits in (*live.calls, live.probes):
                await visits.leave()

    # ---- for jobs

    async def client(self, name: str) -> Client:
        """The conversation with a server, a new one if the last was its end. What could not be reached once is not
        tried again: each try may take long."""
        live = self._live[name]
        async with live.opening:
            if live.gone is not None:
                raise Unreachable(name, live.gone)
            try:
                return await live.client()
            except TargetError as error:
                live.gone = str(error)
                raise Unreachable(name, live.gone) from error

    def give_up(self, name: str, client: Client) -> None:
        """A request of this conversation was never answered: the server may be stuck, and others should not wait."""
        self._live[name].begin_anew(client)

    async def tools(self, name: str) -> dict[str, dict[str, Any]]:
        """What the server lists, by name; asked once."""
        live = self._live[name]
        client = await self.client(name)
        async with live.opening:
            if live.tools is None:
                listed = await client.tools()
                live.tools = {tool["name"]: tool for tool in listed if type(tool.get("name")) is str}
        return live.tools

    async def classified(self, name: str, tool: str) -> Classified:
        return classify(tool, (await self.tools(name)).get(tool, {}).get("annotations"))

    def gate(self, name: str) -> Gate:
        """For calls that the author wrote down: mutating tools as often as they stand there."""
        return self._live[name].gate

    def probing(self, name: str) -> tuple[Visits, Gate, asyncio.Lock]:
        """For calls that we make up. One job at a time may have it: a probe may end the conversation."""
        live = self._live[name]
        return live.probes, live.probing, live.turn

    def timeout(self, name: str, own: float | None) -> float:
        return self._live[name].timeout if own is None else own

    def target(self, name: str) -> Target:
        return self._live[name].target

    @property
    def place(self) -> Place | None:
        return self.setting.place

    def add_session(self, name: str, session: str | None) -> None:
        if session is not None:
            self._more.setdefault(name, []).append(session)

    def sessions(self) -> Mapping[str, tuple[str, ...]]:
        """The recordings of this run, by server."""
        return {
            name: (
                *(one for visits in live.calls for one in visits.sessions),
                *live.probes.sessions,
                *self._more.get(name, ()),
            )
            for name, live in self._live.items()
        }
