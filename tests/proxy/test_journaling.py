"""What the writer of a journal tells the relay about the disk."""

from __future__ import annotations

import resource

from mcptest.capture import journals
from mcptest.proxy.journaling import Journaling
from mcptest.proxy.link import Pulse
from mcptest.wire import Frame
from mcptest.wire.frame import STDOUT


class Watched(Pulse):
    """A pulse that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int] = []

    def set_disk_since(self, mono: int) -> None:
        self.told.append(mono)
        super().set_disk_since(mono)


def test_a_long_write_shows_its_progress(tmp_path):
    pulse = Watched()
    journaling = Journaling(tmp_path / "one.mcpj", pulse, lambda text: None)
    frame = Frame(0, 1, 1, 0, STDOUT, 0, bytes(range(256)) * (8 << 12))
    journaling.add(frame)
    journaling.close()
    assert len(set(pulse.told) - {0}) > 8
    assert pulse.told[-1] == 0
    assert [one for stretch in journals.read(tmp_path / "one.mcpj") for one in stretch.frames] == [frame]


def test_a_disk_that_refuses_the_rest_of_a_long_write_shows_no_progress(tmp_path):
    pulse = Watched()
    complaints: list[str] = []
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, hard))
    try:
        journaling = Journaling(tmp_path / "one.mcpj", pulse, complaints.append)
        journaling.add(Frame(0, 1, 1, 0, STDOUT, 0, bytes(8 << 20)))
        journaling.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(pulse.told) < 8  # of the first attempt, and none of the many after it
    assert complaints[-1].startswith("1 frames could not be written")
