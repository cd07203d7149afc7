"""The mock as clients meet it: the Python and TypeScript SDKs, both eras, stdio and HTTP."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

import mcptest
from tests.e2e import conversation
from tests.e2e.published import CACHE
from tests.helpers.cli import start
from tests.proxy.wrapped import MCPTEST

WEATHER = [sys.executable, str(Path(__file__).parents[2] / "fixtures" / "servers" / "weather.py")]
MANIFEST = Path(__file__).parents[2] / "examples" / "mock-server" / "records.yaml"
TYPESCRIPT = ("@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0")
ERAS = ("legacy", "2026-07-28")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A capture with a session of each era, and what the client got from the server itself."""
    capture = tmp_path_factory.mktemp("recorded") / "capture"
    said = {}
    for era in ERAS:
        command = [*MCPTEST, "record", "--capture", str(capture), "--name", era, "--", *WEATHER]
        said[era] = anyio.run(conversation.with_weather, command, era)
    return capture, said


@pytest.mark.parametrize("era", ERAS)
def test_the_sdks_client_cannot_tell_the_mock_from_the_server(recorded, era, monkeypatch):
    capture, said = recorded
    with mcptest.mock(era, capture=capture, strict=True) as mock:
        assert anyio.run(conversation.with_weather, mock.command, era) == said[era]
        monkeypatch.setattr(conversation, "server", lambda *_: mock.url)
        assert anyio.run(conversation.with_weather, [], era) == said[era]


def typescript() -> Path:
    """A folder with both generations of the TypeScript SDK, installed on first use."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("Node.js is not installed")
    folder = CACHE / "npm" / "typescript-clients"
    if not (folder / ".installed").exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", *TYPESCRIPT]
        done = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot install the TypeScript SDK: {done.stderr.strip().splitlines()[-1:]}")
        (folder / ".installed").touch()
    shutil.copy(Path(__file__).with_name("typescript_client.mjs"), folder)
    return folder


@pytest.mark.network
@pytest.mark.parametrize(("sdk", "era"), [("v1", "legacy"), ("legacy", "legacy"), ("modern", "2026-07-28")])
def test_the_typescript_sdks_client_talks_to_the_mock(recorded, sdk, era):
    folder, (capture, said) = typescript(), recorded
    with mcptest.mock(era, capture=capture) as mock:
        for target in (json.dumps(mock.command), mock.url):
            done = subprocess.run(
                ["node", "typescript_client.mjs", sdk, target],
                cwd=folder, capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            got = json.loads(done.stdout)
            assert got["server"]["name"] == "weather"
            assert got["tools"] == [tool["name"] for tool in said[era]["tools"]["tools"]]
            assert got["forecast"] == said[era]["forecast"]["structuredContent"]
            assert got["failed"] is True
            assert got["convert"] == said[era]["convert"].get("structuredContent", said[era]["convert"].get("code"))
            assert got["stations"] == "Berlin\nParis"
            # This client forgets what it has not looked at when the answer comes, with the server itself too.
            assert got["progress"] == ["Berlin", "Paris", "Rome"][: len(got["progress"])]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_manifest_is_served_to_the_sdks_client(mode):
    async def scene(target: Any) -> tuple[Any, ...]:
        async with Client(target, mode=mode) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            found = await client.call_tool("search_records", {"query": "cats"})
            wrong = await client.call_tool("search_records", {})
            return client.protocol_version, tools["search_records"].annotations.read_only_hint, found, wrong.is_error

    with mcptest.mock(tools_from=MANIFEST) as mock:
        for target in (mock.url, conversation.server(mock.command)):
            version, hint, found, wrong = anyio.run(scene, target)
            assert version == ("2026-07-28" if mode == "auto" else "2025-11-25")
            assert (hint, wrong) == (True, True)
            assert found.content[0].text == "0 records match cats"


def test_a_fault_reaches_the_client_and_passes(recorded):
    async def scene(url: str) -> list[bool]:
        worked = []
        async with Client(url, mode="legacy") as client:
            for _ in range(3):
                try:
                    await client.call_tool("forecast", {"city": "Berlin", "days": 2})
                    worked.append(True)
                except MCPError:
                    worked.append(False)
        return worked

    with mcptest.mock("legacy", capture=recorded[0], faults=["recover-after:2"]) as mock:
        assert anyio.run(scene, mock.url) == [False, False, True]


def test_strict_raises_at_the_end_with_what_nobody_asked_for(recorded):
    with pytest.raises(AssertionError, match="tools/call forecast"), mcptest.mock(
        "legacy", capture=recorded[0], strict=True
    ):  # fmt: skip
        pass


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "either a recording or --tools-from"),
        (["last", "--tools-from", "x.yaml"], "either a recording or --tools-from"),
        (["--tools-from", "nowhere.yaml"], "cannot read nowhere.yaml"),
        (["nowhere.jsonl"], "there is no file"),
        (["--tools-from", "{manifest}", "--match", "nonsense"], "no matcher"),
        (["--tools-from", "{manifest}", "--fault", "nonsense"], "no such fault"),
        (["--tools-from", "{manifest}", "--latency", "soon"], "--latency"),
        (["--tools-from", "{manifest}", "--http", "nonsense"], "HOST:PORT"),
        (["--tools-from", "{manifest}", "--http", "0.0.0.0:0"], "--allow-host"),
        (["--tools-from", "{manifest}", "--on-miss", "forward"], "belong together"),
        (["--tools-from", "{manifest}", "--strict"], "about recordings"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path, capsys, arguments, complaint, monkeypatch):
    from mcptest.cli import main

    monkeypatch.setenv("MCPTEST_CAPTURE", str(tmp_path / "capture"))
    monkeypatch.chdir(tmp_path)
    assert main([one.format(manifest=MANIFEST) for one in ("mock", *arguments)]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_an_http_mock_prints_its_url_and_ends_with_a_signal(recorded):
    process = subprocess.Popen(
        [*MCPTEST, "mock", "legacy", "--capture", str(recorded[0]), "--http", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    url = process.stdout.readline().strip()
    assert url.startswith("http://127.0.0.1:")
    process.terminate()
    assert process.wait(30) == 0
    process.stdout.close()


def test_a_damaged_recording_is_told(tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text('{"mcptest-export":1,"session":"a"}\n{oops\n', encoding="utf-8")
    done = start("mock", str(path), input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert done.code == 2
    assert "golden.jsonl" in done.complaint
