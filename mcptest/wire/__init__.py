"""From bytes to messages and sessions, without I/O: no sockets, no clock, no database.

Names are loaded when they are first used: a recorder needs frames and journals, and no JSON parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcptest.doors import late

if TYPE_CHECKING:
    from mcptest.wire.catalogue import Listed
    from mcptest.wire.derive import Deriver, Recall
    from mcptest.wire.frame import Frame
    from mcptest.wire.journal import Damage
    from mcptest.wire.lines import Lines
    from mcptest.wire.message import Id, Message, parse
    from mcptest.wire.pairing import Exchange
    from mcptest.wire.rows import DamageRow, Repair, Rows
    from mcptest.wire.session import Item, Session

__all__ = [
    "Damage",
    "DamageRow",
    "Deriver",
    "Exchange",
    "Frame",
    "Id",
    "Item",
    "Lines",
    "Listed",
    "Message",
    "Recall",
    "Repair",
    "Rows",
    "Session",
    "parse",
]

__getattr__ = late(
    __name__,
    {
        "Damage": "journal",
        "DamageRow": "rows",
        "Deriver": "derive",
        "Exchange": "pairing",
        "Frame": "frame",
        "Id": "message",
        "Item": "session",
        "Lines": "lines",
        "Listed": "catalogue",
        "Message": "message",
        "Recall": "derive",
        "Repair": "rows",
        "Rows": "rows",
        "Session": "session",
        "parse": "message",
    },
)
