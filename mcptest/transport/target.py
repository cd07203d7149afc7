"""What is under test: a command line or a URL. It comes from the user, never from a recording."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from mcptest.errors import UsageError

_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


class Target(NamedTuple):
    """Either `command` or `url`. `env` is added to our own environment; `headers` are sent with every request."""

    command: tuple[str, ...] = ()
    url: str | None = None
    env: tuple[tuple[str, str], ...] = ()
    cwd: str | None = None
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def is_http(self) -> bool:
        return self.url is not None

    def __str__(self) -> str:
        return self.url if self.url is not None else shlex.join(self.command)


def command(words: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str | Path | None = None) -> Target:
    if not words:
        raise UsageError("no command to run: give it behind --")
    return Target(tuple(words), None, tuple((env or {}).items()), None if cwd is None else str(cwd))


def url(address: str, *, headers: Sequence[tuple[str, str]] = ()) -> Target:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise UsageError(f"{address!r} is no URL: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"a target's URL is such as http://127.0.0.1:9000/mcp, not {address!r}")
    if parts.username is not None or parts.password is not None:
        raise UsageError("credentials in the URL end up in logs: give them with --bearer-env or --header")
    if not re.fullmatch(r"[!-~]+", address):
        raise UsageError(f"{address!r} has characters in it that must be percent-encoded")
    for name, value in headers:
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise UsageError(f"{name!r} is no header that can be sent")
    return Target(url=address.partition("#")[0], headers=tuple(headers))


def parse(text: str) -> Target:
    """A URL, or a command line as a shell reads it."""
    if re.match(r"https?://", text):
        return url(text)
    try:
        return command(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"{text!r} is no command line: {error}") from error
