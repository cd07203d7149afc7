"""Show a session as a timeline: when, which way, what, and how long the answer took.

Each line is one message, a line of the server's stderr, or something that happened to the connection. An answer
carries the method it answers and the time it took. `--full` adds the whole content, JSON laid out. With `--follow`
the timeline goes on while the session does. `→` is from the client to the server, `←` from the server, `!` its
stderr, `·` an event, `✗` something that was not recorded.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import orjson
import typer

from mcptest.capture import journals, locate
from mcptest.cli import output
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, SessionArgument, opened
from mcptest.cli.terminal import DEFAULT_WIDTH, columns_of, escape, escape_json, fit, wants_colour
from mcptest.cli.timeline import Entry, chosen, entries
from mcptest.cli.timeline_view import as_object, full_text, text_line
from mcptest.errors import UsageError
from mcptest.wire import Damage, Frame
from mcptest.wire.frame import EVENT

if TYPE_CHECKING:
    from mcptest.capture import Summary

_POLL = 0.1  # seconds between two looks at a journal that is being written
_END = b'{"event": "end"}'


def run(
    session: SessionArgument,
    capture: CaptureOption = None,
    full: Annotated[bool, typer.Option("--full", help="Show the whole content of each message.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on while the session does.")] = False,
    method: Annotated[
        str | None, typer.Option("--method", metavar="GLOB", help="Only this method and its answers, e.g. 'tools/*'.")
    ] = None,
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="Only calls of this tool and their answers.")
    ] = None,
    errors: Annotated[bool, typer.Option("--errors", help="Only errors, malformed messages and losses.")] = False,
    format: Annotated[
        Literal["text", "json", "ndjson"], typer.Option("--format", help="ndjson is one object per line.")
    ] = "text",
) -> None:
    if follow and format == "json":
        raise UsageError("--follow never ends an array: use --format ndjson")
    with opened(locate(capture)) as found:
        summary = found.resolve(session)
        path = found.journal_path(summary.id)
    # The capture is closed again: nobody should have to wait for it while somebody reads a timeline.
    torn = _Torn()
    frames = iter(_follow(path, torn) if follow else _read(path, torn))
    header = next(frames, None)
    if header is None:
        return
    found_entries = filter(chosen(method, tool, errors), entries(itertools.chain([header], frames)))
    with output.stdout() as sink:
        if format == "text":
            sink.write(_title(summary))
            _write_text(found_entries, header.mono, sink, full=full, flush=follow)
        else:
            _write_json(found_entries, header.mono, sink, array=format == "json", flush=follow)
    if torn.damage:
        complain(f"warning: the journal ends with an incomplete record of {torn.damage.length} bytes: {path}")


class _Torn:
    damage: Damage | None = None


def _read(path: Path, torn: _Torn) -> Iterator[Frame]:
    for stretch in journals.read(path, final=not journals.is_live(path)):
        yield from stretch.frames
        _note(stretch.damage, torn)


def _follow(path: Path, torn: _Torn) -> Iterator[Frame]:
    offset = 0
    while True:
        live = journals.is_live(path)  # asked before reading: what is written afterwards is for the next round
        for stretch in journals.read(path, offset, final=not live):
            for frame in stretch.frames:
                yield frame
                if frame.channel == EVENT and frame.data == _END:
                    return
            _note(stretch.damage, torn)
            offset = stretch.offset
        if not live:
            return
        time.sleep(_POLL)


def _note(damage: Iterable[Damage], torn: _Torn) -> None:
    for one in damage:
        if one.torn:
            torn.damage = one


def _title(summary: Summary) -> str:
    words = [summary.id, f'"{summary.name}"' if summary.name else "", summary.transport, summary.target]
    return fit(escape(" ".join(word for word in words if word)), _columns()) + "\n"


def _columns() -> int:
    return columns_of(sys.stdout) or DEFAULT_WIDTH


def _write_text(found: Iterable[Entry], start: int, sink: output.Sink, *, full: bool, flush: bool) -> None:
    colour, columns = wants_colour(sys.stdout), _columns()
    for entry in found:
        sink.write(text_line(entry, start, columns, colour=colour) + "\n")
        if full:
            sink.write(full_text(entry))
        if flush:
            sink.file.flush()


def _write_json(found: Iterable[Entry], start: int, sink: output.Sink, *, array: bool, flush: bool) -> None:
    opening = "[" if array else ""
    for entry in found:
        document = orjson.dumps(as_object(entry, start)).decode()
        sink.write(opening + (escape_json(document) if sink.terminal else document) + ("" if array else "\n"))
        opening = ",\n " if array else ""
        if flush:
            sink.file.flush()
    if array:
        sink.write("]\n" if opening != "[" else "[]\n")
