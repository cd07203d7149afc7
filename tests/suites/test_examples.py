"""The examples run, and pass; together they use every block, every matcher and every key of a server."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

import mcptest
from mcptest import suites
from mcptest.schemas import Validator
from mcptest.suites import blocks, matchers
from mcptest.yamltext import load
from tests.helpers.cli import Cli

EXAMPLES = Path(__file__).parents[2] / "examples" / "suites"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yml"))
HOSTED = """
mock_server:
  name: stock
  tools:
    - name: count
      annotations: {readOnlyHint: true}
      response: "3 ${args.fruit}"
"""


@pytest.fixture
def cli(tmp_path, capsys, monkeypatch):
    """mcptest in a copy of the examples, whose `python3` is this Python."""
    folder = tmp_path / "suites"
    shutil.copytree(EXAMPLES, folder)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("MCPTEST_CAPTURE", str(tmp_path / "capture.duckdb"))
    monkeypatch.setenv("STOCK_TOKEN", "token-of-the-example")
    monkeypatch.chdir(folder)
    return Cli(tmp_path / "capture.duckdb", capsys)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "several-servers"])
def test_an_example_passes(name, cli):
    done = cli("run", f"{name}.yml")
    assert done.code == 0, done.out + done.err
    assert "PASS" in done.out


def test_the_example_with_several_servers_passes(cli, tmp_path, monkeypatch):
    (tmp_path / "hosted.yml").write_text(HOSTED, encoding="utf-8")
    with mcptest.mock(tools_from=tmp_path / "hosted.yml") as hosted:
        monkeypatch.setenv("STOCK_URL", hosted.url)
        done = cli("run", "several-servers.yml")
    assert done.code == 0, done.out + done.err
    assert "2 tests: 2 passed" in done.out


@pytest.mark.parametrize("name", NAMES)
def test_an_example_fits_the_schema_for_editors(name):
    assert Validator(suites.schema()).problems(load(EXAMPLES / f"{name}.yml").value) == []


def test_the_examples_show_all_there_is():
    text = "\n".join(path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.yml"))
    keys = suites.schema()["properties"]["server"]["properties"]
    shown = {*blocks.known(), "variables", "server", "servers", "mock_server", *keys} - {"args", "cwd"}
    for key in shown:
        assert f"{key}:" in text, key
    for name in matchers.known():
        assert f"{name}:" in text, name
