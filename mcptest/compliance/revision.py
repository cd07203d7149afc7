"""Which revision a message belongs to.

A request that says its revision in `_meta` belongs to the stateless era, and its answer with it. All else belongs to
what the handshake settled on; before that, to what the client asked for; in a session without a handshake, to the
revision of the requests before it. Both eras may stand in one session: clients try the new one and fall back. Who has
shaken hands and names a revision with a handshake in `_meta` is no child of the stateless era by that.
"""

from __future__ import annotations

import re
from typing import Any

from mcptest.protocol import (
    HANDSHAKE_REVISIONS,
    PROTOCOL_VERSION,
    REVISIONS,
    STATELESS_REVISIONS,
    SUBSCRIPTION_ID,
    methods_of,
)
from mcptest.wire.frame import CLIENT

UNKNOWN = ""  # nothing that was captured tells the revision, and the user did not say it
DRAFT = "draft"

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_STATELESS_ONLY = frozenset(
    method
    for method in methods_of(STATELESS_REVISIONS[-1], "request", CLIENT)
    if not any(method in methods_of(revision, "request", CLIENT) for revision in HANDSHAKE_REVISIONS)
)


def nearest(version: Any) -> str:
    """The revision to judge by where a handshake names this version: itself if it is published; of other dates the
    last revision before it; else the last that has a handshake."""
    if version in REVISIONS:
        return str(version)
    if type(version) is str and _DATE.fullmatch(version):
        return max((known for known in HANDSHAKE_REVISIONS if known < version), default=HANDSHAKE_REVISIONS[0])
    return HANDSHAKE_REVISIONS[-1]


class Settled:
    """The revision that a session has settled on, as far as it has got."""

    __slots__ = ("current", "handshake")

    def __init__(self) -> None:
        self.current = UNKNOWN
        self.handshake = False

    def request(self, method: str, params: Any) -> str:
        """The revision of a request from the client."""
        meta = params.get("_meta") if type(params) is dict else None
        claimed = meta.get(PROTOCOL_VERSION) if type(meta) is dict else None
        if self.handshake and claimed in HANDSHAKE_REVISIONS and method not in _STATELESS_ONLY:
            return self.current
        if type(claimed) is str or method in _STATELESS_ONLY:
            revision = claimed if claimed in STATELESS_REVISIONS else STATELESS_REVISIONS[-1]
            if not self.handshake:
                self.current = revision
            return revision
        return self.current

    def asked(self, version: Any) -> str:
        """The client opens a handshake and names a version. No handshake leads into the stateless era."""
        self.handshake = True
        self.current = min(nearest(version), HANDSHAKE_REVISIONS[-1])
        return self.current

    def agreed(self, version: Any) -> str:
        """The server answered the handshake with a version."""
        self.current = nearest(version)
        return self.current

    def notification(self, params: Any) -> str:
        meta = params.get("_meta") if type(params) is dict else None
        if type(meta) is dict and SUBSCRIPTION_ID in meta:
            return STATELESS_REVISIONS[-1]
        return self.current
