"""`mcptest record`: its own small option parser, since a client waits for it to start."""

import os
import sys

from mcptest.proxy import Options, run_stdio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

HELP = """\
Usage: mcptest record [OPTIONS] -- COMMAND [ARG]...
       mcptest record [OPTIONS] --url URL
       mcptest record [OPTIONS] --forward [-- CLIENT [ARG]...]

  Run an MCP server and keep every byte that passes between it and its client.
  Put `mcptest record --` in front of the server's command in your client's configuration; nothing else changes:
  streams, signals, environment and exit code are passed on as they are. See `mcptest sessions` afterwards.

  With --url, stand in front of a server that speaks HTTP: point the client at the address that is printed.
  With --forward, be the HTTP proxy of a client, which is run with everything that it needs in its environment.

Options:
  --url URL          The server to record. Ends with Ctrl-C.
  --forward          Record what a client sends to any server. Needs mitmproxy: see `mcptest setup mitmproxy`.
  --listen ADDRESS   Where to listen, as HOST:PORT. [default: any free port of 127.0.0.1]
  --only HOST        With --forward, leave the traffic with all other hosts alone. May be repeated.
  --engine NAME      For --url: built-in or mitmproxy. [default: built-in]
  --quiet            No status line.
  --capture PATH     The capture to record into: a .duckdb file or a folder.
                     [env: MCPTEST_CAPTURE; default: one per user]
  --name NAME        A name for the session, to find it again.
  --redact-key NAME  Treat values under this JSON key, header or variable as secret, too. May be repeated.
  --no-redact        Keep secrets as they are. The capture is then as secret as they are.
  --help             Show this message and exit.

Exit code: the command's own, or 128 + n when signal n ended it; 2 wrong use, 3 the command cannot be started.
"""

_WITH_VALUE = {"--capture", "--name", "--redact-key", "--url", "--listen", "--only", "--engine"}
_FLAGS = {"--no-redact", "--forward", "--quiet"}
_HTTP = ("--url", "--forward", "--listen", "--only", "--engine", "--quiet")


def main(arguments: list[str]) -> "NoReturn":
    values, command = parse(arguments)
    keys = values.get("--redact-key", [])
    options = Options(
        capture=values.get("--capture", [None])[-1],
        name=values.get("--name", [None])[-1],
        redact="--no-redact" not in values,
        redact_keys=tuple(key for key in keys if key),
    )
    if any(name in values for name in _HTTP):
        from mcptest.cli.record_http import main as record_http

        sys.exit(record_http(values, command, options))
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
        elif word in _FLAGS:
            values[word] = [None]
        elif word.startswith("-"):
            _misuse(f"no such option: {word}")
        else:
            rest.insert(0, word)
            break
    if not rest and not any(name in values for name in _HTTP):
        _misuse("no command to run: mcptest record [OPTIONS] -- COMMAND [ARG]...")
    return values, rest


def _misuse(text: str) -> "NoReturn":
    sys.stderr.write(f"mcptest: {text} (see mcptest record --help)\n")
    sys.exit(2)
