"""From a target to an open conversation, recorded, and closed whatever happens.

What we say ourselves is marked as such in the recording, so that no judge takes it for the doing of somebody's client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, NamedTuple

from mcptest.capture import Place
from mcptest.errors import TargetError
from mcptest.live.client import Client, Manner
from mcptest.live.opening import NoDiscovery, Opening, discover, known, open_newest, shake_hands, take_back
from mcptest.live.recorder import Recorder
from mcptest.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from mcptest.transport import Ears, Lost, Patience, Peer, Target, connect
from mcptest.transport.tap import Tap, untapped
from mcptest.wire.frame import REQUEST, REQUEST_BODY, STDIN
from mcptest.wire.redaction import environment_secrets

_MANNER, _PATIENCE = Manner(), Patience()
_OURS = frozenset({STDIN, REQUEST, REQUEST_BODY})
_MARK = b'{"synthetic":true}'


class Keeping(NamedTuple):
    """Where a conversation is recorded, and what of it must not be."""

    place: Place
    name: str | None = None
    secrets: Sequence[str] = ()
    complain: Callable[[str], None] = lambda _: None
    about: dict[str, Any] = {}  # noqa: RUF012 -- never changed; goes into the journal's header


class NotOpened(TargetError):  # noqa: N818
    """No conversation came about. `session` is the recording of the attempt, None where there is nothing in it."""

    def __init__(self, why: str, session: str | None) -> None:
        super().__init__(why)
        self.session = session


@asynccontextmanager
async def visit(
    target: Target,
    manner: Manner = _MANNER,
    *,
    keeping: Keeping | None = None,
    ears: Ears | None = None,
    patience: Patience = _PATIENCE,
    afresh: bool = False,
) -> AsyncIterator[Client]:
    """A client in an open conversation. NotOpened if the server cannot be started, reached or understood.

    Where discovery comes to nothing the handshake is made: over the same connection, or `afresh` over a new one, whose
    recording is then that of a client which never heard of discovery.
    """
    revision = None if manner.revision is None else known(manner.revision)
    refused: str | None = None
    if revision is None:
        with _recording(target, keeping) as tape:
            async with _connected(target, ears, tape, patience) as peer:
                with _opening(tape):
                    opening, refused = await _open_newest(peer, manner, afresh=afresh)
                if opening is not None:
                    yield Client(peer, opening, manner, tape.session)
                    return
        # What a server does not know may end it: then it is met again, as it was always met.
        revision = HANDSHAKE_REVISIONS[-1]
    with _recording(target, keeping) as tape:
        async with _connected(target, ears, tape, patience) as peer:
            with _opening(tape):
                opening = await _open(peer, revision, manner)
            yield Client(peer, opening._replace(refused=refused), manner, tape.session)


@asynccontextmanager
async def reach(
    target: Target, *, keeping: Keeping | None = None, ears: Ears | None = None, patience: Patience = _PATIENCE
) -> AsyncIterator[tuple[Peer, str | None]]:
    """A connection on which nothing was said yet, and the session that it is recorded as. NotOpened if there is none
    to be had."""
    with _recording(target, keeping) as tape:
        async with _connected(target, ears, tape, patience) as peer:
            yield peer, tape.recorder.session if tape.recorder is not None else None


@asynccontextmanager
async def _connected(target: Target, ears: Ears | None, tape: _Tape, patience: Patience) -> AsyncIterator[Peer]:
    async with AsyncExitStack() as stack:
        with _opening(tape):
            peer = await stack.enter_async_context(connect(target, ears=ears, tap=tape.tap, patience=patience))
        yield peer


@contextmanager
def _opening(tape: _Tape) -> Iterator[None]:
    """Whatever fails now kept the conversation from coming about."""
    try:
        yield
    except TargetError as error:
        raise NotOpened(str(error), tape.session) from error


async def _open_newest(peer: Peer, manner: Manner, *, afresh: bool) -> tuple[Opening | None, str | None]:
    """The opening, and what discovery was refused with. No opening if the server has to be met again: it is gone for
    having been asked something that it did not know, or the caller wants it so."""
    try:
        opening, silent = await open_newest(peer, manner.client, manner.capabilities, manner.timeout, stay=not afresh)
        if silent:
            await take_back(peer)
        return opening, opening.refused
    except (Lost, NoDiscovery) as refused:
        return None, str(refused)


async def _open(peer: Peer, revision: str, manner: Manner) -> Opening:
    way = discover if revision in STATELESS_REVISIONS else shake_hands
    try:
        return await way(peer, revision, manner.client, manner.capabilities, manner.timeout)
    except NoDiscovery as error:
        raise TargetError(f"the server does not speak {revision}: it answered server/discover with {error}") from None


class _Tape(NamedTuple):
    tap: Tap
    recorder: Recorder | None = None

    @property
    def session(self) -> str | None:
        return self.recorder.session if self.recorder is not None and self.recorder.has_begun else None


@contextmanager
def _recording(target: Target, keeping: Keeping | None) -> Iterator[_Tape]:
    if keeping is None:
        yield _Tape(untapped)
        return
    hidden = [*keeping.secrets, *(value for _, value in target.headers), *environment_secrets(dict(target.env))]
    recorder = Recorder(
        keeping.place, target, name=keeping.name, secrets=hidden, complain=keeping.complain, **keeping.about
    )
    try:
        yield _Tape(_marking(recorder), recorder)
    finally:
        recorder.close()


def _marking(tap: Tap) -> Tap:
    def marked(channel: int, data: bytes, *, conn: int = 0, flags: int = 0, meta: bytes = b"") -> None:
        if channel in _OURS:
            meta = _MARK if not meta else _MARK[:-1] + b"," + meta[1:]
        tap(channel, data, conn=conn, flags=flags, meta=meta)

    return marked
