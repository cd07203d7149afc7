"""The example of a regression test works as its page says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.helpers.cli import Cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "regression-test"


def test_the_example_replays_and_serves(tmp_path, capsys, monkeypatch):
    shutil.copytree(EXAMPLE, tmp_path / "example")
    monkeypatch.chdir(tmp_path / "example")
    monkeypatch.setenv("MCPTEST_CAPTURE", str(tmp_path / "capture"))
    cli = Cli(tmp_path / "capture", capsys)
    listed = cli("tools", "golden.jsonl", "--format", "csv").out
    assert "delete_item,Destructive,Refuse" in listed
    done = cli("replay", "golden.jsonl", "--", sys.executable, "shop_server.py")
    assert done.code == 0, done.out
    assert "5 requests: 4 as recorded, 1 skipped" in done.out
    mock = [sys.executable, "-m", "mcptest", "mock", "golden.jsonl"]
    path = {"PYTHONPATH": str(EXAMPLE.parents[1])}
    for command, said in (
        ([sys.executable, "shop_client.py", *mock], "3.5\nTrue\n"),
        ([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shop.py"], "3 passed"),
    ):
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **path}
        )
        assert run.returncode == 0, run.stdout + run.stderr
        assert said in run.stdout
