"""What commands that exercise a live server have in common: how it is named, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import Place, journals, sources
from mcptest.cli.guard import complain
from mcptest.cli.targets import chosen, live

if TYPE_CHECKING:
    from mcptest.live import Exercise, Server

TimeoutOption = Annotated[
    float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long a live server may take to answer.")
]


def live_server(
    command: Sequence[str] | None,
    url: str | None,
    headers: Sequence[str] | None,
    bearer_env: str | None,
    timeout: float,
) -> Server | None:
    """The server that is named on the command line; None if none is."""
    if command is None and url is None and not headers and not bearer_env:
        return None
    from mcptest.live import Server

    return Server(chosen(command, url, headers, bearer_env), timeout)


def exercised(server: Server, place: Place, revision: str | None) -> tuple[Exercise, sources.Source | None]:
    """Exercise a server, recorded into the capture; the recording, unless there is nothing in it."""
    from mcptest import __version__
    from mcptest.live import Keeping, Manner, exercise

    manner = Manner(revision=revision or server.revision, version=__version__, timeout=server.timeout)
    keeping = Keeping(place, complain=complain)
    found = live(exercise(server.target, manner, keeping=keeping))
    if found.session is None:
        return found, None
    # Read where it lies: that the capture's database is busy must not keep us from it.
    path = next(path for path in journals.find(place.journals) if path.stem.endswith(f"-{found.session}"))
    return found, sources.Source(found.session, path, found.session)
