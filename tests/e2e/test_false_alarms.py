"""No rule that is a MUST fails on sound peers, except where a person read the bytes and agreed."""

from __future__ import annotations

import pytest

from benchmarks.false_alarms import PEERS, unconfirmed
from mcptest.compliance import Book, comply
from tests.compliance.talks import OWN
from tests.e2e.servers import SERVERS

BOOK = Book.load()
OURS = [f"SDK {name}" for name in OWN]
BY_NAME = {peer.name: peer for peer in PEERS}


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("revision", ["auto", "2025-11-25", "2024-11-05"])
def test_the_sdks_own_peers_break_no_must(name, revision, tmp_path):
    outcome = comply(BY_NAME[name].record(tmp_path, revision), BOOK)
    assert not unconfirmed(name, outcome)
    assert sum(outcome.revisions.values()) > 50


@pytest.mark.parametrize("name", SERVERS)
def test_a_published_server_breaks_no_must(name, tmp_path):
    outcome = comply(BY_NAME[name].record(tmp_path, "auto"), BOOK)
    assert not unconfirmed(name, outcome)
    assert sum(outcome.revisions.values()) > 10
