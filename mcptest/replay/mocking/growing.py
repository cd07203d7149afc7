"""A recording that grows: exchanges that were forwarded become part of it when the mock ends.

A file is written anew, whole or not at all. A session of a capture stays as it is: a new one of the same name, which
holds more, stands beside it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator

from mcptest.capture import Place, journals, salt
from mcptest.config import load as load_config
from mcptest.replay.sources import Source, put_back
from mcptest.wire import Frame
from mcptest.wire.frame import EVENT, REDACTED, STDIN, STDOUT
from mcptest.wire.redaction import Redactor, environment_secrets, from_config


class Growing:
    def __init__(self, source: Source, place: Place, complain: Callable[[str], None]) -> None:
        self._source, self._place, self._complain = source, place, complain
        self._added: list[tuple[int, int, int, bytes]] = []

    def add(self, request: bytes, answer: bytes) -> None:
        for channel, data in ((STDIN, request), (STDOUT, answer)):
            self._added.append((time.time_ns(), time.monotonic_ns(), channel, data))

    def save(self) -> None:
        if not self._added:
            return
        where = put_back(self._source, list(self._frames()), self._place)
        count = len(self._added) // 2
        what = "forwarded exchange was" if count == 1 else "forwarded exchanges were"
        self._complain(f"{count} {what} added: {where}")

    def _frames(self) -> Iterator[Frame]:
        """The old ones without the end, the new ones, the end. Added exchanges come on a connection of their own, since
        their ids may be in use, and after all others, whatever the clock says."""
        redactor = Redactor(salt(self._place), keys=from_config(load_config()), secrets=environment_secrets(os.environ))
        old = list(self._source.frames())
        facts = json.loads(old[0].data)
        facts |= {"grown_from": facts.get("session"), "session": journals.new_session_id()}
        yield old[0]._replace(data=json.dumps(facts).encode())
        end = [frame for frame in old[1:] if frame.channel == EVENT and frame.data == b'{"event": "end"}']
        seq, mono, conn = 0, 0, 0
        for frame in old[1:]:
            if frame not in end:
                seq, mono, conn = frame.seq, max(mono, frame.mono), max(conn, frame.conn)
                yield frame
        first = self._added[0][1]
        for at, when, channel, data in self._added:
            seq += 1
            clean = redactor.frame(data)
            flags = 0 if clean is data else REDACTED
            yield Frame(seq, at, mono + when - first, conn + 1, channel, flags, clean)
        yield from (frame._replace(seq=seq + 1) for frame in end[:1])
