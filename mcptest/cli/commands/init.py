"""Write a suite from a recording: each distinct call, with what can be expected of its answer.

The server is started and asked again what it was asked in the recording, but only what reads; what stays the same is
expected from then on. Tools that change something are written down as `serial` and not called; destructive ones get a
comment too, since somebody should look before they run. Arguments whose secrets were removed are skipped and say so.

The suite passes against the same server as it is written. It is not overwritten without --force.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mcptest.capture import Place, locate
from mcptest.cli import output as outputs
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption
from mcptest.cli.targets import (
    BearerOption,
    CallDelayOption,
    CommandArgument,
    HeaderOption,
    MaxCallsOption,
    UrlOption,
    chosen,
    live,
    policy,
)
from mcptest.cli.terminal import escape
from mcptest.errors import UsageError

if TYPE_CHECKING:
    from mcptest.transport import Target


def run(
    command: CommandArgument = None,
    recording: Annotated[
        str, typer.Option("--from", metavar="SESSION|FILE", help="The recording: a session, last, or an exported file.")
    ] = "last",
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The suite's file.")] = "mcptest.yml",
    force: ForceOption = False,
    url: UrlOption = None,
    header: HeaderOption = None,
    bearer_env: BearerOption = None,
    capture: CaptureOption = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long to wait for an answer.")
    ] = 30.0,
    max_calls: MaxCallsOption = None,
    call_delay: CallDelayOption = 100,
) -> None:
    from mcptest import suites
    from mcptest.replay import find, read

    target = chosen(command, url, header, bearer_env)
    if output == outputs.STDOUT:
        raise UsageError("a suite is a file, since its servers run where it stands: name one with -o")
    if os.path.lexists(output) and not force:
        raise UsageError(f"{output} exists and is left as it is: choose another name, or overwrite it with --force")
    place = locate(capture)
    source = find(recording, place)
    played = read(source.frames())
    if not any(True for _ in suites.distinct(played)):
        raise UsageError(
            f"{source.name} holds no call of a tool, nor a read of a resource or prompt: nothing to expect"
        )
    rules = policy(False, max_calls, 1, call_delay)
    made = live(suites.scaffold(played, target, policy=rules, timeout=timeout, place=place, complain=complain))
    server, notes = _server(target, header, bearer_env, Path(output), place)
    head = [
        f"Written by mcptest init from {source.name}, for you to read and change. Run it with:",
        f"  mcptest run {shlex.quote(output)}",
    ]
    text = suites.compose(head, server, made.drafts, notes)
    with outputs.opened(output, force=force) as sink:
        sink.write(text)
    for note in notes:
        complain(f"note: {note}")
    parts = {"serial": made.serial, "to review before their first run": made.review, "skipped for now": made.skipped}
    counted = ", ".join(f"{number} {what}" for what, number in parts.items() if number)
    tests = f"{len(made.drafts)} tests" + (f" ({counted})" if counted else "")
    print(escape(f"{output}: {tests}; run it with mcptest run {shlex.quote(output)}"))


def _server(
    target: Target, headers: Sequence[str] | None, bearer_env: str | None, output: Path, place: Place
) -> tuple[dict[str, Any], list[str]]:
    """The `server:` of the suite, with variables in place of what could be a secret, and what to say of them."""
    from mcptest.suites import Secret

    notes: list[str] = []
    if target.url is not None:
        server: dict[str, Any] = {"url": target.url}
        names = [header.partition(":")[0].strip() for header in headers or ()]
        variables = {name: _variable("HEADER", name) for name in names}
        if names:
            server["headers"] = {name: Secret(f"${{{variable}}}") for name, variable in variables.items()}
            notes.append(f"set {', '.join(variables.values())} to the headers' values: they are not written down")
        return server | ({"bearer_token_env": bearer_env} if bearer_env else {}), notes
    words: list[str] = []
    for word, clean in zip(target.command, _redacted(target.command, place), strict=True):
        if word == clean:
            words.append(word)
        else:
            words.append(Secret(f"${{SERVER_ARGUMENT_{len(words)}}}"))
            notes.append(f"set SERVER_ARGUMENT_{len(words) - 1}: that word of the command looks like a secret")
    here = os.path.relpath(os.getcwd(), output.resolve().parent)
    return {"command": words, **({} if here == "." else {"cwd": here})}, notes


def _redacted(command: Sequence[str], place: Place) -> list[str]:
    from mcptest.capture import make_private_folder, salt
    from mcptest.config import load
    from mcptest.wire.redaction import Redactor, environment_secrets, from_config

    make_private_folder(place.journals)
    redactor = Redactor(salt(place), keys=from_config(load()), secrets=environment_secrets(os.environ))
    return redactor.argv(list(command))


def _variable(prefix: str, name: str) -> str:
    return f"{prefix}_{''.join(letter if letter.isalnum() else '_' for letter in name.upper())}"
