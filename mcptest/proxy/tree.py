"""The server's process tree: who belongs to it, and how to end it when the client is gone.

Servers hide behind `sh -c`, npx and uvx, and fork helpers that outlive them; a signal to the process that was
started does not reach those. Processes that have left the session (daemons shared with others) are not ours to
end, unless they hold the server's pipes.
"""

import os
import signal
import time
from collections.abc import Iterable

_POLL = 0.02


class Process(tuple[int, int]):
    """A pid with its start time, so that a reused pid is not mistaken for it."""

    @property
    def pid(self) -> int:
        return self[0]


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on (the name before it may hold anything)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def process(pid: int) -> Process | None:
    fields = _stat(pid)
    return Process((pid, int(fields[19]))) if fields else None


def is_running(one: Process) -> bool:
    fields = _stat(one[0])
    return fields is not None and int(fields[19]) == one[1] and fields[0] not in "ZX"


def children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    except (OSError, ValueError):
        pass
    return found


def descendants(root: int, excluding: Iterable[int] = ()) -> set[Process]:
    """All processes below this one, without the excluded ones and what is below them."""
    seen = {root, *excluding}
    found: set[Process] = set()
    stack = [root]
    while stack:
        for pid in children(stack.pop()):
            if pid in seen:
                continue
            seen.add(pid)
            one = process(pid)
            if one:
                found.add(one)
                stack.append(pid)
    return found


def ours(processes: Iterable[Process], session: int, pipes: Iterable[str]) -> set[Process]:
    """Those still in the given session or holding one of these pipes (`pipe:[inode]` names)."""
    wanted = set(pipes)
    return {one for one in processes if _session(one[0]) == session or wanted & _links(one[0])}


def _session(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[3]) if fields else -1


def _links(pid: int) -> set[str]:
    links = set()
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            try:
                links.add(os.readlink(f"/proc/{pid}/fd/{name}"))
            except OSError:
                continue
    except OSError:
        pass
    return links


def send(processes: Iterable[Process], signum: int) -> None:
    for one in processes:
        if is_running(one):
            try:
                os.kill(one[0], signum)
            except (ProcessLookupError, PermissionError):
                pass


def wait_gone(processes: Iterable[Process], seconds: float) -> set[Process]:
    """Wait for all to end; returns those that did not."""
    deadline = time.monotonic() + seconds
    left = {one for one in processes if is_running(one)}
    while left and time.monotonic() < deadline:
        time.sleep(_POLL)
        left = {one for one in left if is_running(one)}
    return left


def end(processes: Iterable[Process], patience: float) -> None:
    """SIGTERM, then SIGKILL to whoever is left."""
    targets = set(processes)
    send(targets, signal.SIGTERM)
    left = wait_gone(targets, patience)
    send(left, signal.SIGKILL)
    wait_gone(left, 0.5)


def become_subreaper() -> None:
    """Orphans of the server become our children, so that they can be found and ended (Linux only).

    Through the C half of ctypes, which is loaded in a fraction of a millisecond: the whole takes ten, and this is done
    before the server is started, since it may leave somebody behind at once.
    """
    PR_SET_CHILD_SUBREAPER = 36  # noqa: N806  (the kernel's name)
    try:
        from _ctypes import call_function, dlopen, dlsym

        program = dlopen(None, 0)  # type: ignore[arg-type]  # the stub does not know this way to name ourselves
        call_function(dlsym(program, "prctl"), (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
    except (OSError, AttributeError, ImportError):
        pass
