from __future__ import annotations

import pytest

from mcptest.replay import Recording
from mcptest.wire import Frame
from tests.replay.recorded import played, record


@pytest.fixture(scope="session")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[Frame]:
    return record(tmp_path_factory.mktemp("recorded"))


@pytest.fixture(scope="session")
def recording(frames: list[Frame]) -> Recording:
    return played(frames)
