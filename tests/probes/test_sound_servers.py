"""Sound servers of three SDK flavours pass everything that they should, in both eras."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mcptest.live import Manner
from mcptest.probes import Verdict
from mcptest.transport import target

from .conftest import DEFECTS, fuzzed, probed, stdio

CACHE = Path(__file__).parents[2] / ".cache" / "npm"
# What these SDKs do themselves, whatever a server's author writes: they do not look at cursors.
BY_THE_SDK = {"bad_cursor"}


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
@pytest.mark.parametrize(("name", "allowed"), [("sound_lowlevel.py", set()), ("sound_mcpserver.py", BY_THE_SDK)])
def test_a_sound_python_server_passes(name, allowed, revision):
    report = probed(stdio(name), manner=Manner(revision))
    assert {result.check: result.evidence for result in report.results if result.verdict.failed}.keys() == allowed
    assert report.checks_run >= 17


@pytest.mark.parametrize("name", ["sound_lowlevel.py", "sound_mcpserver.py"])
def test_a_sound_python_server_is_clean_when_fuzzed(name):
    report = fuzzed(stdio(name))
    assert report.failures == ()
    assert report.cases_run == 100


@pytest.mark.network
def test_a_sound_typescript_server_passes():
    where = target.command(["node", str(typescript())])
    report = probed(where)
    assert {result.check: result.evidence for result in report.results if result.verdict.failed}.keys() == BY_THE_SDK
    assert sum(result.verdict is Verdict.PASSED for result in report.results) >= 16
    assert fuzzed(where).failures == ()


def typescript() -> Path:
    """The server beside the TypeScript SDK, which is installed on first use."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("Node.js is not installed")
    folder = CACHE / "typescript-server"
    if not (folder / ".installed").exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save"]
        done = subprocess.run(
            [*install, "@modelcontextprotocol/sdk@1", "zod"], capture_output=True, text=True, timeout=300, check=False
        )
        if done.returncode:
            pytest.skip(f"npm cannot install the TypeScript SDK: {done.stderr.strip().splitlines()[-1:]}")
        (folder / ".installed").touch()
    return Path(shutil.copy(DEFECTS / "sound_typescript.mjs", folder))
