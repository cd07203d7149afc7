"""One line about a session: a row of the `sessions` view."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mcptest.errors import UsageError


class Summary(NamedTuple):
    id: str
    name: str | None
    state: str  # live, ended (properly), interrupted (its recorder died)
    started_at: datetime
    ended_at: datetime | None
    transport: str
    target: str
    client_name: str | None
    client_version: str | None
    server_name: str | None
    server_version: str | None
    revision: str | None
    exit_code: int | None
    signal: int | None
    messages: int
    requests: int
    responses: int
    notifications: int
    malformed: int
    errors: int
    tool_calls: int
    bytes: int
    gaps: int  # frames that the recorder had to drop
    damage: int  # places in the journal that could not be read, or are missing


def resolve(sessions: Sequence[Summary], spec: str, where: str) -> Summary:
    """The session that a user means, among all of a capture, oldest first: by `last`, `last:2` (the one before), id,
    name (the newest with it), or the beginning of an id."""
    if not sessions:
        raise UsageError(f"no session in {where} yet: record one with `mcptest record -- COMMAND`")
    counted = re.fullmatch(r"last(?::(\d{1,9}))?", spec)
    if counted:
        back = int(counted[1] or 1)
        if not 1 <= back <= len(sessions):
            raise UsageError(f"{spec}: {where} has {len(sessions)} sessions, so `last:1` to `last:{len(sessions)}`")
        return sessions[-back]
    for session in reversed(sessions):
        if session.id == spec:
            return session
    for session in reversed(sessions):
        if session.name == spec:
            return session
    found = [session for session in sessions if spec and session.id.startswith(spec)]
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(session.id for session in found[-5:])
        raise UsageError(f"{len(found)} sessions begin with {spec!r}: {some}{', …' if len(found) > 5 else ''}")
    raise UsageError(f"no session {spec!r} in {where}; {_nearest(sessions, spec)}")


def _nearest(sessions: Sequence[Summary], spec: str) -> str:
    known = [session.name for session in sessions if session.name] + [session.id for session in sessions]
    near = difflib.get_close_matches(spec, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(repr(name) for name in near)}?"
    last = sessions[-1]
    return f"the last one is {last.id}{f' ({last.name!r})' if last.name else ''}, see `mcptest sessions`"
