"""Write a session into a file, to hand it to somebody else or to CI.

The file holds every frame as it was recorded, and `mcptest import` brings it back unchanged; docs/export-format.md
describes it. What was redacted is redacted there too; look at it before you hand it on all the same.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import formats, journals, locate
from mcptest.cli import output as outputs
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, ForceOption, SessionArgument, opened
from mcptest.errors import CaptureError
from mcptest.wire import Frame
from mcptest.wire.frame import HEADER

if TYPE_CHECKING:
    from mcptest.capture import Summary


def run(
    session: SessionArgument,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The new file; - is standard output.")],
    capture: CaptureOption = None,
    format: Annotated[str, typer.Option("--format", metavar="|".join(formats.names()), help="The file's format.")] = (
        "jsonl"
    ),
    force: ForceOption = False,
) -> None:
    writer = formats.get(format)
    with opened(locate(capture)) as found:
        summary = found.resolve(session)
        with outputs.opened(output, force=force) as sink:
            count = writer.write(_headed(found.frames(summary.id), summary), sink.file)
        if journals.is_live(found.journal_path(summary.id)):
            complain(f"warning: session {summary.id} still goes on: exported are its first {count} frames")
        elif summary.damage:
            complain(
                f"warning: session {summary.id} is damaged in {summary.damage} places, which the export leaves out"
            )


def _headed(frames: Iterator[Frame], summary: Summary) -> Iterator[Frame]:
    """The frames with a header before them, made from what is known where damage took the journal's own."""
    first = next(frames, None)
    if first is None:
        raise CaptureError(f"nothing of session {summary.id} can be read: see `mcptest capture verify`")
    if first.channel == HEADER:
        return itertools.chain([first], frames)
    facts: dict[str, object] = {
        "session": summary.id,
        "name": summary.name,
        "transport": summary.transport,
        "target": {},
    }
    body = json.dumps({**facts, "started_at": first.at}).encode()
    return itertools.chain([Frame(0, first.at, first.mono, 0, HEADER, 0, body), first], frames)
