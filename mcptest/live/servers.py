"""A server as a suite names it: how to start or reach it.

    server: {command: python server.py, env: {MODE: test}, cwd: .., timeout: 10}
    server: {url: http://127.0.0.1:9000/mcp, headers: {X-Team: weather}, bearer_token_env: TOKEN}

A command runs in the suite's folder, wherever the suite is run from. A string is split as a shell would.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.protocol import REVISIONS
from mcptest.transport import Target
from mcptest.transport import target as targets

_KEYS: tuple[str, ...] = ("command", "args", "env", "cwd", "url", "headers", "bearer_token_env")
_KEYS += ("timeout", "start_timeout", "spec_version")
_FOR_COMMANDS, _FOR_URLS = ("args", "env", "cwd"), ("headers", "bearer_token_env")
_TIMEOUT, _START = 30.0, 20.0


class Server(NamedTuple):
    """`timeout` is how long to wait for an answer, `start` for the server to be ready, in seconds; `revision` is the
    one to speak, None for the newest that it speaks."""

    target: Target
    timeout: float = _TIMEOUT
    start: float = _START
    revision: str | None = None


class WrongServer(UsageError):  # noqa: N818
    """`at` are the keys that lead to what is wrong, from the block on."""

    def __init__(self, why: str, *at: str | int) -> None:
        super().__init__(why)
        self.at = at


def read_server(given: Any, folder: Path) -> Server:
    """The server that a block describes; WrongServer where it describes none."""
    if isinstance(given, str):
        given = {"url" if given.startswith(("http://", "https://")) else "command": given}
    if not isinstance(given, Mapping):
        raise WrongServer("server is a mapping with a `command` or a `url`")
    for key in given:
        if key not in _KEYS:
            near = get_close_matches(str(key), _KEYS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise WrongServer(f"unknown key {key!r}{hint} (known: {', '.join(_KEYS)})", key)
    if ("command" in given) == ("url" in given):
        raise WrongServer("server needs either a `command` or a `url`")
    for key in _FOR_URLS if "command" in given else _FOR_COMMANDS:
        if key in given:
            raise WrongServer(f"{key} does not go with a {'command' if 'command' in given else 'url'}", key)
    timeout, start = _seconds(given, "timeout", _TIMEOUT), _seconds(given, "start_timeout", _START)
    revision = given.get("spec_version")
    if revision is not None and str(revision).removeprefix("v") not in (*REVISIONS, "draft"):
        raise WrongServer(f"unknown revision {revision!r} (known: {', '.join(REVISIONS)})", "spec_version")
    target = _command(given, folder) if "command" in given else _url(given)
    return Server(target, timeout, start, None if revision is None else str(revision))


def _seconds(given: Mapping[str, Any], key: str, default: float) -> float:
    found = given.get(key, default)
    if type(found) not in (int, float) or not 0 < found <= 3600:
        raise WrongServer(f"{key} is a number of seconds, an hour at most", key)
    return float(found)


def _command(given: Mapping[str, Any], folder: Path) -> Target:
    words = given["command"]
    if isinstance(words, str):
        try:
            words = shlex.split(words)
        except ValueError as error:
            raise WrongServer(f"command is no command line: {error}", "command") from error
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise WrongServer("command is a command line, or the list of its words", "command")
    arguments = given.get("args", [])
    if not isinstance(arguments, list) or not all(type(word) in (str, int, float) for word in arguments):
        raise WrongServer("args is a list of words", "args")
    cwd = given.get("cwd", ".")
    if not isinstance(cwd, str):
        raise WrongServer("cwd is a folder, seen from the suite", "cwd")
    home = (folder / cwd).resolve()
    if not home.is_dir():
        raise WrongServer(f"there is no folder {home}", "cwd")
    return targets.command([*words, *map(str, arguments)], env=_texts(given, "env"), cwd=home)


def _url(given: Mapping[str, Any]) -> Target:
    headers = list(_texts(given, "headers").items())
    name = given.get("bearer_token_env")
    if name is not None:
        token = os.environ.get(name) if isinstance(name, str) else None
        if not token:
            raise WrongServer(f"there is no environment variable {name}, or it is empty", "bearer_token_env")
        headers.append(("Authorization", f"Bearer {token}"))
    try:
        return targets.url(str(given["url"]), headers=headers)
    except UsageError as error:
        raise WrongServer(str(error), "url") from error


def _texts(given: Mapping[str, Any], key: str) -> dict[str, str]:
    found = given.get(key, {})
    if not isinstance(found, Mapping) or not all(type(value) in (str, int, float, bool) for value in found.values()):
        raise WrongServer(f"{key} is a mapping from names to texts", key)
    return {str(name): _text(value) for name, value in found.items()}


def _text(value: Any) -> str:
    return str(value).lower() if type(value) is bool else str(value)
