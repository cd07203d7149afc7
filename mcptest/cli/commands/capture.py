"""Look after the capture itself: the journals and the database made from them.

The journals are what was recorded. The DuckDB file is made from them and can be deleted and rebuilt at any time.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated

import typer

from mcptest.capture import journals, locate
from mcptest.cli.options import CaptureOption, opened, warn
from mcptest.cli.progress import working
from mcptest.cli.terminal import escape
from mcptest.errors import EXIT_FINDINGS, EXIT_FINE, UsageError

_AGE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*(w|d|h|min)", re.IGNORECASE)
_HOURS = {"w": 7 * 24.0, "d": 24.0, "h": 1.0, "min": 1 / 60}


def path(capture: CaptureOption = None) -> None:
    """Print where the DuckDB file is, for other tools to open read-only."""
    print(locate(capture).database)


def info(capture: CaptureOption = None) -> None:
    """Tell what the capture holds and how large it is."""
    place = locate(capture)
    with opened(place) as found:
        sessions = found.sessions()
    kept = journals.find(place.journals)
    recorded = sum(path.stat().st_size for path in kept)
    stored = place.database.stat().st_size if place.database.exists() else 0
    live = sum(session.state == "live" for session in sessions)
    lines = {
        "database": f"{place.database} ({_size(stored)})",
        "journals": f"{place.journals} ({len(kept)} files, {_size(recorded)})",
        "sessions": f"{len(sessions)}{f', {live} being recorded' if live else ''}",
        "messages": f"{sum(session.messages for session in sessions)}",
    }
    if sessions:
        lines["from"] = f"{sessions[0].started_at.astimezone():%Y-%m-%d %H:%M:%S}"
        lines["to"] = f"{sessions[-1].started_at.astimezone():%Y-%m-%d %H:%M:%S}"
    for name, value in lines.items():
        print(f"{name:<9} {escape(value)}")


def verify(capture: CaptureOption = None) -> int:
    """Hold the database against the journals: every record's checksum, every number, every row.

    Exit code 1 if something is damaged or missing. Frames that the recorder itself had to drop are told, and are no
    damage.
    """
    from mcptest.capture import verify as check

    with working("checking every record"):
        report = check(locate(capture))
    for session in report.sessions:
        for what in (*session.damage, *session.differences):
            print(escape(f"{session.session}: {what}"))
    for problem in report.problems:
        print(escape(problem))
    frames = sum(session.frames for session in report.sessions)
    lost = sum(session.lost for session in report.sessions)
    dropped = f"; {lost} frames were dropped while recording" if lost else ""
    verdict = "all is there" if report.sound else "not all is there"
    print(f"{len(report.sessions)} sessions, {frames} frames: {verdict}{dropped}")
    return EXIT_FINE if report.sound else EXIT_FINDINGS


def rebuild(
    capture: CaptureOption = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Do so even if sessions are lost whose journals are gone.")
    ] = False,
) -> None:
    """Make the database anew from the journals.

    The old one serves until the new one is complete. One that cannot be read at all is kept beside it.
    """
    from mcptest.capture import rebuild as make_anew

    with working("folding the journals"):
        done = make_anew(locate(capture), forget=forget)
    warn(done.problems)
    print(f"{done.sessions} sessions, {done.frames} frames")


def prune(
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="Such as 30d, 12h or 2w, counted from a session's end.")
    ],
    capture: CaptureOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be removed.")] = False,
) -> None:
    """Remove old sessions, their journals included. What is being recorded stays."""
    from mcptest.capture import prune as remove

    age = _age(older_than)
    with working("removing old sessions"):
        pruned = remove(locate(capture), age, dry_run=dry_run)
    for session in pruned.sessions:
        print(session)
    would = "would be removed" if dry_run else "removed"
    print(f"{len(pruned.sessions)} sessions {would}, {_size(pruned.bytes)} of journals")


COMMANDS = [path, info, verify, rebuild, prune]


def _age(text: str) -> timedelta:
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--older-than {text!r}: give an age such as 30d, 12h, 2w or 90min")
    return timedelta(hours=float(match[1]) * _HOURS[match[2].lower()])


def _size(size: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
