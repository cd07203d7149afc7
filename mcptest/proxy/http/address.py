"""Addresses: the server that is recorded, and where to listen for its client."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from mcptest.errors import UsageError
from mcptest.proxy.http.local import is_ip, is_loopback

LOOPBACK = "127.0.0.1"


class Upstream(NamedTuple):
    """The one server that requests go to."""

    url: str
    tls: bool
    host: str
    port: int
    target: str  # path and query, as the client has to name them

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


class Listen(NamedTuple):
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    def url(self, target: str) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}{target}"


def parse_url(text: str) -> Upstream:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"--url: {error}: {text}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--url needs a URL such as https://api.example.com/mcp, not {text!r}")
    if parts.username is not None:
        raise UsageError("--url: a user or password in the URL is not passed on; let the client send the credentials")
    try:
        host = parts.hostname if is_ip(parts.hostname) else parts.hostname.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise UsageError(f"--url: {parts.hostname!r} is no host name") from error
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not re.fullmatch(r"[!-~]+", target):
        raise UsageError(f"--url: {text!r} has characters in it that must be percent-encoded")
    tls = parts.scheme == "https"
    return Upstream(text.partition("#")[0], tls, host, port or (443 if tls else 80), target)


def parse_listen(text: str | None) -> Listen:
    """HOST:PORT, [IPv6]:PORT, :PORT or PORT. By default, any free port of the loopback interface."""
    if text is None:
        return Listen(LOOPBACK, 0)
    match = re.fullmatch(r"(?:(?:\[([0-9A-Fa-f:.%]+)\]|([^:\[\]]*)):)?([0-9]{1,5})", text)
    if not match or int(match[3]) > 65535:
        raise UsageError(f"--listen needs HOST:PORT, such as 127.0.0.1:8080, not {text!r}")
    return Listen(match[1] or match[2] or LOOPBACK, int(match[3]))
