"""Replays and mocks of conversations that ask much of them: servers that ask back, in both eras, calls that overlap, one
that is cancelled, and a secret that the recording no longer holds. Recorded and replayed over stdio and HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

import mcptest
from mcptest.capture import Capture, Place, journals, locate
from mcptest.policy import Policy
from mcptest.replay import Status
from mcptest.wire import Session
from mcptest.wire.pairing import Exchange
from tests.e2e.demanding import BOOKING, SECRET, with_booking
from tests.e2e.http_peers import free_port, running
from tests.proxy.http.proxied import Proxied
from tests.proxy.wrapped import MCPTEST

ERAS = ("legacy", "2026-07-28")
POLICY = Policy(concurrency=8, call_delay=0)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    port = free_port()
    with running([*BOOKING, str(port)], port):
        yield f"http://127.0.0.1:{port}/mcp"


def recorded(folder: Path, era: str, carrier: str, url: str) -> dict[str, Any]:
    """What the client got while it was recorded."""
    if carrier == "stdio":
        return anyio.run(
            with_booking, [*MCPTEST, "record", "--capture", str(folder / "capture.duckdb"), "--", *BOOKING], era
        )
    proxy = Proxied(folder, url)
    said = anyio.run(with_booking, proxy.url, era)
    proxy.stop()
    return said


@pytest.mark.parametrize("carrier", ["stdio", "http"])
@pytest.mark.parametrize("era", ERAS)
def test_a_demanding_conversation_replays_and_is_mocked_whatever_carries_it(tmp_path, url, era, carrier):
    said = recorded(tmp_path, era, carrier, url)
    place = locate(tmp_path / "capture.duckdb")
    (journal,) = journals.find(place.journals)
    placeholders = set(re.findall(rb"redacted-[0-9a-f]{12}", journal.read_bytes()))
    assert SECRET.encode() not in journal.read_bytes()
    assert len(placeholders) == 1
    secrets = {one.decode(): SECRET for one in placeholders}

    for target, parallel in ((url if carrier == "stdio" else BOOKING, True), (BOOKING, False)):
        with mcptest.replay(
            "last", target, capture=place.database, secrets=secrets, policy=POLICY, parallel=parallel
        ) as replayed:
            replayed.check()
            assert replayed.exit_code == 0
            assert {outcome.status for outcome in replayed.whole.run.outcomes} == {Status.RAN}
        # The replay is a session whose requests have their answers, also those that were asked of the client, which over
        # HTTP are answered on another connection than they came on.
        found = exchanges(place, replayed.session)
        assert {exchange.status for exchange in found} <= {"answered", "cancelled", "error"}
        assert sum(exchange.sender == "server" for exchange in found) == (6 if era == "legacy" else 0)

    with mcptest.mock(journal, strict=True) as mock:
        for target in (mock.command, mock.url):
            assert anyio.run(with_booking, target, era) == said


def exchanges(place: Place, session: str) -> list[Exchange]:
    with Capture.open(place) as capture:
        return list(Session.derive(capture.frames(session)).exchanges)
