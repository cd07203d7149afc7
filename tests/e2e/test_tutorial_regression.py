"""The tutorial on regression tests works when it is pasted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "tutorial-regression.md"


def test_the_tutorial_works_when_pasted(tmp_path):
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    script = "set -e\n" + "\n".join(blocks)
    programs = tmp_path / "programs"
    programs.mkdir()
    wrapper = programs / "mcptest"
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} -m mcptest "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    path = f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=home,
        env={**os.environ, "PATH": path, "HOME": str(home), "PYTHONPATH": str(PAGE.parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for shown in (
        "3.5\nTrue\n",
        "skipped #5 tools/call delete_item: 'delete_item' is destructive (its name says 'delete')",
        "5 requests: 5 as recorded",
        '  DRIFT-CONTENT  /result/structuredContent/currency\n    - "EUR"\n    + "euro"\n',
        "exit code 1",
    ):
        assert shown in done.stdout
    assert (home / "replay.xml").read_text(encoding="utf-8").count("<testcase") == 5
