"""A real OAuth flow through the proxy: the SDK's client and the SDK's authorization server, judged from the recording."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

from mcptest.compliance import Book, comply
from mcptest.findings import Severity
from tests.e2e.http_peers import free_port, running
from tests.proxy.http.proxied import Proxied

SERVER = [sys.executable, str(Path(__file__).with_name("sdk_oauth_server.py"))]


class Memory:
    """Where the client keeps what it was given."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


async def whisper(url: str, mode: str) -> tuple[str, set[str]]:
    """What the server whispers back, and the secrets that were given for it."""
    memory = Memory()
    found: dict[str, list[str]] = {}

    async def browse(address: str) -> None:
        """What a user's browser does."""
        async with create_mcp_http_client() as browser:
            response = await browser.get(address, follow_redirects=False)
        assert response.status_code == 302
        found.update(parse_qs(urlsplit(response.headers["location"]).query))

    async def called_back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=found["code"][0], state=found["state"][0])

    about = OAuthClientMetadata(client_name="a client", redirect_uris=["http://localhost:3030/callback"], scope="read")
    auth = OAuthClientProvider(url, about, memory, browse, called_back)
    async with (
        create_mcp_http_client(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        result = await client.call_tool("whisper", {"text": "QUIET"})
        secrets = {memory.tokens.access_token, memory.client.client_secret, found["code"][0]}
        return str(result.content[0].text), secrets


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_whole_flow_is_recorded_without_its_secrets_and_judged(tmp_path, mode):
    port, public = free_port(), free_port()
    with running([*SERVER, str(port), f"http://127.0.0.1:{public}"], port):
        proxy = Proxied(tmp_path, f"http://127.0.0.1:{port}/mcp", "--listen", f"127.0.0.1:{public}")
        whispered, secrets = anyio.run(whisper, proxy.url, mode)
        assert whispered == "quiet"
        (session,) = proxy.stop()
    outcome = comply(session.frames, Book.load())
    verdicts = {one.rule: one for one in outcome.verdicts if one.rule.startswith("AUTH")}
    broken = {
        finding.rule for one in outcome.verdicts for finding in one.findings if finding.severity >= Severity.ERROR
    }
    assert broken == set()
    # The SDK's server names no scope in its challenge, and does not send iss; here its endpoints are on this machine.
    assert {one.rule for one in verdicts.values() if one.findings} <= {"AUTH-016", "AUTH-020", "AUTH-026"}
    assert not [secret for secret in secrets if secret.encode() in session.text]
    for rule in ("AUTH-001", "AUTH-002", "AUTH-003", "AUTH-004", "AUTH-008", "AUTH-013", "AUTH-015", "AUTH-037"):
        assert verdicts[rule].status == "passed", (rule, verdicts[rule])
