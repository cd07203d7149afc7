from __future__ import annotations

from pathlib import Path

import pytest

from mcptest.capture import Place, locate
from tests.helpers.cli import Cli


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return locate(tmp_path / "capture")


@pytest.fixture
def cli(place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """mcptest over a capture in this test's own folder."""
    monkeypatch.setenv("MCPTEST_CAPTURE", str(place.database))
    monkeypatch.delenv("MCPTEST_DEBUG", raising=False)
    return Cli(place.database, capsys)
