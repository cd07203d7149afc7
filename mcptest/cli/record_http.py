"""`mcptest record --url` and `--forward`: the options, and what the user sees while it runs."""

from __future__ import annotations

import sys

from mcptest.capture import locate
from mcptest.errors import McptestError, UsageError
from mcptest.proxy import Options
from mcptest.proxy.http.options import BUILT_IN, MITMPROXY, HttpOptions

_ERASE = "\r\x1b[K"


class Terminal:
    """The address on stdout, everything else on stderr; on a terminal the counts in a line that is rewritten.

    While a client has the terminal, what there is to say waits until it has ended.
    """

    def __init__(self, *, live: bool, held: bool) -> None:
        self._live, self._held = live, held
        self._line = ""
        self._said: dict[str, None] = {}
        self.sessions = 0

    def ready(self, url: str) -> None:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        self.news(0, 0, 0)

    def say(self, text: str) -> None:
        if text not in self._said:
            self._said[text] = None
            if not self._held:
                self._write(f"{_ERASE if self._line else ''}mcptest: {text}\n{self._line}")

    def news(self, sessions: int, requests: int, errors: int) -> None:
        self.sessions = sessions
        if self._live:
            counts = ((sessions, "session"), (requests, "request"), (errors, "error"))
            self._line = " · ".join(_count(*pair) for pair in counts)
            self._write(_ERASE + self._line)

    def release(self) -> None:
        """The terminal is free: no more status, and what waited can be said."""
        if self._line:
            self._line = ""
            self._write(_ERASE)
        self._live = False
        if self._held:
            self._held = False
            for text in self._said:
                self._write(f"mcptest: {text}\n")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            pass  # nobody looks any more


def main(values: dict[str, list[str | None]], command: list[str], options: Options) -> int:
    quiet = "--quiet" in values
    live = not quiet and not command and sys.stderr.isatty()
    terminal = Terminal(live=live, held=bool(command))
    try:
        http = _options(values, command)
        place = locate(options.capture)
        code = _run(options, http, terminal)
        terminal.release()
        if not quiet:
            what = (
                f"recorded {_count(terminal.sessions, 'session')} in" if terminal.sessions else "nothing to record for"
            )
            terminal.say(f"{what} {place.database}")
    except McptestError as error:
        terminal.release()
        terminal.say(str(error))
        return error.exit_code
    return code


def _options(values: dict[str, list[str | None]], command: list[str]) -> HttpOptions:
    last = {name: found[-1] for name, found in values.items()}
    forward = "--forward" in values
    url, engine = last.get("--url"), last.get("--engine")
    if forward and url is not None:
        raise UsageError("--url and --forward exclude each other")
    if not forward and url is None:
        raise UsageError(
            "--listen, --only, --engine and --quiet go with --url or --forward (see mcptest record --help)"
        )
    if command and not forward:
        raise UsageError("--url records a server that runs already; only --forward runs a command, a client's")
    if engine not in (None, BUILT_IN, MITMPROXY):
        raise UsageError(f"--engine is {BUILT_IN} or {MITMPROXY}, not {engine!r}")
    if forward and engine == BUILT_IN:
        raise UsageError("--forward needs the engine mitmproxy")
    only = tuple(host for host in values.get("--only", []) if host)
    if only and not forward:
        raise UsageError("--only goes with --forward: with --url, there is one server")
    return HttpOptions(url, last.get("--listen"), forward, engine, only, tuple(command))


def _run(options: Options, http: HttpOptions, terminal: Terminal) -> int:
    if http.forward or http.engine == MITMPROXY:
        from mcptest.proxy.http.mitm import run_mitmproxy

        return run_mitmproxy(options, http, terminal)
    from mcptest.proxy.http.reverse import run_reverse

    return run_reverse(options, http, terminal)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
