"""Ten published servers, from PyPI and npm, and something to say to each. None of their text is kept here."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.published import CACHE, EVERYTHING, from_npm, from_pypi

Calls = list[tuple[str, dict[str, Any]]]
NPM_VERSION = "2026.8.31"
# Servers of one SDK generation share an environment.
ENVIRONMENTS = {
    "sdk-1": ["mcp<2", "mcp-server-calculator==0.2.1", "mcp-server-sqlite==2025.4.25"],
    "sdk-2": ["mcp-server-git==2026.10.19", "mcp-server-fetch==2026.10.24"],
}


class Published(NamedTuple):
    """`start` prepares a fresh folder and gives the command; `reads` are URIs of resources, `prompts` named with their
    arguments."""

    start: Callable[[Path], list[str]]
    calls: Callable[[Path], Calls]
    reads: tuple[str, ...] = ()
    prompts: tuple[tuple[str, dict[str, str]], ...] = ()


def in_environment(name: str, script: str, *arguments: str) -> list[str]:
    """A program of an environment of its own, which is made on first use."""
    folder = CACHE / "pypi" / name
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".installed").exists():
            venv.create(folder / "venv", with_pip=True)
            install = [folder / "venv/bin/python", "-m", "pip", "install", "--quiet", *ENVIRONMENTS[name]]
            done = subprocess.run(install, capture_output=True, text=True, timeout=600, check=False)
            if done.returncode:
                pytest.skip(f"pip cannot install {ENVIRONMENTS[name]}: {done.stderr.strip().splitlines()[-1:]}")
            (folder / ".installed").touch()
    return [str(folder / "venv/bin" / script), *arguments]


def _git(folder: Path) -> list[str]:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    repository = folder / "repository"
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir(parents=True)
    who = {"NAME": "A", "EMAIL": "a@example.org", "DATE": "2026-01-01T00:00:00Z"}
    env = {**os.environ, **{f"GIT_{role}_{key}": who[key] for key in who for role in ("AUTHOR", "COMMITTER")}}
    (repository / "a.txt").write_text("one\n", encoding="utf-8")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *words], cwd=repository, env=env, check=True)
    (repository / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    return in_environment("sdk-2", "mcp-server-git", "--repository", str(repository))


def _git_calls(folder: Path) -> Calls:
    at = {"repo_path": str(folder / "repository")}
    return [
        ("git_status", at),
        ("git_log", {**at, "max_count": 3}),
        ("git_diff_unstaged", at),
        ("git_show", {**at, "revision": "nonsense"}),
        ("git_create_branch", {**at, "branch_name": "more"}),
    ]


def _sqlite(folder: Path) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data.db").unlink(missing_ok=True)
    return in_environment("sdk-1", "mcp-server-sqlite", "--db-path", str(folder / "data.db"))


def _filesystem(folder: Path) -> list[str]:
    shared = folder / "shared"
    shutil.rmtree(shared, ignore_errors=True)
    shared.mkdir(parents=True)
    (shared / "a.txt").write_text("first\nsecond\n", encoding="utf-8")
    (shared / "sub").mkdir()
    return from_npm(f"@modelcontextprotocol/server-filesystem@{NPM_VERSION}", str(shared))


def _memory(folder: Path) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "memory.json"
    path.unlink(missing_ok=True)
    return [
        "env",
        f"MEMORY_FILE_PATH={path}",
        *from_npm(f"@modelcontextprotocol/server-memory@{NPM_VERSION}"),
    ]


def _shared(folder: Path) -> str:
    return str(folder / "shared")


SERVERS: dict[str, Published] = {
    "time": Published(
        lambda _: from_pypi("mcp_server_time", "--local-timezone", "UTC"),
        lambda _: [
            ("get_current_time", {"timezone": "UTC"}),
            ("convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
            ("convert_time", {"source_timezone": "Nowhere", "time": "12:00", "target_timezone": "UTC"}),
        ],
    ),
    "git": Published(_git, _git_calls),
    "fetch": Published(
        lambda _: in_environment("sdk-2", "mcp-server-fetch", "--ignore-robots-txt"),
        lambda _: [("fetch", {"url": "http://127.0.0.1:9/nothing"}), ("fetch", {"url": "not a url"})],
    ),
    "sqlite": Published(
        _sqlite,
        lambda _: [
            ("list_tables", {}),
            ("create_table", {"query": "CREATE TABLE t (id INTEGER, name TEXT)"}),
            ("write_query", {"query": "INSERT INTO t VALUES (1, 'one')"}),
            ("read_query", {"query": "SELECT * FROM t"}),
            ("describe_table", {"table_name": "t"}),
            ("append_insight", {"insight": "there is one"}),
            ("read_query", {"query": "DROP TABLE t"}),
        ],
        reads=("memo://insights",),
    ),
    "calculator": Published(
        lambda _: in_environment("sdk-1", "mcp-server-calculator"),
        lambda _: [("calculate", {"expression": "6 * 7"}), ("calculate", {"expression": "1 / 0"})],
    ),
    "everything": Published(
        lambda _: from_npm(EVERYTHING, "stdio"),
        lambda _: [
            ("echo", {"message": "hello"}),
            ("get-sum", {"a": 2, "b": 40}),
            ("get-tiny-image", {}),
            ("get-structured-content", {"location": "New York"}),
            ("trigger-long-running-operation", {"duration": 0.5, "steps": 2}),
            ("trigger-sampling-request", {"prompt": "hello"}),
            ("trigger-elicitation-request", {}),
            ("get-roots-list", {}),
            ("get-resource-links", {"count": 2}),
            ("echo", {}),
        ],
        reads=("demo://resource/dynamic/text/1",),
        prompts=(("simple-prompt", {}), ("args-prompt", {"city": "Berlin"})),
    ),
    "filesystem": Published(
        _filesystem,
        lambda folder: [
            ("list_directory", {"path": _shared(folder)}),
            ("read_text_file", {"path": f"{_shared(folder)}/a.txt"}),
            ("get_file_info", {"path": f"{_shared(folder)}/a.txt"}),
            ("write_file", {"path": f"{_shared(folder)}/b.txt", "content": "new\n"}),
            ("read_text_file", {"path": "/etc/hostname"}),
        ],
    ),
    "memory": Published(
        _memory,
        lambda _: [
            ("create_entities", {"entities": [{"name": "a", "entityType": "thing", "observations": ["is red"]}]}),
            ("read_graph", {}),
            ("search_nodes", {"query": "red"}),
            ("open_nodes", {"names": ["nobody"]}),
        ],
    ),
    "sequential-thinking": Published(
        lambda _: from_npm(f"@modelcontextprotocol/server-sequential-thinking@{NPM_VERSION}"),
        lambda _: [
            (
                "sequentialthinking",
                {"thought": "one", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 2},
            ),
            ("sequentialthinking", {"thought": "two"}),
        ],
    ),
    "hello-world": Published(
        lambda _: from_npm("mcp-hello-world@1.1.2"),
        lambda _: [("echo", {"message": "hello"}), ("debug", {})],
    ),
}
