"""Choose a format and render with it."""

from __future__ import annotations

from pathlib import PurePath

from mcptest import plugins
from mcptest.errors import UsageError
from mcptest.findings import Report

PACKAGE = "mcptest.report.formats"


def format_names() -> list[str]:
    return plugins.names(PACKAGE)


def render(report: Report, format: str, *, colour: bool = False) -> str:  # noqa: A002 -- the word of the flag
    """The report in one of the formats; `colour` is for those that are read on a terminal."""
    if format not in format_names():
        raise UsageError(f"unknown format {format!r}; known: {', '.join(format_names())}")
    module = plugins.load(PACKAGE, format)
    text: str = module.render(report, colour=colour) if getattr(module, "COLOURED", False) else module.render(report)
    return text


def suffix_format(path: str) -> str | None:
    """The format that a file's name asks for, by its suffix."""
    suffix = PurePath(path).suffix.lower()
    return next((name for name in format_names() if suffix in plugins.load(PACKAGE, name).SUFFIXES), None)
