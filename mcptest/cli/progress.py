"""A sign of life on stderr while something takes long; none where no person watches."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from mcptest.cli.terminal import is_terminal


@contextlib.contextmanager
def working(text: str) -> Iterator[None]:
    if not is_terminal(sys.stderr):
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(text)
        yield
