"""What commands that call a live server have in common: how the target is given, and the knobs of the safety policy."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine, Sequence
from typing import Annotated, Any, TypeVar

import typer

from mcptest.errors import UsageError
from mcptest.policy import Policy
from mcptest.transport import Target
from mcptest.transport import target as targets

Result = TypeVar("Result")

CommandArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[-- COMMAND [ARG]...]", help="The server to start, unless --url names one."),
]
UrlOption = Annotated[str | None, typer.Option("--url", metavar="URL", help="The server to talk to over HTTP.")]
HeaderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--header", "-H", metavar="'NAME: VALUE'", help="Send this header with every HTTP request. Repeatable."
    ),
]
BearerOption = Annotated[
    str | None,
    typer.Option("--bearer-env", metavar="NAME", help="Send the token in this environment variable as bearer token."),
]
DestructiveOption = Annotated[
    bool, typer.Option("--execute-destructive", help="Also call destructive tools, each once at most.")
]
MaxCallsOption = Annotated[
    int | None, typer.Option("--max-calls", min=0, metavar="N", help="Make at most so many tool calls. [unlimited]")
]
ConcurrencyOption = Annotated[
    int, typer.Option("--concurrency", min=1, metavar="N", help="Tool calls in flight at once.")
]
CallDelayOption = Annotated[
    int, typer.Option("--call-delay", min=0, metavar="MS", help="Pause between consecutive tool calls over HTTP.")
]
RepeatOption = Annotated[
    bool,
    typer.Option("--repeat-mutating", help="Make every recorded call of a mutating tool, not only the first of each."),
]


def chosen(
    command: Sequence[str] | None, url: str | None, headers: Sequence[str] | None, bearer_env: str | None
) -> Target:
    """The target; it comes from here alone, whatever a recording says."""
    if command and url:
        raise UsageError("give either a command behind -- or --url, not both")
    if url is not None:
        return targets.url(url, headers=[*map(_header, headers or ()), *_bearer(bearer_env)])
    if headers or bearer_env:
        raise UsageError(
            "--header and --bearer-env are for --url; a command takes its credentials from the environment"
        )
    if not command:
        raise UsageError("no target: give the server's command behind --, or its --url")
    return targets.command(command)


def policy(
    execute_destructive: bool, max_calls: int | None, concurrency: int, call_delay: int, repeat_mutating: bool = False
) -> Policy:
    return Policy(execute_destructive, max_calls, concurrency, call_delay / 1000, repeat_mutating)


def live(work: Coroutine[Any, Any, Result]) -> Result:
    """Run what talks to live servers. SIGTERM ends it as Ctrl-C does, so that no server outlives us that we started."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return asyncio.run(work)
    finally:
        signal.signal(signal.SIGTERM, before)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon:
        raise UsageError("--header needs 'NAME: VALUE'")
    return name.strip(), value.strip()


def _bearer(name: str | None) -> list[tuple[str, str]]:
    return [] if name is None else [("Authorization", f"Bearer {environment(name, '--bearer-env')}")]


def environment(name: str, option: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"{option} {name}: there is no such environment variable, or it is empty")
    return value
