"""The recorded session as a regression test, and as a server for tests of a client."""

import sys
from pathlib import Path

import anyio
from mcp import Client, MCPError

import mcptest

HERE = Path(__file__).parent
GOLDEN = HERE / "golden.jsonl"
SERVER = [sys.executable, str(HERE / "shop_server.py")]


def test_the_shop_answers_as_recorded(tmp_path):
    with mcptest.replay(GOLDEN, SERVER, capture=tmp_path) as replay:
        replay.check()
        assert [skip.step.label for skip in replay.skipped] == ["tools/call delete_item"]


def test_a_client_works_without_the_shop():
    async def ask(url: str) -> float:
        async with Client(url) as client:
            return (await client.call_tool("price", {"item": "tea"})).structured_content["price"]

    with mcptest.mock(GOLDEN) as shop:
        assert anyio.run(ask, shop.url) == 3.5


def test_a_client_copes_with_a_shop_that_recovers():
    async def ask(url: str) -> list[bool]:
        async with Client(url) as client:
            worked = []
            for _ in range(2):
                try:
                    await client.call_tool("price", {"item": "tea"})
                    worked.append(True)
                except MCPError:
                    worked.append(False)
            return worked

    with mcptest.mock(GOLDEN, faults=["recover-after:1"]) as shop:
        assert anyio.run(ask, shop.url) == [False, True]
