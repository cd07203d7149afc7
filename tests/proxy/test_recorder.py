"""The recorder's end of the link."""

from __future__ import annotations

import os
import threading

from mcptest.proxy.link import Link, Pulse, open_pipe
from mcptest.proxy.recorder import record


class Kept:
    """A recorder that keeps what it is given."""

    def __init__(self) -> None:
        self.chunks: list[tuple[int, int, bytes]] = []

    def chunk(self, channel: int, conn: int, at: int, mono: int, data: bytes) -> None:
        self.chunks.append((channel, conn, data))

    def dropped(self, at: int, mono: int, data: bytes) -> None:
        raise AssertionError("nothing was dropped")

    def idle(self) -> float | None:
        return None

    def close(self, relay_died: bool) -> None: ...

    def fold(self) -> None: ...


def test_records_of_any_size_arrive_whole_and_in_order():
    reader, writer = open_pipe()
    link = Link(writer, Pulse())
    sent = [(1, size % 7, os.urandom(size)) for size in (0, 1, 300_000, 2_000_000, 5, 700_000, 64, 3_000_000)]

    def relay() -> None:
        for channel, conn, data in sent:
            link.copy(channel, data, conn)
        link.finish(10)

    thread = threading.Thread(target=relay)
    thread.start()
    kept, ended = record(reader, Kept)
    thread.join()
    os.close(reader)
    assert ended
    assert kept.chunks == sent
