"""Put a mock together: from a recording or a manifest, with its matchers, faults and forwarding."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mcptest.capture import Place
from mcptest.live import Recorder
from mcptest.policy import Policy
from mcptest.replay.masks import Mask, MaskSet
from mcptest.replay.matchers import DEFAULT, chain
from mcptest.replay.mocking.acts import Thinker
from mcptest.replay.mocking.conversation import Brain, OnExhausted
from mcptest.replay.mocking.faults import Fault, Faults
from mcptest.replay.mocking.faulty import Faulty
from mcptest.replay.mocking.forwarding import Forwarder
from mcptest.replay.mocking.growing import Growing
from mcptest.replay.mocking.imagined import Imagined
from mcptest.replay.mocking.library import Library
from mcptest.replay.mocking.manifest import load
from mcptest.replay.sources import Source
from mcptest.replay.turns import Turn
from mcptest.transport import Target


class Setup(NamedTuple):
    """How a mock answers. `latency` multiplies the recorded delays; 0 answers at once."""

    match: str = DEFAULT
    ignored: tuple[Mask, ...] = ()
    on_exhausted: OnExhausted = OnExhausted.LAST
    faults: tuple[Fault, ...] = ()
    seed: int = 0
    latency: float = 0.0


class Assembled:
    """A mock without a shell. Close it: what was forwarded is saved then."""

    def __init__(self, brain: Thinker, library: Library | None, forwarder: Forwarder | None = None) -> None:
        self.brain, self._library, self.forwarder = brain, library, forwarder
        self._closing: list[Callable[[], None]] = []

    def on_close(self, action: Callable[[], None]) -> None:
        self._closing.append(action)

    def unasked(self) -> list[Turn]:
        """The recorded requests that nobody has asked for."""
        if self._library is None:
            return []
        self._library.read_all()
        return [turn for turn in self._library.turns if turn.seq not in self._library.asked]

    def close(self) -> None:
        while self._closing:
            self._closing.pop()()


class Forwarding(NamedTuple):
    """Where requests go that were not recorded; the traffic is recorded into `place`."""

    target: Target
    policy: Policy
    place: Place
    complain: Callable[[str], None]


def from_recording(source: Source, setup: Setup, forwarding: Forwarding | None = None) -> Assembled:
    library = Library(source.frames(), chain(setup.match), MaskSet(setup.ignored))
    brain = Brain(library, on_exhausted=setup.on_exhausted, forward=forwarding is not None)
    made = Assembled(_with_faults(brain, setup), library)
    if forwarding is not None:
        _forward(made, library, source, forwarding)
    return made


def from_manifest(path: Path, setup: Setup) -> Assembled:
    return Assembled(_with_faults(Imagined(load(path)), setup), None)


def _with_faults(brain: Thinker, setup: Setup) -> Thinker:
    return Faulty(brain, Faults(setup.faults, setup.seed)) if setup.faults else brain


def _forward(made: Assembled, library: Library, source: Source, forwarding: Forwarding) -> None:
    recorder = Recorder(
        forwarding.place,
        forwarding.target,
        name=f"forwarded by a mock of {source.name}",
        complain=forwarding.complain,
        secrets=[value for _, value in forwarding.target.headers],
        replay_of=source.session or source.name,
    )
    growing = Growing(source, forwarding.place, forwarding.complain)
    made.forwarder = Forwarder(forwarding.target, library, forwarding.policy, recorder, growing.add)
    for action in (growing.save, recorder.close, made.forwarder.close):
        made.on_close(action)
