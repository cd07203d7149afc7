"""Published servers for the tests: installed from their registries on first use, none of their text is kept here."""

from __future__ import annotations

import fcntl
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CACHE = Path(__file__).resolve().parents[2] / ".cache"
EVERYTHING = "@modelcontextprotocol/server-everything@2026.8.31"


def from_pypi(module: str, *arguments: str) -> list[str]:
    """A server that the development environment holds."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    return [sys.executable, "-m", module, *arguments]


def from_npm(package: str, *arguments: str) -> list[str]:
    """A server of the npm registry; skips where there is no Node or no registry."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        pytest.skip("Node.js is not installed")
    name = package.rpartition("@")[0]
    folder = CACHE / "npm" / package.replace("/", "_")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".installed").exists():
            result = subprocess.run(
                [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", package],
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            if result.returncode:
                pytest.skip(f"npm cannot install {package}: {result.stderr.strip().splitlines()[-1:]}")
            (folder / ".installed").touch()
    programs, short = folder / "node_modules" / ".bin", name.rpartition("/")[2]
    script = programs / (short if (programs / short).exists() else f"mcp-{short}")
    return [node, str(script.resolve()), *arguments]
