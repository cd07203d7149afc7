"""List the recorded sessions, the newest first.

In the table, a session is named by the beginning of its id, which is enough for every other command. The other
formats hold all that is known of each session. Marked are frames that could not be recorded (gaps) and places where
the journal is damaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mcptest.capture import locate
from mcptest.capture.sandbox import NUMBER, TEXT, Column
from mcptest.cli import output, tables
from mcptest.cli.guard import complain
from mcptest.cli.options import CaptureOption, FormatOption, opened
from mcptest.cli.terminal import columns_of, escape, width
from mcptest.cli.timeline_view import say_duration

if TYPE_CHECKING:
    from mcptest.capture import Summary

_SHOWN_ID = 8
_WIDEST = 32  # a cell of the table
_NUMBERS = {"exit_code", "signal", "messages", "requests", "responses", "notifications", "malformed", "errors"}
_NUMBERS |= {"tool_calls", "bytes", "gaps", "damage"}
# What a narrow terminal can do without, the first to go first.
_DISPENSABLE = ("transport", "revision", "duration", "client", "exit", "server")


def run(
    capture: CaptureOption = None,
    format: FormatOption = "table",
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, metavar="N", help="Show the newest N sessions only.")
    ] = None,
) -> None:
    import sys

    from mcptest.capture import NothingRecorded

    summaries: list[Summary] = []
    try:
        with opened(locate(capture)) as found:
            summaries = found.sessions()[::-1][:limit]
    except NothingRecorded:
        if capture:
            raise
    if not summaries:
        complain("no sessions yet: put `mcptest record --` in front of a server's command")
    with output.stdout() as sink:
        if format == "table":
            columns, rows = _table(summaries, columns_of(sys.stdout))
            if rows:
                tables.table(columns, rows, sink, columns_of(sys.stdout))
        else:
            columns, rows = _everything(summaries)
            tables.WRITERS[format](columns, rows, sink, None)


def _everything(summaries: Sequence[Summary]) -> tuple[list[Column], list[list[str | None]]]:
    from mcptest.capture import Summary

    columns = [Column(name, NUMBER if name in _NUMBERS else TEXT) for name in Summary._fields]
    return columns, [[_cell(value) for value in summary] for summary in summaries]


def _cell(value: object) -> str | None:
    if isinstance(value, datetime):
        return _aware(value).isoformat().replace("+00:00", "Z")
    return None if value is None else str(value)


def _table(summaries: Sequence[Summary], room: int | None) -> tuple[list[Column], list[list[str | None]]]:
    lines = [_line(summary) for summary in summaries]
    names = [name for name in (lines[0] if lines else {}) if any(line[name] for line in lines)]
    for name in _DISPENSABLE:
        if room is None or _natural_width(names, lines) <= room:
            break
        if name in names:
            names.remove(name)
    numbers = {"messages", "errors"}
    return [Column(name, NUMBER if name in numbers else TEXT) for name in names], [
        [line[name] for name in names] for line in lines
    ]


def _natural_width(names: Sequence[str], lines: Sequence[dict[str, str | None]]) -> int:
    return sum(max(width(name), *(width(escape(line[name] or "")) for line in lines)) + 2 for name in names) - 2


def _line(summary: Summary) -> dict[str, str | None]:
    marks = [f"{count} {what}" for count, what in ((summary.gaps, "lost"), (summary.damage, "damaged")) if count]
    return {
        "session": summary.id[:_SHOWN_ID],
        "name": _short(summary.name),
        "started": f"{_aware(summary.started_at).astimezone():%Y-%m-%d %H:%M:%S}",
        "duration": _duration(summary),
        "transport": summary.transport,
        "target": _short(summary.target),
        "client": _short(_named(summary.client_name, summary.client_version)),
        "server": _short(_named(summary.server_name, summary.server_version)),
        "revision": _short(summary.revision),
        "messages": str(summary.messages),
        "errors": str(summary.errors) if summary.errors else None,
        "exit": _exit(summary),
        "state": summary.state if summary.state != "ended" else None,
        "marks": ", ".join(marks) or None,
    }


def _short(text: str | None) -> str | None:
    return None if text is None else text[:_WIDEST] + ("…" if len(text) > _WIDEST else "")


def _named(name: str | None, version: str | None) -> str | None:
    return " ".join(part for part in (name, version) if part) or None


def _exit(summary: Summary) -> str | None:
    if summary.signal is not None:
        return f"signal {summary.signal}"
    return str(summary.exit_code) if summary.exit_code is not None else None


def _duration(summary: Summary) -> str | None:
    if summary.ended_at is None:
        return None
    seconds = max(0.0, (summary.ended_at - summary.started_at).total_seconds())
    if seconds < 1:
        return say_duration(int(seconds * 1e9))
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes:02d}m" if hours else f"{minutes}m {rest:02d}s"


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
