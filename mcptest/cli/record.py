"""`mcptest record`: its own small option parser, since a client waits for it to start."""

import os
import sys

from mcptest.proxy import Options, run_stdio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

HELP = """\
Usage: mcptest record [OPTIONS] -- COMMAND [ARG]...

  Run an MCP server and keep every byte that passes between it and its client.
  Put `mcptest record --` in front of the server's command in your client's configuration; nothing else changes:
  streams, signals, environment and exit code are passed on as they are. See `mcptest sessions` afterwards.

Options:
  --capture PATH     The capture to record into: a .duckdb file or a folder.
                     [env: MCPTEST_CAPTURE; default: one per user]
  --name NAME        A name for the session, to find it again.
  --redact-key NAME  Treat values under this JSON key, header or variable as secret, too. May be repeated.
  --no-redact        Keep secrets as they are. The capture is then as secret as they are.
  --help             Show this message and exit.

Exit code: the server's own, or 128 + n when signal n ended it; 2 wrong use, 3 the command cannot be started.
"""

_WITH_VALUE = {"--capture", "--name", "--redact-key"}


def main(arguments: list[str]) -> "NoReturn":
    values, command = parse(arguments)
    keys = values.get("--redact-key", [])
    options = Options(
        capture=values.get("--capture", [None])[-1],
        name=values.get("--name", [None])[-1],
        redact="--no-redact" not in values,
        redact_keys=tuple(key for key in keys if key),
    )
    code = run_stdio(command, options)
    os._exit(code)  # threads may still wait for a client that says nothing more


def parse(arguments: list[str]) -> "tuple[dict[str, list[str | None]], list[str]]":
    values: dict[str, list[str | None]] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            break
        if word in ("--help", "-h"):
            sys.stdout.write(HELP)
            sys.exit(0)
        name, equals, value = word.partition("=")
        if name in _WITH_VALUE:
            if not equals:
                if not rest or rest[0] == "--":
                    _misuse(f"{name} needs a value")
                value = rest.pop(0)
            if not value:
                _misuse(f"{name} needs a value")
            values.setdefault(name, []).append(value)
        elif word == "--no-redact":
            values[word] = [None]
        elif word.startswith("-"):
            _misuse(f"no such option: {word}")
        else:
            rest.insert(0, word)
            break
    if not rest:
        _misuse("no command to run: mcptest record [OPTIONS] -- COMMAND [ARG]...")
    return values, rest


def _misuse(text: str) -> "NoReturn":
    sys.stderr.write(f"mcptest: {text} (see mcptest record --help)\n")
    sys.exit(2)
