"""Many sessions at once: each is judged by itself, so as many processes can share them as there are cores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcptest.capture.sources import Source
from mcptest.compliance.corpora import Corpora
from mcptest.compliance.engine import Outcome
from mcptest.compliance.judging import Book, comply
from mcptest.compliance.rule import load_rules

# Another process takes most of a second to begin: what is judged in less than that is judged here.
WORTH_IT = 8 << 20  # bytes


class _Task(NamedTuple):
    """What every process has to know."""

    corpora: Corpora
    spec: str | None
    select: tuple[str, ...]


def comply_each(
    sources: Sequence[Source],
    book: Book,
    *,
    spec: str | None = None,
    select: Sequence[str] = (),
    jobs: int = 0,
) -> Iterator[Outcome]:
    """Judge every session, in order. `jobs`: in that many processes; 0 leaves it to the cores and the size."""
    wanted = min(jobs or _processes(sources), len(sources))
    if wanted <= 1:
        for source in sources:
            yield comply(source.frames(), book, spec=spec, select=select, source=source.name)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    book.choose(select)  # a mistake is told once, here
    task = _Task(book.corpora, spec, tuple(select))
    # Not fork: a child of a process with threads may inherit a held lock.
    with ProcessPoolExecutor(wanted, get_context("spawn"), _begin, (task,)) as pool:
        # The largest first: none of them is to be begun when the others are done.
        begun = {number: pool.submit(_judge, sources[number]) for number in _largest_first(sources)}
        try:
            for number in range(len(sources)):
                yield begun[number].result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _processes(sources: Sequence[Source]) -> int:
    size = sum(source.path.stat().st_size for source in sources)
    if len(sources) < 2 or size < WORTH_IT:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _largest_first(sources: Sequence[Source]) -> list[int]:
    return sorted(range(len(sources)), key=lambda number: -sources[number].path.stat().st_size)


_worker: tuple[_Task, Book] | None = None


def _begin(task: _Task) -> None:
    global _worker
    _worker = task, Book(load_rules(), task.corpora)


def _judge(source: Source) -> Outcome:
    assert _worker is not None
    task, book = _worker
    return comply(source.frames(), book, spec=task.spec, select=task.select, source=source.name)
