"""From a target to an open conversation, recorded, and closed whatever happens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple

from mcptest.capture import Place
from mcptest.errors import TargetError
from mcptest.live.client import Client, Manner
from mcptest.live.opening import NoDiscovery, Opening, discover, known, shake_hands
from mcptest.live.recorder import Recorder
from mcptest.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from mcptest.transport import Ears, Lost, Patience, Peer, Target, connect
from mcptest.transport.tap import Tap, untapped

_MANNER, _PATIENCE = Manner(), Patience()


class Keeping(NamedTuple):
    """Where a conversation is recorded, and what of it must not be."""

    place: Place
    name: str | None = None
    secrets: Sequence[str] = ()
    complain: Callable[[str], None] = lambda _: None
    about: dict[str, Any] = {}  # noqa: RUF012 -- never changed; goes into the journal's header


@asynccontextmanager
async def visit(
    target: Target,
    manner: Manner = _MANNER,
    *,
    keeping: Keeping | None = None,
    ears: Ears | None = None,
    patience: Patience = _PATIENCE,
) -> AsyncIterator[Client]:
    """A client in an open conversation. TargetError if the server cannot be started, reached or understood."""
    revision = None if manner.revision is None else known(manner.revision)
    if revision is None:
        with _recording(target, keeping) as (tap, session):
            async with connect(target, ears=ears, tap=tap, patience=patience) as peer:
                opening = await _open_newest(peer, manner)
                if opening is not None:
                    yield Client(peer, opening, manner, session)
                    return
        # What a server does not know may end it: then it is met again, as it was always met.
        revision = HANDSHAKE_REVISIONS[-1]
    with _recording(target, keeping) as (tap, session):
        async with connect(target, ears=ears, tap=tap, patience=patience) as peer:
            yield Client(peer, await _open(peer, revision, manner), manner, session)


async def _open_newest(peer: Peer, manner: Manner) -> Opening | None:
    """None if the server is gone for having been asked something that it did not know."""
    try:
        return await discover(peer, STATELESS_REVISIONS[-1], manner.client, manner.capabilities, manner.timeout)
    except NoDiscovery:
        pass
    except Lost:
        return None
    try:
        return await shake_hands(peer, HANDSHAKE_REVISIONS[-1], manner.client, manner.capabilities, manner.timeout)
    except Lost:
        return None


async def _open(peer: Peer, revision: str, manner: Manner) -> Opening:
    way = discover if revision in STATELESS_REVISIONS else shake_hands
    try:
        return await way(peer, revision, manner.client, manner.capabilities, manner.timeout)
    except NoDiscovery as error:
        raise TargetError(f"the server does not speak {revision}: its answer to server/discover was {error}") from None


@contextmanager
def _recording(target: Target, keeping: Keeping | None) -> Iterator[tuple[Tap, str | None]]:
    if keeping is None:
        yield untapped, None
        return
    hidden = [*keeping.secrets, *(value for _, value in target.headers)]
    recorder = Recorder(
        keeping.place, target, name=keeping.name, secrets=hidden, complain=keeping.complain, **keeping.about
    )
    try:
        yield recorder, recorder.session
    finally:
        recorder.close()
