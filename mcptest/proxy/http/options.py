"""How HTTP is to be recorded."""

from __future__ import annotations

from typing import NamedTuple

BUILT_IN, MITMPROXY = "built-in", "mitmproxy"


class HttpOptions(NamedTuple):
    url: str | None = None  # the server, for a reverse proxy
    listen: str | None = None
    forward: bool = False
    engine: str | None = None
    only: tuple[str, ...] = ()  # hosts that a forward proxy records
    command: tuple[str, ...] = ()  # the client that a forward proxy runs
