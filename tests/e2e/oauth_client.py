"""The SDK's client at a server that asks for authorization: `python oauth_client.py URL` prints what the tool said,
and then, one to a line, every secret that it came to know."""

from __future__ import annotations

import sys
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken


class Storage:
    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def main(url: str) -> None:
    storage = Storage()
    answer: dict[str, list[str]] = {}

    async def go_there(address: str) -> None:
        """What the user's browser does, through the same proxy."""
        async with httpx2.AsyncClient() as browser:
            response = await browser.get(address)
        answer.update(parse_qs(urlsplit(response.headers["location"]).query))

    async def come_back() -> AuthorizationCodeResult:
        iss = answer.get("iss", [None])[0]
        return AuthorizationCodeResult(code=answer["code"][0], state=answer["state"][0], iss=iss)

    metadata = OAuthClientMetadata(client_name="a client", redirect_uris=["http://127.0.0.1:1/callback"])  # type: ignore[list-item]
    auth = OAuthClientProvider(url, metadata, storage, go_there, come_back)
    async with (
        httpx2.AsyncClient(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http), mode="legacy") as client,
    ):
        result = await client.call_tool("whisper", {})
    print(result.content[0].text)  # type: ignore[union-attr]
    assert storage.tokens
    assert storage.client
    for secret in (
        storage.tokens.access_token,
        storage.tokens.refresh_token,
        storage.client.client_secret,
        *answer["code"],
    ):
        print(secret)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
