"""A sign of life on stderr while something takes long; none where no person watches."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

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


@contextlib.contextmanager
def counting(text: str) -> Iterator[Callable[[int], Callable[[], None]]]:
    """The same with a bar: give the number of steps when it is known, and get back what to call after each."""
    if not is_terminal(sys.stderr):
        yield lambda _: lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(text, total=None)

        def begin(steps: int) -> Callable[[], None]:
            progress.update(task, total=steps)
            return lambda: progress.advance(task)

        yield begin
