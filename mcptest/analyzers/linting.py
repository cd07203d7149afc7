"""Which rules run, with what options, and over what: one catalogue, or many sources in parallel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mcptest import rulebook
from mcptest.catalogue import Catalogue
from mcptest.config import Config
from mcptest.errors import UsageError
from mcptest.findings import Verdict
from mcptest.rules import Rule, judge

PACKAGE = "mcptest.analyzers.rules"
TABLE = "lint"
KEYS = {"select", "ignore", "rules", "options", "fail_on", "baseline"}


class Plan(NamedTuple):
    """Which rules are to run, in words that can be handed to another process."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = {}
    where: str = "the configuration"


def plan(config: Config, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Plan:
    """The plan that a configuration's `[lint]` table describes; what the caller names takes its place."""
    table = config.table(TABLE, KEYS)
    where = f"{config.path}: [{TABLE}]"
    home = config.path.parent if config.path else Path()
    options = table.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, dict) for value in options.values()):
        raise UsageError(f"{where} options must be a table of tables, one for each rule")
    return Plan(
        tuple(select) or _strings(table, "select", where),
        tuple(ignore) or _strings(table, "ignore", where),
        tuple(str(home / folder) for folder in _strings(table, "rules", where)),
        options,
        where,
    )


def _strings(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f"{where} {key} must be a list of strings")
    return tuple(value)


def load_rules(chosen: Plan | None = None) -> list[Rule]:
    """The rules of a plan, sorted by id; without one, all that come with mcptest."""
    if chosen is None:
        return rulebook.unique(rulebook.from_package(PACKAGE))
    found = [*rulebook.from_package(PACKAGE), *rulebook.from_entry_points()]
    for folder in chosen.folders:
        found += rulebook.from_folder(Path(folder))
    known = rulebook.unique(found)
    for name in chosen.options:
        if not any(rule.id == name for rule in known):
            raise UsageError(f"{chosen.where} options: no rule is called {name!r}")
    kept = rulebook.choose(known, chosen.select, chosen.ignore)
    return [
        rulebook.configure(rule, chosen.options[rule.id], chosen.where) if rule.id in chosen.options else rule
        for rule in kept
    ]


def lint(catalogue: Catalogue, using: Sequence[Rule] | None = None) -> tuple[Verdict, ...]:
    """What the rules say about a catalogue."""
    return judge(load_rules() if using is None else using, catalogue)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Job(NamedTuple):
    """One source to be analysed in a worker: `work` is a module-level function, called with the source and rules."""

    work: Callable[[str, Sequence[Rule]], Any]
    plan: Plan


def each(sources: Sequence[str], job: Job, jobs: int = 0) -> Iterator[tuple[int, Any]]:
    """Do a job on every source, in as many processes as there are cores; results come as they are ready, with the
    source's number. One source, or one core, needs no other process."""
    wanted = min(jobs or cores(), len(sources))
    if wanted <= 1:
        using = load_rules(job.plan)
        for number, source in enumerate(sources):
            yield number, job.work(source, using)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    load_rules(job.plan)  # a mistake in the plan is told once, here
    # Not fork: a child of a process with threads may inherit a held lock.
    with ProcessPoolExecutor(wanted, get_context("spawn"), _begin, (job,)) as pool:
        futures = {pool.submit(_do, source): number for number, source in enumerate(sources)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)  # and waits: a pool still ending at our exit writes tracebacks


_worker: tuple[Job, list[Rule]] | None = None


def _begin(job: Job) -> None:
    global _worker
    _worker = job, load_rules(job.plan)


def _do(source: str) -> Any:
    assert _worker is not None
    job, using = _worker
    return job.work(source, using)
