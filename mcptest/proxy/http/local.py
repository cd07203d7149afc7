"""Whom to believe that it is local: what a client may name in Host and Origin.

A web page that had its own name resolved to this machine (DNS rebinding) names another. The mitmproxy engine loads
this module by its path into mitmproxy's own interpreter, so it imports nothing of ours.
"""

import ipaddress
import re
import socket
from collections.abc import Callable

_AUTHORITY = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


def local_names(host: str) -> Callable[[bytes], bool]:
    """For a listener on this host. If it is open to the network, any address counts as ours: they cannot be rebound."""
    names = {b"localhost", host.lower().encode()}
    if not is_loopback(host):
        names |= {socket.gethostname().lower().encode(), socket.getfqdn().lower().encode()}

    def is_local(authority: bytes) -> bool:
        match = _AUTHORITY.fullmatch(authority)
        if match is None:
            return False
        name = match[1].lower()
        if name in names or name.endswith(b".localhost"):
            return True
        text = name.strip(b"[]").decode("ascii")
        return is_ip(text) and (not is_loopback(host) or is_loopback(text))

    return is_local


def is_local_origin(origin: bytes, is_local: Callable[[bytes], bool]) -> bool:
    scheme, _, authority = origin.partition(b"://")
    return scheme.lower() in (b"http", b"https") and is_local(authority)


def is_loopback(host: str) -> bool:
    return host == "localhost" or (is_ip(host) and ipaddress.ip_address(host).is_loopback)


def is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
