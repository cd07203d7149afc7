"""Whom an HTTP mock serves: programs on this machine, and no web page that had its own name resolved to it."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from mcptest.errors import UsageError

_ADDRESS = re.compile(r"(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]*)):)?([0-9]{1,5})")
_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]{1,5})?")


class Address(NamedTuple):
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return is_local(self.host)


def parse_address(text: str) -> Address:
    """HOST:PORT, [IPv6]:PORT, :PORT or PORT; the host is 127.0.0.1 unless said otherwise, and port 0 any free one."""
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match[3]) > 65535:
        raise UsageError(f"--http needs HOST:PORT, such as 127.0.0.1:8080, not {text!r}")
    return Address(match[1] or match[2] or "127.0.0.1", int(match[3]))


def is_local(host: str) -> bool:
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """`allowed` are names besides those of this machine."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = {name.lower() for name in allowed}

    def objection(self, host: str | None, origin: str | None) -> str | None:
        """Why a request is not served, by its Host and Origin; None if it is."""
        if host is None or not self._knows(host):
            return f"the Host {host!r} is not this machine"
        if origin is not None and not self._knows(urlsplit(origin).netloc or "null"):
            return f"the Origin {origin!r} is not this machine"
        return None

    def _knows(self, authority: str) -> bool:
        match = _AUTHORITY.fullmatch(authority)
        host = match[1] or match[2] if match else ""
        return bool(host) and (is_local(host) or host.lower() in self._allowed)
