"""A session for judges: what was said, in order, and what it means. Derived by the same code as a capture's rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from mcptest.wire.catalogue import Listed
from mcptest.wire.derive import Deriver
from mcptest.wire.facts import Facts
from mcptest.wire.frame import SENDERS, Frame
from mcptest.wire.message import Id, Message, parse
from mcptest.wire.pairing import Exchange
from mcptest.wire.rows import DamageRow, ErrorRow, GapRow, MessageRow


class Item(NamedTuple):
    """A tool, resource, template or prompt as a server listed it. `catalogue` numbers the listings of a kind, each
    over all its pages; `definition` is the JSON value that stood in the list."""

    kind: str
    catalogue: int
    position: int
    seq: int
    batch: int | None
    name: str | None
    definition: Any


class Session(NamedTuple):
    """All of it is read-only, and in the order of the recording."""

    frames: tuple[Frame, ...]
    messages: tuple[Message, ...]
    exchanges: tuple[Exchange, ...]
    items: tuple[Item, ...]
    errors: tuple[ErrorRow, ...]
    gaps: tuple[GapRow, ...]
    damage: tuple[DamageRow, ...]
    facts: Facts

    @classmethod
    def derive(cls, frames: Iterable[Frame]) -> Session:
        """The session that these frames are, from its header on."""
        kept = tuple(frames)
        deriver = Deriver()
        rows = deriver.feed(kept)
        data = {frame.seq: frame.data for frame in kept}
        return cls(
            kept,
            tuple(_message(MessageRow(*row), data) for row in rows.messages),
            tuple(Exchange(*row) for row in rows.exchanges),
            tuple(_item(Listed(*row), rows.definitions) for row in rows.items),
            tuple(ErrorRow(*row) for row in rows.errors),
            tuple(GapRow(*row) for row in rows.gaps),
            tuple(DamageRow(*row) for row in rows.damage),
            deriver.facts,
        )

    def catalogue(self, kind: str) -> tuple[Item, ...]:
        """What the last complete or partial listing of a kind (tool, resource, template, prompt) held."""
        last = max((item.catalogue for item in self.items if item.kind == kind), default=0)
        return tuple(item for item in self.items if item.kind == kind and item.catalogue == last)


def _message(row: MessageRow, data: dict[int, bytes]) -> Message:
    raw = data[row.seq] if row.raw is None else row.raw.encode()
    identity = Id(row.id_type, row.id) if row.id_type is not None and row.id is not None else None
    body = parse(raw)[0].body if raw.lstrip().startswith(b"{") else None
    sender = SENDERS[row.channel]
    return Message(
        row.kind, identity, row.method, body, row.error, row.batch, raw, row.seq, row.at, row.mono, row.conn, sender
    )


def _item(listed: Listed, definitions: dict[str, str]) -> Item:
    return Item(*listed[:-1], json.loads(definitions[listed.digest]))
